"""Commands beside a pipeline's run; only here and in pipelines is there a terminal."""
