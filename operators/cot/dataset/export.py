"""What a data set of samples has for trainers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.source import Row, Source, pairs_of, settings_of
from dataflow_ext.errors import InputError
from operators.cot.dataset.layout import NAMES
from operators.cot.dataset.lines import lines_of
from operators.cot.dataset.steps import step_rows
from operators.cot.dataset.trainers import asked, conversation
from operators.cot.load import load_plan
from operators.cot.rules.entry import place_of
from operators.cot.rules.form import form_of
from operators.cot.tasks.options import LETTERS


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The data set in a folder; None if there is none. ``inputs`` is the folder of the annotated videos.

    It has labelled steps of what rules wrote, as far as the plans are there, and problems where one of several options
    is right.
    """
    files = [path for name in NAMES if (path := out / name).is_file()]
    if not files:
        return None
    root = inputs or Path(settings_of(out).get("root") or out)
    steps = partial(_steps, files, root)
    return Source(
        "cot_planning",
        root,
        lambda: {"train": pa.Table.from_pylist([_flat(entry) for entry in _entries(files)])},
        conversations=lambda: map(conversation, _entries(files)),
        problems=partial(_problems, files),
        pairs=lambda: pairs_of(steps()),
        steps=steps,
        missing={
            "problems": "no sample has one right option of several",
            "steps": f"no plan in {root} bears out a sample that rules wrote; name the plans' folder with --inputs",
            "pairs": f"no plan in {root} bears out a sample that rules wrote; name the plans' folder with --inputs",
        },
    )


def _entries(files: list[Path]) -> Iterator[dict[str, Any]]:
    for path in files:
        for line in lines_of(path):
            found = line.problems or [each for each in form_of(line.entry) if each.level == "error"]
            if line.entry is None or found:
                raise InputError(f"{path}, line {line.number}, is no sample: {found[0]}. Run validate, and mend it.")
            yield line.entry


def _problems(files: list[Path]) -> Iterator[Row]:
    for entry in _entries(files):
        fields = entry["meta"]["fields"]
        options, letter = fields.get("options"), fields.get("label")
        if isinstance(options, list) and isinstance(letter, str) and letter in tuple(LETTERS[: len(options)]):
            told = conversation(entry)
            problem, images = told["messages"][0]["content"], told["images"]
            yield {"id": entry["id"], "problem": problem, "answer": letter, "options": options, "images": images}


def _steps(files: list[Path], root: Path) -> Iterator[Row]:
    for entry in _entries(files):
        place = place_of(entry["meta"]["source_path"], root)
        if place is not None and (root / place).is_file():
            yield from ({**row, "images": entry["image"]} for row in step_rows(entry, load_plan(root / place)))


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The sample in columns; what differs from task to task as JSON."""
    meta = entry["meta"]
    return {
        "id": entry["id"],
        "task_name": meta["task_name"],
        "images": entry["image"],
        "video": entry.get("video"),
        "question": entry["conversations"][0]["value"],
        "asked": asked(entry),
        "response": entry["conversations"][1]["value"],
        "evidence_type": meta["evidence_type"],
        "source_path": meta["source_path"],
        "step_index": meta["step_index"],
        "fields": json.dumps(meta["fields"], ensure_ascii=False),
        "assistant_generator": json.dumps(meta["assistant_generator"], ensure_ascii=False),
    }
