"""Ids that several lines have, found in 8 bytes a line."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from hashlib import blake2b

import pyarrow as pa
import pyarrow.compute as pc

_CHUNK = 65536


class Ids:
    """The ids of all lines of a data set, file after file; of each line a hash is kept, and no text.

    >>> ids = Ids()
    >>> ids.begin(); ids.add("a"); ids.add("b"); ids.begin(); ids.add(None); ids.add("a")
    >>> list(ids.repeated())
    [((1, 2), (0, 1))]
    """

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._starts: list[int] = []

    def begin(self) -> None:
        """The next lines are those of the next file."""
        self._starts.append(len(self._hashes))

    def add(self, value: object) -> None:
        """Note the next line's id; what is no text equals no other."""
        told = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else b"\0%d" % len(self._hashes)
        self._hashes.append(int.from_bytes(blake2b(told, digest_size=8).digest(), "little"))

    def repeated(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The places of lines whose id an earlier one has, in their order, and the place of the first one with it.

        A place is a file, counted from 0, and a line in it, from 1.
        """
        if len(self._hashes) < 2:
            return
        hashes = pa.Array.from_buffers(pa.uint64(), len(self._hashes), [None, pa.py_buffer(self._hashes)])
        order = pc.array_sort_indices(hashes)  # stable: lines of one id stay in their order
        ordered = hashes.take(order)
        same = pc.indices_nonzero(pc.equal(ordered[1:], ordered[:-1]))
        # Both places in one number, so that they can be put in order together.
        pairs, first, last = array("Q"), 0, -1
        for start in range(0, len(same), _CHUNK):
            for place in same.slice(start, _CHUNK).to_pylist():
                if place != last:
                    first = order[place].as_py()
                last = place + 1
                pairs.append(order[last].as_py() << 32 | first)
        for pair in sorted(pairs):
            yield self._place(pair >> 32), self._place(pair & 0xFFFFFFFF)

    def _place(self, index: int) -> tuple[int, int]:
        file = bisect_right(self._starts, index) - 1
        return file, index - self._starts[file] + 1
