"""A data set of samples as files that trainers read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dataflow_ext.datasets.lines import line_of
from dataflow_ext.errors import InputError
from dataflow_ext.files import atomic, write_text
from operators.cot.dataset.layout import DATA_FILE
from operators.cot.dataset.lines import lines_of
from operators.cot.dataset.steps import step_rows
from operators.cot.dataset.trainers import DATASET_INFO, SHAREGPT, SWIFT, dataset_info, sharegpt, swift
from operators.cot.load import load_plan
from operators.cot.rules.entry import place_of
from operators.cot.rules.form import form_of
from operators.cot.tasks import TASKS

#: The file of labelled steps.
STEPS = "steps.jsonl"


def export(cot_root: Path, out: Path, *, input_root: Path | None = None) -> int:
    """Write all samples of ``cot_root`` into ``out`` in the forms of LLaMA-Factory and ms-swift; how many there are.

    Files of an earlier export are replaced. With ``input_root`` the paths of pictures are absolute, else as the samples
    have them, and the steps of what rules wrote are written with labels, as far as the plans are there. Raises
    InputError for a folder without samples, and for a line that is no sample (it says which).
    """
    files = [path for name in TASKS if (path := cot_root / name / DATA_FILE).is_file()]
    if not files:
        raise InputError(f"{cot_root} has no data set: there is no TASK/{DATA_FILE} in it.")
    if out.resolve() == cot_root.resolve():
        raise InputError(f"{out} is the data set itself; name another folder.")
    base = "" if input_root is None else f"{input_root.absolute().as_posix().rstrip('/')}/"
    count = 0
    forms: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {SHAREGPT: sharegpt, SWIFT: swift}
    for name, form in forms.items():
        count = 0
        with atomic(out / name) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
            for entry in _entries(files):
                count += 1
                file.write(line_of(form(entry, "" if _absolute(entry) else base)))
    if input_root is not None:
        write_text(out / STEPS, "".join(map(line_of, _steps(files, input_root))))
    write_text(out / DATASET_INFO, json.dumps(dataset_info(), indent=2) + "\n")
    return count


def _steps(files: list[Path], input_root: Path) -> Iterator[dict[str, Any]]:
    for entry in _entries(files):
        place = place_of(entry["meta"]["source_path"], input_root)
        if place is not None and (input_root / place).is_file():
            yield from step_rows(entry, load_plan(input_root / place))


def _entries(files: list[Path]) -> Iterator[dict[str, Any]]:
    for path in files:
        for line in lines_of(path):
            found = line.problems or [each for each in form_of(line.entry) if each.level == "error"]
            if line.entry is None or found:
                raise InputError(f"{path}, line {line.number}, is no sample: {found[0]}. Run validate, and mend it.")
            yield line.entry


def _absolute(entry: dict[str, Any]) -> bool:
    return all(path.startswith("/") for path in entry["image"])
