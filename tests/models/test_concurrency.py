"""The gate's limit finds what a server takes: many calls on a clock that jumps."""

import asyncio
import random

from dataflow_ext.models import Gate, RateLimitedError
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.gate.rules import Concurrency
from tests.clock import now, run

LATENCY = 0.2


class Server:
    """Answers in 0.1 to 0.3 s, or in 5 ms with a 429 where ``refuses(dice, busy, time)`` says so."""

    def __init__(self, refuses):
        self.refuses = refuses
        self.dice = random.Random(1)
        self.busy = self.good = self.bad = 0

    async def call(self):
        if self.refuses(self.dice, self.busy, now()):
            await asyncio.sleep(0.005)
            self.bad += 1
            raise RateLimitedError("slow down")
        self.busy += 1
        await asyncio.sleep(LATENCY * self.dice.uniform(0.5, 1.5))
        self.busy -= 1
        self.good += 1


def story(refuses, rows=4_000, gate=None):
    """The server, the gate, its limits (ten a second) and how long all rows took."""
    server, gate, limits = Server(refuses), gate or Gate(64), []

    async def note():
        while True:
            limits.append(gate.limit)
            await asyncio.sleep(0.1)

    async def main():
        noting = asyncio.create_task(note())
        left = iter(range(rows))

        async def worker():
            for _ in left:
                await with_retries(lambda: gate.run(server.call), 8)

        await asyncio.gather(*[worker() for _ in range(512)])
        noting.cancel()
        return now()

    random.seed(3)
    seconds = run(main())
    return server, gate, limits, seconds


def test_without_trouble_the_limit_stays_at_its_cap():
    server, _, limits, seconds = story(lambda dice, busy, time: False)
    assert (set(limits), server.bad) == ({64.0}, 0)
    assert seconds < 1.1 * 4_000 * LATENCY / 64


def test_the_limit_settles_at_what_an_overloaded_server_takes():
    server, _, limits, seconds = story(lambda dice, busy, time: busy >= 20)
    assert all(18 <= limit <= 22 for limit in limits[20:-20])
    assert server.good == 4_000
    assert server.bad < 0.05 * server.good
    assert seconds < 1.1 * 4_000 * LATENCY / 20


def test_refusals_at_random_leave_most_of_the_limit():
    _, _, limits, seconds = story(lambda dice, busy, time: dice.random() < 0.08)
    settled = limits[10:-20]
    assert sum(settled) / len(settled) > 48
    assert seconds < 1.5 * 4_000 * LATENCY / 64


def test_the_limit_is_back_at_its_cap_soon_after_the_trouble():
    _, _, limits, _ = story(lambda dice, busy, time: time < 8 and busy >= 10)
    assert all(limit <= 12 for limit in limits[20:80])
    assert min(limits[110:]) == 64


def test_a_minute_without_a_single_place_costs_few_calls_and_no_row():
    server, _, limits, seconds = story(lambda dice, busy, time: time < 60)
    assert server.good == 4_000
    assert server.bad < 90
    assert seconds < 60 + 30 + 2 * 4_000 * LATENCY / 64
    assert limits[-20] == 64


def rounds(rule, *answers):
    """The limits after each round of so many answers of which so many are overloads."""
    limits = []
    for answered, overloads in answers:
        began = [rule.entered(n + 1) for n in range(answered)]
        for n, round_ in enumerate(began):
            rule.answered(round_, n < overloads)
        limits.append(rule.limit)
    return limits


def test_a_cut_is_the_share_that_was_too_much_and_growth_doubles():
    assert rounds(Concurrency(64), (64, 44), (20, 0), (21, 0), (23, 0), (27, 0), (35, 0), (51, 0)) == [
        20.0,
        21.0,
        23.0,
        27.0,
        35.0,
        51.0,
        64.0,
    ]


def test_calls_under_way_when_the_limit_was_cut_do_not_cut_it_again():
    rule = Concurrency(64)
    began = [rule.entered(n + 1) for n in range(64)]
    for round_ in began[:40]:
        rule.answered(round_, False)
    late = [rule.entered(64) for _ in range(24)]
    for round_ in (*began[40:], *late):
        rule.answered(round_, True)
    assert rule.limit == 64 * 40 / 64


def test_the_limit_is_never_below_one_nor_above_the_cap():
    rule = Concurrency(4)
    assert rounds(rule, *[(4, 4)] * 6) == [1.0] * 6
    assert rounds(rule, *[(4, 0)] * 6)[-1] == 4.0


def test_a_single_refusal_while_little_is_asked_says_little():
    assert rounds(Concurrency(64), *[(1, 0)] * 3, (1, 1))[-1] == 1.5
