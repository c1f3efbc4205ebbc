"""What a data set of scene-editing conversations has for trainers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.source import Row, Source, pairs_of
from dataflow_ext.tables import json_records, read_table
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.dataset.exports import step_rows
from operators.scene.dataset.layout import CONVERSATIONS, RL, SWIFT


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The conversations in a folder; None if there are none.

    A problem is a turn, its answer the room and the calls that a reward replays, as JSON.
    """
    if not (out / CONVERSATIONS).is_file():
        return None
    nothing = "no turn's reasoning has claims that are proven"
    return Source(
        "scene_edit",
        out,
        lambda: {"train": pa.Table.from_pylist([_flat(entry) for entry in _entries(out)])},
        conversations=partial(_conversations, out),
        problems=partial(_turns, out),
        pairs=lambda: pairs_of(_steps(out)),
        steps=partial(_steps, out),
        missing={"pairs": nothing, "steps": nothing},
    )


def _entries(out: Path) -> Iterator[dict[str, Any]]:
    for _, raw in lines_of(out / CONVERSATIONS):
        conversation_in(raw)  # tells what is wrong with a line
        yield json.loads(raw)


def _conversations(out: Path) -> Iterator[Row]:
    for entry, row in zip(_entries(out), json_records(out / SWIFT), strict=True):
        yield {"id": entry["id"], **row}


def _turns(out: Path) -> Iterator[Row]:
    for row in read_table(out / RL).to_pylist():
        extra = row["extra_info"]
        images = [each.get("image") or each["path"] for each in row["images"]]
        system, asked = (message["content"] for message in row["prompt"])
        yield {"id": f"{extra['id']}-{extra['turn']}", "system": system, "problem": asked, "images": images,
               "answer": row["reward_model"]["ground_truth"]}  # fmt: skip


def _steps(out: Path) -> Iterator[Row]:
    for entry in _entries(out):
        for row in step_rows(entry):
            yield {**row, "images": entry["images"][row["turn"] : row["turn"] + 1]}


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The conversation in columns, with what the format tells of it as JSON."""
    told = json.dumps(entry["metadata"], ensure_ascii=False)
    return {"id": entry["id"], "messages": entry["messages"], "images": entry["images"], "metadata": told}
