"""Tests every line of a data set against the rules for samples, and the data set as a whole."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.errors import InputError
from dataflow_ext.well_formed import path_text
from operators.cot.dataset.data_files import DATA_FILE, Line, line_of, lines_of, raw_lines
from operators.cot.dataset.summary import Summary, Whole
from operators.cot.items import is_there
from operators.cot.problems import Problem
from operators.cot.rules.entry import entry_problems
from operators.cot.tasks import TASKS

_CHUNK = 65536
#: Paths of which it is remembered whether a file is there.
_PATHS = 1 << 16


class Ids:
    """The ids of all lines of a data set, file after file; of each line a hash is kept, and no text.

    >>> ids = Ids()
    >>> ids.begin(); ids.add("a"); ids.add("b"); ids.begin(); ids.add(None); ids.add("a")
    >>> list(ids.repeated())
    [((1, 2), (0, 1))]
    """

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._starts: list[int] = []

    def begin(self) -> None:
        """The next lines are those of the next file."""
        self._starts.append(len(self._hashes))

    def add(self, value: object) -> None:
        """Note the next line's id; what is no text equals no other."""
        told = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else b"\0%d" % len(self._hashes)
        self._hashes.append(int.from_bytes(blake2b(told, digest_size=8).digest(), "little"))

    def repeated(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The places of lines whose id an earlier one has, in their order, and the place of the first one with it.

        A place is a file, counted from 0, and a line in it, from 1.
        """
        if len(self._hashes) < 2:
            return
        hashes = pa.Array.from_buffers(pa.uint64(), len(self._hashes), [None, pa.py_buffer(self._hashes)])
        order = pc.array_sort_indices(hashes)  # stable: lines of one id stay in their order
        ordered = hashes.take(order)
        same = pc.indices_nonzero(pc.equal(ordered[1:], ordered[:-1]))
        # Both places in one number, so that they can be put in order together.
        pairs, first, last = array("Q"), 0, -1
        for start in range(0, len(same), _CHUNK):
            for place in same.slice(start, _CHUNK).to_pylist():
                if place != last:
                    first = order[place].as_py()
                last = place + 1
                pairs.append(order[last].as_py() << 32 | first)
        for pair in sorted(pairs):
            yield self._place(pair >> 32), self._place(pair & 0xFFFFFFFF)

    def _place(self, index: int) -> tuple[int, int]:
        file = bisect_right(self._starts, index) - 1
        return file, index - self._starts[file] + 1


#: All rules for one sample, in the shape of ``entry_problems``.
Rules = Callable[..., list[Problem]]


def check(
    input_root: Path,
    cot_root: Path,
    *,
    strict: bool = False,
    rules: Rules = entry_problems,
    whole: bool = True,
) -> Summary:
    """What is wrong with the data set in ``cot_root`` whose plans and pictures lie below ``input_root``.

    It is read line by line; of a line that was checked 16 bytes stay, so that a million lines are no burden.
    With ``whole``, samples that are the same but for their ids, and what :class:`operators.cot.dataset.summary.Whole`
    shows, are told as warnings. Hidden folders and files are passed by, as are files beside the tasks' folders. Raises
    InputError for a folder that is not there or has no data set.
    """
    for folder in (Path(input_root), Path(cot_root)):
        if not folder.is_dir():
            raise InputError(f"There is no folder {folder}.")
    summary, ids = Summary(strict), Ids()
    exists = lru_cache(_PATHS)(is_there)  # samples of an item show the same files
    try:
        files = list(_files(Path(cot_root), summary))
    except OSError as error:
        raise InputError(f"Cannot read {error.filename}: {error.strerror}.") from None
    if not files:
        raise InputError(f"{cot_root} has no data set: there is no TASK/{DATA_FILE} in it.")
    contents, figures = Ids(), Whole()
    root = Path(os.path.abspath(input_root))  # noqa: PTH100 - a link's own name, not its target's
    for path in files:
        contents.begin()
        for line in _checked(path, root, rules, exists, summary, ids):
            if whole:
                contents.add(_content(line))
                figures.add(_name(path.parent), line.entry or {})
    _note_repeated(files, ids, summary, _same_id)
    _note_repeated(files, contents, summary, _same_content)
    for name, problem in figures.problems():
        summary.note(problem, name, f"{name}/{DATA_FILE}")
    summary.problems.sort(key=lambda found: (found.file, found.line or 0))
    return summary


def _files(cot_root: Path, summary: Summary) -> Iterator[Path]:
    """The data files, in the order of their folders' names; what else lies there is noted."""
    for folder in sorted(cot_root.iterdir()):
        name = _name(folder)
        if name.startswith("."):
            continue
        if not folder.is_dir():
            if name == DATA_FILE:
                summary.note(Problem("file.name", f"{name} lies in no task's folder"), name, name)
            continue
        if name not in TASKS:
            summary.note(Problem("file.name", "the folder is not named as a task"), name, name)
        if not (folder / DATA_FILE).is_file():
            summary.note(Problem("file.name", f"the folder has no file {DATA_FILE}"), name, name)
        for other in sorted(folder.iterdir()):
            if other.name == DATA_FILE and other.is_file():
                yield other
            elif not other.name.startswith("."):
                stray = Problem("file.name", f"only {DATA_FILE} belongs into a task's folder", "warning")
                summary.note(stray, name, f"{name}/{_name(other)}")


def _name(path: Path) -> str:
    """A file's name as text that can be written, whatever its bytes are."""
    return path_text(path.name)


def _checked(
    path: Path, root: Path, rules: Rules, exists: Callable[[str], bool], summary: Summary, ids: Ids
) -> Iterator[Line]:
    """The lines of a file, each after its problems are noted."""
    folder = _name(path.parent)
    file = f"{folder}/{DATA_FILE}"
    counts = summary.by_task.setdefault(folder, Counter())
    ids.begin()
    number = 0
    for line in lines_of(path):
        number = line.number
        found, entry = line.problems, line.entry
        ids.add(None if entry is None else entry.get("id"))
        if entry is not None:
            counts["samples"] += 1
            found = [*found, *rules(entry, root, exists=exists), *_elsewhere(entry, folder)]
        for problem in found:
            summary.note(problem, folder, file, number, "" if entry is None else entry.get("id"))
        yield line
    if not number:
        summary.note(Problem("json.blank", "the file is empty", "warning"), folder, file)
    summary.lines += number
    summary.samples += counts["samples"]


def _elsewhere(entry: dict[str, object], folder: str) -> Iterator[Problem]:
    meta = entry.get("meta")
    task = meta.get("task_name") if isinstance(meta, dict) else None
    if isinstance(task, str) and task in TASKS and folder in TASKS and task != folder:
        yield Problem("task.folder", f"the sample is one of {task}")


def _content(line: Line) -> str | None:
    """A sample's line without its id; None for a line that holds none."""
    if line.entry is None or not isinstance(own := line.entry.get("id"), str):
        return None
    return line.raw.decode("utf-8", "replace").replace(own, "", 1)


def _same_id(entry: Mapping[str, object], first: str) -> Problem:
    return Problem("id.duplicate", f"the id {entry.get('id')} is that of {first} too")


def _same_content(entry: Mapping[str, object], first: str) -> Problem:
    return Problem("set.duplicate", f"but for its id, the sample is that of {first}", "warning")


def _note_repeated(
    files: Sequence[Path], ids: Ids, summary: Summary, told: Callable[[Mapping[str, object], str], Problem]
) -> None:
    """Name the lines that share an id, or a content, with an earlier one; only their files are read again."""
    repeated = ids.repeated()
    pair = next(repeated, None)
    while pair is not None:
        place = pair[0][0]
        folder = _name(files[place].parent)
        for number, raw in raw_lines(files[place]):
            if pair is None or pair[0] != (place, number):
                continue
            first = f"{_name(files[pair[1][0]].parent)}/{DATA_FILE}:{pair[1][1]}"
            entry = line_of(number, raw).entry or {}
            summary.note(told(entry, first), folder, f"{folder}/{DATA_FILE}", number, entry.get("id"))
            pair = next(repeated, None)
        if pair is not None and pair[0][0] == place:  # the file became shorter meanwhile
            raise InputError(f"{files[place]} was changed while it was read; run the check again.")
