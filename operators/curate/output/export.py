"""What curated rows have for trainers; those for a person to look at are left out."""

from __future__ import annotations

from pathlib import Path

from dataflow_ext.datasets.source import Source, question_source
from operators.curate.output.delivery import LINES, PARQUET


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The rows to train on in a folder; None if there are none."""
    nothing = "nobody wrote a worse answer, or steps with labels, for a question; sample_cot makes them"
    return question_source("curate", out / LINES, out / PARQUET, {"pairs": nothing, "steps": nothing})
