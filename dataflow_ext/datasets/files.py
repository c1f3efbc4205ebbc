"""The files of a data set: lines of JSON as its standard has it and Parquet, written row by row, and pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from dataflow_ext.datasets.folder import IMAGES, DataFolder
from dataflow_ext.errors import InputError, RowError


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


#: Stands in a text for a picture, or a film, in their order.
PICTURE, FILM = "<image>", "<video>"

#: A picture's link in Markdown; its name may hold pairs of brackets.
_LINK = re.compile(r"!\[(?P<caption>[^\]\n]{0,500})\]\((?P<path>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")

_ENDINGS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg"}


def with_places(text: str, images: Sequence[Any]) -> tuple[str, list[Any]]:
    """A text with an ``<image>`` for each of its pictures, where it links to it, and the pictures in that order.

    Pictures that it links to nowhere come first. A text that has their places already stays as it is.

    >>> with_places("See ![Fig. 1](a.png).", ["b.png", "a.png"])
    ('<image>\\nSee <image>.', ['b.png', 'a.png'])
    """
    known = {path_of(each): each for each in images}
    linked = [found["path"] for found in _LINK.finditer(text) if found["path"] in known]
    if not linked and text.count(PICTURE) == len(images):
        return text, list(images)
    placed = _LINK.sub(lambda found: PICTURE if found["path"] in known else found[0], text.replace(PICTURE, ""))
    others = [path for path in known if path not in linked]
    return f"{PICTURE}\n" * len(others) + placed, [known[path] for path in (*others, *linked)]


def captioned(text: str) -> str:
    """A text that a model says, which cannot show pictures: of each its caption stays.

    >>> captioned("As in ![Fig. 1](a.png).")
    'As in Fig. 1.'
    """
    return _LINK.sub(r"\g<caption>", text.replace(PICTURE, "")).strip()


def has_link(text: str) -> bool:
    """Whether a text links to a picture."""
    return _LINK.search(text) is not None


def path_of(image: Any) -> str:
    """The path of a picture, given as such or as a record that has it; InputError for anything else."""
    if isinstance(image, dict):
        image = image.get("path") or image.get("image")
    if not isinstance(image, str):
        raise InputError(f"A picture is a path, or bytes with a path, not {type(image).__name__}.")
    return image


class Pictures:
    """Pictures by the hashes of their content: all are noted at once, each is put in its place when a row has it.

    ``sources`` are their files. ``there`` are the paths of those in their places.
    """

    def __init__(self, folder: DataFolder, sources: Mapping[str, str]) -> None:
        self._folder, self._sources = folder, sources
        self._paths: dict[str, str | OSError | InputError] = {}
        for key, source in sources.items():
            try:
                self._paths[key] = f"{IMAGES}/{content_name(key, Path(source))}"
            except (OSError, InputError) as error:
                self._paths[key] = error
        folder.expect(path for path in self._paths.values() if isinstance(path, str))
        self.there: set[str] = set()

    def put(self, key: str) -> str:
        """The path of a picture, which is in its place then; raises why it cannot be."""
        path = self._paths[key]
        if not isinstance(path, str):
            raise path
        if path not in self.there:
            self._folder.put(path, Path(self._sources[key]))
            self.there.add(path)
        return path


def content_name(key: str, source: Path) -> str:
    """The name of a picture: the beginning of its content's hash, and its format; InputError if not PNG or JPEG."""
    with source.open("rb") as file:
        head = file.read(4)
    for start, ending in _ENDINGS.items():
        if head.startswith(start):
            return f"{key[:16]}.{ending}"
    raise InputError(f"The picture {source} is neither PNG nor JPEG; ImageNormalizer makes it one.")
