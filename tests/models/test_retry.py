"""How often, when and how long a call is made again, on a clock that jumps."""

import asyncio
import random
from itertools import pairwise

import pytest

from dataflow_ext.models import AccessError, RateLimitedError, ServerFailedError, TimedOutError
from dataflow_ext.models.gate.retry import with_retries
from tests.clock import now, run


@pytest.fixture(autouse=True)
def usual_waits(monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.5)


class Calls:
    """Raises the errors given, in turn, each after ``seconds``; then it answers. ``began`` are the times."""

    def __init__(self, *errors, seconds=0.0):
        self.errors, self.seconds, self.began = list(errors), seconds, []

    async def __call__(self):
        self.began.append(now())
        await asyncio.sleep(self.seconds)
        if self.errors:
            raise self.errors.pop(0)
        return "fine"

    @property
    def waits(self):
        return [after - before - self.seconds for before, after in pairwise(self.began)]


def test_the_waits_double_up_to_half_a_minute_and_no_two_calls_wait_alike():
    waits = []
    for _ in range(40):
        calls = Calls(*[ServerFailedError("oops") for _ in range(9)])
        assert run(with_retries(calls, 9)) == "fine"
        waits.append(calls.waits)
    most = [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    for nth, limit in zip(zip(*waits, strict=True), most, strict=True):
        assert limit / 2 <= min(nth) < max(nth) <= limit
        assert len(set(nth)) == 40


def test_a_wait_that_is_asked_for_is_kept_to_and_stretched_a_little():
    calls = Calls(RateLimitedError("slow down", retry_after=7.0))
    run(with_retries(calls, 1))
    assert 7.0 <= calls.waits[0] <= 7.7


def test_a_server_whose_short_waits_do_not_help_is_given_longer_ones():
    calls = Calls(*[RateLimitedError("slow down", retry_after=0.0) for _ in range(6)])
    run(with_retries(calls, 6))
    assert calls.waits[0] == 0.0
    assert all(wait >= least for wait, least in zip(calls.waits[1:], [0.25, 0.5, 1, 2, 4], strict=True))


def test_a_server_that_asks_for_an_hour_is_reported_instead():
    calls = Calls(RateLimitedError("slow down", retry_after=3600.0))
    with pytest.raises(RateLimitedError) as caught:
        run(with_retries(calls, 5))
    assert (len(calls.began), caught.value.attempts) == (1, 1)


def test_no_try_begins_an_hour_after_the_first_failure():
    calls = Calls(*[TimedOutError("too slow") for _ in range(20)], seconds=600)
    with pytest.raises(TimedOutError) as caught:
        run(with_retries(calls, 20))
    assert (caught.value.attempts, calls.began[-1] < 600 + 3600) == (7, True)


@pytest.mark.parametrize(("errors", "attempts"), [([ServerFailedError("oops")] * 9, 4), ([AccessError("no")], 1)])
def test_the_last_error_knows_how_often_the_call_was_made(errors, attempts):
    calls, repeats = Calls(*errors), []
    with pytest.raises(type(errors[0])) as caught:
        run(with_retries(calls, 3, lambda error, wait: repeats.append(now())))
    assert (caught.value.attempts, len(calls.began), len(repeats)) == (attempts, attempts, attempts - 1)


def test_an_error_that_ends_the_repeats_counts_those_before():
    with pytest.raises(AccessError) as caught:
        run(with_retries(Calls(ServerFailedError("oops"), ServerFailedError("oops"), AccessError("no")), 5))
    assert caught.value.attempts == 3


def test_with_a_third_of_all_calls_failing_eight_repeats_lose_next_to_nothing():
    dice = random.Random(1)

    async def call():
        if dice.random() < 0.3:
            raise ServerFailedError("oops")
        return "fine"

    async def story():
        rows = [with_retries(call, 8) for _ in range(4_000)]
        return await asyncio.gather(*rows, return_exceptions=True)

    assert sum(result != "fine" for result in run(story())) <= 1
