"""Python's cyclic collector, run seldom while a step holds many records: it would walk over all of them for nothing."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

#: Objects made before a collection of the youngest, and how many of these come before one of the older: by count, half
#: of the time of every step that holds tens of thousands of records went into collections that freed nothing.
_SELDOM = (200_000, 50, 100)
#: The most objects made before a collection, where those before freed nothing, which share is next to nothing, and how
#: many times as many are made then: in a book of 400,000 blocks collections took 3 of 28 µs a block without.
_MOST, _NOTHING, _TIMES = 3_200_000, 0.01, 8

#: Entered once more by a collection that begins inside.
_lock = threading.RLock()
_inside = 0
_usual = gc.get_threshold()
_pace = _SELDOM


@contextmanager
def seldom_collecting(*, lasting: bool = False) -> Iterator[None]:
    """Let the collector run seldom inside, ever more so while it frees nothing; after the last block as before.

    A block inside another, as a step in a run, begins at the first pace again. A collector that is switched off, or
    whose thresholds were changed meanwhile, is left as it is. What is made inside and ``lasting``, as modules are, is
    not walked over when young.

    >>> with seldom_collecting():
    ...     gc.get_threshold()
    (200000, 50, 100)
    """
    global _inside, _usual
    with _lock:
        _inside += 1
        if _inside == 1:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < _SELDOM[0]:
                _set_pace(_SELDOM[0])
                gc.callbacks.append(_slow_down)
        elif gc.get_threshold() == _pace:
            _set_pace(_SELDOM[0])
    try:
        yield
    finally:
        if lasting and not gc.get_freeze_count():  # what others froze stays so
            gc.freeze()
            gc.unfreeze()  # to the oldest, in no time
        with _lock:
            _inside -= 1
            if not _inside and _slow_down in gc.callbacks:
                gc.callbacks.remove(_slow_down)
                if gc.get_threshold() == _pace:
                    gc.set_threshold(*_usual)


def _set_pace(objects: int) -> None:
    global _pace
    _pace = (objects, *_SELDOM[1:])
    gc.set_threshold(*_pace)


def _slow_down(phase: str, info: Mapping[str, Any]) -> None:
    """After a collection: far later if it freed next to nothing, at the first pace if it freed more."""
    with _lock:
        if phase == "stop" and _inside and gc.get_threshold() == _pace:
            nothing = info["collected"] <= _NOTHING * _pace[0]
            _set_pace(min(_TIMES * _pace[0], _MOST) if nothing else _SELDOM[0])
