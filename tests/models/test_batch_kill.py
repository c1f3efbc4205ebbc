"""Batches of processes that are killed: the next one gets the same replies, and nothing is sent or paid twice."""

import logging
import multiprocessing
import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import OpenAIModel, Request, Session
from dataflow_ext.models.batch.model import BatchModel
from tests.loopback import Fault
from tests.support.batch_api import BatchApi, Loopback

COUNT = 40

pytest.importorskip("fcntl")  # without it, one process at a time may use a folder

# Each process is a fork of one that has imported everything, and has no threads yet.
forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["openai", __name__])


def shout(body):
    return body["messages"][-1]["content"].upper()


def work(url, folder, cache, said):
    """Ask all questions, say each reply as soon as it is stored, and whatever is logged."""

    class Say(logging.Handler):
        def emit(self, record):
            said.send(record.getMessage())

    logging.getLogger("dataflow_ext").setLevel(logging.INFO)
    logging.getLogger("dataflow_ext").addHandler(Say())
    model = BatchModel(model=OpenAIModel(name="m", base_url=url), folder=folder, quiet=0.05, poll=0.05)

    async def one(n):
        reply = await session.complete(model, Request(f"question {n}"))
        said.send(reply.text)

    with Session(cache) as session:
        run_async(map_async(one, range(COUNT), limit=COUNT))


class Run:
    """A process that works, and what it says."""

    def __init__(self, server, folder, cache):
        self.said, end = forks.Pipe(duplex=False)
        self.process = forks.Process(target=work, args=(server.url, folder, cache, end))
        self.process.start()
        end.close()

    def says(self, words):
        while self.said.poll(20):
            if words in self.said.recv():
                return True
        return False

    def texts(self):
        """Its replies, sorted, when it has ended."""
        heard = []
        while self.said.poll(20):
            try:
                heard.append(self.said.recv())
            except EOFError:
                return sorted(text for text in heard if text.startswith("QUESTION"))
        return None

    def kill(self):
        self.process.kill()
        self.process.join()


@contextmanager
def process(server, folder, cache):
    run = Run(server, folder, cache)
    try:
        yield run
    finally:
        run.kill()


def run_again(server, folder, cache):
    """The texts that a run in this process gets, and how many requests it found in the cache."""
    model = BatchModel(model=OpenAIModel(name="m", base_url=server.url), folder=folder, quiet=0.02, poll=0.03)
    with Session(cache) as session:
        requests = [Request(f"question {n}") for n in range(COUNT)]
        replies = run_async(map_async(lambda each: session.complete(model, each), requests, limit=COUNT))
        return [reply.text for reply in replies], session.usage["m"].cached


SHOUTED = [f"QUESTION {n}" for n in range(COUNT)]


def sent_once(server):
    """Uploaded files, batches, and how often the same request was answered at most."""
    uploads = [file for file in server.batch.files if file.purpose == "batch"]
    most = max(Counter(custom_id for _, custom_id in server.batch.answered).values())
    return len(uploads), len(server.batch.batches), most, len(server.batch.answered), len(server.calls)


@pytest.mark.parametrize(
    ("route", "number", "fault"),
    [
        pytest.param("POST /files", 1, Fault("hang"), id="the request file is written"),
        pytest.param("POST /files", 1, Fault("stall"), id="the server has the file and the process does not know"),
        pytest.param("POST /batches", 1, Fault("hang"), id="the file is uploaded"),
        pytest.param("POST /batches", 1, Fault("stall"), id="the server has the batch and the process does not know"),
        pytest.param("GET /batches/{id}", 1, Fault("hang"), id="the batch is under way"),
        pytest.param("GET /files/{id}/content", 1, Fault("stall"), id="half of the results are fetched"),
    ],
)
def test_a_process_killed_when(tmp_path, route, number, fault):
    reached, gone = threading.Event(), threading.Event()

    def at(n, where):
        if (where, n) == (route, number) and not gone.is_set():
            reached.set()
            return fault
        return None

    with Loopback(shout, batch=BatchApi(fault=at)) as server:
        with process(server, tmp_path / "jobs", tmp_path / "cache.sqlite") as killed:
            assert reached.wait(20)
            # What the server stores before it stalls is stored in the same turn of its loop.
            while fault.kind == "stall" and not (server.batch.files if "files" in route else server.batch.batches):
                time.sleep(0.01)
            killed.kill()
        gone.set()
        assert run_again(server, tmp_path / "jobs", tmp_path / "cache.sqlite") == (SHOUTED, 0)
        assert sent_once(server) == (1, 1, 1, COUNT, 0)


def test_a_process_killed_while_it_hands_out_replies(tmp_path):
    with Loopback(shout) as server:
        with process(server, tmp_path / "jobs", tmp_path / "cache.sqlite") as killed:
            assert killed.says("QUESTION 3")
            killed.kill()
        texts, cached = run_again(server, tmp_path / "jobs", tmp_path / "cache.sqlite")
        assert (texts, cached > 3) == (SHOUTED, True)
        assert sent_once(server) == (1, 1, 1, COUNT, 0)


def held(released):
    """A brain whose replies wait for an event."""

    def think(body):
        released.wait(20)
        return shout(body)

    return think


def test_a_process_takes_over_the_batch_of_one_that_is_killed(tmp_path):
    released = threading.Event()
    with (
        Loopback(held(released)) as server,
        process(server, tmp_path, tmp_path / "cache-1.sqlite") as killed,
    ):
        assert killed.says("in_progress")
        with process(server, tmp_path, tmp_path / "cache-2.sqlite") as other:
            assert other.says("40 requests waited for again")
            killed.kill()
            released.set()
            assert other.texts() == sorted(SHOUTED)
        assert sent_once(server) == (1, 1, 1, COUNT, 0)


def test_two_processes_send_the_same_requests_once_and_both_get_the_replies(tmp_path):
    released = threading.Event()
    with (
        Loopback(held(released)) as server,
        process(server, tmp_path / "jobs", tmp_path / "cache-1.sqlite") as one,
    ):
        assert one.says("in_progress")
        with process(server, tmp_path / "jobs", tmp_path / "cache-2.sqlite") as other:
            assert other.says("40 requests waited for again")
            released.set()
            assert (one.texts(), other.texts()) == (sorted(SHOUTED), sorted(SHOUTED))
        assert sent_once(server) == (1, 1, 1, COUNT, 0)
