"""Limits a minute: never exceeded, evenly used, corrected by the real numbers."""

import asyncio
import time
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.background import run_async
from dataflow_ext.models import BudgetError, Gate, OpenAIModel, Reply, Request
from dataflow_ext.models.gate.rules import Rate
from tests.clock import now, run
from tests.loopback import Loopback, prompt_of


def most_in_a_window(taken, seconds):
    """The largest sum of amounts that were taken within so many seconds."""
    return max(sum(amount for time, amount in taken if start <= time <= start + seconds + 1e-9) for start, _ in taken)


@given(
    st.lists(st.tuples(st.floats(0, 40), st.integers(1, 100)), min_size=1, max_size=60),
    st.integers(100, 300),
)
def test_no_minute_gets_more_than_the_limit_whatever_is_asked_for_when(asked, limit):
    rate, clock, taken = Rate(limit), 0.0, []
    for pause, amount in asked:
        clock += pause
        wait = max(0.0, rate.earliest(amount, clock) - clock)
        assert wait <= 61
        clock += wait
        rate.take(amount, clock)
        taken.append((clock, amount))
    assert most_in_a_window(taken, 60) <= limit


async def times(gate, count, tokens=0, reply=None):
    """When each of so many calls began, all of them asked for at once."""
    began = []

    async def call():
        began.append(now())
        return reply

    await asyncio.gather(*[gate.run(call, tokens) for _ in range(count)])
    return began


def test_calls_are_spread_evenly_after_a_small_burst():
    began = run(times(Gate(requests_per_minute=60), 150))
    assert began[2] < 0.1 < 0.9 < began[3]  # two seconds' worth and the one that is due
    assert max(after - before for before, after in pairwise(began)) < 3.1
    assert most_in_a_window([(time, 1) for time in began], 60) == 60
    assert began[-1] == pytest.approx(150, abs=5)


def test_a_limit_of_three_a_minute_is_used_and_kept():
    began = run(times(Gate(requests_per_minute=3), 9))
    assert most_in_a_window([(time, 1) for time in began], 60) == 3
    assert began[-1] == pytest.approx(160, abs=3)


def test_tokens_are_limited_by_the_real_numbers_once_they_are_known():
    gate = Gate(max_in_flight=1, tokens_per_minute=60_000)
    began = run(times(gate, 60, tokens=500, reply=Reply("", prompt_tokens=1_500, completion_tokens=500)))
    assert most_in_a_window([(time, 2_000) for time in began], 60) <= 60_000
    assert began[-1] == pytest.approx(118, abs=5)
    cheap = run(times(Gate(tokens_per_minute=60_000), 60, tokens=2_000, reply=Reply("", prompt_tokens=500)))
    assert cheap[-1] < 40


def test_a_call_larger_than_the_minutes_tokens_passes_when_nothing_else_does():
    async def story():
        gate, began = Gate(tokens_per_minute=1_000), []

        async def call():
            began.append(now())

        await asyncio.gather(*[gate.run(call, tokens) for tokens in (100, 5_000, 100)])
        return began

    first, large, last = run(story())
    assert (first, large, last > large + 60) == (0.0, 60.5, True)


def test_a_call_that_the_budget_forbade_takes_nothing_of_the_limits():
    async def story():
        gate = Gate(requests_per_minute=1, tokens_per_minute=10)

        async def forbidden():
            raise BudgetError("used up")

        for _ in range(5):
            with pytest.raises(BudgetError):
                await gate.run(forbidden, 10)
        return await times(gate, 1, 10)

    assert run(story()) == [0.0]


def test_the_server_sees_no_more_than_the_limit(monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.gate.Rate", partial(Rate, period=1.0))
    with Loopback(threads=0) as server:
        model = OpenAIModel(name="m", base_url=server.url)

        left = {}

        async def attempt(name):
            left[name] = time.monotonic()
            return await model.attempt(Request(name))

        async def story():
            gate = Gate(requests_per_minute=40)
            await asyncio.gather(*[gate.run(lambda n=n: attempt(f"{n}")) for n in range(60)])

        run_async(story())
    assert most_in_a_window([(time, 1) for time in left.values()], 0.99) <= 40
    arrived = [(call.started, 1) for call in server.calls]
    # A call may be late on its way and the next one not: the server's second is shorter by what these differ.
    late = [call.started - left[prompt_of(call.body)] for call in server.calls]
    assert most_in_a_window(arrived, 0.99 - (max(late) - min(late))) <= 40
    assert max(time for time, _ in arrived) - min(time for time, _ in arrived) > 1.2
