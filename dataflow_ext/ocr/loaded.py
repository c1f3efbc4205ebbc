"""Models that are loaded once a process, on first use."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")

#: Models that a fork brought along: their threads are gone, so that letting them go in the child could hang.
_inherited: list[object] = []


class Loaded(Generic[T]):
    """What engines have loaded in this process, by options: equal engines share, and a fork loads its own."""

    def __init__(self) -> None:
        self._start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._start_anew)

    @contextmanager
    def use(self, key: Hashable, load: Callable[[], T]) -> Iterator[T]:
        """What ``load`` gives, called on the first use of the key; for one thread at a time."""
        with self._lock:
            own = self._locks.setdefault(key, threading.Lock())
        with own:
            if key not in self._values:
                self._values[key] = load()
            yield self._values[key]

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._values: dict[Hashable, T] = {}

    def _start_anew(self) -> None:
        _inherited.append(self._values)
        self._start()
