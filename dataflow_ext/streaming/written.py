"""A step that writes files, in a streamed run: it reads the parts, which stay as they are but for what it rejects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pyarrow as pa

from dataflow_ext.rejects import Failure, dead_rows, join, split
from dataflow_ext.selection import take
from dataflow_ext.streaming.parts import Part
from dataflow_ext.writer import Writer


class WrittenParts:
    """What the step was given of each part, and which of its rows it could not write."""

    def __init__(self, step: Writer, number: int, parts: Sequence[Part]) -> None:
        self._step, self._number, self._parts = step, number, parts
        self._usable: dict[int, Sequence[int]] = {}
        self._failures: defaultdict[int, list[Failure]] = defaultdict(list)

    def write(self) -> None:
        """Have it write all rows that it can be given; nothing where there are none."""
        for place, part in enumerate(self._parts):
            _, self._usable[place], self._failures[place] = self._step.given(part.living(self._step.columns_read()))
        if not any(map(len, self._usable.values())):
            return
        starts = [0]
        for rows in self._usable.values():
            starts.append(starts[-1] + len(rows))
        readers: list[Callable[[], pa.Table]] = [partial(self._given, place) for place in range(len(self._parts))]
        for failure in self._step.write(readers):
            place = next(n for n, end in enumerate(starts[1:]) if failure.row < end)
            row = self._usable[place][failure.row - starts[place]]
            self._failures[place].append(replace(failure, row=row))

    def table(self, place: int) -> pa.Table | None:
        """A part's rows and rejects behind the step; None where it took all of them."""
        failures = sorted(self._failures[place], key=lambda failure: failure.row)
        if not failures:
            return None
        living, dead = split(self._parts[place].read())
        gone = {failure.row for failure in failures}
        kept = [row for row in range(living.num_rows) if row not in gone]
        mine = dead_rows(living, failures, self._step.step_name, self._number, self._step.columns_read())
        return join(take(living, kept), [dead, mine])

    def _given(self, place: int) -> pa.Table:
        return self._step.given(self._parts[place].living(self._step.columns_read()))[0]
