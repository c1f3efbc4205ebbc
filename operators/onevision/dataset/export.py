"""What a data set of rows with verdicts has for trainers: the kept ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dataflow_ext.datasets.source import Source, source_by_columns
from dataflow_ext.tables import read_table
from operators.onevision.dataset.layout import BY_VERDICT, GRPO, MESSAGES, PARQUET


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The kept rows in a folder; None if there is no such data set."""
    if not (out / BY_VERDICT["kept"]).is_file() or not (out / PARQUET).is_file():
        return None
    nothing = "a row that the gate turned away may be right, and rewritten reasoning has no labels"
    return replace(
        source_by_columns(out, (MESSAGES, GRPO)),
        name="onevision",
        tables=lambda: {"train": read_table(out / PARQUET)},
        missing={"pairs": nothing, "steps": nothing, "problems": "no row was kept", "conversations": "no row was kept"},
    )
