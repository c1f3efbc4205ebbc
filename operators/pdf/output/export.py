"""What question rows have for trainers."""

from __future__ import annotations

from pathlib import Path

from dataflow_ext.datasets.questions import question_source
from dataflow_ext.datasets.source import Source
from operators.pdf.output.writer import LINES, PARQUET


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The questions in a folder; None if there are none. What has no answer is in its tables alone."""
    nothing = "nobody wrote a worse answer, or steps with labels, for a book's questions"
    return question_source("pdf_vqa", out / LINES, out / PARQUET, {"pairs": nothing, "steps": nothing})
