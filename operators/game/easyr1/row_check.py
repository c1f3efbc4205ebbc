"""The rows of a data file as Python values, and whether EasyR1 can use them: columns, texts, pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from dataflow_ext.datasets.files import RepeatedKey, bounded_lines, strict_value
from operators.game.easyr1.form import (
    COLUMNS,
    ENDINGS,
    PARQUET_FOLDER,
    Facts,
    Findings,
    PictureFault,
    facts_of,
    file_hash,
    path_fault,
    picture_bytes,
    text_faults,
)

#: Pictures by the hash of their file: what is known of them, or the code and reason of what is wrong.
Seen: TypeAlias = dict[bytes, Facts | tuple[str, str]]

#: A longer line (bytes) is no row of texts and paths.
_MOST_LINE = 8 << 20
#: Rows of Parquet that are in memory together, with their pictures.
_TOGETHER = 8

#: A row's number in its file, from 1, and its values; None if it cannot be read.
Stored = tuple[int, dict[str, Any] | None]


@dataclass(slots=True)
class Checked:
    """What is known of a row: its pictures' paths and facts, its answer, a hash of all (None if it is not whole)."""

    row: int
    paths: list[str] = field(default_factory=list)
    facts: list[Facts] = field(default_factory=list)
    answer: object = None
    whole: bytes | None = None


class RowCheck:
    """Checks rows; a picture that many rows have, or both forms of a data set, is decoded once."""

    def __init__(self, image_dir: Path | None, seen: Seen) -> None:
        self._dir = image_dir
        self._real = None if image_dir is None else image_dir.resolve()
        self._seen = seen

    def check(self, values: dict[str, Any], name: str, row: int, found: Findings) -> Checked:
        """What is known of a row, with what is wrong with it noted."""
        checked = Checked(row, answer=values.get("answer"))
        for column in COLUMNS:
            if column not in values:
                found.add("column-missing", f"there is no `{column}`", name, row)
        images = values.get("images")
        if "images" in values:
            self._check_images(images, checked, name, row, found)
        pictures = len(images) if isinstance(images, list) else None
        texts = {column: values[column] for column in ("problem", "answer") if column in values}
        # A column that is not there has its own code; these values stand for nothing wrong.
        marked = pictures if "problem" in texts else None
        for code, why in text_faults(texts.get("problem", "?"), texts.get("answer", "0"), marked):
            found.add(code, why, name, row)
        if len(texts) == 2 and pictures is not None and len(checked.facts) == pictures:
            parts = [repr(texts["problem"]), repr(texts["answer"]), repr(checked.paths)]
            digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16)
            for facts in checked.facts:
                digest.update(facts.file)
            checked.whole = digest.digest()
        return checked

    def _check_images(self, images: Any, checked: Checked, name: str, row: int, found: Findings) -> None:
        if not isinstance(images, list):
            found.add("images-type", f"`images` is {type(images).__name__}, not a list", name, row)
            return
        if not images:
            found.add("images-empty", "`images` has no picture", name, row)
        for image in images:
            called = _called(image)
            try:
                data = self._bytes(image)
                checked.facts.append(self._facts(data))
                checked.paths.append(called)
            except PictureFault as fault:
                found.add(fault.code, f"the picture {called[:200]!r} {fault}", name, row)

    def _bytes(self, image: Any) -> bytes:
        """The encoded picture that an entry of ``images`` is or names."""
        if isinstance(image, bytes):
            return image
        if isinstance(image, dict):
            if not isinstance(image.get("bytes"), bytes):
                raise PictureFault("image-type", "has no `bytes`")
            return bytes(image["bytes"])
        if not isinstance(image, str):
            raise PictureFault("image-type", f"is {type(image).__name__}, not a path")
        if fault := path_fault(image):
            raise PictureFault(*fault)
        if self._dir is None or self._real is None:
            raise PictureFault(
                "image-dir-missing",
                "is relative, but no folder of pictures (--image-dir) is given",
            )
        path = self._dir / image
        try:
            inside = path.resolve().is_relative_to(self._real)
        except (OSError, RuntimeError):  # links that go round in a circle
            inside = True
        if not inside:
            raise PictureFault("image-outside", "leaves the folder of pictures by a link")
        return picture_bytes(path)

    def _facts(self, data: bytes) -> Facts:
        key = file_hash(data)
        if key not in self._seen:
            try:
                self._seen[key] = facts_of(data)
            except PictureFault as fault:
                self._seen[key] = fault.code, str(fault)  # not the error, which would hold the picture
        seen = self._seen[key]
        if isinstance(seen, tuple):
            raise PictureFault(*seen)
        return seen


def _called(image: Any) -> str:
    """An entry of ``images`` by its path, if it has one."""
    path = image.get("path") if isinstance(image, dict) else image
    return path if isinstance(path, str) else ""


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
    for number, line in bounded_lines(path, _MOST_LINE):
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            found.add("utf8-bom", "begins with a byte order mark, which not every reader skips", name)
            line = line[3:]
        if len(line) > _MOST_LINE:
            found.add("line-long", f"the line has more than {_MOST_LINE >> 20} MiB", name, number)
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
        row = strict_value(text)
    except RepeatedKey as error:
        found.add("json-key-repeated", f"the object has the key {repr(error.key)[:60]} twice", name, number)
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
