"""What the first pieces of work took in this process, which tells whether others are worth processes of their own."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds of processor time that a worker's start takes, mostly imports; and what a running one's first piece does.
_START, _STARTED = 1.3, 0.05
#: How often what is gained must outweigh the start, as the first pieces do not tell for sure what the others take.
_MARGIN = 2.0
#: Seconds of work in one message: some 100 times what a message takes, and short beside the whole.
_MESSAGE = 0.05
#: Messages for each worker at least, so that all of them end at about the same time.
_TURNS = 8


class Trial:
    """Pieces done in this process, of which there are ``total`` (None: nobody knows), that may go to ``count`` others.

    >>> trial = Trial(count=2, total=1000, started=False)
    >>> trial.add(seconds=0.02, pieces=1)
    >>> trial.pays, trial.size
    (True, 2)
    """

    def __init__(self, count: int, total: int | None, started: bool) -> None:
        self._count, self._total = count, total
        self._start = _STARTED if started else _START
        self._seconds, self._done = 0.0, 0

    def add(self, seconds: float, pieces: int = 1) -> None:
        """Tell what some pieces took."""
        self._seconds += seconds
        self._done += pieces

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Let what is done inside count as a piece."""
        began = time.perf_counter()
        yield
        self.add(time.perf_counter() - began)

    @property
    def pays(self) -> bool:
        """Whether the processes gain more on what is left than they cost."""
        return self._left * (1 - 1 / self._count) > _MARGIN * self._start

    @property
    def size(self) -> int:
        """The pieces that go to a process in one message."""
        left = math.inf if self._total is None else (self._total - self._done) / (_TURNS * self._count)
        return max(1, math.floor(min(_MESSAGE / self._mean, left)))

    @property
    def _mean(self) -> float:
        return max(self._seconds, 1e-9) / max(self._done, 1)

    @property
    def _left(self) -> float:
        """The seconds of work that are left; if nobody knows of how many pieces, as many as there were."""
        return self._seconds if self._total is None else self._mean * (self._total - self._done) * (self._done > 0)
