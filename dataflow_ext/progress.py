"""Progress of long work: operators say that a row is done, the runner decides who hears of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Protocol, TextIO

#: Seconds between two looks at the details that stand beside a bar.
_EVERY = 0.5


class Listener(Protocol):
    """Whoever shows progress."""

    def watch(self, detail: Callable[[], str]) -> None:
        """A run begins; ``detail`` gives, at any time, a few words on what models were asked in it."""

    def start(self, name: str, total: int) -> None:
        """A step begins, with that many rows to do."""

    def expect(self, total: int) -> None:
        """The step has so much to do after all: what counts are parts of its rows."""

    def advance(self, rows: int) -> None:
        """So many more rows are done."""

    def finish(self, note: str) -> None:
        """The step is over."""


_listener: ContextVar[Listener | None] = ContextVar("dataflow_progress", default=None)


def advance(rows: int = 1) -> None:
    """Tell whoever listens that so many more rows are done; costs next to nothing when nobody does."""
    listener = _listener.get()
    if listener is not None:
        with suppress(OSError):  # a terminal that is gone is no reason to lose the work
            listener.advance(rows)


def expect(total: int) -> None:
    """Tell whoever listens that the step's work is so many parts, of which :func:`advance` then tells."""
    listener = _listener.get()
    if listener is not None:
        listener.expect(total)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let this listener hear of the work done inside."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def for_stream(stream: TextIO | None = None) -> Listener:
    """A moving bar on a terminal, plain lines elsewhere."""
    stream = stream or sys.stderr
    return Bar(stream) if stream.isatty() else Lines(stream)


class Lines:
    """A line at the end of a step, and one every few seconds within a long one."""

    def __init__(self, stream: TextIO, every: float = 5.0) -> None:
        self._stream, self._every = stream, every
        self._detail: Callable[[], str] = str

    def watch(self, detail: Callable[[], str]) -> None:
        """A run begins."""
        self._detail = detail

    def start(self, name: str, total: int) -> None:
        """A step begins."""
        self._name, self._total, self._done = name, total, 0
        self._began = self._last = time.monotonic()

    def expect(self, total: int) -> None:
        """So much is to do after all."""
        self._total = total

    def advance(self, rows: int) -> None:
        """Rows are done."""
        self._done += rows
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            left = (now - self._began) / self._done * max(0, self._total - self._done)
            detail = self._detail()
            more = f"; {detail}" if detail else ""
            self._say(f"{self._name}: {self._done}/{self._total}, about {left:.0f} s left{more}")

    def finish(self, note: str) -> None:
        """The step is over."""
        self._say(f"{self._name}: {note}")

    def _say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


class Bar:
    """A bar for each step, drawn by rich, which is loaded when the first bar is."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._detail: Callable[[], str] = str

    def watch(self, detail: Callable[[], str]) -> None:
        """A run begins."""
        self._detail = detail

    def start(self, name: str, total: int) -> None:
        """A step begins."""
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=self._stream)
        columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
        columns = (*columns, TextColumn("{task.fields[detail]}", markup=False))
        self._bar = Progress(*columns, console=console, transient=True)
        self._bar.start()
        self._name, self._task = name, self._bar.add_task(name, total=total, detail="")
        self._shown = 0.0

    def expect(self, total: int) -> None:
        """So much is to do after all."""
        self._bar.update(self._task, total=total)

    def advance(self, rows: int) -> None:
        """Rows are done."""
        self._bar.advance(self._task, rows)
        now = time.monotonic()
        if now - self._shown >= _EVERY:
            self._shown = now
            self._bar.update(self._task, detail=self._detail())

    def finish(self, note: str) -> None:
        """The step is over."""
        self._bar.stop()
        self._stream.write(f"{self._name}: {note}\n")
        self._stream.flush()
