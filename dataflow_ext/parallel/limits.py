"""What a piece of work may take in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass

#: Bytes of a megabyte, as limits are told.
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The memory by which a process may grow over a piece of work, in bytes, and its time in seconds; None: no limit.

    Memory is watched where the system tells it (Linux).

    >>> Limits(memory=500 * MB, seconds=30)
    Limits(memory=500000000, seconds=30)
    """

    memory: int | None = None
    seconds: float | None = None
