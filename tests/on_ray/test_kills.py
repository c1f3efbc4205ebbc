"""Workers, the desk and the driver killed at random moments: nothing is lost, and nothing is paid for twice."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dataflow_ext import run
from dataflow_ext.errors import WorkerDied
from dataflow_ext.models import OpenAIModel
from tests.abuse.settings import LONG, ROOT
from tests.core.streaming.steps import Sums
from tests.loopback import Loopback
from tests.on_ray.steps import Dies, Doubled, Slow
from tests.on_ray.test_models import twice

NUMBERS = [{"n": n} for n in range(60)]


def mine(title: str) -> list[int]:
    """The processes of this test's cluster that Ray calls so."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(title.encode()):
                raylet = _parent(int(entry.name))
                if _parent(raylet) == os.getpid():
                    found.append(int(entry.name))
    return found


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


class Killer(threading.Thread):
    """Kills so many processes of this name, one now and then, when it is time for it."""

    def __init__(self, title: str, times: int, pause: float, ripe: Callable[[], bool] = lambda: True) -> None:
        super().__init__(daemon=True)
        self.title, self.times, self.pause, self.ripe, self.killed = title, times, pause, ripe, 0
        self.over = threading.Event()

    def run(self) -> None:
        rng = random.Random()
        while self.killed < self.times and not self.over.wait(rng.uniform(0.5, 1.5) * self.pause):
            if (pids := mine(self.title)) and self.ripe():
                os.kill(rng.choice(pids), signal.SIGKILL)
                self.killed += 1

    def __enter__(self) -> "Killer":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self.join()


def test_three_workers_are_killed_and_no_row_is_lost(tmp_path):
    steps = [Slow(began=str(tmp_path / "began")), Sums()]
    with Killer("ray::_task", 3, 0.5) as killer:
        there = run(steps, NUMBERS, out=tmp_path / "there", rows_per_part=3, engine="ray")
    assert killer.killed == 3
    assert there.table.equals(run([Sums()], NUMBERS).table)
    assert there.rejects.num_rows == 0


def stored(out: Path) -> set[str]:
    """The texts of the replies that a run's request cache has."""
    place = f"file:{out / '.run/requests.sqlite'}?mode=ro"
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(place, uri=True)) as cache:
        return {json.loads(reply)["text"] for (reply,) in cache.execute("SELECT reply FROM replies")}
    return set()


def test_the_desk_is_killed_and_no_stored_reply_is_asked_for_again(tmp_path):
    answered, before = [], set()

    def slow(body):
        time.sleep(0.2)
        answered.append(twice(body))
        return answered[-1]

    def something_is_stored():
        before.update(stored(tmp_path))
        return bool(before)

    with Loopback(slow, threads=4) as server, Killer("ray::Desk", 1, 1.5, something_is_stored) as killer:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url, max_retries=8))]
        there = run(steps, NUMBERS, out=tmp_path, rows_per_part=3, engine="ray", budget="20ktok")
        assert killer.killed == 1
        assert there.table["n"].to_pylist() == [2 * row["n"] for row in NUMBERS]
        assert {text: answered.count(text) for text in before} == dict.fromkeys(before, 1)


def test_a_budget_holds_though_the_desk_is_killed(tmp_path):
    def slow(body):
        time.sleep(0.2)
        return twice(body)

    with Loopback(slow, threads=4) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url))]
        one = run(steps, NUMBERS[:1], out=tmp_path / "one", engine="ray").report.models["m"].tokens
        first = len(server.calls)
        with Killer("ray::Desk", 1, 1.0) as killer:
            run(steps, NUMBERS, out=tmp_path / "all", rows_per_part=3, engine="ray", budget=f"{25 * one}tok")
        assert killer.killed == 1
        assert 0 < len(server.calls) - first <= 25


@pytest.mark.parametrize("turn", range(10 if LONG else 1))
def test_a_killed_driver_leaves_parts_that_the_next_run_takes_up(turn, tmp_path, monkeypatch):
    moment = random.Random().uniform(0.5, 3.0)
    monkeypatch.chdir(tmp_path)
    import ray

    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
        from dataflow_ext import run
        from dataflow_ext.ray_engine import RayEngine
        from tests.core.streaming.steps import Sums
        from tests.on_ray.steps import Slow

        rows = [{{"n": n}} for n in range(60)]
        engine = RayEngine(address="{ray.get_runtime_context().gcs_address}")
        print("begins", flush=True)
        run([Slow(began="began"), Sums()], rows, out="out", rows_per_part=3, engine=engine)
        print("done")
        """)
    )
    start = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(start, cwd=tmp_path, env=environment, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"begins\n"
        began, deadline = tmp_path / "began", time.monotonic() + 60
        while not began.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(moment)
        driver.send_signal(signal.SIGKILL)
    subprocess.run(start, cwd=tmp_path, env=environment, check=True, timeout=120)
    # Twice were begun only rows of the two parts that were under way.
    times = Counter(began.read_text().split())
    assert set(times) == set(map(str, range(60)))
    assert sum(times.values()) <= 60 + 2 * 3
    assert pq.read_table(tmp_path / "out/.run/rejects.parquet").num_rows == 0
    run([Slow(began="other", seconds=0), Sums()], NUMBERS, out=tmp_path / "here", rows_per_part=3)
    assert (tmp_path / "out/rows.parquet").read_bytes() == (tmp_path / "here/rows.parquet").read_bytes()


def test_a_row_that_kills_each_of_its_processes_ends_the_run_and_is_told(tmp_path):
    with pytest.raises(WorkerDied, match=r"Part 3 of step 1 \(Dies\) and those after it: its process was killed"):
        run([Dies()], NUMBERS[:12], out=tmp_path, rows_per_part=3, engine="ray")
    assert len(list((tmp_path / ".run/stream/01").glob("00000[0-3]-*"))) >= 2


def test_an_interrupted_run_leaves_parts_and_stores_the_replies_under_way(tmp_path):
    def slow(body):
        time.sleep(0.5)
        return twice(body)

    with Loopback(slow, threads=4) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url))]

        def interrupt():
            while len(server.calls) < 8:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with pytest.raises(KeyboardInterrupt):
            run(steps, NUMBERS, out=tmp_path, rows_per_part=3, engine="ray")
        asked = len(server.calls)
        assert 8 <= asked < 60
        run(steps, NUMBERS, out=tmp_path, rows_per_part=3, engine="ray")
        assert len(server.calls) == 60
