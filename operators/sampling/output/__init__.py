"""The page of a run, its card and its figures."""
