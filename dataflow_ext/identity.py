"""Row identity: what a row is called from its file to the rows made of it, and which rows these may be."""

from __future__ import annotations

import hashlib
import json
import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.columns import compatible
from dataflow_ext.errors import InputError, RowLawError

#: The reserved column that holds a row's identity.
ROW_ID = "row_id"
#: The reserved column that holds the identities of the rows that were merged into one.
PARENTS = "parents"


def with_row_ids(table: pa.Table) -> pa.Table:
    """The table with a ``row_id`` column: each row's content hash, plus ``#n`` for repeats.

    A table that has one keeps it; :class:`InputError` if its ids repeat or are missing.

    >>> ids = with_row_ids(pa.table({"a": [1, 1]}))["row_id"].to_pylist()
    >>> ids[1] == ids[0] + "#1"
    True
    """
    if ROW_ID in table.column_names:
        ids = table[ROW_ID]
        usable = pa.types.is_integer(ids.type) or compatible(ids.type, pa.string())
        if not usable or ids.null_count or len(pc.unique(ids)) != len(ids):
            raise InputError(f"The column '{ROW_ID}' is reserved and must be unique; rename or drop yours.")
        return table.set_column(table.column_names.index(ROW_ID), ROW_ID, ids.cast(pa.string()))
    names = sorted(table.column_names)
    seen: Counter[str] = Counter()
    ids_out: list[str] = []
    for row in _rows(table.select(names)):
        base = short_hash(repr(names), *map(_stable, row))
        ids_out.append(f"{base}#{seen[base]}" if seen[base] else base)
        seen[base] += 1
    return table.add_column(0, ROW_ID, pa.array(ids_out, pa.string()))


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The rows' values, as Python objects a few at a time: pictures would fill the memory a second time."""
    if not table.num_columns:
        yield from [()] * table.num_rows
    for start in range(0, table.num_rows, 1024):
        yield from zip(*(column.to_pylist() for column in table.slice(start, 1024).columns), strict=True)


def exploded_ids(ids: Sequence[str], index: Sequence[int]) -> list[str]:
    """The ids of the rows that came out of rows: the parent's id plus ``.k``, counted from 0."""
    counts = [0] * len(ids)
    out = []
    for i in index:
        out.append(f"{ids[i]}.{counts[i]}")
        counts[i] += 1
    return out


def parent_of(row_id: str) -> str:
    """The id of the row that an exploded row came from."""
    return row_id.rpartition(".")[0]


def short_hash(*parts: str | bytes) -> str:
    """Twenty hexadecimal digits that stand for these parts, whatever their borders."""
    digest = hashlib.blake2b(digest_size=10)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _stable(value: Any) -> str | bytes:
    if isinstance(value, bytes):
        return value
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    # The repr of a time names the library its zone came from, which another machine may not have.
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_spelled)


def _spelled(value: Any) -> str:
    return str(value.isoformat()) if hasattr(value, "isoformat") else repr(value)


def check_rows(
    name: str, kind: str, total: int, rows: Sequence[int] | None, members: Sequence[Sequence[int]] | None
) -> None:
    """Raise :class:`RowLawError` unless an operator of this kind may name these input rows out of ``total``.

    ``same`` and ``filter`` name each row once at most, in order; ``explode`` as often as it likes; of ``whole``
    each merged row has one ``members`` at least.

    >>> check_rows("Doubles", "explode", 2, [0, 0, 2], None)
    Traceback (most recent call last):
    dataflow_ext.errors.RowLawError: Doubles names input row 2, but its input has 2 rows, counted from 0.
    """
    if isinstance(rows, range) and rows == range(total):
        return
    if rows is not None and kind in ("same", "filter") and not all(map(operator.lt, rows, islice(rows, 1, None))):
        before, after = next((a, b) for a, b in pairwise(rows) if not a < b)
        raise RowLawError(
            f"{name} names input row {before} and then {after}; kind '{kind}' names each once at most, in order."
        )
    if members is not None and not all(map(len, members)):
        raise RowLawError(f"{name} made a merged row of no input rows; name its members.")
    check_range(name, total, rows if members is None else list(chain.from_iterable(members)))


def check_range(name: str, total: int, rows: Sequence[int] | None) -> None:
    """Raise :class:`RowLawError` unless these are numbers of input rows, counted from 0."""
    if rows is not None and len(rows) and not (min(rows) >= 0 and max(rows) < total):
        odd = next(row for row in rows if not 0 <= row < total)
        raise RowLawError(f"{name} names input row {odd}, but its input has {total} rows, counted from 0.")
