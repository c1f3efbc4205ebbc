"""Finished rows written as a data set: every file whole or not at all, some rows in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from dataflow_ext import Failure, RowError
from dataflow_ext.errors import DataflowError, InputError
from dataflow_ext.images import IMAGE, with_image_features
from operators.onevision.dataset.forms import Entry, Row, dataset_info, grpo, line, messages, sharegpt
from operators.onevision.dataset.layout import (
    BY_VERDICT,
    DATASET_INFO,
    GRPO,
    IMAGES,
    MESSAGES,
    PARQUET,
    ROWS,
    SHAREGPT,
    DataFolder,
    cannot_write,
    picture_name,
)

_FORMS: Mapping[str, Callable[[Row, str], Entry]] = {MESSAGES: messages, SHAREGPT: sharegpt, GRPO: grpo}
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode
#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
#: Bytes of pictures in a row group.
_GROUP_BYTES = 16 << 20

#: The columns of the Parquet file: the seed's fields, the picture as ``datasets`` opens it, and what to filter by.
_TEXTS = (
    *("id", "question", "image_formal_description", "cot_thinking", "final_answer", "answer", "answer_type"),
    *("image_type", "language"),
)
_PARQUET = with_image_features(
    pa.schema([("image", IMAGE), *((name, pa.string()) for name in _TEXTS), ("score", pa.float64())]).empty_table()
).schema


@dataclass(slots=True)
class Written:
    """The rows that are in the data set, and those that could not be."""

    rows: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def write_data_set(
    slices: Iterator[tuple[list[int], pa.Table]], sources: Mapping[str, str], out: Path, *, embed: bool
) -> Written:
    """Write the rows of slices, each with its rows' numbers, in order; InputError if the folder is not to be written.

    ``sources`` are the files of the pictures, by their keys. A row whose id an earlier row has, or whose picture
    is not there any more, is a failure.
    """
    folder = DataFolder(out)
    pictures = Pictures(folder, sources)
    done, seen = Written(), set[str]()
    try:
        with Files(folder, embed) as files:
            for numbers, table in slices:
                good: list[int] = []
                names: list[str] = []
                for place, (number, row) in enumerate(zip(numbers, table.to_pylist(), strict=True)):
                    try:
                        _must_be_first(row["id"], seen)
                        name = pictures.put(row["picture_key"])
                        files.write(row, name)
                    except (DataflowError, OSError, ValueError) as error:
                        done.failures.append(Failure.of(number, _told(row, error)))
                        continue
                    seen.add(row["id"])
                    good.append(place)
                    names.append(f"{IMAGES}/{name}")
                    done.rows.append(number)
                whole = table if len(good) == len(numbers) else table.take(pa.array(good, pa.int64()))
                at = whole.column_names.index("picture")
                files.rows(whole.set_column(at, "picture", pa.array(names, whole.schema.field(at).type)))
    except OSError as error:
        raise cannot_write(folder.stage, error) from None
    folder.place(files.staged)
    folder.keep_only(pictures.there)
    return done


class Pictures:
    """The pictures of a data set: those that are coming are noted at once, each is put in its place when a row has it.

    ``there`` are the names of those in their places.
    """

    def __init__(self, folder: DataFolder, sources: Mapping[str, str]) -> None:
        self._folder, self._sources = folder, sources
        self._names: dict[str, str | OSError | InputError] = {}
        for key, source in sources.items():
            try:
                self._names[key] = picture_name(key, Path(source))
            except (OSError, InputError) as error:
                self._names[key] = error
        folder.expect(name for name in self._names.values() if isinstance(name, str))
        self.there: set[str] = set()

    def put(self, key: str) -> str:
        """The name of a picture, which is in its place then; raises why it cannot be."""
        name = self._names[key]
        if not isinstance(name, str):
            raise name
        if name not in self.there:
            self._folder.put_picture(Path(self._sources[key]), name)
            self.there.add(name)
        return name


class Files:
    """The files of a data set while they are written, beside each other in the run's own folder; a context."""

    def __init__(self, folder: DataFolder, embed: bool) -> None:
        names = (ROWS, *BY_VERDICT.values(), *_FORMS, DATASET_INFO, PARQUET)
        self.staged = {name: folder.stage / f"{name}.part" for name in names}
        self._folder, self._embed = folder, embed
        self._kept: list[Entry] = []
        self._bytes = 0
        self._rows: Any = None

    def __enter__(self) -> Files:
        import pyarrow.parquet as pq

        with ExitStack() as stack:
            self._texts: dict[str, TextIO] = {
                name: stack.enter_context(self.staged[name].open("w", encoding="utf-8", newline="\n"))
                for name in (*BY_VERDICT.values(), *_FORMS, DATASET_INFO)
            }
            self._texts[DATASET_INFO].write(json.dumps(dataset_info(), indent=2) + "\n")
            # Pictures are compressed already, and no two are alike: a dictionary would only hold them in memory.
            self._parquet = stack.enter_context(
                pq.ParquetWriter(self.staged[PARQUET], _PARQUET, compression="zstd", use_dictionary=False)
            )
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._rows is not None:
            self._rows.close()
        self._flush()
        self._stack.close()

    def write(self, row: Row, picture: str) -> None:
        """The lines of a row; ValueError, and no line at all, if a text of it cannot stand in a file."""
        lines = {BY_VERDICT[row["verdict"]]: _line(line(row, picture))}
        if row["verdict"] == "kept":
            lines |= {name: _line(form(row, picture)) for name, form in _FORMS.items()}
            self._keep(row, picture)
        for name, text in lines.items():
            self._texts[name].write(text)

    def rows(self, table: pa.Table) -> None:
        """Rows with all their columns, ``picture`` as a path from the folder."""
        import pyarrow.parquet as pq

        if self._rows is None:
            self._rows = pq.ParquetWriter(self.staged[ROWS], table.schema, compression="zstd")
        self._rows.write_table(table)

    def _keep(self, row: Row, picture: str) -> None:
        path = f"{IMAGES}/{picture}"
        data = (self._folder.out / path).read_bytes() if self._embed else None
        self._kept.append({"image": {"bytes": data, "path": path}, **{n: row[n] for n in (*_TEXTS, "score")}})
        self._bytes += len(data or b"")
        if self._bytes >= _GROUP_BYTES or len(self._kept) >= 1024:
            self._flush()

    def _flush(self) -> None:
        if self._kept:
            self._parquet.write_table(pa.Table.from_pylist(self._kept, _PARQUET))
        self._kept, self._bytes = [], 0


def _line(entry: Entry) -> str:
    text = _ENCODE(entry)
    text.encode()  # half a character is told here, before a line is begun
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"


def _must_be_first(id: str, seen: set[str]) -> None:
    if id in seen:
        raise RowError(f"{id}: another row has this id; the first in order is written.")


def _told(row: Row, error: Exception) -> Exception:
    if isinstance(error, DataflowError):
        return error
    why = getattr(error, "strerror", None) or error
    return RowError(f"{row['id']}: the row cannot be written: {why}.")
