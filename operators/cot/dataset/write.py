"""A data set of finished samples in a folder: one file a task, the same bytes for the same samples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from dataflow_ext import Failure
from operators.cot.dataset.layout import DataFiles
from operators.cot.dataset.shape import Unfit, written_entry
from operators.cot.problems import Problem

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode

#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@dataclass(slots=True)
class Written:
    """The rows that are in the data set, and why the others are not."""

    rows: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def write_data_set(
    samples: Iterable[tuple[int, Mapping[str, Any]]], out: Path, *, tasks: Sequence[str] = (), abs_paths: bool = False
) -> Written:
    """Write the samples, which come task by task in the order of their lines, with their rows; what was written.

    A sample that cannot be written, or whose id an earlier one has, is left out and told in ``failures``. Files
    of ``tasks`` that earlier runs wrote and that have no sample now are removed, last of all; without any
    sample nothing is written or removed. Raises InputError if ``out`` cannot be written, or holds a data set
    that no run of this library wrote.
    """
    done, files, written = Written(), DataFiles(out), set()
    for task, lines in groupby(_lines(samples, abs_paths, done), key=itemgetter(0)):
        files.write(task, (line for _, line in lines))
        written.add(task)
    if written:
        files.remove(set(tasks) - written)
    return done


def line_of_entry(entry: Mapping[str, Any]) -> str:
    """An object as one line of a data file; Unfit for numbers that are not finite.

    >>> line_of_entry({"value": "a\\u2028b 茶"})
    '{"value": "a\\\\u2028b 茶"}\\n'
    """
    try:
        text = _ENCODE(entry)
    except ValueError:
        raise Unfit(Problem("json.syntax", "fields has a number that is not finite")) from None
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"


def _lines(
    samples: Iterable[tuple[int, Mapping[str, Any]]], abs_paths: bool, done: Written
) -> Iterator[tuple[str, str]]:
    """Task and line of every sample that can be written; what becomes of each is noted in ``done``."""
    seen: set[str] = set()
    bases: dict[str, str] = {}
    for row, sample in samples:
        root = sample["root"]
        if root not in bases:
            bases[root] = f"{Path(root).absolute().as_posix().rstrip('/')}/" if abs_paths else ""
        try:
            line = line_of_entry(written_entry(sample, bases[root]))
            if sample["id"] in seen:
                raise Unfit(Problem("id.duplicate", f"another sample has the id {sample['id']}"))
        except Unfit as error:
            done.failures.append(Failure(row, str(error), error.problem.code))
            continue
        seen.add(sample["id"])
        done.rows.append(row)
        yield sample["task_name"], line
