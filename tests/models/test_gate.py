"""The gate's limit, pauses and circuit, with calls that fail on demand."""

import asyncio
import time

import pytest

from dataflow_ext.models import (
    ConnectionFailedError,
    Gate,
    RateLimitedError,
    RejectedRequestError,
    ServerDownError,
    ServerFailedError,
)


class Calls:
    """Counts calls under way; each takes a moment and then raises what it was given."""

    def __init__(self):
        self.now = self.most = self.made = 0
        self.order = []

    async def call(self, number=0, error=None, seconds=0.002):
        self.now += 1
        self.made += 1
        self.most = max(self.most, self.now)
        self.order.append(number)
        try:
            await asyncio.sleep(seconds)
            if error is not None:
                raise error
        finally:
            self.now -= 1
        return number


async def many(gate, calls, count, **options):
    runs = [gate.run(lambda n=n: calls.call(n, **options)) for n in range(count)]
    return await asyncio.gather(*runs, return_exceptions=True)


def test_no_more_calls_than_the_limit_are_under_way_and_they_keep_their_order():
    gate, calls = Gate(5), Calls()
    results = asyncio.run(many(gate, calls, 40))
    assert (results, calls.order, calls.most, gate.in_flight) == (list(range(40)), list(range(40)), 5, 0)


def test_one_burst_of_rate_limits_cuts_the_limit_once():
    gate, calls = Gate(10), Calls()
    asyncio.run(many(gate, calls, 10, error=RateLimitedError("slow down")))
    assert gate.limit == 7.0


def test_the_limit_is_never_cut_below_one():
    gate, calls = Gate(4), Calls()

    async def story():
        for _ in range(9):
            await many(gate, calls, 1, error=RateLimitedError("slow down"))
        return await many(gate, calls, 2)

    assert (asyncio.run(story()), gate.limit >= 1) == ([0, 1], True)


def test_good_calls_bring_the_limit_back_by_one_a_round_up_to_its_cap():
    gate, calls = Gate(10), Calls()

    async def story():
        await many(gate, calls, 10, error=RateLimitedError("slow down"))
        await many(gate, calls, 7)
        after_a_round = gate.limit
        await many(gate, calls, 100)
        return after_a_round

    assert asyncio.run(story()) == pytest.approx(8, abs=0.1)
    assert gate.limit == 10.0


def test_a_server_error_that_is_no_overload_leaves_the_limit_alone():
    gate, calls = Gate(10), Calls()
    asyncio.run(many(gate, calls, 10, error=ServerFailedError("oops")))
    assert gate.limit == 10.0


def test_a_wait_that_the_server_asks_for_holds_every_call():
    gate, calls = Gate(10), Calls()

    async def story():
        await many(gate, calls, 1, error=RateLimitedError("slow down", retry_after=0.3))
        started = time.monotonic()
        await many(gate, calls, 3)
        return time.monotonic() - started

    assert 0.28 <= asyncio.run(story()) < 0.6


def test_a_dead_server_shuts_the_gate_for_waiting_and_further_calls():
    gate, calls = Gate(4, server="http://there", down_after=3, down_seconds=0.0), Calls()
    results = asyncio.run(many(gate, calls, 50, error=ConnectionFailedError("nobody home")))
    kinds = [type(result) for result in results]
    assert calls.made == 6  # a call that fails makes room for another until the third has failed
    assert kinds == [ConnectionFailedError] * 6 + [ServerDownError] * 44
    assert str(results[-1]).startswith(
        "http://there is down: the last 3 connections failed and none succeeded, so this call was not tried "
        "(last failure: nobody home)."
    )


def test_a_moments_outage_does_not_shut_the_gate():
    gate, calls = Gate(50, down_after=3, down_seconds=5.0), Calls()
    results = asyncio.run(many(gate, calls, 50, error=ConnectionFailedError("nobody home")))
    assert {type(result) for result in results} == {ConnectionFailedError}


def test_any_answer_of_the_server_starts_the_count_of_lost_connections_again():
    gate, calls = Gate(1, down_after=3, down_seconds=0.0), Calls()
    lost, refused = ConnectionFailedError("nobody home"), RejectedRequestError("no")

    async def story():
        for error in (lost, lost, refused, lost, lost):
            await many(gate, calls, 1, error=error)
        return await many(gate, calls, 1)

    assert asyncio.run(story()) == [0]


def test_a_shut_gate_lets_one_call_look_and_opens_when_it_succeeds():
    gate, calls = Gate(4, down_after=2, down_seconds=0.0, probe_seconds=0.05), Calls()

    async def story():
        await many(gate, calls, 2, error=ConnectionFailedError("nobody home"))
        await asyncio.sleep(0.06)
        looking = await many(gate, calls, 3)
        return looking, await many(gate, calls, 3)

    looking, after = asyncio.run(story())
    assert [type(result) for result in looking] == [int, ServerDownError, ServerDownError]
    assert after == [0, 1, 2]


def test_cancelled_calls_give_their_places_back():
    gate, calls = Gate(2), Calls()

    async def story():
        tasks = [asyncio.create_task(gate.run(lambda: calls.call(seconds=5))) for _ in range(6)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return await many(gate, calls, 5)

    assert (asyncio.run(story()), gate.in_flight) == ([0, 1, 2, 3, 4], 0)
