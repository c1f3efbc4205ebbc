"""Hundreds of calls through a storm of all faults: no row is lost, no reply is asked for again, and memory is bounded.

STORM=3000 makes it that many calls instead of 600, each seed another storm: SEED=5.
"""

import base64
import json
import os
import random
import subprocess
import sys

from tests.models.conftest import KEY
from tests.support.fault_server import FaultServer
from tests.support.faults import FAULTS

ROWS, SEED = int(os.environ.get("STORM", "600")), os.environ.get("SEED", "1")

#: More than some replies of 64 MB that arrive and are read together; without a bound one alone took 1.4 GB.
MOST_GROWTH = 500_000_000

#: No credit left ends all calls for five minutes, which is another story.
STORMY = [fault for fault in FAULTS if not fault.name.startswith(("status 402", "status 429 insufficient"))]


def weather(prompt, attempt):
    """A fault for a third of all calls, once the server has shown that it works."""
    dice = random.Random(f"{SEED} {prompt} {attempt}")
    calm = int(prompt.split()[-1]) < 20
    return None if calm or dice.random() > 0.34 else dice.choice(STORMY)


def asked(server, folder):
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.storm", server.url, str(folder), str(ROWS)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_no_row_is_lost_no_reply_is_asked_for_again_and_memory_is_bounded(tmp_path):
    with FaultServer(weather) as server:
        first, said = asked(server, tmp_path)
        met = {name for _, name in server.calls}
        calls = len(server.calls)
        server.choose = lambda prompt, attempt: None
        second, said_again = asked(server, tmp_path)
        asked_again = {prompt for prompt, _ in server.calls[calls:]}
    questions = {f"question {n}" for n in range(ROWS)}
    assert (len(first["answered"]) + len(first["rejected"]), {*first["answered"], *first["rejected"]}) == (
        ROWS,
        questions,
    )
    assert len(first["answered"]) > 0.7 * ROWS
    assert len(met) > min(100, ROWS / 6)
    # Every reply was paid for once: those of the rows, and those refusals that bring words.
    assert first["figures"]["made"] == len(first["answered"]) + first["errors"].get("RefusedError", 0)
    assert first["figures"]["prompt_tokens"] < 1_000 * ROWS
    assert not asked_again & set(first["answered"])
    assert {*second["answered"], *second["rejected"]} == questions
    # What servers will not accept, and what models decline, is remembered; all else is done.
    assert set(second["errors"]) <= {"RefusedError", "RejectedRequestError"}
    assert second["errors"] == {name: first["errors"][name] for name in second["errors"]}
    assert first["grown"] < MOST_GROWTH
    held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for form in (KEY, base64.b64encode(b"user:" + KEY.encode()).decode()[8:-4]):
        assert (form in said + said_again, form.encode() in held) == (False, False)
    assert len(held) > 10_000
