"""The files of a data set: their lines one after the other, whatever stands in them, and samples as lines and rows."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from dataflow_ext import Failure
from dataflow_ext.datasets import files
from dataflow_ext.datasets.files import RepeatedKey, UnwritableLine, bounded_lines, no_constant, unrepeated
from dataflow_ext.datasets.folder import DataFolder, Written
from dataflow_ext.errors import InputError
from dataflow_ext.well_formed import is_well_formed
from operators.cot.problems import Problem
from operators.cot.rules.entry import form_of
from operators.cot.sample import AssistantGenerator, entry_of, written_fields
from operators.cot.tasks import TASKS

#: A longer line (bytes) holds no sample, and is not read into memory.
MOST_BYTES = 8 << 20
#: Objects and lists within each other; a sample has no more than six.
MOST_DEEP = 40

_BOM = b"\xef\xbb\xbf"
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its number from 1, its bytes without the line break, and the object in it.

    ``entry`` is None if the line holds none that can be used; then ``problems`` tells why.
    """

    number: int
    raw: bytes
    entry: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)


def lines_of(path: Path) -> Iterator[Line]:
    """Every line of a data file, in bounded memory; only a line feed ends one, as in JSON Lines.

    Raises :class:`~dataflow_ext.InputError` for a file that cannot be read.
    """
    return (line_of(number, raw) for number, raw in raw_lines(path))


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbers and bytes of the lines; of one that is too long, a few more than :data:`MOST_BYTES`."""
    try:
        yield from bounded_lines(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from None


def line_of(number: int, raw: bytes) -> Line:
    """One line from its bytes.

    >>> line_of(1, b'{"id": "a", "id": "b"}').problems
    [Problem(code='json.duplicate_key', message="an object has the key 'id' twice", level='error')]
    >>> line_of(2, b'{"id": NaN}').problems
    [Problem(code='json.syntax', message='NaN is no JSON value', level='error')]
    """
    found = []
    text = raw
    if number == 1 and raw.startswith(_BOM):
        found.append(Problem("file.encoding", "the file begins with a byte order mark"))
        text = raw[len(_BOM) :]
    entry = _object(text)
    if isinstance(entry, Problem):
        return Line(number, raw, None, [*found, entry])
    return Line(number, raw, entry, found)


def _object(raw: bytes) -> dict[str, Any] | Problem:
    if len(raw) > MOST_BYTES:
        return Problem("json.syntax", f"the line has more than {MOST_BYTES >> 20} MiB")
    if not raw.strip():
        return Problem("json.blank", "the line is blank")
    try:
        entry = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Problem("file.encoding", f"the line is not UTF-8 (byte {error.start + 1})")
    except RepeatedKey as error:
        return Problem("json.duplicate_key", f"an object has the key {repr(error.key)[:80]} twice")
    except RecursionError:
        return Problem("json.syntax", "the line has objects or lists nested too deeply")
    except ValueError as error:
        return Problem("json.syntax", _told(error))
    if not isinstance(entry, dict):
        return Problem("json.syntax", "the line is JSON, but no object")
    if raw.count(b"[") + raw.count(b"{") > MOST_DEEP and _too_deep(entry):
        return Problem("json.syntax", "the line has objects or lists nested too deeply")
    if _HALF.search(raw) and not is_well_formed(json.dumps(entry, ensure_ascii=False)):
        return Problem("text.control", "a text has half a character (a lone surrogate)")
    return entry


def _told(error: ValueError) -> str:
    """What is no JSON, and where in the line."""
    if isinstance(error, json.JSONDecodeError):
        what = error.msg.removesuffix(" at").removesuffix(" starting")
        return f"{what[:1].lower()}{what[1:]} at column {error.pos + 1}"
    return str(error)[:120]


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=unrepeated, parse_constant=no_constant, parse_float=_finite)


def _too_deep(value: object) -> bool:
    """Whether objects and lists lie deeper within each other than rules are made for."""
    level: list[object] = [value]
    for _ in range(MOST_DEEP):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


#: The one file in a task's folder.
DATA_FILE = "data.jsonl"


def data_file(task: str) -> str:
    """The data file of a task."""
    return f"{task}/{DATA_FILE}"


#: All data files that there can be.
NAMES = tuple(data_file(task) for task in TASKS)


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
        return files.line_of(entry)
    except UnwritableLine as error:
        raise Unfit(Problem("json.syntax", str(error))) from None
