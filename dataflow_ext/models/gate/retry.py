"""The one loop that makes a call again after a failure that may pass."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import RetryableError

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
