"""One event loop on a background thread, for code that is synchronous outside and asynchronous inside."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from dataflow_ext.errors import DataflowError, NestedCallError
from dataflow_ext.well_formed import message_of

T = TypeVar("T")
R = TypeVar("R")

#: Seconds between two moments at which a thread that waits hears of signals.
_NAP = 0.5

#: Seconds that cancelled work may take to let go before the caller's interrupt is passed on regardless.
_LETTING_GO = 5.0

#: What costs a row, wherever it is raised; an interrupt, which a row cannot be told to have raised, ends the run.
ROW_ERRORS = (Exception, SystemExit, GeneratorExit, asyncio.CancelledError)

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, run to its end on the background loop while this thread waits.

    It works from plain code, from threads and from notebooks whose own loop is running, and sees the
    caller's context variables. An interrupt cancels the work before it is passed on. Called from inside the
    background loop it raises :class:`NestedCallError`, as it would wait for itself.

    >>> run_async(asyncio.sleep(0, "done"))
    'done'
    """
    loop = _background_loop()
    if asyncio._get_running_loop() is loop:
        work.close()
        raise NestedCallError(
            "A synchronous call was made from inside asynchronous work that it would have to wait for: "
            "an operator was called within another operator's async row. Put both in one pipeline instead."
        )
    outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
    task: list[asyncio.Task[T]] = []

    def start() -> None:
        task.append(loop.create_task(work))
        task[0].add_done_callback(lambda done: _pass_on(done, outcome))

    try:
        loop.call_soon_threadsafe(start, context=contextvars.copy_context())
        return result_of(outcome)
    except BaseException:
        if not outcome.done():  # this thread was interrupted while the work was under way
            loop.call_soon_threadsafe(lambda: [each.cancel() for each in task])
            concurrent.futures.wait([outcome], timeout=_LETTING_GO)
        raise


def result_of(future: concurrent.futures.Future[T]) -> T:
    """The future's result, waited for in naps: two signals that come together may not wake a thread that sleeps."""
    while not concurrent.futures.wait([future], timeout=_NAP).done:
        pass
    return future.result()


async def map_async(call: Callable[[T], Awaitable[R]], items: Iterable[T], limit: int = 64) -> list[R | Exception]:
    """The results of ``call`` for each item, in the items' order, with an exception where a call raised one.

    At most ``limit`` calls are under way; the next item starts as soon as one ends, without barriers.

    >>> async def half(n: int) -> float:
    ...     return 1 / n
    >>> run_async(map_async(half, [1, 0, 2]))
    [1.0, ZeroDivisionError('division by zero'), 0.5]
    """
    results: dict[int, R | Exception] = {}

    def done(numbered: tuple[int, T], outcome: R | Exception) -> None:
        results[numbered[0]] = outcome

    await each_async(lambda numbered: call(numbered[1]), enumerate(items), done, limit)
    return [results[place] for place in range(len(results))]


async def each_async(
    call: Callable[[T], Awaitable[R]], items: Iterable[T], done: Callable[[T, R | Exception], object], limit: int = 64
) -> None:
    """As :func:`map_async`, but each outcome is given to ``done`` with its item, as soon as it is there."""
    owner, source, started = _this_task(), iter(items), 0

    async def worker() -> None:
        nonlocal started
        task = _this_task()
        outcome: R | Exception
        for item in source:
            started += 1
            try:
                outcome = await call(item)
            except Exception as error:
                outcome = error
            except BaseException as error:
                if asyncio._get_running_loop() is None:
                    raise  # the interpreter is ending, and nothing can go on
                outcome = contained(error)
            if task.cancelling():
                await _go_on(task, owner)
            done(item, outcome)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, limit)):
                before = started
                group.create_task(worker())
                await asyncio.sleep(0)
                if started == before:
                    break  # the items are used up, more workers would find nothing
    except BaseExceptionGroup as errors:  # of the items themselves, or of ``done``
        raise errors.exceptions[0] from None


async def _go_on(task: asyncio.Task[Any], owner: asyncio.Task[Any]) -> None:
    """Forget that the task was cancelled, if that came from within; the owner, who waits for it, is obeyed."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(0)  # a cancellation that was asked for may not have come yet
    if owner.cancelling():
        raise asyncio.CancelledError
    while task.uncancel():
        pass


def contained(error: BaseException) -> Exception:
    """The error; one that would end more than the row that raised it (an exit, a cancellation) as one that does not.

    >>> contained(SystemExit(3))
    DataflowError('The call raised SystemExit: 3.')
    """
    if isinstance(error, Exception):
        return error
    if isinstance(error, asyncio.CancelledError):
        return DataflowError("The call was cancelled from within.")
    name, said = type(error).__name__, message_of(error)
    return DataflowError(f"The call raised {name}{'' if said == name else f': {said}'}.")


def being_cancelled() -> bool:
    """Whether the running task itself was asked to stop, rather than something that it waits for."""
    return _this_task().cancelling() > 0


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("This is called by a task alone.")
    return task


def _pass_on(task: asyncio.Task[T], outcome: concurrent.futures.Future[T]) -> None:
    if task.cancelled():
        outcome.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())


def _background_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(_loop,), name="rowsmith-loop", daemon=True).start()
        return _loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    # Such an error of a task that a row started comes out here, too; the row gets it, and the others need the loop.
    while True:
        with contextlib.suppress(SystemExit, KeyboardInterrupt):
            loop.run_forever()
            return


def _forget_after_fork() -> None:
    # The parent's thread does not exist in the child, and its lock may have been held by it.
    global _lock, _loop
    _lock = threading.Lock()
    _loop = None


os.register_at_fork(after_in_child=_forget_after_fork)
