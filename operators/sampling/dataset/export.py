"""What a data set of samples has for trainers: right attempts, rated questions, pairs, and steps that compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from dataflow_ext.datasets.source import Source
from dataflow_ext.tables import json_records, read_table
from operators.sampling.dataset.write import ATTEMPTS, DPO, GRPO, NAMES, SFT, STEPS, Entry, Row


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The data set in a folder; None if there is none of samples."""
    if not all((out / name).is_file() for name in NAMES):
        return None
    return Source(
        "sample_cot",
        out,
        lambda: {"train": read_table(out / ATTEMPTS)},
        conversations=partial(_rows, out / SFT, dict),
        problems=partial(_rows, out / GRPO, _problem),
        pairs=partial(_rows, out / DPO, _pair),
        steps=partial(_rows, out / STEPS, dict),
        missing=dict.fromkeys(("conversations", "problems", "pairs", "steps"), "no attempt made one"),
    )


def _rows(path: Path, form: Callable[[Row], Entry]) -> Iterator[Row]:
    return map(form, json_records(path))


def _problem(row: Row) -> Entry:
    return {**row, "problem": row["prompt"][0]["content"]}


def _pair(row: Row) -> Entry:
    return {**row, **{name: row[name][0]["content"] for name in ("prompt", "chosen", "rejected")}}
