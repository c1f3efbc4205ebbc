"""The master's side of one worker: starts the process, gives it pieces of work, and ends it when it takes too much."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from dataflow_ext.errors import DataflowError, MemoryExceeded, PieceError, ResultError, RowTimeout, WorkerDied
from dataflow_ext.parallel.wire import MB, Job, Limits, Setup, Wire, unsent

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ENTRY = "import sys; sys.path[:] = {path!r}; from dataflow_ext.parallel.child import main; main()"


@dataclass(slots=True)
class _Mark:
    """Limits that hold now: the moment and the bytes at which they are passed."""

    limits: Limits
    until: float | None
    ceiling: int | None


class Raised(Exception):
    """An exception of the work itself, which is the caller's to raise."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class Worker:
    """One process that works for this one; a group of its own, so that a terminal's interrupts pass it by."""

    def __init__(self, setup: Setup) -> None:
        own_group: dict[str, Any] = {"process_group": 0}
        if sys.platform == "win32":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and code that stands here
            [sys.executable, *_flags(), "-c", _ENTRY.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **own_group,
        )
        self._wire = Wire(cast(BinaryIO, self._process.stdout), cast(BinaryIO, self._process.stdin))
        self._function = -1
        self._marks: list[_Mark] = []
        self._verdict: PieceError | None = None
        self._ended, self._held = False, 0
        self._lock = threading.Lock()
        with suppress(OSError):  # a process that died at its start is found out when it is asked
            self._wire.send(pickle.dumps(setup))

    def ask(self, job: Job, limits: Limits) -> Any:
        """The result of a piece of work; an error that tells of the process's death is one, too.

        Raises :class:`Raised` with an exception of the work, and DataflowError for a function that no process has.
        """
        known = job.number == self._function
        if known:
            self._begin(limits)
        with suppress(OSError):  # if it is dead, that shows below
            self._wire.send(pickle.dumps(Job(job.number, b"", job.piece) if known else job))
        while (data := self._wire.receive()) is not None:
            try:
                kind, value = pickle.loads(data)  # noqa: S301 - our own worker's bytes
            except Exception as error:
                kind, value = False, unsent(error)
            if kind == "loaded":
                self._function = job.number
                self._begin(limits)
            elif kind == "log":
                _log(value)
            elif kind == "limits":
                self._nest(value)
            else:
                self._keep([])
                return _given(kind, value)
        return self._death(job)

    @property
    def alive(self) -> bool:
        """Whether more work can be given to it."""
        return self._verdict is None and self._process.poll() is None

    def check(self) -> None:
        """End the process if its work has taken too much."""
        with self._lock:
            self._held = _held(self._process.pid) if any(mark.ceiling for mark in self._marks) else 0
            self._verdict = self._verdict or self._excess()
        # What a dead process has left behind may hold its pipe open.
        if not self.alive:
            self.end()

    def _excess(self) -> PieceError | None:
        now = time.monotonic()
        for mark in self._marks:
            if mark.until is not None and now > mark.until:
                return RowTimeout(f"took longer than the {mark.limits.seconds:g} s that it may take")
            if mark.ceiling is not None and self._held > mark.ceiling:
                most = f"{(mark.limits.memory or 0) / MB:,.0f} MB"
                return MemoryExceeded(f"needed more than the {most} of memory that it may have")
        return None

    @property
    def growth(self) -> tuple[int, int]:
        """The bytes by which its work had grown when it was looked at last, and by which it may grow; 0: no limit."""
        with self._lock:
            limited = [(mark.ceiling, mark.limits.memory) for mark in self._marks if mark.ceiling is not None]
            grown, most = max(((self._held - (c - (m or 0)), m or 0) for c, m in limited), default=(0, 0))
            return max(grown, 0), most

    def make_room(self) -> None:
        """End the process for the others' sake; its work is to be tried again."""
        with self._lock:
            if self._marks and self._verdict is None:
                self._verdict = WorkerDied("its process was ended, as all of them took too much memory together")
        if not self.alive:
            self.end()

    def end(self) -> None:
        """End the process and what it has started."""
        with self._lock:  # once: the number may be another's afterwards
            ended, self._ended = self._ended, True
        if ended:
            return
        if sys.platform == "win32":
            self._process.kill()
            return
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process, and let its pipes go."""
        self.end()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _begin(self, limits: Limits) -> None:
        self._keep([self._mark(limits)])

    def _nest(self, limits: Limits | None) -> None:
        self._keep(self._marks[:-1] if limits is None else [*self._marks, self._mark(limits)])

    def _keep(self, marks: list[_Mark]) -> None:
        with self._lock:
            self._marks = marks

    def _mark(self, limits: Limits) -> _Mark:
        until = None if limits.seconds is None else time.monotonic() + limits.seconds
        ceiling = None if limits.memory is None else _held(self._process.pid) + limits.memory
        return _Mark(limits, until, ceiling)

    def _death(self, job: Job) -> PieceError:
        began = self._function == job.number
        self._keep([])
        code = self._process.wait()
        if self._verdict is not None:
            return self._verdict
        if not began:
            raise DataflowError(f"A worker process could not begin its work ({_cause(code)}); its own words are above.")
        error = WorkerDied(f"its process {_cause(code)}")
        # Nobody here did that: the machine was out of memory, or somebody ended it.
        error.transient = code == -9
        return error


def _flags() -> list[str]:
    """The interpreter's flags, as a command line has them."""
    return list(subprocess._args_from_interpreter_flags())  # type: ignore[attr-defined]


def _given(kind: str | bool, value: Any) -> Any:
    if kind == "unloadable":
        raise DataflowError(f"A worker process cannot have the function that it is to call: {value}.")
    if kind or isinstance(value, ResultError):
        return value
    raise Raised(value)


def _cause(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"


def _held(pid: int) -> int:
    """The bytes of memory that a process holds for itself; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_bytes().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * _PAGE


def _log(record: logging.LogRecord) -> None:
    logger = logging.getLogger(record.name)
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)
