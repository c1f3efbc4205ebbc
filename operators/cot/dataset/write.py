"""A data set of finished samples in a folder: one file a task, the same bytes for the same samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from dataflow_ext import Failure
from dataflow_ext.datasets.folder import DataFolder, Written
from dataflow_ext.datasets.lines import UnwritableLine, line_of
from operators.cot.dataset.layout import NAMES, data_file
from operators.cot.dataset.shape import Unfit, written_entry
from operators.cot.problems import Problem


def write_data_set(
    samples: Iterable[tuple[int, Mapping[str, Any]]], out: Path, *, tasks: Sequence[str] = (), abs_paths: bool = False
) -> Written:
    """Write the samples, which come task by task in the order of their lines, with their rows; what was written.

    A sample that cannot be written, or whose id an earlier one has, is left out and told in ``failures``. Files
    of ``tasks`` that earlier runs wrote and that have no sample now are removed, last of all; without any
    sample nothing is written or removed. Raises InputError if ``out`` cannot be written, or holds a data set
    that no run of this library wrote.
    """
    done, written = Written(), set[str]()
    with DataFolder(out, NAMES) as folder:
        for task, lines in groupby(_lines(samples, abs_paths, done), key=itemgetter(0)):
            with folder.text(data_file(task)) as file:
                file.writelines(line for _, line in lines)
            written.add(task)
        if written:
            folder.place()
            folder.remove(map(data_file, set(tasks) - written))
    return done


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
            line = _line(written_entry(sample, bases[root]))
            if sample["id"] in seen:
                raise Unfit(Problem("id.duplicate", f"another sample has the id {sample['id']}"))
        except Unfit as error:
            done.failures.append(Failure(row, str(error), error.problem.code))
            continue
        seen.add(sample["id"])
        done.rows.append(row)
        yield sample["task_name"], line


def _line(entry: Mapping[str, Any]) -> str:
    try:
        return line_of(entry)
    except UnwritableLine as error:
        raise Unfit(Problem("json.syntax", str(error))) from None
