"""Operators that leave files behind: they are given all rows in parts, so that these need not fit into memory."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import progress
from dataflow_ext.columns import Columns
from dataflow_ext.files import make_folder
from dataflow_ext.operator import Made, Operator
from dataflow_ext.rejects import Failure
from dataflow_ext.rows import decoded
from dataflow_ext.selection import take

#: Reads a part of the rows, as often as it is called.
Rows: TypeAlias = Callable[[], pa.Table]

#: Rows that are given at one time, those that are sorted at one time at least, and the files that they may lie in.
_TOGETHER, _SORTED, _FILES = 1024, 8192, 64
_NUMBER = "_number"


class Writer(Operator):
    """Base of operators that write files and pass their rows on: :meth:`write` reads them part by part.

    In memory all rows are one part; a streamed run gives its own, so that ``write`` may not hold them all.
    """

    outputs: ClassVar[Columns] = {}
    together: ClassVar[bool] = True
    remembered: ClassVar[bool] = False

    @abstractmethod
    def write(self, parts: Sequence[Rows]) -> Sequence[Failure]:
        """Write the rows of all parts; a row that could not be is named by its number, counted over the parts."""

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once."""
        failures = list(self.write([lambda: table]))
        failed = {each.row for each in failures}
        return Made({}, [row for row in range(table.num_rows) if row not in failed], failures)


def in_order_decoded(
    table: pa.Table, keys: Sequence[str], columns: Columns, failures: list[Failure]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The values of a table's rows by some keys, with their numbers, few of them in memory at one time.

    A row whose values are not of its columns' types goes to the failures.
    """
    order = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in keys])
    for start in range(0, len(order), _TOGETHER):
        rows = order.slice(start, _TOGETHER)
        values, wrong = decoded(table.take(rows), columns)
        for place, (row, *found) in enumerate(zip(rows.to_pylist(), *values.values(), strict=True)):
            if place in wrong:
                failures.append(Failure.of(row, wrong[place]))
            else:
                yield row, dict(zip(values, found, strict=True))
        progress.advance(len(rows))


def in_order(
    parts: Sequence[Rows], keys: Sequence[str], among: Sequence[str], scratch: Path
) -> Iterator[tuple[list[int], pa.Table]]:
    """The rows of all parts by some keys, those with equal keys by the columns ``among``, with their numbers.

    Keys are held in memory, so they should be short. Of several parts the rows go to files in ``scratch`` first, each
    with the rows of a stretch of the order, and these are sorted one by one.

    >>> halves = [lambda: pa.table({"id": ["b", "c"]}), lambda: pa.table({"id": ["a"]})]
    >>> import tempfile
    >>> [(numbers, rows["id"].to_pylist()) for numbers, rows in in_order(halves, ["id"], [], Path(tempfile.mkdtemp()))]
    [([2, 0, 1], ['a', 'b', 'c'])]
    """
    if len(parts) == 1:
        yield from _slices(_numbered(parts[0](), 0), [*keys, *among])
        return
    shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
    try:
        yield from _by_files(parts, keys, among, make_folder(scratch, private=True))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _by_files(
    parts: Sequence[Rows], keys: Sequence[str], among: Sequence[str], scratch: Path
) -> Iterator[tuple[list[int], pa.Table]]:
    known = pa.concat_tables([part().select(list(keys)) for part in parts])
    order = pc.sort_indices(known, sort_keys=[(name, "ascending") for name in keys])
    places, starts = pc.array_sort_indices(order), _starts(known, order)
    del known, order
    files = [_Spilled(scratch / f"{number}.arrow") for number in range(len(starts) - 1)]
    at = 0
    for part in parts:
        table = _numbered(part(), at)
        mine = places.slice(at, table.num_rows)
        at += table.num_rows
        for file, (start, end) in zip(files, pairwise(starts), strict=True):
            rows = pc.indices_nonzero(pc.and_(pc.greater_equal(mine, start), pc.less(mine, end)))
            if len(rows):
                file.add(take(table, rows))
    for file in files:
        yield from _slices(file.read(), [*keys, *among])


def _starts(known: pa.Table, order: pa.Array) -> list[int]:
    """Where stretches of the order begin, and its end; rows with equal keys are in one of them."""

    def key(place: int) -> tuple[object, ...]:
        row = order[place].as_py()
        return tuple(column[row].as_py() for column in known.columns)

    size = max(_SORTED, -(-len(order) // _FILES))
    starts = [0]
    while starts[-1] < len(order):
        end = min(starts[-1] + size, len(order))
        while end < len(order) and key(end) == key(end - 1):
            end += 1
        starts.append(end)
    return starts


class _Spilled:
    """Rows in a file, added to it bit by bit and then read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: pa.RecordBatchFileWriter | None = None

    def add(self, table: pa.Table) -> None:
        if self._writer is None:
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            self._writer = pa.ipc.new_file(str(self._path), table.schema, options=options)
        self._writer.write_table(table)

    def read(self) -> pa.Table:
        """All of them; the file goes."""
        assert self._writer is not None  # noqa: S101 - a stretch of the order has rows
        self._writer.close()
        with pa.OSFile(str(self._path), "rb") as source:
            table = pa.ipc.open_file(source).read_all()
        self._path.unlink()
        return table


def _numbered(table: pa.Table, start: int) -> pa.Table:
    return table.append_column(_NUMBER, pa.array(range(start, start + table.num_rows), pa.int64()))


def _slices(table: pa.Table, order: Sequence[str]) -> Iterator[tuple[list[int], pa.Table]]:
    rows = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in order])
    for start in range(0, len(rows), _TOGETHER):
        some = take(table, rows.slice(start, _TOGETHER))
        yield some[_NUMBER].to_pylist(), some.drop_columns([_NUMBER])
