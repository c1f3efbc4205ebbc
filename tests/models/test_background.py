"""Running asynchronous work from synchronous code."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from contextvars import ContextVar

import pytest

from dataflow_ext.background import each_async, map_async, run_async
from dataflow_ext.errors import NestedCallError

WHO = ContextVar("who", default="nobody")


async def who():
    await asyncio.sleep(0)
    return WHO.get()


async def failing():
    raise KeyError("x")


def test_the_result_and_the_error_come_back():
    assert run_async(asyncio.sleep(0, 7)) == 7
    with pytest.raises(KeyError, match="x"):
        run_async(failing())


def test_it_works_while_the_callers_own_loop_runs():
    async def cell():
        return run_async(asyncio.sleep(0, "from a notebook"))

    assert asyncio.run(cell()) == "from a notebook"


def test_the_callers_context_is_seen_inside():
    token = WHO.set("me")
    try:
        assert run_async(who()) == "me"
    finally:
        WHO.reset(token)
    assert run_async(who()) == "nobody"


def test_a_call_from_inside_the_loop_is_refused_rather_than_hanging():
    async def nested():
        return run_async(who())

    with pytest.raises(NestedCallError, match="within another operator's async row"):
        run_async(nested())


def test_threads_may_call_at_once():
    results = []

    def call(number):
        results.append(run_async(asyncio.sleep(0.01, number)))

    threads = [threading.Thread(target=call, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(8))


def test_results_keep_the_order_of_items_and_errors_are_values():
    async def work(n):
        await asyncio.sleep(0.001 * (7 - n % 7))
        if n == 3:
            raise ValueError("three")
        return n

    results = run_async(map_async(work, iter(range(20)), 6))
    assert [result for result in results if not isinstance(result, ValueError)] == [
        *range(3),
        *range(4, 20),
    ]
    assert str(results[3]) == "three"


def test_no_items_give_no_results():
    assert run_async(map_async(who, [])) == []


def test_the_window_slides_without_barriers():
    under_way, most = 0, 0

    async def work(seconds):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(seconds)
        under_way -= 1

    started = time.monotonic()
    run_async(map_async(work, [0.3] + [0.01] * 60, 4))
    assert most == 4
    assert time.monotonic() - started < 0.55  # the slow one holds nobody up: 60 / 3 * 0.01 s beside 0.3 s


def test_a_call_cancelled_from_within_is_a_failure_like_another():
    async def work(n):
        if n == 1:
            raise asyncio.CancelledError
        return n

    results = run_async(map_async(work, range(3), 1))
    assert (results[0], results[2], str(results[1])) == (0, 2, "The call was cancelled from within.")


INTERRUPTED = """
import asyncio, time
from dataflow_ext.background import each_async, map_async, run_async
ended = []
async def work(n):
    try:
        print("started", flush=True)
        await asyncio.sleep(60)
    finally:
        ended.append(n)
try:
    run_async(map_async(work, range(1000), 5))
except KeyboardInterrupt:
    print("interrupted", len(ended), flush=True)
"""


def test_an_interrupt_cancels_the_work_at_once():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    for _ in range(5):
        process.stdout.readline()
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "interrupted 5\n"
    assert time.monotonic() - started < 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_gets_a_loop_of_its_own():
    run_async(who())
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = run_async(asyncio.sleep(0, 0))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


async def cancels_its_task(n):
    asyncio.current_task().cancel()
    await asyncio.sleep(0)


async def cancels_its_task_and_returns(n):
    asyncio.current_task().cancel()
    return n


async def cancels_its_task_over_and_over(n):
    for _ in range(3):
        asyncio.current_task().cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
    raise ValueError("swallowed three")


async def has_a_group(n):
    async with asyncio.TaskGroup() as group:
        group.create_task(cancels_its_task(n))
        group.create_task(failing())


async def exits(n):
    sys.exit(3)


async def interrupts(n):
    raise KeyboardInterrupt


async def ends_a_generator(n):
    raise GeneratorExit


async def exits_in_a_task_of_its_own(n):
    await asyncio.create_task(exits(n))


async def interrupts_in_a_group(n):
    async with asyncio.TaskGroup() as group:
        group.create_task(interrupts(n))
        await asyncio.sleep(60)


async def runs_out_of_time(n):
    async with asyncio.timeout(0.001):
        await map_async(lambda n: asyncio.sleep(60), range(5))


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (cancels_its_task, "DataflowError: The call was cancelled from within."),
        (cancels_its_task_and_returns, 1),
        (cancels_its_task_over_and_over, "ValueError: swallowed three"),
        (has_a_group, "ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)"),
        (exits, "DataflowError: The call raised SystemExit: 3."),
        (interrupts, "DataflowError: The call raised KeyboardInterrupt."),
        (ends_a_generator, "DataflowError: The call raised GeneratorExit."),
        (exits_in_a_task_of_its_own, "DataflowError: The call raised SystemExit: 3."),
        (interrupts_in_a_group, "DataflowError: The call raised KeyboardInterrupt."),
        (runs_out_of_time, "TimeoutError: "),
    ],
)
def test_a_call_that_ends_itself_costs_itself_alone(call, wanted, limit):
    async def work(n):
        if n == 1:
            return await call(n)
        for _ in range(3):
            await asyncio.sleep(0)
        return n

    results = run_async(map_async(work, range(4), limit))
    told = [f"{type(r).__name__}: {r}" if isinstance(r, Exception) else r for r in results]
    assert told == [0, wanted, 2, 3]


def test_an_error_of_the_items_or_of_whoever_takes_the_outcomes_comes_out_as_it_is():
    def items():
        yield 1
        raise ValueError("no more items")

    with pytest.raises(ValueError, match="no more items"):
        run_async(map_async(lambda n: asyncio.sleep(0), items()))

    def done(item, outcome):
        raise KeyError("not taken")

    with pytest.raises(KeyError, match="not taken"):
        run_async(each_async(lambda n: asyncio.sleep(0), [1, 2], done))


DEAF = INTERRUPTED.replace(
    "await asyncio.sleep(60)\n", "await asyncio.sleep(60)\n    except asyncio.CancelledError:\n        pass\n"
)


def test_an_interrupt_ends_also_calls_that_swallow_their_cancellation():
    process = subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE, text=True)
    for _ in range(5):
        process.stdout.readline()
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "interrupted 5\n"
    assert time.monotonic() - started < 3
