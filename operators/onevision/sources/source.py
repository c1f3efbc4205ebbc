"""The records of LLaVA-CoT files, each as its JSON text, read fast and in little more memory than the files have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from json.decoder import JSONDecoder
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.files import bounded_lines
from dataflow_ext.errors import InputError
from dataflow_ext.well_formed import path_text
from operators.onevision.sources.turns import CONVERSATIONS, GOLD, IMAGES

#: How the text of a record begins that could not be read; the sentence that says why follows.
UNREADABLE = "# unreadable: "

#: A longer line (bytes) holds no record, and is not read into memory.
_MOST_BYTES = 10_000_000
#: Records that become one array.
_BLOCK = 128
#: With more bytes than this, a column's offsets need 64 bits.
_LARGE = (1 << 31) - 1
_BOMS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
_BOM = b"\xef\xbb\xbf"

#: A record's number in its file, from 1, and the bytes of its text.
_Numbered = tuple[int, bytes]


def records(files: Sequence[Path]) -> pa.Table:
    """One row a record: ``source`` ("train.jsonl:17") and ``record``, its JSON text as it stands.

    A ``.jsonl`` file has a record a line, a ``.json`` file a list of them, a ``.parquet`` or ``.arrow`` file one a
    row, with the columns ``image`` and ``conversations``; of a folder its ``.jsonl`` files are taken. Files that share
    their name are told apart by their folders. A line that cannot be read costs itself alone: its record is a sentence
    that begins with :data:`UNREADABLE`, which LLaVACoTReader rejects.

    InputError for a file that is missing, empty, damaged as a whole, or of another kind.
    """
    paths = [found for file in files for found in files_of(Path(file))]
    if not paths:
        raise InputError("There are no files to read; name LLaVA-CoT's train.jsonl, or the folder that it is in.")
    told = _names(paths)
    arrays: list[tuple[pa.Array, pa.Array]] = []
    for path, name in zip(paths, told, strict=True):
        read = _read(path)
        arrays += _columns(name, read)
    large = sum(record.nbytes for _, record in arrays) > _LARGE
    kind = pa.large_string() if large else pa.string()
    columns = {
        "source": pa.chunked_array([source for source, _ in arrays], pa.string()),
        "record": pa.chunked_array([record.cast(kind) for _, record in arrays], kind),
    }
    return pa.table(columns)


def files_of(path: Path) -> list[Path]:
    """The files with records that a path stands for: itself, or those in the folder."""
    if path.is_dir():
        found = sorted(p for p in path.glob("*.jsonl") if p.is_file() and not p.name.startswith("."))
        if not found:
            raise InputError(f"The folder {path} has no .jsonl file; name the file with the records.")
        return found
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    if path.suffix.lower() not in _READERS:
        raise InputError(f"Cannot read {path}: records are in files that end in {', '.join(_READERS)}.")
    return [path]


def _names(paths: Sequence[Path]) -> list[str]:
    """The files' names; with their folders where files share a name."""
    parts = 1
    while True:
        names = ["/".join(path.parts[-parts:]) for path in paths]
        if len(set(names)) == len(set(paths)) or parts >= max(len(path.parts) for path in paths):
            return [path_text(name) for name in names]
        parts += 1


def _read(path: Path) -> Iterator[_Numbered]:
    """The records of a file; InputError if it cannot be read or has none."""
    number = 0
    try:
        for number, text in _READERS[path.suffix.lower()](path):
            yield number, text
    except (OSError, ValueError, RecursionError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        what = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"Cannot read {path}: {what}.") from None
    if not number:
        raise InputError(f"The file {path} has no records in it.")


def _columns(name: str, numbered: Iterator[_Numbered]) -> Iterator[tuple[pa.Array, pa.Array]]:
    while some := list(islice(numbered, _BLOCK)):
        sources = [f"{name}:{number}" for number, _ in some]
        yield pa.array(sources, pa.string()), pa.array([_decoded(text) for _, text in some], pa.string())


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"{UNREADABLE}it is not UTF-8 (byte {error.start + 1} is 0x{text[error.start]:02x})"


def _lines(path: Path) -> Iterator[_Numbered]:
    """The lines that are not blank; of one that is too long, why there is nothing of it."""
    for number, line in bounded_lines(path, _MOST_BYTES):
        if number == 1:
            line = _without_bom(line)
        line = line.strip(b" \t\r")
        if len(line) > _MOST_BYTES:
            line = f"{UNREADABLE}the line has more than {_MOST_BYTES:,} bytes".encode()
        if line:
            yield number, line


def _without_bom(data: bytes) -> bytes:
    for bom, name in _BOMS:
        if data.startswith(bom):
            raise ValueError(f"it is in {name}; save it as UTF-8")
    return data.removeprefix(_BOM)


def _listed(path: Path) -> Iterator[_Numbered]:
    """The members of a JSON list, as they stand in it."""
    text = _without_bom(path.read_bytes()).decode("utf-8")
    decoder = JSONDecoder()
    place = _next(text, 0)
    if place == len(text):
        return
    if text[place] != "[":
        raise ValueError("it is no list of objects; a file with one object a line has to end in .jsonl")
    place, number = _next(text, place + 1), 0
    while text[place : place + 1] != "]":
        number += 1
        _, end = decoder.raw_decode(text, place)
        yield number, text[place:end].encode("utf-8", "surrogatepass")
        place = _next(text, end)
        if text[place : place + 1] == ",":
            place = _next(text, place + 1)
        elif text[place : place + 1] != "]":
            raise ValueError(f"behind object {number} there is neither a comma nor the list's end")


def _next(text: str, place: int) -> int:
    """The place of the next character that is no white space."""
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _parquet(path: Path) -> Iterator[_Numbered]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        names = _wanted(file.schema_arrow, path)
        yield from _rows(file.iter_batches(1024, columns=names))


def _arrow(path: Path) -> Iterator[_Numbered]:
    with pa.memory_map(str(path)) as source:
        try:
            file = pa.ipc.open_file(source)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
        except pa.ArrowInvalid:  # as `datasets` keeps its tables
            source.seek(0)
            file = batches = pa.ipc.open_stream(source)
        names = _wanted(file.schema, path)
        yield from _rows(batch.select(names) for batch in batches)


def _wanted(schema: pa.Schema, path: Path) -> list[str]:
    """The columns that make a record, in a fixed order."""
    if not any(name in schema.names for name in CONVERSATIONS):
        raise InputError(f"Cannot read {path}: it has no column 'conversations', but {', '.join(schema.names)}.")
    return [name for name in ("id", *IMAGES, *CONVERSATIONS, *GOLD) if name in schema.names]


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[_Numbered]:
    number = 0
    for batch in batches:
        for row in batch.to_pylist():
            number += 1
            record = {name: _without_bytes(value) for name, value in row.items() if value is not None}
            yield number, json.dumps(record, ensure_ascii=False, default=str).encode("utf-8", "replace")


def _without_bytes(value: Any) -> Any:
    """A value of a column; of a picture only its path, as pictures are read from their folder."""
    if isinstance(value, dict) and "bytes" in value:
        return value.get("path")
    return [_without_bytes(each) for each in value] if isinstance(value, list) else value


_READERS: dict[str, Callable[[Path], Iterator[_Numbered]]] = {
    ".jsonl": _lines,
    ".json": _listed,
    ".parquet": _parquet,
    ".arrow": _arrow,
}
