"""A server that fails nearly a third of all calls: everything is answered, and nothing is asked for twice."""

import random
from collections import Counter, defaultdict

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import OpenAIModel, Request, Session, complete
from tests.loopback import Fault, Loopback, limited, prompt_of

FAULTS = [
    limited(),
    limited(0.05),
    Fault("status", 500),
    Fault("reset"),
    Fault("drop"),
    Fault("cut"),
    Fault("hang"),
    Fault("garbage"),
]
PROMPTS = [f"question {n}" for n in range(200)]


class Storm:
    """A fault for 30 % of the calls, seeded by the prompt and the number of the try."""

    def __init__(self):
        self.tries = Counter()

    def __call__(self, number, body):
        prompt = prompt_of(body)
        self.tries[prompt] += 1
        dice = random.Random(f"{prompt} {self.tries[prompt]}")
        return dice.choice(FAULTS) if dice.random() < 0.3 else None


def ask_all(server, cache):
    model = OpenAIModel(name="m", base_url=server.url, timeout=4.0, max_retries=8)
    with Session(cache, max_in_flight=64) as session:
        replies = run_async(map_async(lambda prompt: complete(model, Request(prompt)), PROMPTS, 256))
    return [getattr(reply, "text", reply) for reply in replies], session.usage["m"]


def test_all_are_answered_and_no_call_follows_a_good_reply(tmp_path):
    with Loopback(fault=Storm(), delay=0.02, threads=0) as server:
        texts, usage = ask_all(server, tmp_path / "r.sqlite")
        between = server.received
        again, second = ask_all(server, tmp_path / "r.sqlite")
    assert (texts, again) == (PROMPTS, PROMPTS)
    assert (server.received, second.cached) == (between, 200)
    assert (usage.retries, usage.failures) == (between - 200, 0)
    calls = defaultdict(list)
    for call in sorted(server.calls, key=lambda call: call.number):
        calls[prompt_of(call.body)].append(call.outcome)
    assert all(outcomes.index("ok") == len(outcomes) - 1 for outcomes in calls.values())
    failed = Counter(server.outcomes)
    assert failed.pop("ok") == 200
    assert set(failed) == {fault.kind for fault in FAULTS}
    assert sum(failed.values()) > 60
