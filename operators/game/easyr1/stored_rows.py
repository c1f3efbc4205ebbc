"""The rows of a data file as Python values, one after the other, whatever stands in the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from operators.game.easyr1.form import COLUMNS, ENDINGS, PARQUET_FOLDER
from operators.game.easyr1.problems import Findings

#: A longer line (bytes) is no row of texts and paths.
_MOST_LINE = 8 << 20
#: Rows of Parquet that are in memory together, with their pictures.
_TOGETHER = 8

#: A row's number in its file, from 1, and its values; None if it cannot be read.
Stored = tuple[int, dict[str, Any] | None]


class _RepeatedKey(ValueError):
    """An object has a key twice."""


def stored_rows(path: Path, name: str, found: Findings) -> Iterator[Stored]:
    """Each row of a JSONL or Parquet file, with what is wrong with the file noted under ``name``."""
    try:
        yield from (_parquet if path.suffix == ENDINGS[PARQUET_FOLDER] else _lines)(path, name, found)
    except OSError as error:
        found.add("file-unreadable", f"cannot be read: {error.strerror or error}", name)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        found.add("file-unreadable", f"is damaged: {str(error)[:200]}", name)


def _lines(path: Path, name: str, found: Findings) -> Iterator[Stored]:
    extra: set[str] = set()
    number = 0
    with path.open("rb") as file:
        while line := file.readline(_MOST_LINE):
            number += 1
            if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                found.add("utf8-bom", "begins with a byte order mark, which not every reader skips", name)
                line = line[3:]
            if len(line) == _MOST_LINE and not line.endswith(b"\n"):
                found.add("line-long", f"the line has more than {_MOST_LINE >> 20} MiB", name, number)
                while (rest := file.readline(_MOST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield number, None
            elif not line.strip():
                found.add("line-blank", "the line is empty", name, number)
            else:
                row = _object(line, name, number, found)
                _note_extra(row or {}, extra, name, number, found)
                yield number, row


def _object(line: bytes, name: str, number: int, found: Findings) -> dict[str, Any] | None:
    """The object that a line holds, None if it holds none."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        found.add("utf8-invalid", f"the line is not UTF-8 (byte {error.start + 1})", name, number)
        return None
    try:
        row = json.loads(text, object_pairs_hook=_unrepeated, parse_constant=_no_constant)
    except _RepeatedKey as error:
        found.add("json-key-repeated", f"the object has the key {error} twice", name, number)
        return None
    except (ValueError, RecursionError) as error:
        found.add("json-invalid", f"the line is not JSON ({str(error)[:120]})", name, number)
        return None
    if not isinstance(row, dict):
        found.add("json-no-object", "the line is JSON, but no object", name, number)
        return None
    if not _encodable(row):
        found.add("text-invalid", "a text has half a character (a lone surrogate)", name, number)
        return None
    return row


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKey(repr(next(key for key in keys if keys.count(key) > 1))[:60])
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _note_extra(row: dict[str, Any], extra: set[str], name: str, number: int, found: Findings) -> None:
    for column in row.keys() - extra - set(COLUMNS):
        extra.add(column)
        found.add("column-extra", f"the column {column[:60]!r} is none of {', '.join(COLUMNS)}", name, number)


def _parquet(path: Path, name: str, found: Findings) -> Iterator[Stored]:
    import pyarrow.parquet as pq

    # Page by page: a file with one huge row group must not be in memory as a whole.
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
        names = file.schema_arrow.names
        for column in sorted(set(names) - set(COLUMNS)):
            found.add("column-extra", f"the column {column[:60]!r} is none of {', '.join(COLUMNS)}", name)
        number = 0
        for batch in file.iter_batches(batch_size=_TOGETHER, columns=[c for c in COLUMNS if c in names]):
            for row in batch.to_pylist():
                number += 1
                yield number, row
