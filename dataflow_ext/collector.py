"""Python's cyclic collector, run seldom while a step holds many records: it would walk over all of them for nothing."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Objects made before a collection of the youngest, and how many of these come before one of the older: by count, half
#: of the time of every step that holds tens of thousands of records went into collections that freed nothing.
_SELDOM = (100_000, 50, 100)

_lock = threading.Lock()
_inside = 0
_usual = gc.get_threshold()


@contextmanager
def seldom_collecting(*, lasting: bool = False) -> Iterator[None]:
    """Let the collector run seldom inside; when the last of all such blocks is left, as often as before.

    A collector that is switched off, or whose thresholds were changed meanwhile, is left as it is. What is made
    inside and ``lasting``, as modules are, is not walked over when young.

    >>> with seldom_collecting():
    ...     gc.get_threshold()
    (100000, 50, 100)
    """
    global _inside, _usual
    with _lock:
        _inside += 1
        if _inside == 1:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < _SELDOM[0]:
                gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        if lasting and not gc.get_freeze_count():  # what others froze stays so
            gc.freeze()
            gc.unfreeze()  # to the oldest, in no time
        with _lock:
            _inside -= 1
            if not _inside and gc.get_threshold() == _SELDOM:
                gc.set_threshold(*_usual)
