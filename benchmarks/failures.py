"""What becomes of model calls when nearly a third of them fail: is everything answered, and nothing asked twice?

    python benchmarks/failures.py [--requests 2000] [--in-flight 64] [--rate 0.3] [--delay 0.2] [--seed 1]

A loopback server in a process of its own fails at random, seeded by each request's text and the number of the
try: 429 with and without ``Retry-After``, 500, connections reset, cut and dropped, no answer at all, garbage.
The verdict comes from the server's log: every request was answered, no call of a request came in after its
good reply went out, and the whole list again, on the same cache, makes no call. Exit code 1 if that is not so.
"""

import argparse
import asyncio
import itertools
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext.background import map_async, run_async  # noqa: E402 - found by the line above
from dataflow_ext.models import OpenAIModel, Request, Session, complete  # noqa: E402
from tests.loopback import Fault, Loopback, limited, prompt_of  # noqa: E402

RETRY_AFTER = 0.2
TIMEOUT = 2.0
FAULTS = {
    "429": limited(),
    "429 with Retry-After": limited(RETRY_AFTER),
    "500": Fault("status", 500),
    "reset": Fault("reset"),
    "drop": Fault("drop"),
    "cut": Fault("cut"),
    "hang": Fault("hang"),
    "garbage": Fault("garbage"),
}
#: Rows that an operator has under way at a time, more than the gate lets through.
ROWS = 1024


def fate(seed, rate, prompt, attempt):
    """The name of the fault of a request's n-th try, or None."""
    dice = random.Random(f"{seed} {prompt} {attempt}")
    return dice.choice(list(FAULTS)) if dice.random() < rate else None


def answer(prompt):
    return f"{prompt} answered"


def serve(seed, rate, delay, pipe):
    """A server until the pipe says that it is over; then its log goes through the pipe."""
    tries = Counter()
    names = {}

    def fault(number, body):
        prompt = prompt_of(body)
        tries[prompt] += 1
        names[number] = fate(seed, rate, prompt, tries[prompt])
        return FAULTS.get(names[number])

    with Loopback(lambda body: answer(prompt_of(body)), fault=fault, delay=delay, threads=0) as server:
        pipe.send(server.url)
        while pipe.recv() == "how many":
            pipe.send(server.received)
        log = [(prompt_of(c.body), c.started, c.ended, names[c.number] or "good", c.delivered) for c in server.calls]
        pipe.send((log, server.received, server.max_in_flight))


async def ask_all(model, prompts, session, limits):
    """All replies, while the gate's limit is noted ten times a second."""

    async def note():
        began = time.monotonic()
        while True:
            gates = [gate for here in session._of_loop.values() for gate in here.gates.values()]
            limits.extend((time.monotonic() - began, gate.limit) for gate in gates)
            await asyncio.sleep(0.1)

    noting = asyncio.create_task(note())
    try:
        return await map_async(lambda prompt: complete(model, Request(prompt)), prompts, ROWS)
    finally:
        noting.cancel()


def run(model, prompts, cache, in_flight):
    """Replies, seconds, usage and the gate's limit over time of one session."""
    limits = []
    with Session(cache, max_in_flight=in_flight) as session:
        began = time.perf_counter()
        replies = run_async(ask_all(model, prompts, session, limits))
        return replies, time.perf_counter() - began, session.usage[model.name], limits


def asked_again(log):
    """Prompts of which a call came in after their good reply had gone out, or that got two good replies."""
    calls = defaultdict(list)
    for prompt, started, ended, outcome, delivered in log:
        calls[prompt].append((started, ended, outcome == "good" and delivered))
    wrong = []
    for prompt, those in calls.items():
        good = [ended for _, ended, fine in those if fine]
        if len(good) > 1 or any(started > ended for ended in good for started, _, _ in those):
            wrong.append(prompt)
    return wrong


def problems(prompts, first, second, log, between, received):
    """Sentences on what does not hold."""
    for name, replies in (("first", first), ("second", second)):
        missing = [reply for reply in replies if isinstance(reply, Exception)]
        if missing:
            yield f"{len(missing)} requests of the {name} run were not answered: {missing[0]!r}"
        elif [reply.text for reply in replies] != [answer(prompt) for prompt in prompts]:
            yield f"the {name} run has wrong replies"
    if wrong := asked_again(log):
        yield f"{len(wrong)} requests were sent again after their reply had arrived, such as {wrong[0]!r}"
    if received != between:
        yield f"the second run made {received - between} calls"


def report(log, seconds, usage, limits, args, most):
    calls, outcomes = len(log), Counter(outcome for *_, outcome, _ in log)
    ideal = args.requests * args.delay / args.in_flight
    print(f"{args.requests} requests in {seconds:.1f} s (without failures {ideal:.1f} s at best), {calls} calls")
    print(f"{calls - outcomes['good']} calls failed ({1 - outcomes['good'] / calls:.1%}), {usage.retries} retries")
    for name in ("good", *FAULTS):
        print(f"    {outcomes[name]:5} {name}")
    tries = Counter(Counter(prompt for prompt, *_ in log).values())
    print("requests by number of tries: " + ", ".join(f"{n}: {count}" for n, count in sorted(tries.items())))
    halves = [
        f"{second}: {sum(group) / len(group):.0f}"
        for second, entries in itertools.groupby(limits, lambda entry: int(entry[0]))
        if (group := [limit for _, limit in entries])
    ]
    print(f"the gate's limit by second: {', '.join(halves)}")
    print(f"calls at once at the server: at most {most}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-retries", type=int, default=None, help="the model's own setting without it")
    args = parser.parse_args()
    here, there = multiprocessing.Pipe()
    serving = multiprocessing.get_context("spawn").Process(
        target=serve, args=(args.seed, args.rate, args.delay, there), daemon=True
    )
    serving.start()
    options = {} if args.max_retries is None else {"max_retries": args.max_retries}
    model = OpenAIModel(name="m", base_url=here.recv(), timeout=TIMEOUT, **options)
    prompts = [f"question {n}" for n in range(args.requests)]
    with tempfile.TemporaryDirectory(prefix="failures-") as folder:
        cache = Path(folder) / "replies.sqlite"
        first, seconds, usage, limits = run(model, prompts, cache, args.in_flight)
        here.send("how many")
        between = here.recv()
        second, *_ = run(model, prompts, cache, args.in_flight)
    here.send("over")
    log, received, most = here.recv()
    serving.join()
    report(log, seconds, usage, limits, args, most)
    wrong = list(problems(prompts, first, second, log, between, received))
    print("\n".join(f"FAILED: {problem}" for problem in wrong) or "ok: all answered, nothing asked twice")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
