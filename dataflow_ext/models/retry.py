"""The one loop that makes a call again after a failure that may pass."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dataflow_ext.models.errors import RetryableError

T = TypeVar("T")

#: Seconds before the first repeat; each further wait is twice as long, up to LONGEST_WAIT.
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0

#: A server that asks for more patience than this, in seconds, gets the failure reported instead.
MOST_PATIENCE = 600.0


async def with_retries(
    call: Callable[[], Awaitable[T]], max_retries: int, on_retry: Callable[[], None] | None = None
) -> T:
    """What ``call()`` returns, made again up to ``max_retries`` times after a :class:`RetryableError`.

    The wait between two tries doubles and is jittered; a wait that the server asked for is kept to. The
    last error is raised with its ``attempts`` set. ``on_retry`` is called before each repeat.
    """
    attempt = 1
    while True:
        try:
            return await call()
        except RetryableError as error:
            error.attempts = attempt
            wait = _wait(attempt, error.retry_after)
            if attempt > max_retries or (error.retry_after or 0) > MOST_PATIENCE:
                raise
        if on_retry is not None:
            on_retry()
        await asyncio.sleep(wait)
        attempt += 1


def _wait(attempt: int, retry_after: float | None) -> float:
    spread = random.random()  # noqa: S311 - spreads load, protects nothing
    if retry_after is not None:
        return retry_after * (1 + 0.1 * spread)
    return min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT) * (0.5 + 0.5 * spread)
