"""Calls that are under way: they are paid for, so they outlive whoever waits for them, for a short time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from dataflow_ext.background import result_of

T = TypeVar("T")

#: Seconds that a run which is stopped waits for replies under way: less than the ten after which containers are killed.
GRACE = 8.0

_log = logging.getLogger(__name__)


class UnderWay:
    """The calls that a session has begun; :meth:`land` waits for those that nobody waits for any more."""

    def __init__(self) -> None:
        self._calls: WeakKeyDictionary[asyncio.AbstractEventLoop, set[asyncio.Task[Any]]] = WeakKeyDictionary()

    async def run(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What ``call()`` returns; the call goes on when this wait for it is cancelled."""
        made = asyncio.create_task(call())
        calls = self._calls.setdefault(asyncio.get_running_loop(), set())
        calls.add(made)
        made.add_done_callback(calls.discard)
        return await asyncio.shield(made)

    def land(self, seconds: float = GRACE) -> None:
        """Give the calls under way so long to end, and cancel what is left; not from their own event loop."""
        for loop, calls in list(self._calls.items()):
            if calls and loop.is_running() and asyncio._get_running_loop() is not loop:
                several = f"{len(calls)} replies are" if len(calls) > 1 else "1 reply is"
                _log.warning("%s under way; waiting up to %g s for what is paid for.", several, seconds)
                result_of(asyncio.run_coroutine_threadsafe(_landed(calls, seconds), loop))

    async def landed(self, seconds: float = GRACE) -> None:
        """The same for the calls of the running event loop."""
        await _landed(self._calls.get(asyncio.get_running_loop(), set()), seconds)


async def _landed(calls: set[asyncio.Task[Any]], seconds: float) -> None:
    if calls:
        await asyncio.wait(set(calls), timeout=seconds)
    late = [call for call in calls if call.cancel()]
    await asyncio.gather(*late, return_exceptions=True)
