"""Where the rows of a streamed run come from: files, folders of files, data sets, frames, readers and generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import compatible
from dataflow_ext.errors import InputError
from dataflow_ext.rejects import UnreadLine, split, unread_rows
from dataflow_ext.tables import csv_options, from_rows, json_records, read_table, to_table
from dataflow_ext.well_formed import arrow_array

#: Bytes after which a part ends before it has its rows: pictures are large, and a part is held in memory.
PART_BYTES = 1 << 28

#: Rows of a text file that are Python objects at one time.
_LINES = 4096

#: Bytes that are read at one time, about: few against a part.
_BYTES = 1 << 25


@dataclass(frozen=True, slots=True)
class Source:
    """Rows in their order, as tables of one schema; they can be read once. What was no row is a reject in ``dead``."""

    schema: pa.Schema
    tables: Iterator[pa.Table]
    dead: pa.Table | None = None

    def parts(self, rows: int, limit: int | None = None) -> Iterator[pa.Table]:
        """The first ``limit`` rows in tables of ``rows`` rows; of fewer where these come to more than 256 MB.

        Where there is no row, one table without rows.

        >>> [part.num_rows for part in source_of([{"a": n} for n in range(5)]).parts(2)]
        [2, 2, 1]
        """
        held: list[pa.Table] = []
        have, size, left, none = 0, 0, limit, True
        for table in self.tables:
            for piece in _pieces(table if left is None else table.slice(0, left), rows):
                while piece.num_rows:
                    more = piece.slice(0, rows - have)
                    held.append(more)
                    have, size, piece = have + more.num_rows, size + more.nbytes, piece.slice(more.num_rows)
                    if have == rows or size >= PART_BYTES:
                        yield _whole(held)
                        have, size, none = 0, 0, False
            left = None if left is None else left - min(left, table.num_rows)
            if left == 0:
                break
        if held or none:
            yield _whole(held or [self.schema.empty_table()])


def source_of(data: Any) -> Source:
    """The rows of whatever holds rows; :class:`InputError` says what can be given.

    >>> source_of(iter([{"a": 1}, {"a": 2}])).schema.names
    ['a']
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, (str, Path)):
        return _of_path(Path(data))
    if isinstance(data, pa.RecordBatchReader):
        return _of_reader(data)
    if hasattr(data, "to_batches") and hasattr(data, "schema") and not isinstance(data, (pa.Table, pa.RecordBatch)):
        few = {"batch_readahead": 1, "fragment_readahead": 1}  # by default, gigabytes of them are read ahead
        batches = data.to_batches(batch_size=_LINES, **few)
        return _uniform(data.schema, (pa.Table.from_batches([batch]) for batch in batches))  # pyarrow.dataset
    if hasattr(data, "with_format") and hasattr(data, "iter"):  # datasets, whose `.data` knows no selection
        return _of_iterable(data.with_format("arrow").iter(batch_size=_LINES))
    if hasattr(data, "collect_batches"):  # polars, lazily
        return _of_iterable(batch.to_arrow() for batch in data.collect_batches(maintain_order=True))
    if isinstance(data, (pa.Table, pa.RecordBatch, Sequence)) or hasattr(data, "iloc"):
        living, dead = split(to_table(data))
        return Source(living.schema, iter([living]), dead)
    if hasattr(data, "__arrow_c_stream__"):
        return _of_reader(pa.RecordBatchReader.from_stream(data))
    some = isinstance(data, Iterable) and not isinstance(data, Mapping)
    return _of_iterable(data) if some else source_of(to_table(data))


def _of_reader(reader: pa.RecordBatchReader) -> Source:
    return _uniform(reader.schema, (pa.Table.from_batches([batch]) for batch in reader))


def _uniform(schema: pa.Schema, tables: Iterable[pa.Table]) -> Source:
    """Tables that are as :func:`to_table` makes them."""
    plain = to_table(schema.empty_table())
    return Source(plain.schema, (to_table(table) for table in tables))


def _of_iterable(data: Iterable[Any]) -> Source:
    """Tables, batches, frames or dicts one after the other; the first thousands settle the columns' types."""
    tables = _tables(iter(data))
    first = next(tables, None)
    if first is None:
        raise InputError("The source gave no row, so that nothing tells its columns; give a table with columns.")
    return Source(first.schema, (_as_first(table, first.schema) for table in chain([first], tables)))


def _tables(items: Iterator[Any]) -> Iterator[pa.Table]:
    for item in items:
        if isinstance(item, dict):
            yield to_table(_dicts(chain([item], items)))
        else:
            yield to_table(item)


def _dicts(items: Iterator[Any]) -> list[dict[str, Any]]:
    """The next thousands, or so many as come to some megabytes: they are in memory as objects and as a table."""
    rows: list[dict[str, Any]] = []
    size = 0
    for item in items:
        if not isinstance(item, dict):
            raise InputError(f"The source gave a {type(item).__name__} after dicts; give one kind of thing.")
        rows.append(item)
        size += sum(len(value) for value in item.values() if isinstance(value, (bytes, str)))
        if len(rows) == _LINES or size >= _BYTES:
            break
    return rows


def _as_first(table: pa.Table, schema: pa.Schema) -> pa.Table:
    if table.schema.equals(schema):
        return table
    if new := [name for name in table.column_names if name not in schema.names]:
        raise InputError(f"Column '{new[0]}' came up after the first rows; give every row all its columns.")
    columns = []
    for field in schema:
        if field.name not in table.column_names:
            columns.append(pa.nulls(table.num_rows, field.type))
            continue
        try:
            if not _within(table.schema.field(field.name).type, field.type):
                raise pa.ArrowInvalid("it would be changed")
            columns.append(table[field.name].cast(field.type))
        except pa.ArrowException as error:
            raise InputError(
                f"Column '{field.name}' began as {field.type} and goes on as {table.schema.field(field.name).type}; "
                f"give tables, or a reader, with one type a column ({error})."
            ) from None
    return pa.table(columns, schema=schema)


def _within(later: pa.DataType, first: pa.DataType) -> bool:
    """Whether values of the later type may be values of the first: a cast alone would make True of a 7.

    >>> _within(pa.int64(), pa.float64()), _within(pa.int64(), pa.bool_()), _within(pa.int64(), pa.int32())
    (True, False, True)
    """
    if pa.types.is_dictionary(first):
        return _within(later, first.value_type)
    if pa.types.is_integer(first) and (pa.types.is_integer(later) or pa.types.is_floating(later)):
        return True  # the cast looks at each value
    if not pa.types.is_nested(first) and not pa.types.is_null(later) and compatible(later, first):
        return True
    fields = [pa.schema([("", kind)]) for kind in (first, later)]
    try:
        return bool(pa.unify_schemas(fields, promote_options="permissive").field(0).type == first)
    except pa.ArrowException:  # nothing holds both
        return False


def _of_path(path: Path) -> Source:
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        table = read_table(path)
        return Source(table.schema, iter([table]))
    unread: list[UnreadLine] = []
    try:
        schema, tables = _jsonl(path, unread) if reader is _jsonl else reader(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}") from None
    return replace(_uniform(schema, _told(path, tables)), dead=unread_rows(unread))


def _told(path: Path, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    try:
        yield from tables
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}") from None


def _of_folder(folder: Path) -> Source:
    """All tables of a folder, by name; hidden files and those that begin with ``_`` are no data."""
    paths = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in _READERS
        and not any(name.startswith((".", "_")) for name in path.relative_to(folder).parts)
    )
    if not paths:
        raise InputError(f"{folder} holds no {', '.join(sorted(_READERS))} file; name a folder that does.")
    sources = [_of_path(path) for path in paths]
    try:
        schema = pa.unify_schemas([source.schema for source in sources], promote_options="permissive")
    except pa.ArrowException as error:
        raise InputError(f"The files in {folder} do not have the same columns: {error}") from None
    dead = [source.dead for source in sources if source.dead is not None]
    tables = (_as_first(table, schema) for path in paths for table in _of_path(path).tables)
    return Source(schema, tables, pa.concat_tables(dead) if dead else None)


_Read = tuple[pa.Schema, Iterator[pa.Table]]


def _parquet(path: Path) -> _Read:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
    size = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=0)
    rows = max(1, min(_LINES, _BYTES // max(1, size)))
    return file.schema_arrow, (pa.Table.from_batches([b]) for b in file.iter_batches(batch_size=rows))


def _arrow(path: Path) -> _Read:
    file = pa.ipc.open_file(pa.memory_map(str(path)))
    return file.schema, (pa.Table.from_batches([file.get_batch(n)]) for n in range(file.num_record_batches))


def _csv(path: Path) -> _Read:
    import pyarrow.csv as csv

    opened = csv.open_csv(path, **csv_options(path))
    return opened.schema, (pa.Table.from_batches([batch]) for batch in opened)


def _jsonl(path: Path, unread: list[UnreadLine]) -> _Read:
    """Read twice: a column has the type that all its values fit, as if the file had been read as a whole."""
    schema = pa.schema([])
    for table in _line_tables(path, unread):
        schema = pa.unify_schemas([schema, table.schema], promote_options="permissive")
    return schema, _line_tables(path, [], schema)


def _line_tables(path: Path, unread: list[UnreadLine], schema: pa.Schema | None = None) -> Iterator[pa.Table]:
    records = json_records(path, unread)
    while rows := list(islice(records, _LINES)):
        if schema is None:
            yield from_rows(rows, str(path))
        else:
            yield pa.table([arrow_array([r.get(f.name) for r in rows], f.type) for f in schema], schema=schema)


def _whole(held: list[pa.Table]) -> pa.Table:
    """The tables as one; the list lets go of them, so that a part is gone when it is done."""
    table = pa.concat_tables(held)
    held.clear()
    return table


def _pieces(table: pa.Table, rows: int) -> Iterator[pa.Table]:
    """The table in slices of so many rows that none is much larger than a part may be."""
    if table.num_rows > 1 and table.nbytes > PART_BYTES:
        rows = max(1, min(rows, table.num_rows * PART_BYTES // table.nbytes))
    return (table.slice(start, rows) for start in range(0, table.num_rows, rows))


_READERS: dict[str, Callable[..., _Read]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".arrow": _arrow,
}
