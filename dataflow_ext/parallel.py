"""One function over many pieces of work: in this process, or spread over the processes of the step."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

from dataflow_ext.background import result_of
from dataflow_ext.errors import DataflowError
from dataflow_ext.models import Session, current_session
from dataflow_ext.signals import FROM_TERMINALS

T = TypeVar("T")
R = TypeVar("R")

#: Pieces handed to each process before the first of them is done: enough to keep it busy, few to hold.
_AHEAD = 3


class Workers:
    """The processes of one step, started when the first piece of work is given to them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None
        self._others: set[BaseProcess] = set()

    def map(self, function: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
        """The results in the order of the pieces; a piece that raises ends the whole."""
        waiting: deque[Future[R]] = deque()
        todo = iter(pieces)
        first = list(islice(todo, 2))
        if len(first) < 2 and self._pool is None:
            # For a single piece no process is worth its start.
            yield from map(function, first)
            return
        try:
            for piece in chain(first, todo):
                waiting.append(self._submit(function, piece))
                if len(waiting) >= _AHEAD * self.count:
                    yield result_of(waiting.popleft())
            while waiting:
                yield result_of(waiting.popleft())
        except BrokenProcessPool:
            raise DataflowError(
                "A worker process died: out of memory (try fewer workers), or the script that called run does "
                "so outside of `if __name__ == '__main__':`."
            ) from None

    def close(self) -> None:
        """End the processes; work that was not finished is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
            # What they were given beforehand cannot be taken back, and might take minutes.
            for child in set(multiprocessing.active_children()) - self._others:
                child.terminate()

    def _submit(self, function: Callable[[T], R], piece: T) -> Future[R]:
        if self._pool is not None or threading.current_thread() is not threading.main_thread():
            return self._open().submit(function, piece)
        # The first one starts the processes, which shall be deaf from their first moment on to what a terminal
        # tells all its processes: that is the master's to handle.
        before = {number: signal.signal(number, signal.SIG_IGN) for number in FROM_TERMINALS}
        try:
            return self._open().submit(function, piece)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._others = set(multiprocessing.active_children())
            session = current_session()
            memory = None if session.cache is None else session.cache.path
            # Forking a process that has threads (Arrow's, a client's) can hang the child, so children start afresh.
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_serve,
                initargs=(os.getpid(), self.count, memory, session.fresh),
            )
        return self._pool


_workers: ContextVar[Workers | None] = ContextVar("dataflow_workers", default=None)
#: How many processes share this machine's cores with this one, itself counted.
_sharers = 1


@contextmanager
def workers(count: int) -> Iterator[Workers | None]:
    """Let :func:`each` inside spread its work over so many processes; with one, it stays in this."""
    made = Workers(count) if count > 1 else None
    token = _workers.set(made)
    try:
        yield made
    finally:
        _workers.reset(token)
        if made is not None:
            made.close()


def each(function: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """``function`` of each piece, in order: over the processes of the run's ``workers``, else in this process.

    Function, pieces and results are pickled on the way, so the function stands in a module. Model and OCR
    memories are those of the current session there too.

    >>> list(each(len, ["a", "bcd"]))
    [1, 3]
    """
    pool = _workers.get()
    return map(function, pieces) if pool is None else pool.map(function, pieces)


def cores() -> int:
    """The cores that a library's threads may use here: all, or this process's share among the workers.

    >>> cores() >= 1
    True
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable // _sharers)


def _serve(master: int, sharers: int, memory: Path | None, fresh: bool) -> None:
    """Prepare a worker: interrupts are the master's to handle, and a worker does not outlive it."""
    global _sharers
    _sharers = sharers
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == master:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    Session(memory, fresh=fresh).__enter__()
