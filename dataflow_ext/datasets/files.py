"""The files of a data set that are written row by row, lines of JSON and Parquet; and JSON as its standard has it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from dataflow_ext.errors import RowError


class RepeatedKey(ValueError):
    """An object has a key twice; the key is :attr:`key`."""

    def __init__(self, key: str) -> None:
        super().__init__("a key stands twice in one object")
        self.key = key


def strict_value(text: str) -> Any:
    """The value of a JSON text; ValueError for what is none, RepeatedKey for an object that has a key twice.

    >>> strict_value('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    dataflow_ext.datasets.files.RepeatedKey: a key stands twice in one object
    """
    return json.loads(text, object_pairs_hook=unrepeated, parse_constant=no_constant)


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values; RepeatedKey for a key that comes twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise RepeatedKey(first_repeated(key for key, _ in pairs))
    return made


def first_repeated(keys: Iterable[str]) -> str:
    """The first key that came before; there must be one."""
    seen: set[str] = set()
    return next(key for key in keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def no_constant(name: str) -> Any:
    """ValueError: neither NaN nor Infinity is JSON."""
    raise ValueError(f"{name} is no JSON value")


_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode

#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}

#: Limits of a row group: its rows, and the bytes of their pictures.
GROUP_ROWS, GROUP_BYTES = 1024, 16 << 20


class UnwritableLine(RowError):
    """No line of a file can hold a value."""


def line_of(entry: Any) -> str:
    """A value as one line of JSON; UnwritableLine for what no file could hold.

    >>> line_of({"value": "a\\u2028b 茶"})
    '{"value": "a\\\\u2028b 茶"}\\n'
    """
    try:
        text = _ENCODE(entry)
        text.encode()
    except UnicodeEncodeError:
        raise UnwritableLine("a text has half a character (a lone surrogate)") from None
    except (ValueError, RecursionError):
        raise UnwritableLine("a number is not finite, or values lie too deeply within each other") from None
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"


def bounded_lines(path: Path, most: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers from 1; only a line feed, which is left out, ends one, as in JSON Lines.

    Of a line of more than ``most`` bytes come a few more than these, so that it can be told, and never all of them.
    """
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(most + 2):
            number += 1
            if len(raw) > most and not raw.endswith(b"\n"):
                while (rest := file.readline(most)) and not rest.endswith(b"\n"):
                    pass
            yield number, raw.removesuffix(b"\n")


class ParquetRows:
    """Rows as they come, compressed, the same bytes for the same rows; a context that ends the file.

    Pictures are compressed already, and no two are alike: for them a ``dictionary`` would only take memory.
    """

    def __init__(self, path: Path, schema: pa.Schema, *, dictionary: bool = False) -> None:
        import pyarrow.parquet as pq

        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=dictionary)
        self._rows: list[Mapping[str, Any]] = []
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def write(self, row: Mapping[str, Any], size: int = 0) -> None:
        """Add a row whose pictures have so many bytes."""
        if self._rows and (len(self._rows) >= GROUP_ROWS or self._bytes + size > GROUP_BYTES):
            self._flush()
        self._rows.append(row)
        self._bytes += size

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._bytes = [], 0
