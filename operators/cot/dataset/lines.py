"""The files of a data set and their lines, one after the other, whatever stands in them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dataflow_ext.datasets.files import bounded_lines
from dataflow_ext.errors import InputError
from dataflow_ext.strict_json import RepeatedKey, no_constant, unrepeated
from dataflow_ext.well_formed import is_well_formed
from operators.cot.problems import Problem
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
        entry = object_of(raw.decode("utf-8"))
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


def object_of(text: str) -> Any:
    """The value of a JSON text; ValueError for what is no JSON, is not finite, or has a key twice."""
    return _DECODER.decode(text)


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
