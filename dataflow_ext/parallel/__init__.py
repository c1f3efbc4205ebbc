"""One function over many pieces of work: in this process, or in worker processes that may die without loss."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from operator import length_hint
from typing import TypeVar

from dataflow_ext.errors import PieceError
from dataflow_ext.parallel import journal
from dataflow_ext.parallel.child import is_worker, limited, not_again, sharers
from dataflow_ext.parallel.pool import Pool, Workers
from dataflow_ext.parallel.wire import MB, Limits

#: Seconds of processor time that a worker's start takes, mostly imports: 0.4 of small operators, 0.5 to 0.9 of those of
#: the families that it is for; and what a running one's first piece does.
_START, _STARTED = 0.8, 0.05
#: How often what is gained must outweigh the start, as the first pieces do not tell for sure what the others take.
_MARGIN = 2.0
#: Seconds of work in one message: some 100 times what a message takes, and short beside the whole.
_MESSAGE = 0.05
#: Messages for each worker at least, so that all of them end at about the same time.
_TURNS = 8


class Trial:
    """Pieces done in this process, of which there are ``total`` (None: nobody knows), that may go to ``count`` others.

    Those that run already need ``imports`` seconds before the first piece.

    >>> trial = Trial(count=2, total=1000, started=False)
    >>> trial.add(seconds=0.02, pieces=1)
    >>> trial.pays, trial.size
    (True, 2)
    """

    def __init__(self, count: int, total: int | None, started: bool, imports: float = 0.0) -> None:
        self._count, self._total = count, total
        self._start = _STARTED + imports if started else _START
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


__all__ = [
    "MB", "Limits", "Pool", "Trial", "Workers",
    "batches", "cores", "each", "guarded", "outcomes", "spreading_over", "staying", "workers",
]  # fmt: skip

T = TypeVar("T")
R = TypeVar("R")

_workers: ContextVar[Pool | None] = ContextVar("dataflow_workers", default=None)
_staying: ContextVar[bool] = ContextVar("dataflow_staying", default=False)

_UNLIMITED = Limits()


@contextmanager
def workers(count: int, at_once: bool = False) -> Iterator[Pool]:
    """Let :func:`each` inside spread its work over so many processes; with one, it stays in this.

    Work begins in this process, and goes to the others as soon as its first pieces have shown that this gains more
    than their start costs; ``at_once``, without waiting for that. A block inside another one of the same count shares
    its processes.
    """
    not_again()
    outer = _workers.get()
    if outer is not None and outer.count == count:
        yield outer
        return
    with spreading_over(Workers(count, at_once)) as made:
        yield made


@contextmanager
def spreading_over(pool: Pool) -> Iterator[Pool]:
    """Let :func:`each` inside spread its work over these processes, which are ended afterwards."""
    token = _workers.set(pool)
    try:
        yield pool
    finally:
        _workers.reset(token)
        pool.close()


@contextmanager
def staying(here: bool = True) -> Iterator[None]:
    """Let the work of :func:`each` inside stay in this process, whatever the number of workers."""
    token = _staying.set(here)
    try:
        yield
    finally:
        _staying.reset(token)


def each(function: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """``function`` of each piece, in order: over the processes of the run's ``workers``, else in this process.

    Function, pieces and results are pickled on the way, so the function stands in a module. Model and OCR
    memories are those of the current session there too. A piece whose process dies is tried once more alone;
    :class:`~dataflow_ext.errors.WorkerDied` if that dies as well. The first pieces are done in this process, whose
    death is that of the run: what may die is for :func:`guarded`.

    >>> list(each(len, ["a", "bcd"]))
    [1, 3]
    """
    for made in outcomes(function, pieces):
        if isinstance(made, PieceError):
            raise made
        yield made


def outcomes(
    function: Callable[[T], R],
    pieces: Iterable[T],
    tries: int = 2,
    final: Callable[[R], bool] = journal.settled,
    *,
    total: int | None = None,
    costly: bool = False,
) -> Iterator[R | PieceError]:
    """As :func:`each`, but the error of a piece whose process died stands in the place of its result.

    With ``tries`` 1 such a piece is not tried again. Results that are ``final`` are kept in the step's journal until
    the step is done, so the function gives the same for the same piece, whenever it is called. ``total`` is the number
    of pieces where they are no list. Pieces that are ``costly`` take seconds or load what takes room: none of several
    is done in this process.
    """
    known = length_hint(pieces, -1) if total is None else total

    def do(todo: Iterable[T]) -> Iterator[R | PieceError]:
        return _outcomes(function, todo, tries, None if known < 0 else known, costly)

    return journal.through(function, pieces, do, final)


def _outcomes(
    function: Callable[[T], R], pieces: Iterable[T], tries: int, total: int | None, costly: bool
) -> Iterator[R | PieceError]:
    pool = _workers.get()
    if pool is None or pool.count < 2 or _staying.get():
        return map(function, pieces)
    if not (costly or pool.at_once):
        return _tried(pool, Trial(pool.count, total, pool.started), function, pieces, tries)
    todo = iter(pieces)
    first = list(islice(todo, 2))
    if len(first) < 2 and not pool.started:
        # For a single piece no process is worth its start.
        return map(function, first)
    return pool.map(function, chain(first, todo), lambda piece: _UNLIMITED, tries)


def _tried(
    pool: Pool, tried: Trial, function: Callable[[T], R], pieces: Iterable[T], tries: int
) -> Iterator[R | PieceError]:
    """The first pieces in this process, and if these show that it pays, the others over the pool."""
    todo = iter(pieces)
    for piece in todo:
        with tried.timed():
            made = function(piece)
        yield made
        if tried.pays:
            yield from _in_messages(pool, function, todo, tries, tried.size)


def _in_messages(
    pool: Pool, function: Callable[[T], R], pieces: Iterator[T], tries: int, size: int
) -> Iterator[R | PieceError]:
    """The results of pieces of which ``size`` go to a process together; if it dies, they go one by one."""
    if size == 1:
        yield from pool.map(function, pieces, lambda piece: _UNLIMITED, tries)
        return
    sent: deque[list[T]] = deque()

    def messages() -> Iterator[list[T]]:
        while message := list(islice(pieces, size)):
            sent.append(message)
            yield message

    for made in pool.map(partial(_all, function), messages(), lambda message: _UNLIMITED, 1):
        message = sent.popleft()
        if isinstance(made, PieceError):
            yield from pool.map(function, message, lambda piece: _UNLIMITED, tries)
        else:
            yield from made


def _all(function: Callable[[T], R], pieces: Sequence[T]) -> list[R]:
    return [function(piece) for piece in pieces]


def batches(
    function: Callable[[Sequence[T]], Sequence[R]], rows: Sequence[T], at_once: int
) -> Iterator[Sequence[R | PieceError]]:
    """The results of ``function``, which takes ``at_once`` rows and gives something for each, batch by batch.

    If a batch's process dies, its rows are tried one by one, so that only the error of the row that was the cause
    stands in the place of a result.

    >>> list(batches(sorted, [2, 1, 3], 2))
    [[1, 2], [3]]
    """
    pieces = [rows[start : start + at_once] for start in range(0, len(rows), at_once)]
    tries = 1 if at_once > 1 else 2
    for piece, made in zip(pieces, outcomes(function, pieces, tries), strict=True):
        if not isinstance(made, PieceError):
            yield made
        elif len(piece) == 1 and at_once == 1:
            yield [made]
        else:
            alone = outcomes(function, [[row] for row in piece], costly=True)
            yield [one if isinstance(one, PieceError) else one[0] for one in alone]


def guarded(
    function: Callable[[T], R],
    pieces: Iterable[T],
    limits: Limits | Callable[[T], Limits],
    final: Callable[[R], bool] | None = None,
) -> Iterator[R | PieceError]:
    """``function`` of each piece, in order, never in this process: what is dangerous dies in another, and alone.

    For the files of strangers, and for code that may not end. ``limits`` hold for each piece, or are a function of
    it. In the place of a result stands :class:`~dataflow_ext.errors.MemoryExceeded` or
    :class:`~dataflow_ext.errors.RowTimeout` for a piece that passed them, and
    :class:`~dataflow_ext.errors.WorkerDied` for one whose process died, and died again when it was tried alone.
    Called in a worker, it is done there, and that worker ended. Results that are ``final`` are kept as those of
    :func:`outcomes`; without it, none are.

    >>> list(guarded(len, ["a", "bcd"], Limits(memory=100 * MB, seconds=60)))
    [1, 3]
    """
    if final is not None:
        return journal.through(function, pieces, lambda todo: guarded(function, todo, limits), final)
    own = limits if callable(limits) else lambda piece: limits
    not_again()
    if is_worker():
        return _nested(function, pieces, own)
    pool = _workers.get()
    return _by_one(function, pieces, own) if pool is None else pool.map(function, pieces, own)


def cores() -> int:
    """The cores that a library's threads may use here: all, or this process's share among the workers.

    >>> cores() >= 1
    True
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable // sharers())


def _by_one(function: Callable[[T], R], pieces: Iterable[T], limits: Callable[[T], Limits]) -> Iterator[R | PieceError]:
    with workers(1) as pool:
        yield from pool.map(function, pieces, limits)


def _nested(function: Callable[[T], R], pieces: Iterable[T], limits: Callable[[T], Limits]) -> Iterator[R]:
    for piece in pieces:
        with limited(limits(piece)):
            made = function(piece)
        yield made
