"""When calls are no longer made at all, and when they are again: stories on a clock that jumps."""

import asyncio
import logging

import pytest

from dataflow_ext.models import (
    AccessError,
    ConnectionFailedError,
    Gate,
    QuotaError,
    RateLimitedError,
    RejectedRequestError,
    ServerDownError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.gate import rules
from dataflow_ext.models.gate.retry import with_retries
from tests.clock import now, run


class Server:
    """Raises what ``trouble(time)`` returns, if anything; ``made`` are the times of the calls."""

    def __init__(self, trouble, seconds=0.01):
        self.trouble, self.seconds, self.made = trouble, seconds, []

    async def call(self):
        self.made.append(now())
        error = self.trouble(now())
        await asyncio.sleep(self.seconds)
        if error is not None:
            raise error
        return "fine"


async def rows(gate, server, count, at_once=256, retries=8):
    """What became of each row, of which so many are under way at a time."""
    results, left = [], iter(range(count))

    async def worker():
        for _ in left:
            try:
                results.append(await with_retries(lambda: gate.run(server.call), retries))
            except Exception as error:
                results.append(error)

    await asyncio.gather(*[worker() for _ in range(at_once)])
    return results


def kinds(results):
    return {result if isinstance(result, str) else type(result) for result in results}


def test_a_server_that_never_answered_is_given_up_in_seconds():
    server = Server(lambda time: ConnectionFailedError("nobody home"))
    gate = Gate(server="http://there")

    async def story():
        return await rows(gate, server, 2_000), now()

    results, seconds = run(story())
    assert kinds(results) == {ServerDownError}
    assert (len(server.made) < 80, seconds < 10) == (True, True)
    assert str(results[-1]).startswith("http://there is down: the last ")


def test_a_restart_of_the_server_in_the_middle_of_a_run_loses_no_row():
    server = Server(lambda time: ConnectionFailedError("nobody home") if 5 < time < 50 else None, seconds=1)

    async def story():
        return await rows(Gate(), server, 2_000), now()

    results, seconds = run(story())
    assert kinds(results) == {"fine"}
    assert (len(server.made) - 2_000 < 80, seconds < 120) == (True, True)


def test_a_server_that_answers_only_500_is_given_up_after_a_minute():
    server = Server(lambda time: ServerFailedError("http://there answered 500: out of memory"))

    async def story():
        return await rows(Gate(server="http://there"), server, 10_000), now()

    results, seconds = run(story())
    assert kinds(results) == {ServerDownError}
    assert (len(results), len(server.made) < 80, 60 < seconds < 100) == (10_000, True, True)
    assert str(results[-1]) == (
        f"http://there does not work: the last {len(server.made)} calls failed and none was answered well, so this "
        "call was not tried (last failure: http://there answered 500: out of memory). See to the server, then run "
        "again; replies that were received are kept."
    )


def test_a_server_that_is_only_too_slow_for_so_many_calls_gets_fewer_before_it_is_given_up():
    server, busy = Server(None), []

    async def call():
        busy.append(1)
        crowd = len(busy)
        await asyncio.sleep(60 if crowd > 4 else 20)
        busy.pop()
        if crowd > 4:
            raise TimedOutError("too slow")
        return "fine"

    server.call = call
    assert kinds(run(rows(Gate(32), server, 200, at_once=64))) == {"fine"}


def test_a_server_that_refuses_everybody_for_minutes_is_waited_for():
    server = Server(lambda time: RateLimitedError("slow down") if time < 400 else None)
    assert kinds(run(rows(Gate(), server, 1_000))) == {"fine"}
    assert len(server.made) < 1_100


def test_a_server_that_asks_for_an_hour_is_not_called_before():
    server = Server(lambda time: RateLimitedError("come back later", retry_after=3600) if time < 3600 else None)
    gate = Gate(8, server="http://there")

    async def story():
        first = await rows(gate, server, 100)
        calls = len(server.made)
        await asyncio.sleep(3000)
        second = await rows(gate, server, 100)
        await asyncio.sleep(700)
        return first, calls, second, await rows(gate, server, 1), await rows(gate, server, 100)

    first, calls, second, probe, after = run(story())
    assert (calls, kinds(first), kinds(second)) == (8, {RateLimitedError, ServerDownError}, {ServerDownError})
    assert (probe, kinds(after)) == (["fine"], {"fine"})
    assert str(second[0]) == (
        "http://there asks for a wait of 60 minutes, so this call was not made (last failure: come back later). "
        "Run again after that; replies that were received are kept."
    )


@pytest.mark.parametrize("error", [AccessError("The key is wrong."), QuotaError("No credit left.")])
def test_what_fails_for_every_call_is_tried_by_those_under_way_only(error):
    server = Server(lambda time: type(error)(str(error)))
    results = run(rows(Gate(8), server, 1_000))
    assert (len(server.made), kinds(results), str(results[0])) == (8, {type(error)}, str(error))
    assert str(results[-1]) == f"{error} Every further call would fail like this, so this one was not made."
    assert all(result.transient for result in results)


def test_a_key_refused_now_and_then_among_good_answers_does_not_stop_the_others():
    server = Server(lambda time: AccessError("not this one") if len(server.made) % 3 == 2 else None)
    assert kinds(run(rows(Gate(1), server, 30))) == {"fine", AccessError}
    assert len(server.made) == 30


def test_credit_that_is_put_right_is_found_out_after_five_minutes():
    server = Server(lambda time: QuotaError("No credit left.") if time < 100 else None)
    gate = Gate(4)

    async def story():
        seen = []
        for _ in range(4):
            seen.append(kinds(await rows(gate, server, 1)))
            await asyncio.sleep(120)
        return seen

    assert run(story()) == [{QuotaError}, {QuotaError}, {QuotaError}, {"fine"}]


def test_a_shut_gate_lets_one_call_look_and_opens_when_it_is_answered(caplog, monkeypatch):
    monkeypatch.setattr(rules, "DOWN_AFTER", 2)
    monkeypatch.setattr(rules, "DOWN_SECONDS", 0.0)
    server = Server(lambda time: ConnectionFailedError("nobody home") if time < 40 else None)
    gate = Gate(4, server="http://there")

    async def story():
        await rows(gate, server, 10)
        await asyncio.sleep(31)
        calls = len(server.made)
        still_down = await rows(gate, server, 3, retries=0)
        looked = len(server.made) - calls
        await asyncio.sleep(31)
        return still_down, looked, await rows(gate, server, 3), await rows(gate, server, 3)

    with caplog.at_level(logging.WARNING):
        still_down, looked, looking, after = run(story())
    assert (looked, kinds(still_down)) == (1, {ConnectionFailedError, ServerDownError})
    assert ([type(result) for result in looking].count(str), after) == (1, ["fine"] * 3)
    assert [record.message for record in caplog.records] == [
        "No more calls to http://there for now: nobody home",
        "http://there answers again.",
    ]


def test_the_servers_word_on_one_request_is_a_good_answer(monkeypatch):
    monkeypatch.setattr(rules, "DOWN_AFTER", 6)
    monkeypatch.setattr(rules, "DOWN_SECONDS", 0.0)
    server = Server(
        lambda time: RejectedRequestError("no") if len(server.made) % 5 == 0 else ConnectionFailedError("nobody home")
    )
    results = run(rows(Gate(1), server, 40, at_once=1, retries=0))
    assert kinds(results) == {RejectedRequestError, ConnectionFailedError}
