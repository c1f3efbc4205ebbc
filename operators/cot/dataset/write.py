"""A data set of finished samples in a folder: each sample as the object of a line, and that as a row again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from dataflow_ext import Failure
from dataflow_ext.datasets.files import UnwritableLine, line_of
from dataflow_ext.datasets.folder import DataFolder, Written
from operators.cot.dataset.lines import NAMES, data_file
from operators.cot.problems import Problem
from operators.cot.rules.entry import form_of
from operators.cot.sample import AssistantGenerator, entry_of, written_fields
from operators.cot.tasks import TASKS


class Unfit(Exception):
    """A sample cannot have the other shape; ``problem`` tells why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def written_entry(row: Mapping[str, Any], base: str = "") -> dict[str, Any]:
    """The object that is written for a finished sample, its keys in the format's order.

    ``base`` is put before every path: a root that ends in a slash, or nothing. Raises :class:`Unfit` for an
    unknown task, fields that are no JSON object, and a path that leaves the root.
    """
    if row["task_name"] not in TASKS:
        raise Unfit(Problem("task.unknown", f"there is no task {row['task_name'][:80]!r}"))
    placed = {
        "image": [base + _inside(path, "evidence.path") for path in row["image"]],
        "video": None if row["video"] is None else base + _inside(row["video"], "evidence.path"),
        "source_path": base + _inside(row["source_path"], "source.path"),
    }
    try:
        entry = entry_of({**row, **placed})
    except (ValueError, RecursionError):
        entry = None
    if entry is None or not isinstance(entry["meta"]["fields"], dict):
        raise Unfit(Problem("schema.type", "fields is no JSON object"))
    return entry


def sample_of(entry: object, root: str) -> dict[str, Any]:
    """The finished sample in a parsed line, its paths relative to ``root``, an absolute posix path.

    Raises :class:`Unfit` for an object that is not of the format's shape, and for what no row could hold:
    paths out of the root, other ``evidence_files`` than what is shown.
    """
    found = next((problem for problem in form_of(entry) if problem.level == "error"), None)
    if found is not None or not isinstance(entry, dict):
        raise Unfit(found or Problem("schema.type", "the sample is no object"))
    meta = entry["meta"]
    image, video = entry["image"], entry.get("video")
    shown = image if video is None else [*image, video]
    if sorted(meta.get("evidence_files", shown)) != sorted(shown):
        raise Unfit(Problem("evidence.files", "meta.evidence_files is not image and video together"))
    question, response = (turn["value"] for turn in entry["conversations"])
    return {
        "id": entry["id"],
        "image": [_below(root, path, "evidence.path") for path in image],
        "video": None if video is None else _below(root, video, "evidence.path"),
        "question": question,
        "response": response,
        "task_name": meta["task_name"],
        "evidence_type": meta["evidence_type"],
        "source_path": _below(root, meta["source_path"], "source.path"),
        "step_index": meta["step_index"],
        "fields": written_fields(meta["fields"]),
        "assistant_generator": AssistantGenerator(**meta["assistant_generator"]),
    }


def _below(root: str, path: str, code: str) -> str:
    """A path relative to the root."""
    if path.startswith("/"):
        start = f"{root.rstrip('/')}/"
        if not path.startswith(start):
            raise Unfit(Problem(code, f"{path[:200]!r} is absolute and not below {root}; was the data set moved?"))
        path = path.removeprefix(start)
    return _inside(path, code)


def _inside(path: str, code: str) -> str:
    if not path or path.startswith("/") or "\\" in path or "\0" in path or ".." in path.split("/"):
        raise Unfit(Problem(code, f"{path[:200]!r} is no path below the root"))
    return path


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
