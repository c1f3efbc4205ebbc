"""The ids of rows that come part by part: the same as all of them at once would have."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from dataflow_ext.errors import InputError
from dataflow_ext.identity import ROW_ID, short_hash, with_row_ids
from dataflow_ext.streaming.first_seen import FirstSeen


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
