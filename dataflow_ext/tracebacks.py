"""The errors behind rejects as they were raised: the first traceback of each kind, or the first error itself."""

from __future__ import annotations

import logging
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from dataflow_ext.well_formed import shortened, well_formed

#: Kinds of errors that are kept in a run; more of them say nothing new.
_MOST = 50

#: The innermost calls that a traceback shows.
_FRAMES = 20

#: The attribute under which an exception has its traceback with it where it is pickled.
_CARRIED = "_carried_traceback"

#: Told what a run does, step by step; a command writes it into the run's log.
log = logging.getLogger("dataflow_ext.run")


@dataclass(frozen=True, slots=True)
class Trace:
    """The first error of a kind: step, type, place in the code (file and line), and the traceback as a text."""

    step: str
    error: str
    place: str
    traceback: str


class Tracebacks:
    """The first traceback of each kind of error in a run; with ``raising``, a failed row ends its step."""

    def __init__(self, raising: bool = False) -> None:
        self.raising = raising
        self.step = ""
        self._known: dict[tuple[str, str, str], Trace] = {}

    @property
    def kept(self) -> list[Trace]:
        """One of each kind, in the order in which they came."""
        return list(self._known.values())

    def notice(self, error: BaseException) -> None:
        """Keep the error's traceback if it was raised, and is the first of its kind."""
        name, arrived = type(error).__name__, vars(error).get(_CARRIED)
        if arrived is not None:
            self.take([Trace(self.step, name, *arrived)])
        elif (place := _place(error.__traceback__)) and (self.step, name, place) not in self._known:
            self.take([Trace(self.step, name, place, _told(error))])

    def take(self, traces: Iterable[Trace]) -> None:
        """Keep those whose kind is new: of another process, for example."""
        for trace in traces:
            kind = (trace.step, trace.error, trace.place)
            if kind not in self._known and len(self._known) < _MOST:
                self._known[kind] = trace
                log.info("first %s of step %s, at %s\n%s", trace.error, trace.step, trace.place, trace.traceback)


_current: ContextVar[Tracebacks | None] = ContextVar("dataflow_tracebacks", default=None)


@contextmanager
def keeping(tracebacks: Tracebacks) -> Iterator[Tracebacks]:
    """Let these hear of every error that rejects a row inside."""
    token = _current.set(tracebacks)
    try:
        yield tracebacks
    finally:
        _current.reset(token)


def notice(error: BaseException) -> BaseException | None:
    """Tell the run of an error that rejects a row; the error again if it is to be raised in the end."""
    tracebacks = _current.get()
    if tracebacks is None:
        return None
    tracebacks.notice(error)
    return error if tracebacks.raising else None


def take(traces: Iterable[Trace]) -> None:
    """Hand on to the run what another process has noticed."""
    tracebacks = _current.get()
    if tracebacks is not None:
        tracebacks.take(traces)


def at_step(name: str) -> None:
    """Tell the run that errors from now on are those of this step."""
    tracebacks = _current.get()
    if tracebacks is not None:
        tracebacks.step = name


def raising() -> bool:
    """Whether a failed row is to end its step."""
    tracebacks = _current.get()
    return tracebacks is not None and tracebacks.raising


def carried(error: BaseException) -> tuple[Callable[..., BaseException], tuple[Any, ...]]:
    """How to pickle an exception that was raised: as it wants to be, with its cause, and its traceback as a text."""
    made, given, *state = cast(tuple[Any, ...], error.__reduce_ex__(pickle.HIGHEST_PROTOCOL))
    trace = (_place(error.__traceback__), _told(error))
    return _arrived, (made, given, state[0] if state else None, trace, _sendable(error.__cause__))


def _sendable(cause: BaseException | None) -> BaseException | None:
    """The cause, if it can be pickled at all; the traceback tells of it anyway."""
    with suppress(Exception):
        pickle.dumps(cause)
        return cause
    return None


def _arrived(
    made: Callable[..., BaseException],
    given: tuple[Any, ...],
    state: Any,
    trace: tuple[str, str],
    cause: BaseException | None,
) -> BaseException:
    error = made(*given)
    error.__cause__ = cause
    if state:
        error.__setstate__(state)
    with suppress(Exception):  # one that has its own idea of attributes goes without
        vars(error)[_CARRIED] = trace
    return error


def _told(error: BaseException) -> str:
    return shortened(well_formed("".join(traceback.format_exception(error, limit=-_FRAMES))))


def _place(trace: TracebackType | None) -> str:
    """File and line of the innermost frame, as it stands in the traceback's last entry."""
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
