"""Calls that are made again after a failure that may pass, and calls under way, which outlive who waits for them."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from dataflow_ext import progress
from dataflow_ext.background import result_of
from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import RetryableError
from dataflow_ext.well_formed import shortened

T = TypeVar("T")

#: Seconds before the first repeat; each further wait is twice as long, up to LONGEST_WAIT.
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0

#: A server that asks for more patience than this, in seconds, gets the failure reported instead.
MOST_PATIENCE = 600.0

#: No try begins later than so many seconds after the first failure.
LONGEST_TRYING = 3600.0


async def with_retries(
    call: Callable[[], Awaitable[T]],
    max_retries: int,
    on_retry: Callable[[RetryableError, float], None] | None = None,
) -> T:
    """What ``call()`` returns, made again up to ``max_retries`` times after a :class:`RetryableError`.

    The wait between two tries doubles and is jittered; a wait that the server asked for is kept to, and no
    try begins more than an hour after the first failure. The error that is raised has its ``attempts`` set.
    ``on_retry`` is called before the wait for each repeat, with the error and the seconds.
    """
    clock = asyncio.get_running_loop().time
    failed_at: float | None = None  # not the first try's begin, which may have queued for hours
    attempt = 1
    while True:
        try:
            return await call()
        except RetryableError as error:
            error.attempts = attempt
            wait = _wait(attempt, error.retry_after)
            failed_at = clock() if failed_at is None else failed_at
            late = clock() + wait - failed_at > LONGEST_TRYING
            if attempt > max_retries or late or (error.retry_after or 0) > MOST_PATIENCE:
                raise
            if on_retry is not None:
                on_retry(error, wait)
        except ModelError as error:
            error.attempts = attempt
            raise
        await asyncio.sleep(wait)
        attempt += 1


def _wait(attempt: int, retry_after: float | None) -> float:
    spread = random.random()  # noqa: S311 - spreads load, protects nothing
    own = min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT) * (0.5 + 0.5 * spread)
    if retry_after is None:
        return own
    asked = retry_after * (1 + 0.1 * spread)
    # A server whose word did not help the first time is given more than it asks for.
    return asked if attempt == 1 else max(asked, own / 2)


#: Seconds without a good answer from which on it is told, and the bytes of a reason.
_PATIENCE, _QUOTE = 3.0, 200


class Silences:
    """Since when each server has given no good answer; progress tells so, with the calls that wait for another try."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[float, str]] = {}
        self._failing: Counter[str] = Counter()

    @contextmanager
    def call(self, server: str) -> Iterator[Callable[[RetryableError, float], None]]:
        """A call with all its tries; what is given notes a failed one, made again after so many seconds."""
        failing = False

        def failed(error: RetryableError, wait: float) -> None:
            nonlocal failing
            self._failing[server] += not failing
            failing = True
            self._tell(server, error, wait)

        try:
            yield failed
        finally:
            self._failing[server] -= failing

    def broken(self, server: str) -> None:
        """Note a good answer."""
        self._since.pop(server, None)

    def _tell(self, server: str, error: RetryableError, wait: float) -> None:
        began, at = self._since.setdefault(server, (time.monotonic(), f"{datetime.now():%H:%M:%S}"))
        if time.monotonic() - began >= _PATIENCE:
            why = shortened(str(error), _QUOTE).rstrip(".")
            count = self._failing[server]
            waiting = "1 call waits" if count == 1 else f"{count} calls wait"
            silence = f"{server} has given no good answer since {at} ({why})"
            progress.note(f"{waiting} for another try: {silence}; next try in {wait:.0f} s")


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
        made.add_done_callback(_heard)
        return await asyncio.shield(made)

    def land(self) -> None:
        """Give the calls under way so long to end, and cancel what is left; not from their own event loop."""
        for loop, calls in list(self._calls.items()):
            if calls and loop.is_running() and asyncio._get_running_loop() is not loop:
                several = f"{len(calls)} replies are" if len(calls) > 1 else "1 reply is"
                _log.warning("%s under way; waiting up to %g s for what is paid for.", several, GRACE)
                result_of(asyncio.run_coroutine_threadsafe(_landed(calls), loop))

    async def landed(self) -> None:
        """The same for the calls of the running event loop."""
        await _landed(self._calls.get(asyncio.get_running_loop(), set()))


def _heard(call: asyncio.Task[Any]) -> None:
    """Take note of how a call ended, so that asyncio reports none that fails when nobody waits for it any more."""
    if not call.cancelled():
        call.exception()


async def _landed(calls: set[asyncio.Task[Any]]) -> None:
    if calls:
        await asyncio.wait(set(calls), timeout=GRACE)
    late = [call for call in calls if call.cancel()]
    await asyncio.gather(*late, return_exceptions=True)
