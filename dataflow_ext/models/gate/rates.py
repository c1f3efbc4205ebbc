"""A limit of so much a minute, kept to by calls that are spread evenly over it."""

from __future__ import annotations

from collections import deque

#: What may be taken at once after a pause, as a part of the whole period's amount (a minute: two seconds' worth).
_BURST = 1 / 30

#: By how much the period is stretched, because calls do not all take the same time to reach the server:
#: a twentieth of it, at most these seconds.
_JITTER = 0.5


class Rate:
    """At most ``limit`` in any ``period`` seconds, at an even pace after a small burst.

    Times are seconds of any clock that never goes back. Something larger than the whole limit passes when
    nothing else was taken for a period.

    >>> rate = Rate(60)
    >>> for _ in range(3):
    ...     taken = rate.take(1, now=0.0)
    >>> rate.earliest(1, now=0.0), rate.earliest(58, now=0.0)
    (1.025, 60.5)
    """

    def __init__(self, limit: float, period: float = 60.0) -> None:
        self.limit = limit
        self._window = period + min(_JITTER, period / 20)
        self._pace = self._window / limit
        self._burst = period * _BURST
        self._due = float("-inf")  # when all that was taken would have been taken at the even pace
        self._taken: deque[list[float]] = deque()  # time and amount, of the last period
        self._total = 0.0

    def earliest(self, amount: float, now: float) -> float:
        """The time from which on so much may be taken, as things stand."""
        while self._taken and self._taken[0][0] <= now - self._window:
            self._total -= self._taken.popleft()[1]
        at = self._due - self._burst
        free = self.limit - self._total
        if free < amount:
            for time, taken in self._taken:
                at = max(at, time + self._window)
                free += taken
                if free >= amount:
                    break
        return at

    def take(self, amount: float, now: float) -> list[float]:
        """Take so much; what comes back is for :meth:`correct`."""
        entry = [now, amount]
        self._taken.append(entry)
        self._total += amount
        self._due = max(self._due, now) + amount * self._pace
        return entry

    def correct(self, entry: list[float], amount: float) -> None:
        """Replace an amount that was taken by the real one; 0 gives all of it back."""
        more = amount - entry[1]
        self._due += more * self._pace
        if self._taken and entry[0] >= self._taken[0][0]:
            self._total += more
            entry[1] = amount
