"""How the gate's limit behaves before servers of several kinds, compared with the plain rule of textbooks.

    python benchmarks/gate_rules.py [--rows 6000]

Simulated servers on a clock that jumps: replies take 0.1 to 0.3 s, a 429 comes back in 5 ms. 1,024 rows are under
way at a time, the cap is 64, each row is tried nine times. The plain rule cuts the limit by three tenths once a
round in which a 429 came, and adds one a round otherwise.
"""

import argparse
import asyncio
import random
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext.models import Gate, ModelError, RateLimitedError  # noqa: E402 - found by the line above
from dataflow_ext.models.gate.retry import with_retries  # noqa: E402
from dataflow_ext.models.gate.rules import Concurrency  # noqa: E402
from tests.clock import now, run  # noqa: E402

CAP, ROWS, TRIES = 64, 1024, 9


class PlainRule:
    """Minus three tenths a round with overload, plus one a round without."""

    def __init__(self, cap):
        self.cap, self.limit, self.places, self.cuts = cap, float(cap), cap, 0
        self.under_way = 0

    def entered(self, under_way):
        self.under_way = under_way
        return self.cuts

    def answered(self, began, overload):
        if not overload:
            self.limit = min(self.limit + 1 / self.limit, float(self.cap))
        elif began == self.cuts:
            self.limit = max(1.0, min(self.limit, self.under_way) * 0.7)
            self.cuts += 1
        self.places = int(self.limit)


def bucket(rate):
    """A server that takes so many calls a second, and as many at once after a pause."""
    level, last = rate, 0.0

    def refuses(dice, busy, time):
        nonlocal level, last
        level, last = min(rate, level + (time - last) * rate), time
        if level < 1:
            return True
        level -= 1
        return False

    return refuses


SERVERS = {
    "no trouble": lambda: lambda dice, busy, time: False,
    "20 places, 429 beyond": lambda: lambda dice, busy, time: busy >= 20,
    "429 for 2 % at random": lambda: lambda dice, busy, time: dice.random() < 0.02,
    "429 for 8 % at random": lambda: lambda dice, busy, time: dice.random() < 0.08,
    "429 for 20 % at random": lambda: lambda dice, busy, time: dice.random() < 0.2,
    "20 places and 8 % at random": lambda: lambda dice, busy, time: busy >= 20 or dice.random() < 0.08,
    "10 places, from 8 s on any": lambda: lambda dice, busy, time: time < 8 and busy >= 10,
    "429 for all until 60 s": lambda: lambda dice, busy, time: time < 60,
    "50 calls a second": lambda: bucket(50),
}


async def story(rule, refuses, rows):
    """Limits and busy places ten times a second, replies, 429s, rows lost, seconds."""
    gate, dice = Gate(CAP), random.Random(2)
    gate._rule = rule
    busy = good = bad = lost = 0
    limits, used = [], []

    async def call():
        nonlocal busy, good, bad
        if refuses(dice, busy, now()):
            await asyncio.sleep(0.005)
            bad += 1
            raise RateLimitedError("slow down")
        busy += 1
        await asyncio.sleep(dice.uniform(0.1, 0.3))
        busy -= 1
        good += 1

    async def note():
        while True:
            limits.append(gate.limit)
            used.append(busy)
            await asyncio.sleep(0.1)

    async def worker(left):
        nonlocal lost
        for _ in left:
            try:
                await with_retries(lambda: gate.run(call), TRIES - 1)
            except ModelError:
                lost += 1

    noting = asyncio.create_task(note())
    left = iter(range(rows))
    await asyncio.gather(*[worker(left) for _ in range(ROWS)])
    noting.cancel()
    return limits, used, good, bad, lost, now()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=6_000)
    args = parser.parse_args()
    for name, make in SERVERS.items():
        print(name)
        for rule in (PlainRule(CAP), Concurrency(CAP)):
            random.seed(1)
            limits, used, good, bad, lost, seconds = run(story(rule, make(), args.rows))
            settled = slice(20, -max(1, len(limits) // 7))
            some = [round(limit) for limit in limits[:: max(1, len(limits) // 16)]]
            print(
                f"    {type(rule).__name__:11} {good / seconds:4.0f} replies a second, limit "
                f"{statistics.mean(limits[settled]):4.1f}, busy {statistics.mean(used[settled]):4.1f}, "
                f"429 {bad / (bad + good):5.1%}, rows lost {lost}, limit over time {some}"
            )


if __name__ == "__main__":
    main()
