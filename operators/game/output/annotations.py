"""``annotations.jsonl``: all that was read of each kept round, one a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dataflow_ext import InputError
from dataflow_ext.identity import ROW_ID
from dataflow_ext.tables import read_table, write_text
from operators.game.output.run_rounds import FIELDS, Rounds

NAME = "annotations.jsonl"

_FIRST = ("device", "episode", "round", "image")
_VALUES = ("numbers", "light", "card", "answer", "problem", "split", "place", "selected", "cards", "rule_read")
_NEEDED = (*_FIRST, "result", "numbers", "light", "answer", *FIELDS.values())


def write_annotations(rounds: Rounds, out: Path) -> Path:
    """The path of ``out/annotations.jsonl``, rounds in the order of their keys, paths relative to the root."""
    lines = [json.dumps(_record(row, rounds), ensure_ascii=False) + "\n" for row in rounds.kept_rows()]
    return write_text(Path(out) / NAME, "".join(lines))


def read_annotations(out: Path) -> list[dict[str, Any]]:
    """The rounds in ``out/annotations.jsonl``; InputError if the file is not there or is another one."""
    path = Path(out) / NAME
    if not path.is_file():
        raise InputError(f"There is no {path}; run the pipeline with --out {out} first.")
    table = read_table(path)
    if missing := [name for name in _NEEDED if table.num_rows and name not in table.column_names]:
        raise InputError(f"{path} has no {missing[0]}; it is not what a run of the pipeline writes.")
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _record(row: Mapping[str, Any], rounds: Rounds) -> dict[str, Any]:
    return {
        ROW_ID: row[ROW_ID],
        **{name: row[name] for name in _FIRST},
        "result": rounds.relative(row["result"]),
        **{name: row.get(name) for name in _VALUES},
        **{column: row[column] for column in FIELDS.values()},
    }
