"""Rows of a table by number or by mask, also where a column holds more than the 2 GiB that fit into one array."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, pairwise

import pyarrow as pa
import pyarrow.compute as pc

#: Bytes from which a column is taken apart first: the offsets of strings, binary and lists end at twice as many.
LARGE = 1 << 30

#: Bytes that neighbouring rows must have on average to be passed on where they lie, and not be copied.
_WORTH_A_SLICE = 1 << 14


def take(table: pa.Table, rows: Sequence[int] | pa.Array) -> pa.Table:
    """The table's rows of these numbers, in this order.

    >>> take(pa.table({"a": ["x", "y"]}), [1, 1, 0]).to_pylist()
    [{'a': 'y'}, {'a': 'y'}, {'a': 'x'}]
    """
    index = (rows if isinstance(rows, pa.Array) else pa.array(rows, pa.int64())).cast(pa.int64())
    if table.get_total_buffer_size() < LARGE:
        with suppress(pa.ArrowInvalid):  # shared or repeated, the rows may be more than fit into an array all the same
            return table.take(index)
    return pa.table([taken(column, index) for column in table.columns], schema=table.schema)


def keep(table: pa.Table, mask: pa.Array | pa.ChunkedArray) -> pa.Table:
    """The table's rows for which the mask is true.

    >>> keep(pa.table({"a": ["x", "y"]}), pa.array([False, True])).to_pylist()
    [{'a': 'y'}]
    """
    return take(table, pc.indices_nonzero(mask))


def taken(column: pa.ChunkedArray, index: pa.Array) -> pa.ChunkedArray:
    """The column's values of these numbers (``int64``), in this order."""
    if column.get_total_buffer_size() < LARGE or not len(index):
        with suppress(pa.ArrowInvalid):
            return column.take(index)
    starts = _starts_of_runs(index)
    size = max(1, column.nbytes // len(column))
    if size * len(index) >= _WORTH_A_SLICE * len(starts):
        return pa.chunked_array(_slices(column, index, starts), column.type)
    pieces = _pieces(index, max(1, LARGE // 4 // size))
    return pa.chunked_array([part for piece in pieces for part in _gathered(column, piece)], column.type)


def whole(table: pa.Table) -> pa.Table:
    """The table in one batch, however its rows came together, where they fit into one."""
    try:
        return table.combine_chunks()
    except pa.ArrowInvalid:  # more than 2 GiB in a column
        return table


def chunks_of(array: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    """The arrays that an array is made of: its chunks, or itself."""
    return array.chunks if isinstance(array, pa.ChunkedArray) else [array]


def cut(array: pa.Array) -> list[pa.Array]:
    """The array in slices that are not large; a value that is large by itself stays one."""
    if len(array) < 2 or array.get_total_buffer_size() < LARGE or array.nbytes < LARGE:
        return [array]
    half = len(array) // 2
    return [*cut(array.slice(0, half)), *cut(array.slice(half))]


def _starts_of_runs(index: pa.Array) -> pa.Array:
    """The places at which a row follows that is not the next one."""
    steps = pc.subtract(index.slice(1), index.slice(0, len(index) - 1))
    breaks = pc.add(pc.indices_nonzero(pc.not_equal(steps, 1)).cast(pa.int64()), 1)
    return pa.concat_arrays([pa.array([0], pa.int64()), breaks])


def _slices(column: pa.ChunkedArray, index: pa.Array, starts: pa.Array) -> Iterator[pa.Array]:
    """The values as slices of the chunks in which they lie: nothing is copied."""
    chunks = [chunk for chunk in column.chunks if len(chunk)]
    firsts = list(accumulate(map(len, chunks), initial=0))
    lengths = (end - start for start, end in pairwise([*starts.to_pylist(), len(index)]))
    for first, length in zip(index.take(starts).to_pylist(), lengths, strict=True):
        number = bisect_right(firsts, first) - 1
        while length:
            part = chunks[number].slice(first - firsts[number], length)
            yield part
            first, length, number = first + len(part), length - len(part), number + 1


def _pieces(index: pa.Array, rows: int) -> Iterator[pa.Array]:
    return (index.slice(start, rows) for start in range(0, len(index), rows))


def _gathered(column: pa.ChunkedArray, index: pa.Array) -> list[pa.Array]:
    """The values in arrays of their own; as many as are needed to hold them, as sizes of rows may differ widely."""
    try:
        return _copied(column, index)
    except pa.ArrowInvalid:
        if len(index) < 2:
            raise
        half = len(index) // 2
        return [*_gathered(column, index.slice(0, half)), *_gathered(column, index.slice(half))]


def _copied(column: pa.ChunkedArray, index: pa.Array) -> list[pa.Array]:
    parts, places, first = [], [], 0
    bounds = pc.min_max(index)
    low, high = bounds["min"].as_py(), bounds["max"].as_py()
    for chunk in column.chunks:
        end = first + len(chunk)
        if first <= high and low < end:
            mine = pc.indices_nonzero(pc.and_(pc.greater_equal(index, first), pc.less(index, end)))
            parts.append(chunk.take(pc.subtract(index.take(mine), first)))
            places.append(mine)
        first = end
    order = pa.concat_arrays(places)
    if pc.all(pc.less(order.slice(0, len(order) - 1), order.slice(1))).as_py() is not False:
        return parts
    return [pa.concat_arrays(parts).take(pc.array_sort_indices(order))]
