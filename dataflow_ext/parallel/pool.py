"""The workers of a run: started when work is given to them, replaced when they die, ended with the run."""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count as counter
from multiprocessing import spawn
from typing import Any, Protocol, TypeVar

from dataflow_ext.errors import DataflowError, PieceError, WorkerDied
from dataflow_ext.parallel.wire import MB, Job, Limits, Setup
from dataflow_ext.parallel.worker import Raised, Worker

T = TypeVar("T")
R = TypeVar("R")

#: Pieces taken for each worker before the first of them is done: enough to keep it busy, few to hold.
_AHEAD = 3
#: Seconds between two looks at what the workers take. Memory can be filled at some 5 GB a second.
_LOOK = 0.02
#: Seconds without work after which workers are ended: they may hold the models of an OCR engine.
_IDLE = 30.0
#: The memory that each further worker adds to what pieces with limits may take together: more than most books need.
_SHARE = 100 * MB

_numbers = counter()


class Pool(Protocol):
    """So many processes, here or elsewhere, that take pieces of work."""

    #: How many they are, and whether work goes to them before its first pieces have shown that this pays.
    count: int
    at_once: bool

    @property
    def started(self) -> bool:
        """Whether any work was given to them yet."""

    def map(
        self, function: Callable[[T], R], pieces: Iterable[T], limits: Callable[[T], Limits], tries: int = 2
    ) -> Iterator[R | PieceError]:
        """The results in the order of the pieces; for one that killed its process, or passed its limits, the error."""

    def close(self) -> None:
        """End what is under way."""


class Workers:
    """So many processes, each with one piece of work at a time, so that a death tells which piece was its cause."""

    def __init__(self, count: int, at_once: bool = False) -> None:
        self.count, self.at_once = count, at_once
        self._threads: ThreadPoolExecutor | None = None
        self._setup: Setup | None = None
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._alone = 0
        self._working = 0
        self._closed = False
        self._change = threading.Condition()

    @property
    def started(self) -> bool:
        """Whether any work was given to them yet."""
        return self._threads is not None

    def map(
        self, function: Callable[[T], R], pieces: Iterable[T], limits: Callable[[T], Limits], tries: int = 2
    ) -> Iterator[R | PieceError]:
        """The results in the order of the pieces; a piece that raises ends the whole.

        A piece whose process dies is tried once more while no other is under way, if ``tries`` is 2; then the
        error stands in its place. One that passes its limits is not tried again.
        """
        number, told = next(_numbers), pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        waiting: deque[Future[R | PieceError]] = deque()
        threads = self._open()
        try:
            for piece in pieces:
                job = Job(number, told, pickle.dumps(piece, pickle.HIGHEST_PROTOCOL))
                waiting.append(threads.submit(self._do, job, limits(piece), tries))
                if len(waiting) >= _AHEAD * self.count:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the processes; work that was not finished is dropped."""
        with self._change:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = tuple(self._busy)
            self._change.notify_all()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in idle:
            worker.close()
        for worker in busy:
            worker.end()  # whoever waits for its result closes it

    def _open(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._setup = _setup(self.count)
            self._threads = ThreadPoolExecutor(self.count, "dataflow-ext-worker")
            threading.Thread(target=self._watch, name="dataflow-ext-watch", daemon=True).start()
        return self._threads

    def _do(self, job: Job, limits: Limits, tries: int) -> Any:
        with self._turn(alone=False):
            made = self._ask(self._take(), job, limits)
        if not isinstance(made, WorkerDied) or tries < 2 or self._closed:
            return made
        with self._turn(alone=True):
            made = self._ask(self._new(), job, limits)
        if isinstance(made, WorkerDied):
            again = WorkerDied(f"{made}, also when it was tried alone")
            again.transient, again.attempts = made.transient, 2
            return again
        return made

    def _ask(self, worker: Worker, job: Job, limits: Limits) -> Any:
        try:
            return worker.ask(job, limits)
        finally:
            self._leave(worker)

    @contextmanager
    def _turn(self, *, alone: bool) -> Iterator[None]:
        """Work beside the others, or while no other is under way."""
        with self._change:
            self._alone += alone
            self._change.wait_for(lambda: not self._working if alone else not self._alone)
            self._working += 1
        try:
            yield
        finally:
            with self._change:
                self._alone -= alone
                self._working -= 1
                self._change.notify_all()

    def _take(self) -> Worker:
        with self._change:
            if self._idle:
                worker = self._idle.pop()
                self._busy.add(worker)
                self._change.notify_all()
                return worker
        return self._new()

    def _new(self) -> Worker:
        assert self._setup is not None  # noqa: S101 - made when the threads were
        try:
            worker = Worker(self._setup)
        except OSError as error:
            raise DataflowError(f"A worker process cannot be started: {error.strerror or error}.") from None
        with self._change:
            self._busy.add(worker)
            self._change.notify_all()
        if self._closed:
            worker.end()
        return worker

    def _leave(self, worker: Worker) -> None:
        with self._change:
            self._busy.discard(worker)
            if worker.alive and not self._closed:
                self._idle.append(worker)
                self._change.notify_all()
                return
        worker.close()

    def _watch(self) -> None:
        while not self._closed:
            with self._change:
                idle: list[Worker] = []
                if not self._change.wait_for(lambda: self._busy or self._closed, _IDLE):
                    idle, self._idle = self._idle, idle
                busy = tuple(self._busy)
            for worker in idle:
                worker.close()
            for worker in busy:
                worker.check()
            _thin_out(busy)
            time.sleep(_LOOK)


def _thin_out(busy: Sequence[Worker]) -> None:
    """End the largest piece of work if they take too much together: it is tried again alone."""
    growths = [worker.growth for worker in busy]
    most = max((most for _, most in growths), default=0) + _SHARE * (len(busy) - 1)
    if len(busy) > 1 and sum(grown for grown, _ in growths) > most:
        busy[growths.index(max(growths))].make_room()


def _result(future: Future[Any]) -> Any:
    from dataflow_ext.background import result_of  # not needed by a worker, and not light

    try:
        return result_of(future)
    except Raised as raised:
        raise raised.error from None


def _setup(sharers: int) -> Setup:
    from dataflow_ext.models.session import current_session

    session = current_session()
    prepared = spawn.get_preparation_data("worker")
    main = {name: str(value) for name, value in prepared.items() if name.startswith("init_main_from_")}
    memory = None if session.cache is None else session.cache.path
    return Setup(main, sharers, memory, session.fresh, logging.getLogger().level)
