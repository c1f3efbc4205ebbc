"""Rows on their way to a merge: each goes to the part in which its key first appears."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from dataflow_ext.files import make_folder
from dataflow_ext.identity import ROW_ID, short_hash
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import REJECT, join, split
from dataflow_ext.selection import take
from dataflow_ext.streaming.first_seen import FirstSeen
from dataflow_ext.streaming.parts import Part


class Moves:
    """For a step that merges rows by key: what it is given as its part of all rows.

    Groups come in the order in which their keys first appear, and a group's rows in the order of all rows, as if the
    step had seen the whole table. Only rows whose key an earlier part has are written once more.
    """

    def __init__(self, operator: Operator, parts: Sequence[Part], scratch: Path) -> None:
        self._parts, self._scratch = parts, make_folder(scratch, private=True)
        self._keys = [operator.reads.get(name, name) for name in operator.key]
        self._columns = list(dict.fromkeys([ROW_ID, *operator.columns_read()]))
        #: Of each part the rows that stay, if not all do; of each the batches that come from later ones.
        self._stays: dict[int, pa.Array] = {}
        self._arrivals: dict[int, list[tuple[Path, int]]] = {}
        with closing(FirstSeen(self._scratch / "keys.sqlite")) as seen:
            for number, part in enumerate(parts):
                self._send(number, part, seen)

    def table(self, number: int) -> pa.Table:
        """The rows with the keys that first appear in this part, and the part's rejects."""
        living, dead = split(self._parts[number].read([*self._columns, REJECT]))
        living = living.select(self._columns)
        if number in self._stays:
            living = take(living, self._stays[number])
        arrived = [_batch(path, n) for path, n in self._arrivals.get(number, ())]
        return join(pa.concat_tables([living, *arrived]), [dead])

    def _send(self, number: int, part: Part, seen: FirstSeen) -> None:
        keys = part.living(self._keys)
        rows = pa.array(range(keys.num_rows), pa.int64())
        groups = keys.append_column("_row", rows).group_by(self._keys, use_threads=False).aggregate([("_row", "list")])
        values = zip(*(groups[name].to_pylist() for name in self._keys), strict=True)
        names = [bytes.fromhex(short_hash(*map(repr, key))) for key in values]
        known = seen.add(dict.fromkeys(names, 1), number)
        if not known:
            return
        owners: dict[int, list[int]] = {}
        for name, mine in zip(names, groups["_row_list"].to_pylist(), strict=True):
            owners.setdefault(known[name][0] if name in known else number, []).extend(mine)
        self._stays[number] = pa.array(sorted(owners.pop(number, [])), pa.int64())
        living, path = part.living(self._columns), self._scratch / f"{number}.arrow"
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, living.schema) as writer:
            for n, (owner, mine) in enumerate(sorted(owners.items())):
                writer.write_batch(take(living, sorted(mine)).combine_chunks().to_batches()[0])
                self._arrivals.setdefault(owner, []).append((path, n))


def _batch(path: Path, number: int) -> pa.Table:
    with pa.OSFile(str(path), "rb") as source:
        return pa.Table.from_batches([pa.ipc.open_file(source).get_batch(number)])
