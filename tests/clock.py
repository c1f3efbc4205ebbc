"""An event loop whose clock jumps to the next thing to do, so that hours pass in no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Never waits; what it would have waited is added to ``now``."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            self.now += timeout or 0.0
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """Runs timers in their order without waiting for them; of no use with sockets or threads."""

    def __init__(self) -> None:
        self._clock = _Jumping()
        super().__init__(self._clock)

    def time(self) -> float:
        """Seconds since the loop was made, as its timers see it."""
        return self._clock.now


def run(story: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, on a loop of its own whose clock jumps."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(story)


def now() -> float:
    """The running loop's time."""
    return asyncio.get_running_loop().time()
