"""What needs the rows of other parts: ids, merges by key, and steps that look at all rows at once."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.codec import is_plain
from dataflow_ext.errors import InputError
from dataflow_ext.files import make_folder
from dataflow_ext.identity import ROW_ID, parent_of, short_hash, with_row_ids
from dataflow_ext.operator import Operator, put_column
from dataflow_ext.rejects import REJECT, join, split
from dataflow_ext.rows import decoded
from dataflow_ext.selection import take
from dataflow_ext.streaming.parts import Part


class FirstSeen:
    """Keys, each with the part in which it was first seen and how often it was; the file is scratch, and goes.

    >>> import tempfile
    >>> seen = FirstSeen(Path(tempfile.mkdtemp(), "seen"))
    >>> seen.add({b"a": 1, b"b": 2}, 0), seen.add({b"b": 1, b"c": 1}, 1), seen.add({b"b": 1}, 2)
    ({}, {b'b': (0, 2)}, {b'b': (0, 3)})
    >>> seen.close()
    """

    def __init__(self, path: Path) -> None:
        make_folder(path.parent)
        self._path = path
        path.unlink(missing_ok=True)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute("PRAGMA cache_size = -65536")  # 64 MB
        self._file.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, part INT, count INT) WITHOUT ROWID")
        self._file.execute("CREATE TEMP TABLE now (key BLOB PRIMARY KEY, count INT) WITHOUT ROWID")

    def add(self, counts: Mapping[bytes, int], part: int) -> dict[bytes, tuple[int, int]]:
        """Note a part's keys, and how often it has each; those seen before, with where first and how often so far."""
        try:
            return self._add(counts, part)
        except sqlite3.Error as error:  # a full disk, most often
            raise OSError(f"Cannot write {self._path}: {error}") from None

    def _add(self, counts: Mapping[bytes, int], part: int) -> dict[bytes, tuple[int, int]]:
        file = self._file
        file.execute("BEGIN")
        file.execute("DELETE FROM now")
        file.executemany("INSERT INTO now VALUES (?, ?)", sorted(counts.items()))
        known = file.execute("SELECT key, seen.part, seen.count FROM now CROSS JOIN seen USING (key)").fetchall()
        file.execute(
            "INSERT INTO seen SELECT key, ?, count FROM now WHERE true "
            "ON CONFLICT (key) DO UPDATE SET count = count + excluded.count",
            (part,),
        )
        file.execute("COMMIT")
        return {key: (first, count) for key, first, count in known}

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
        self._path.unlink(missing_ok=True)


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
        for name in [ROW_ID, *(step.writes.get(name, name) for name in step.promised_outputs())]:
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


class RowIds:
    """Gives each part's rows their ids, counting repeats of rows over all parts before it."""

    def __init__(self, seen: FirstSeen) -> None:
        self._seen = seen

    def give(self, part: pa.Table, number: int) -> pa.Table:
        """The part with a ``row_id`` column; :class:`InputError` if it brings ids that another part has."""
        given = ROW_ID in part.column_names
        part = with_row_ids(part)
        ids = part[ROW_ID].to_pylist()
        if given:
            self._must_be_new(ids, number)
            return part
        bases = [row_id.partition("#")[0] for row_id in ids]
        known = self._seen.add(Counter(map(bytes.fromhex, bases)), number)
        if not known:
            return part
        so_far = {key.hex(): count for key, (_, count) in known.items()}
        for row, base in enumerate(bases):
            if base in so_far:
                ids[row] = f"{base}#{so_far[base]}"
                so_far[base] += 1
        return part.set_column(part.column_names.index(ROW_ID), ROW_ID, pa.array(ids, pa.string()))

    def _must_be_new(self, ids: list[str], number: int) -> None:
        keys = {bytes.fromhex(short_hash(row_id)): row_id for row_id in ids}
        if known := self._seen.add(dict.fromkeys(keys, 1), number):
            twice = keys[next(iter(known))]
            raise InputError(
                f"The column '{ROW_ID}' is reserved and must be unique, but '{twice}' comes twice; "
                "rename or drop yours."
            )
