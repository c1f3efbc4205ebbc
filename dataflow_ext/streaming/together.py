"""A step that looks at all rows at once, in a streamed run: it is given the columns that it reads, and no other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.identity import ROW_ID, parent_of
from dataflow_ext.operator import Operator, put_column
from dataflow_ext.rejects import join, split
from dataflow_ext.selection import take
from dataflow_ext.streaming.parts import Part


def columns_of(operator: Operator, parts: Sequence[Part]) -> pa.Table:
    """What the step is given: its columns, and the ids, of all living rows."""
    names = list(dict.fromkeys([ROW_ID, *operator.columns_read()]))
    return pa.concat_tables([part.living(names) for part in parts])


class Spread:
    """What the step made, in as many parts as went in, with the columns beside it that it passes on.

    A part has the rows that were made of its own where the step kept their order, else as many as the others; its
    rejects stay in it.
    """

    def __init__(self, operator: Operator, made: pa.Table, parts: Sequence[Part]) -> None:
        self._operator, self._parts = operator, parts
        self._alive, self._dead = split(made)
        ids = [part.living([ROW_ID])[ROW_ID].combine_chunks() for part in parts]
        self._starts = list(accumulate(map(len, ids), initial=0))
        where = pa.chunked_array(ids, pa.string())
        self._died: dict[int, list[int]] = {}
        for row, place in enumerate([] if self._dead is None else pc.index_in(self._dead[ROW_ID], where).to_pylist()):
            self._died.setdefault(bisect_right(self._starts, place) - 1, []).append(row)
        self._places: pa.Array | None = None
        self._cuts = _evenly(self._alive.num_rows, len(parts))
        if operator.rows != "whole":
            self._places = pc.index_in(_sources(operator, self._alive), where).combine_chunks().cast(pa.int64())
            self._cuts = _cuts(self._places, self._starts)

    def table(self, number: int) -> pa.Table:
        """A part's rows and rejects."""
        start, end = self._cuts[number : number + 2]
        mine = self._alive.slice(start, end - start)
        if self._places is not None:
            mine = self._beside(mine, self._places.slice(start, end - start))
        died = None if self._dead is None else take(self._dead, self._died.get(number, ()))
        return join(mine, [split(self._parts[number].read())[1], died])

    def _beside(self, made: pa.Table, places: pa.Array) -> pa.Table:
        """The rows that these were made of, without what the step consumed, with what it made."""
        order = pc.array_sort_indices(places)
        ordered, pieces, done = places.take(order), [self._parts[0].living().slice(0, 0)], 0
        while done < len(ordered):
            home = bisect_right(self._starts, ordered[done].as_py()) - 1
            end = bisect_left(range(len(ordered)), self._starts[home + 1], lo=done, key=lambda n: ordered[n].as_py())
            inside = pc.subtract(ordered.slice(done, end - done), self._starts[home])
            pieces.append(take(self._parts[home].living(), inside))
            done = end
        out = take(pa.concat_tables(pieces), pc.array_sort_indices(order))
        step = self._operator
        if step.rows == "explode":
            out = out.drop_columns(list(set(step.columns_read()) - set(step.keep)))
        for name in [ROW_ID, *(step.writes.get(name, name) for name in step.outputs)]:
            out = put_column(out, name, made[name])
        return out


def _sources(operator: Operator, alive: pa.Table) -> pa.ChunkedArray:
    """The ids of the rows that these were made of."""
    ids = alive[ROW_ID]
    if operator.rows != "explode":
        return ids
    return pa.chunked_array([pa.array(map(parent_of, ids.to_pylist()), pa.string())])


def _cuts(places: pa.Array, starts: Sequence[int]) -> list[int]:
    """Where each part's rows begin: with the part's own rows, if the step kept the order, else evenly."""
    if len(places) > 1 and pc.any(pc.less(places.slice(1), places.slice(0, len(places) - 1))).as_py():
        return _evenly(len(places), len(starts) - 1)
    return [bisect_left(range(len(places)), start, key=lambda n: places[n].as_py()) for start in starts]


def _evenly(rows: int, parts: int) -> list[int]:
    return [rows * n // parts for n in range(parts + 1)]
