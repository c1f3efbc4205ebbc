"""Commands that are asked to end: a sentence, the code that shells expect, replies under way stored, nobody left."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dataflow_ext import run
from dataflow_ext.signals import Stopped, stopping
from tests.core.samples import Length
from tests.loopback import Loopback
from tests.pipelines.numbered_book import brain, write_book

ROOT = Path(__file__).parents[2]
#: How many calls a book of nine chapters needs.
CHUNKS = 10
#: A module that the command imports takes long, which is when the interrupt comes.
SLOW_TO_LOAD = """
import pathlib, sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "dataflow_ext.cli":
            pathlib.Path("loading").touch()
            time.sleep(60)
sys.meta_path.insert(0, Slow())
"""
#: A command whose rows take a minute each, in two processes.
SLOW_ROWS = """
import os, pathlib, sys, time
from dataflow_ext import RowOperator, cli, progress, run
class Slow(RowOperator):
    inputs, outputs, spread = {"text": str}, {}, True
    def row(self, text: str) -> dict[str, str]:
        pathlib.Path(f"at-work-{os.getpid()}").touch()
        time.sleep(60)
        return {}
def work(argv):
    run([Slow()], [{"text": t} for t in "abcd"], workers=2, listener=progress.for_stream())
    return 0
if __name__ == "__main__":
    sys.exit(cli.app(work, []))
"""
KEPT = "Stopped. What was finished is kept; the same command goes on from there.\n"

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the signals are those of POSIX")


def hears_signals():
    """What is started in the background of a shell's script is deaf to interrupts."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(folder, *command, first=""):
    env = {**os.environ, "PYTHONPATH": f"{first}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    with (folder / "stderr.txt").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, *map(str, command)], cwd=folder, env=env, stderr=log, stdout=log,
            start_new_session=True, preexec_fn=hears_signals,
        )  # fmt: skip


def ask(folder, server):
    """The command on a book of so many chunks, each of which is a call."""
    book = write_book(folder / "book", 9)
    flags = ("--model", "m", "--base-url", server.url, "--chunk-tokens", 260)
    return start(folder, "-m", "pipelines.pdf_vqa", book, "--out", "out", *flags)


def wait_until(true, process, seconds=60.0):
    ends = time.monotonic() + seconds
    while not true():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < ends, "it took too long"
        time.sleep(0.02)


def told(folder):
    return (folder / "stderr.txt").read_text(encoding="utf-8")


def stored(folder):
    with sqlite3.connect(folder / "out" / ".run" / "requests.sqlite") as cache:
        return cache.execute("SELECT count(*) FROM replies").fetchone()[0]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_stopped_command_says_so_and_stores_all_replies_that_were_under_way(tmp_path, number, code):
    with Loopback(brain, delay=2.0) as server:
        process = ask(tmp_path, server)
        wait_until(lambda: server.in_flight == CHUNKS, process)
        process.send_signal(number)
        assert process.wait(timeout=30) == code
        assert (server.received, stored(tmp_path)) == (CHUNKS, CHUNKS)
    assert f"WARNING: {CHUNKS} replies are under way; waiting up to 8 s for what is paid for.\n" in told(tmp_path)
    assert told(tmp_path).endswith(KEPT)
    assert "Traceback" not in told(tmp_path)


def test_a_second_signal_ends_at_once_but_not_one_that_comes_with_the_first(tmp_path):
    with Loopback(brain, delay=60.0) as server:
        process = ask(tmp_path, server)
        wait_until(lambda: server.in_flight == CHUNKS, process)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: "under way" in told(tmp_path), process)
        time.sleep(1.2)
        assert process.poll() is None
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 143
        assert time.monotonic() - began < 4.0
    assert "Traceback" not in told(tmp_path)


def test_what_nohup_has_made_deaf_to_a_closed_terminal_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping():
            os.kill(os.getpid(), signal.SIGHUP)
            with pytest.raises(Stopped) as stop:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(5)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert (stop.value.code, signal.getsignal(signal.SIGTERM)) == (143, signal.SIG_DFL)


@pytest.mark.parametrize("pipeline", ["pdf_vqa", "game_annotate", "cot_planning", "scene_edit", "onevision"])
def test_an_interrupt_while_the_command_is_loaded_is_no_traceback(tmp_path, pipeline):
    (tmp_path / "sitecustomize.py").write_text(SLOW_TO_LOAD, encoding="utf-8")
    process = start(tmp_path, "-m", f"pipelines.{pipeline}", "--help", first=tmp_path)
    wait_until((tmp_path / "loading").is_file, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert told(tmp_path) == "Stopped.\n"


@pytest.mark.parametrize(
    ("number", "everybody"),
    [(signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGHUP, True), (signal.SIGINT, True)],
)
def test_workers_end_with_the_command_and_without_a_word(tmp_path, number, everybody):
    (tmp_path / "slow.py").write_text(SLOW_ROWS, encoding="utf-8")
    process = start(tmp_path, "slow.py")
    wait_until(lambda: len(list(tmp_path.glob("at-work-*"))) == 2, process)
    workers = [int(path.name.removeprefix("at-work-")) for path in tmp_path.glob("at-work-*")]
    if everybody:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    assert process.wait(timeout=20) == 128 + number
    ends = time.monotonic() + 5.0
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < ends, "a worker outlives its command"
        time.sleep(0.05)
    assert told(tmp_path) == f"1. Slow: stopped\n{KEPT}"


def test_a_run_from_python_leaves_signals_alone(monkeypatch):
    touched = []
    monkeypatch.setattr(signal, "signal", lambda *given: touched.append(given))
    assert run([Length()], [{"text": "abc"}]).table["length"].to_pylist() == [3]
    assert touched == []
