"""Signals that end a command: Ctrl-C, SIGTERM and SIGHUP are one interrupt, and a second one ends it at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

#: The signals by which people, service managers and closing terminals ask a command to end.
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: Those that a terminal sends to every process that was started from it: for Ctrl-C, and when it is closed.
FROM_TERMINALS = (signal.SIGINT, signal.SIGHUP)

#: Seconds within which further signals are the same wish: a shell and the kernel both tell of a closed terminal.
_SAME = 1.0


class Stopped(KeyboardInterrupt):
    """A command was asked to end by the signal ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def code(self) -> int:
        """The exit code that shells give to a command that ended so."""
        return 128 + self.number


@contextmanager
def stopping() -> Iterator[None]:
    """Inside, the first of the signals raises :class:`Stopped`, and one that comes a second later ends the process.

    Signals that whoever started the process wants ignored (``nohup``) stay so, and the handlers of before
    are put back. In another thread than the main one, which signals do not reach, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    began: list[float] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if not began:
            began.append(time.monotonic())
            raise Stopped(number)
        if time.monotonic() - began[0] > _SAME:
            os._exit(128 + number)

    before = {number: signal.signal(number, stop) for number in NUMBERS if _heard(number)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave_quietly() -> None:
    """Let the signals end this process with a word instead of a traceback, while it has nothing to lose."""
    for number in filter(_heard, NUMBERS):
        signal.signal(number, _leave)


def _heard(number: int) -> bool:
    return signal.getsignal(number) not in (signal.SIG_IGN, None)


def _leave(number: int, frame: FrameType | None) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write("Stopped.\n")
        sys.stderr.flush()
    os._exit(128 + number)
