"""Tables in and out: files, data frames and lists of dicts become Arrow tables, and Arrow tables files."""

from __future__ import annotations

import base64
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import is_text, without_view
from dataflow_ext.errors import InputError
from dataflow_ext.files import atomic
from dataflow_ext.files import write_text as write_text
from dataflow_ext.packages import install_hint
from dataflow_ext.rejects import UnreadLine, with_unread
from dataflow_ext.selection import LARGE
from dataflow_ext.well_formed import arrow_array, well_formed, well_formed_value

TableLike = Any

#: What sheet programs take for the beginning of a formula, the wide signs in Chinese and Japanese ones; and what
#: begins so behind marks, so that each mark can be taken off again.
_FORMULA = r"'*[=+\-@\t\r＝＋－＠]"


def to_table(data: TableLike) -> pa.Table:
    """An Arrow table from a table, a record batch, a data frame, a data set of ``datasets``, a list of dicts or a path.

    >>> to_table([{"a": 1}, {"b": "x"}]).to_pylist()
    [{'a': 1, 'b': None}, {'a': None, 'b': 'x'}]
    """
    return _sound(_to_table(data))


def input_table(data: TableLike) -> pa.Table:
    """The table that a run begins with: as :func:`to_table`, with lines of JSON Lines that are none as its rejects."""
    unread: list[UnreadLine] = []
    if not isinstance(data, (str, Path)):
        return to_table(data)
    return with_unread(_sound(_read(Path(data), unread)), unread)


def _sound(table: pa.Table) -> pa.Table:
    """The table with columns of different names, of types that all steps know, and with texts that are UTF-8."""
    if repeated := sorted({n for n in table.column_names if table.column_names.count(n) > 1}):
        raise InputError(f"The table has several columns of the name {', '.join(repeated)}; rename or drop them.")
    plain = pa.schema([f.with_type(without_view(f.type)) for f in table.schema], table.schema.metadata)
    return _readable(table if plain == table.schema else table.cast(plain))


def _readable(table: pa.Table) -> pa.Table:
    """The table, if its texts are UTF-8; files of other writers need not keep to that, and Arrow does not look."""
    for n, column in enumerate(table.columns):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid as error:
            if not is_text(column.type):
                raise InputError(f"Column '{table.column_names[n]}' cannot be read: {error}") from None
            raw = column.cast(pa.large_binary()).to_pylist()
            texts = [None if v is None else v.decode(errors="replace") for v in raw]
            table = table.set_column(n, table.field(n), pa.chunked_array([texts], column.type))
    return table


def _to_table(data: TableLike) -> pa.Table:
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, (str, Path)):
        return read_table(data)
    if isinstance(data, Sequence) and all(isinstance(row, dict) for row in data):
        return from_rows(data, "the list of dicts")
    if all(
        hasattr(data, name) for name in ("with_format", "iter", "__getitem__")
    ):  # datasets, whose `.data` knows no selection
        return data.with_format("arrow")[:]
    try:
        if hasattr(data, "iloc"):
            return _from_pandas(data)
        if hasattr(data, "__arrow_c_stream__"):
            return pa.table(data)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        raise InputError(f"The data frame cannot be a table: {' '.join(map(str, error.args))}") from None
    raise InputError(
        f"Cannot make a table of {type(data).__name__}; give an Arrow table, a data frame, a list of dicts, "
        "or the path of a .parquet, .jsonl, .json or .csv file."
    )


def read_table(path: str | Path) -> pa.Table:
    """The table in a Parquet, JSONL, JSON, CSV or Arrow file; strings stay strings (``"001"`` is not 1).

    :class:`InputError` names a line of JSONL that is no object; a run that begins with the file has it as a reject.
    """
    return _read(Path(path))


def _read(path: Path, unread: list[UnreadLine] | None = None) -> pa.Table:
    """The table in a file; lines of JSONL that are none are noted in ``unread``, if it is given."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file in it. A run with out= reads a folder of tables as one.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"Cannot read {path}: known endings are {', '.join(sorted(_READERS))}.")
    try:
        return _read_jsonl(path, unread) if reader is _read_jsonl else reader(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}") from None


def write_table(table: pa.Table, path: str | Path, *, csv_safe: bool = False, private: bool = False) -> Path:
    """Write a table as its path's ending says, under a temporary name first; the path that was written.

    A CSV file holds every text as it is. With ``csv_safe``, for a file that somebody opens as a sheet, a text
    that a sheet program would run as a formula, because it begins with ``= + - @``, a tab or a carriage
    return, has a ``'`` before it; numbers are left as they are. ``private`` gives the file to its owner alone.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "rows.csv")
    >>> print(write_table(pa.table({"note": ["=1+2", "fine"], "n": [-1, 2]}), path, csv_safe=True).read_text())
    "note","n"
    "'=1+2","-1"
    "fine","2"
    <BLANKLINE>
    """
    path = Path(path)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(f"Cannot write {path}: known endings are {', '.join(sorted(_WRITERS))}.")
    with atomic(path, private=private) as partial:
        try:
            writer(_without_formulas(table) if csv_safe and writer is _write_csv else table, partial)
        except pa.ArrowException as error:
            raise InputError(f"Cannot write {path}: {error}") from None
    return path


def as_meant(cell: str) -> str:
    """A cell of a sheet without the ``'`` that ``csv_safe`` put before it.

    >>> [as_meant(cell) for cell in ("'=1+2", "''=1+2", "'tis", "a")]
    ['=1+2', "'=1+2", "'tis", 'a']
    """
    return cell[1:] if re.match(f"'{_FORMULA}", cell) else cell


def to_pandas(table: pa.Table) -> Any:
    """The table as a pandas data frame; :class:`InputError` says what to install if pandas is missing."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise InputError(f"A data frame needs pandas: {install_hint('pandas')}.") from None
    return table.to_pandas()


def json_lines(table: pa.Table) -> Iterator[str]:
    """The rows of a table as JSON objects, one a line, keys in column order; bytes as base64."""
    return (_json(row) + "\n" for row in records(table))


def records(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows one after the other, of which few are Python objects at one time."""
    return (row for batch in table.to_batches(max_chunksize=256) for row in batch.to_pylist())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_spelled)


def _spelled(value: Any) -> str:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def from_rows(rows: Sequence[dict[str, Any]], what: str) -> pa.Table:
    """A table of dicts; :class:`InputError`, which calls them ``what``, if a field's values are of several types."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    if odd := [n for n in names if not isinstance(n, str)]:
        raise InputError(f"A field of {what} is named {odd[0]!r}, which is no string.")
    columns = []
    for name in names:
        values = [row.get(name) for row in rows]
        try:
            columns.append(arrow_array(values))
        except (pa.ArrowException, OverflowError) as error:
            told = _kinds_told(values) or error
            raise InputError(f"Field '{name}' of {what} cannot be a column of one type: {told}.") from None
    return pa.table(columns, [well_formed(name) for name in names])


def _kinds_told(values: Sequence[Any]) -> str:
    """Where a column's first two kinds of values begin; nothing if all are of one kind. Whole numbers are numbers."""
    rows: dict[str, int] = {}
    for number, value in enumerate(values, 1):
        if value is not None:
            rows.setdefault("float" if type(value) is int else type(value).__name__, number)
    first = list(rows.items())[:2]
    if len(first) < 2:
        return ""
    return " and ".join(f"{type(values[number - 1]).__name__} in row {number}" for _, number in first)


def _from_pandas(frame: Any) -> pa.Table:
    # Not by its Arrow stream, which would bring the index along.
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except UnicodeEncodeError:
        columns = {n: c.map(well_formed_value) if c.dtype == object else c for n, c in frame.items()}
        table = pa.Table.from_pandas(type(frame)(columns).rename(columns=well_formed_value), preserve_index=False)
    return table.replace_schema_metadata(None)


def _read_parquet(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path, partitioning=None)
    except pa.ArrowNotImplementedError:  # more than 2 GiB of a nested column in one row group
        with pq.ParquetFile(path) as file:
            return pa.Table.from_batches(file.iter_batches(batch_size=256), file.schema_arrow)


def _read_jsonl(path: Path, unread: list[UnreadLine] | None = None) -> pa.Table:
    noted: list[UnreadLine] = []
    rows = list(json_records(path, noted))
    if unread is not None:
        unread += noted
    elif noted:
        raise InputError(f"{noted[0].message.removesuffix('.')}; mend the line or take it out.")
    return from_rows(rows, str(path))


def json_records(path: Path, unread: list[UnreadLine] | None = None) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file's lines, one after the other.

    A line that is none is noted in ``unread``, for :func:`dataflow_ext.rejects.with_unread`; without it, and if no line
    is one, :class:`InputError` names the first.
    """
    noted: list[UnreadLine] = [] if unread is None else unread
    known, found = len(noted), False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            text = (line.removeprefix(BOM_UTF8) if number == 1 else line).rstrip(b"\r\n")
            if not text.strip():
                continue
            row, message = _object(text)
            if row is not None:
                found = True
                odd = b"\\ud" in text or b"\\uD" in text  # half a character, which no column can have in its name
                yield {well_formed(name): value for name, value in row.items()} if odd else row
                continue
            noted.append(UnreadLine(f"{path}, line {number}: {message}.", text.decode("utf-8", "replace")))
            if unread is None:
                break
    if len(noted) > known and (unread is None or not found):
        raise InputError(noted[known].message)


def _object(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """The object that a line holds, or what is wrong with it."""
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({error})"
    return (row, "") if isinstance(row, dict) else (None, f"not a JSON object but {type(row).__name__}")


def _read_json(path: Path) -> pa.Table:
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error}).") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: not a list of JSON objects.")
    return from_rows(rows, str(path))


def _read_csv(path: Path) -> pa.Table:
    import pyarrow.csv as csv

    return csv.read_csv(path, **csv_options(path))


def csv_options(path: Path) -> dict[str, Any]:
    """How pyarrow is to read a CSV file: each column as texts, as a label "001" must not become the number 1."""
    import pyarrow.csv as csv

    parse = csv.ParseOptions(newlines_in_values=True)
    with csv.open_csv(path, parse_options=parse) as reader:
        types = {name: pa.string() for name in reader.schema.names}
    return {"parse_options": parse, "convert_options": csv.ConvertOptions(column_types=types)}


def _read_arrow(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()


def _write_parquet(table: pa.Table, path: Path) -> None:
    import pyarrow.parquet as pq

    # Many readers take a row group as a whole, and fail where a nested column has more than 2 GiB in it.
    size = table.nbytes
    rows = table.num_rows * LARGE // size if size > LARGE else None
    pq.write_table(table, path, compression="zstd", row_group_size=rows)


def _write_jsonl(table: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json_lines(table))


def _write_csv(table: pa.Table, path: Path) -> None:
    import pyarrow.csv as csv

    csv.write_csv(pa.table([_flat(c) for c in table.columns], names=table.column_names), path)


def _without_formulas(table: pa.Table) -> pa.Table:
    """The table with a ``'`` before each text, names of columns included, that sheet programs take for a formula."""
    import pyarrow.compute as pc

    columns = []
    for column in table.columns:
        number = any(of(column.type) for of in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal))
        safe = column if number else pc.replace_substring_regex(_flat(column), rf"\A({_FORMULA})", r"'\1")
        columns.append(safe)
    return pa.table(columns, names=[re.sub(rf"\A({_FORMULA})", r"'\1", name) for name in table.column_names])


def _flat(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.Array:
    """A column as text: what has parts as JSON, everything else as it is written."""
    if pa.types.is_nested(column.type) or "binary" in str(column.type):
        values = column.to_pylist()
        return pa.array([None if v is None else _json(v) for v in values], pa.string())
    return column.cast(pa.string())


def _write_arrow(table: pa.Table, path: Path) -> None:
    # LZ4 halves the file and costs next to nothing beside the disk.
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table)


_READERS: dict[str, Callable[[Path], pa.Table]] = {
    ".parquet": _read_parquet,
    ".jsonl": _read_jsonl,
    ".json": _read_json,
    ".csv": _read_csv,
    ".arrow": _read_arrow,
}
_WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    ".parquet": _write_parquet,
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".arrow": _write_arrow,
}
