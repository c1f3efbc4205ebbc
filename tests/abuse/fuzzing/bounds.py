"""A case of a fuzz test has so many seconds of the processor and so much memory more than there was before."""

import contextlib
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

SECONDS = 4.0
MORE = 1 << 30


class TooSlow(BaseException):
    """A case took more of the processor than it may; no reader takes this for an error of its own."""


def _late(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextlib.contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Seconds of the processor, not of the clock: other work on the machine makes no difference."""
    before = signal.signal(signal.SIGVTALRM, _late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextlib.contextmanager
def little_memory(more: int = MORE) -> Iterator[None]:
    """An allocation beyond what the process holds and ``more`` bytes is a MemoryError."""
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (held + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
