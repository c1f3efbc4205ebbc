"""The gate's places, pauses and line, with calls that fail on demand, mostly on a clock that jumps."""

import asyncio
from itertools import pairwise

import pytest

from dataflow_ext.models import (
    BudgetError,
    ConnectionFailedError,
    Gate,
    RateLimitedError,
    RejectedRequestError,
    Reply,
    ServerDownError,
    ServerFailedError,
)
from dataflow_ext.models.gate import rules
from tests.clock import now, run


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
    results = run(many(gate, calls, 40))
    assert (results, calls.order, calls.most, gate.in_flight) == (list(range(40)), list(range(40)), 5, 0)


def test_overload_cuts_the_limit_and_good_calls_bring_it_back_up_to_its_cap():
    gate, calls = Gate(10), Calls()

    async def story():
        limits = []
        for error in [RateLimitedError("slow down"), None]:
            runs = [many(gate, calls, 5, error=error), many(gate, calls, 5)]
            await asyncio.gather(*runs)
            limits.append(gate.limit)
        await many(gate, calls, 100)
        return [*limits, gate.limit]

    assert run(story()) == [5.0, 6.0, 10.0]


def test_a_server_error_that_is_no_overload_leaves_the_limit_alone():
    gate, calls = Gate(10), Calls()
    run(many(gate, calls, 10, error=ServerFailedError("oops")))
    assert gate.limit == 10.0


def test_a_wait_that_the_server_asks_for_holds_every_call():
    gate, calls = Gate(10), Calls()

    async def story():
        held = asyncio.create_task(many(gate, calls, 14, seconds=1))
        await asyncio.sleep(0.5)
        await many(gate, calls, 1)  # one more in the line
        await held
        began = now()
        await many(gate, calls, 1, error=RateLimitedError("slow down", retry_after=30))
        await many(gate, calls, 3)
        return now() - began

    assert 30 <= run(story()) < 34


def test_a_pause_after_a_good_reply_holds_every_call():
    gate = Gate(10)

    async def last_of_the_minute():
        return Reply("", pause=12.0)

    async def story():
        await gate.run(last_of_the_minute)
        await many(gate, Calls(), 3)
        return now()

    assert 12 <= run(story()) < 14


def test_after_a_wait_calls_begin_one_after_the_other():
    gate, began = Gate(20), []

    async def call():
        began.append(now())
        await asyncio.sleep(5)

    async def story():
        await many(gate, Calls(), 1, error=RateLimitedError("slow down", retry_after=10))
        await asyncio.gather(*[gate.run(call) for _ in range(25)])

    run(story())
    gaps = [after - before for before, after in pairwise(began[:19])]
    assert (min(gaps) > 0.02, 0.5 < sum(gaps) < 1.5) == (True, True)


@pytest.fixture
def impatient(monkeypatch):
    """A gate gives a server up after three failures."""
    monkeypatch.setattr(rules, "DOWN_AFTER", 3)
    monkeypatch.setattr(rules, "DOWN_SECONDS", 0.0)


def test_a_call_that_the_budget_forbade_teaches_nothing(impatient):
    gate, calls = Gate(4), Calls()
    run(many(gate, calls, 40, error=BudgetError("used up")))
    assert (calls.made, gate.limit, gate.in_flight) == (40, 4.0, 0)


def test_a_dead_server_shuts_the_gate_for_waiting_and_further_calls(impatient):
    gate, calls = Gate(4, server="http://there"), Calls()
    results = run(many(gate, calls, 50, error=ConnectionFailedError("nobody home")))
    kinds = [type(result) for result in results]
    assert calls.made == 6  # a call that fails makes room for another until the third has failed
    assert kinds == [ConnectionFailedError] * 6 + [ServerDownError] * 44
    assert str(results[-1]).startswith(
        "http://there is down: the last 3 connections failed and none succeeded, so this call was not tried "
        "(last failure: nobody home)."
    )


def test_a_moments_outage_does_not_shut_the_gate(impatient, monkeypatch):
    monkeypatch.setattr(rules, "DOWN_SECONDS", 5.0)
    gate, calls = Gate(50), Calls()
    results = run(many(gate, calls, 50, error=ConnectionFailedError("nobody home")))
    assert {type(result) for result in results} == {ConnectionFailedError}


def test_any_answer_of_the_server_starts_the_count_of_lost_connections_again(impatient):
    gate, calls = Gate(1), Calls()
    lost, refused = ConnectionFailedError("nobody home"), RejectedRequestError("no")

    async def story():
        for error in (lost, lost, refused, lost, lost):
            await many(gate, calls, 1, error=error)
        return await many(gate, calls, 1)

    assert run(story()) == [0]


def test_cancelled_calls_give_their_places_back():
    gate, calls = Gate(2), Calls()

    async def story():
        tasks = [asyncio.create_task(gate.run(lambda: calls.call(seconds=5))) for _ in range(6)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return await many(gate, calls, 5)

    assert (run(story()), gate.in_flight) == ([0, 1, 2, 3, 4], 0)


def test_a_cancelled_call_at_the_head_of_the_line_does_not_stop_it():
    gate = Gate(8, requests_per_minute=3)

    async def story():
        tasks = [asyncio.create_task(gate.run(Calls().call)) for _ in range(4)]
        await asyncio.sleep(25)  # one has gone, one after 20 s, the third is at the head
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return now()

    assert 38 < run(story()) < 42


def test_calls_that_wait_go_in_the_order_in_which_they_came_whatever_they_take():
    gate, calls = Gate(8, tokens_per_minute=1_000), Calls()

    async def story():
        sizes = [900, 10, 800, 10, 10]
        await asyncio.gather(*[gate.run(lambda n=n: calls.call(n), size) for n, size in enumerate(sizes)])

    run(story())
    assert calls.order == [0, 1, 2, 3, 4]
