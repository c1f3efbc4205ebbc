"""Progress of long work: operators say that a row is done, the runner decides who hears of it."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Protocol, TextIO

#: Seconds between two looks at the details that stand beside a bar.
_EVERY = 0.5
#: Seconds between two lines on what a script waits for.
_BETWEEN_WAITS = 20.0
#: Seconds of work that tell how fast it goes.
_WINDOW = 60.0


class Listener(Protocol):
    """Whoever shows progress."""

    def watch(self, detail: Callable[[], str]) -> None:
        """A run begins; ``detail`` gives, at any time, a few words on what models were asked in it."""

    def start(self, name: str, total: int) -> None:
        """A step begins, with that many rows to do."""

    def expect(self, total: int, unit: str) -> None:
        """The step has so much to do after all: what counts are parts of its rows, called ``unit`` if that helps."""

    def advance(self, rows: int) -> None:
        """So many more rows are done."""

    def note(self, text: str) -> None:
        """How far the part is that is under way, as a tool tells it."""

    def finish(self, note: str) -> None:
        """The step is over."""


_listener: ContextVar[Listener | None] = ContextVar("dataflow_progress", default=None)


def advance(rows: int = 1) -> None:
    """Tell whoever listens that so many more rows are done; costs next to nothing when nobody does."""
    listener = _listener.get()
    if listener is not None:
        with suppress(OSError):  # a terminal that is gone is no reason to lose the work
            listener.advance(rows)


def expect(total: int, unit: str = "") -> None:
    """Tell whoever listens that the step's work is so many parts, of which :func:`advance` then tells.

    With a ``unit`` ("pages") it is also shown how many of them a minute are done.
    """
    listener = _listener.get()
    if listener is not None:
        listener.expect(total, unit)


def note(text: str) -> None:
    """Tell whoever listens how far the part is that is under way: of tools that take minutes for one."""
    listener = _listener.get()
    if listener is not None:
        with suppress(OSError):
            listener.note(text)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let this listener hear of the work done inside."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


class OfParts:
    """Hears of a step that goes through its rows part by part, and tells of these as of one work."""

    def __init__(self, listener: Listener) -> None:
        self._listener, self._total = listener, 0

    def expect(self, total: int, unit: str) -> None:
        """So much more is to do."""
        self._total += total
        self._listener.expect(self._total, unit)

    def advance(self, rows: int) -> None:
        """So many more rows are done."""
        self._listener.advance(rows)

    def note(self, text: str) -> None:
        """How far something is that is under way."""
        self._listener.note(text)

    def _known(self, *_: object) -> None:
        """The run and the step have begun before, and the step ends with its last part."""

    watch = start = finish = _known


def for_stream(stream: TextIO | None = None) -> Listener:
    """A moving bar on a terminal, plain lines elsewhere."""
    stream = stream or sys.stderr
    return Bar(stream) if stream.isatty() else Lines(stream)


def by_default() -> Listener | None:
    """What hears of a run without a listener: a notebook's cell shows its steps, stderr elsewhere only long waits."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return Cell()
    return Waits(sys.stderr) if sys.stderr is not None else None


class _Pace:
    """How fast parts are done, by the last minute of work: remembered parts at the start tell nothing of the rest."""

    def __init__(self, total: int) -> None:
        self.total, self.unit, self.done = total, "", 0
        self._seen = deque([(time.monotonic(), 0)])

    def advance(self, parts: int) -> None:
        self.done += parts
        now = time.monotonic()
        if len(self._seen) > 1 and now - self._seen[-2][0] < _EVERY:
            self._seen.pop()
        self._seen.append((now, self.done))
        while len(self._seen) > 2 and now - self._seen[1][0] > _WINDOW:
            self._seen.popleft()

    @property
    def per_second(self) -> float:
        (began, before), (now, done) = self._seen[0], self._seen[-1]
        return (done - before) / max(now - began, 1e-9)

    def rate(self) -> str:
        """Parts a minute, if the parts have a name."""
        return f"{60 * self.per_second:.3g} {self.unit} a minute" if self.unit and self.done else ""

    def left(self) -> str:
        """The time left, in the unit that suits it.

        >>> pace = _Pace(3); pace.advance(3); pace.left()
        'about 0 s left'
        """
        if not self.per_second:
            return ""
        seconds = max(0, self.total - self.done) / max(self.per_second, 1e-9)
        if seconds < 100:
            return f"about {seconds:.0f} s left"
        return f"about {seconds / 60:.0f} min left" if seconds < 6000 else f"about {seconds / 3600:.1f} h left"


class _Paced(Listener):
    """Knows the step that is under way, how fast it goes, and what to say beside it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._detail: Callable[[], str] = str

    def watch(self, detail: Callable[[], str]) -> None:
        self._detail = detail

    def start(self, name: str, total: int) -> None:
        self._name, self._pace = name, _Pace(total)

    def expect(self, total: int, unit: str) -> None:
        self._pace.total, self._pace.unit = total, unit

    def finish(self, note: str) -> None:
        self._say(f"{self._name}: {note}")

    def _say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


class Lines(_Paced):
    """A line at the end of a step, and one every few seconds within a long one."""

    def __init__(self, stream: TextIO, every: float = 5.0) -> None:
        super().__init__(stream)
        self._every = every

    def start(self, name: str, total: int) -> None:
        """A step begins."""
        super().start(name, total)
        self._last = time.monotonic()

    def advance(self, rows: int) -> None:
        """Rows are done."""
        pace = self._pace
        pace.advance(rows)
        if self._is_time():
            count = f"{pace.done}/{pace.total} {pace.unit}".rstrip()
            told = ", ".join(filter(None, (count, pace.rate(), pace.left())))
            self._say("; ".join(filter(None, (f"{self._name}: {told}", self._detail()))))

    def note(self, text: str) -> None:
        """A part is on its way."""
        if self._is_time():
            self._say(f"{self._name}: {text}")

    def _is_time(self) -> bool:
        now = time.monotonic()
        if now - self._last < self._every:
            return False
        self._last = now
        return True


class Waits(Lines):
    """A line every twenty seconds or so, while something is waited for; nothing of what goes on as it should."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream, every=_BETWEEN_WAITS)

    def advance(self, rows: int) -> None:
        """Rows are done."""
        self._pace.done += rows

    def note(self, text: str) -> None:
        """A part is on its way."""
        pace = self._pace
        super().note(f"{pace.done} of {pace.total} {pace.unit or 'rows'} are done; {text}" if pace.total else text)

    def finish(self, note: str) -> None:
        """The step is over."""


class Cell(Lines):
    """The steps' lines in a notebook's cell, of which the last one changes until its step is over."""

    def __init__(self) -> None:
        super().__init__(sys.stderr, every=_EVERY)
        self._over: list[str] = []
        self._handle: Any = None

    def finish(self, note: str) -> None:
        """The step is over."""
        self._over.append(f"{self._name}: {note}")
        self._say("")

    def _say(self, text: str) -> None:
        shown = {"text/plain": "\n".join(filter(None, (*self._over, text)))}
        if self._handle is None:
            self._handle = sys.modules["IPython"].display.display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


class Bar(_Paced):
    """A bar for each step, drawn by rich, which is loaded when the first bar is."""

    def start(self, name: str, total: int) -> None:
        """A step begins."""
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        super().start(name, total)
        console = Console(file=self._stream)
        columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
        columns = (*columns, TextColumn("{task.fields[detail]}", markup=False))
        self._bar = Progress(*columns, console=console, transient=True)
        self._bar.start()
        self._task, self._shown = self._bar.add_task(name, total=total, detail=""), 0.0

    def expect(self, total: int, unit: str) -> None:
        """So much is to do after all."""
        super().expect(total, unit)
        self._bar.update(self._task, total=total)

    def advance(self, rows: int) -> None:
        """Rows are done."""
        self._bar.advance(self._task, rows)
        self._pace.advance(rows)
        now = time.monotonic()
        if now - self._shown >= _EVERY:
            self._shown = now
            self._bar.update(self._task, detail="; ".join(filter(None, (self._pace.rate(), self._detail()))))

    def note(self, text: str) -> None:
        """A part is on its way."""
        self._bar.update(self._task, detail=text)

    def finish(self, note: str) -> None:
        """The step is over."""
        self._bar.stop()
        super().finish(note)
