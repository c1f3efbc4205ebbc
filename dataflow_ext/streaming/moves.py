"""Rows on their way to a merge: each goes to the part in which its key first appears."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.codec import is_plain
from dataflow_ext.files import make_folder
from dataflow_ext.identity import ROW_ID, short_hash
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import REJECT, join, split
from dataflow_ext.rows import decoded
from dataflow_ext.selection import take
from dataflow_ext.streaming.first_seen import FirstSeen
from dataflow_ext.streaming.parts import Part


@dataclass(frozen=True, slots=True)
class Moved:
    """A part's rows of which some went to other parts, and those that came; read when it is called."""

    part: Part
    columns: tuple[str, ...]
    stays: pa.Array | None
    arrivals: tuple[tuple[Path, int], ...]

    def __call__(self) -> pa.Table:
        """The rows with the keys that first appear in this part, and the part's rejects."""
        living, dead = split(self.part.read([*self.columns, REJECT]))
        living = living.select(list(self.columns))
        if self.stays is not None:
            living = take(living, self.stays)
        arrived = [_batch(path, n) for path, n in self.arrivals]
        return join(pa.concat_tables([living, *arrived]), [dead])


class Moves:
    """For a step that merges rows by key: what it is given as its part of all rows.

    Groups come in the order in which their keys first appear, and a group's rows in the order of all rows, as if the
    step had seen the whole table. Only rows whose key an earlier part has are written once more.
    """

    def __init__(self, operator: Operator, parts: Sequence[Part], scratch: Path) -> None:
        self._operator, self._parts, self._scratch = operator, parts, make_folder(scratch, private=True)
        self._columns = list(dict.fromkeys([ROW_ID, *operator.columns_read()]))
        #: Of each part the rows that stay, if not all do; of each the batches that come from later ones.
        self._stays: dict[int, pa.Array] = {}
        self._arrivals: dict[int, list[tuple[Path, int]]] = {}
        with closing(FirstSeen(self._scratch / "keys.sqlite")) as seen:
            for number, part in enumerate(parts):
                self._send(number, part, seen)

    def into(self, number: int) -> Moved:
        """What the step is given as this part."""
        return Moved(
            self._parts[number], tuple(self._columns), self._stays.get(number), tuple(self._arrivals.get(number, ()))
        )

    def _send(self, number: int, part: Part, seen: FirstSeen) -> None:
        living = part.living(self._columns)
        groups = self._groups(living)
        names = {key: bytes.fromhex(short_hash(*key)) for key in groups}
        known = seen.add(dict.fromkeys(names.values(), 1), number)
        if not known:
            return
        owners: dict[int, list[int]] = {}
        for key, rows in groups.items():
            if names[key] in known:
                owners.setdefault(known[names[key]][0], []).extend(rows)
        gone = set(chain.from_iterable(owners.values()))
        self._stays[number] = pa.array([row for row in range(living.num_rows) if row not in gone], pa.int64())
        path = self._scratch / f"{number}.arrow"
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, living.schema) as writer:
            for n, (owner, rows) in enumerate(sorted(owners.items())):
                writer.write_batch(take(living, sorted(rows)).combine_chunks().to_batches()[0])
                self._arrivals.setdefault(owner, []).append((path, n))

    def _groups(self, living: pa.Table) -> dict[tuple[str, ...], list[int]]:
        """The rows of each key as the step will see it; a row that it will reject, or whose key is NaN, has none."""
        step = self._operator
        given, rows, _ = step.given(living)
        looked_at = {n: t for n, t in step.needed_inputs().items() if n in step.key or not is_plain(t)}
        values, wrong = decoded(given, {n: t for n, t in looked_at.items() if n not in getattr(step, "carried", ())})
        groups: dict[tuple[str, ...], list[int]] = {}
        for n, key in enumerate(zip(*(values[name] for name in step.key), strict=True)):
            if n not in wrong and all(value == value for value in key):  # NaN is no other's equal, and stays
                groups.setdefault(tuple(map(_spelled, key)), []).append(rows[n])
        return groups


def _spelled(value: Any) -> str:
    """Equal values alike: of two zeros neither has a sign."""
    return repr(abs(value)) if isinstance(value, (float, Decimal)) and not value else repr(value)


def _batch(path: Path, number: int) -> pa.Table:
    with pa.OSFile(str(path), "rb") as source:
        return pa.Table.from_batches([pa.ipc.open_file(source).get_batch(number)])
