"""The session: nothing is asked twice, everything is counted, and the servers are spared."""

import asyncio
import gc
import os
import signal
import subprocess
import sys

import pytest

from dataflow_ext import RowOperator, run
from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import OptionError
from dataflow_ext.models import (
    ConnectionFailedError,
    Model,
    OpenAIModel,
    RateLimitedError,
    RefusedError,
    Reply,
    Request,
    RequestCache,
    ScriptedModel,
    ServerDownError,
    Session,
    Usage,
    complete,
    current_session,
)
from dataflow_ext.rejects import Failure
from tests.loopback import Fault, Loopback, limited


def ask_all(model, requests, limit=64):
    return run_async(map_async(lambda request: complete(model, request), requests, limit))


def requests(count):
    return [Request(f"prompt {n}") for n in range(count)]


class Local:
    """Rules that count words."""

    name = "rules"
    local = True

    def identity(self):
        raise AssertionError("a local model's calls have no key")

    async def complete(self, request):
        return Reply(f"{len(request.prompt.split())} of {request.context}", origin="local", prompt_tokens=5)


def test_without_a_session_calls_work_and_nothing_is_kept():
    model = ScriptedModel(["one", "two"])
    replies = [ask_all(model, [Request("same")])[0].text for _ in range(2)]
    assert replies == ["one", "two"]


def test_the_current_session_is_that_of_the_innermost_block():
    outside = current_session()
    with Session() as outer, Session() as inner:
        assert current_session() is inner
        with outer:
            assert current_session() is outer
    assert current_session() is outside


def test_a_session_that_could_make_no_call_is_refused():
    with pytest.raises(OptionError, match="max_in_flight is 0"):
        Session(max_in_flight=0)


def test_a_second_run_over_the_same_cache_asks_nothing(tmp_path):
    with Loopback() as server:
        model = OpenAIModel(name="m", base_url=server.url)
        with Session(tmp_path / "r.sqlite") as first:
            before = ask_all(model, requests(10))
        with Session(tmp_path / "r.sqlite") as second:
            after = ask_all(model, requests(10))
    assert [reply.text for reply in after] == [reply.text for reply in before]
    assert ({reply.from_cache for reply in before}, {reply.from_cache for reply in after}) == (
        {False},
        {True},
    )
    assert server.received == 10
    assert first.usage == {"m": Usage(10, made=10, prompt_tokens=20, cached_tokens=10, completion_tokens=20, usd=None)}
    assert second.usage == {"m": Usage(10, cached=10, spared_tokens=40, spared_usd=None)}


def test_fresh_asks_again_but_only_once_a_session():
    cache = RequestCache()
    with Session(cache):
        ask_all(ScriptedModel({"prompt": "old"}), requests(3))
    with Session(cache, fresh=True) as session:
        model = ScriptedModel(lambda request: "new", name="scripted")
        model.identity = ScriptedModel({"prompt": "old"}).identity
        texts = [reply.text for _ in range(2) for reply in ask_all(model, requests(3))]
    assert (texts, len(model.calls), session.usage["scripted"].cached) == (["new"] * 6, 3, 3)


def test_identical_requests_under_way_are_sent_once_and_share_reply_and_failure():
    with Loopback(delay=0.1) as server, Session() as session:
        model = OpenAIModel(name="m", base_url=server.url)
        replies = ask_all(model, [Request("same", context=n) for n in range(20)])
    assert (server.received, session.usage["m"].shared) == (1, 19)
    assert [reply.from_cache for reply in replies] == [False] + [True] * 19
    model = ScriptedModel([RateLimitedError("no")], delay=0.05)
    failures = ask_all(model, [Request("same")] * 5)
    assert ([str(failure) for failure in failures], len(model.calls)) == (["no"] * 5, 1)


def test_when_the_asker_is_cancelled_another_one_takes_over():
    model = ScriptedModel(["lost", "kept"], delay=0.1)

    async def story():
        tasks = [asyncio.create_task(complete(model, Request("same"))) for _ in range(3)]
        await asyncio.sleep(0.02)
        tasks[0].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, *others = asyncio.run(story())
    assert isinstance(first, asyncio.CancelledError)
    assert ([reply.text for reply in others], len(model.calls)) == (["kept", "kept"], 2)


def test_retries_and_failures_are_counted():
    faults = {1: Fault("status", 500), 2: limited(), 4: Fault("status", 400)}
    with Loopback(fault=lambda number, body: faults.get(number)) as server, Session() as session:
        model = OpenAIModel(name="m", base_url=server.url)
        ask_all(model, requests(2), limit=1)
    assert session.usage["m"] == Usage(
        2, made=1, retries=2, failures=1, prompt_tokens=2, cached_tokens=1, completion_tokens=2, usd=None
    )


def test_a_refusal_is_paid_for_once(tmp_path):
    with Loopback(fault=lambda number, body: Fault("refusal")) as server:
        model = OpenAIModel(name="m", base_url=server.url)
        errors = []
        for _ in range(2):
            with Session(tmp_path / "r.sqlite") as session:
                errors += ask_all(model, [Request("bad")])
    assert [type(error) for error in errors] == [RefusedError, RefusedError]
    assert str(errors[0]) == str(errors[1])
    assert (server.received, session.usage["m"].cached, session.usage["m"].failures) == (1, 1, 1)


def test_a_request_that_a_server_would_not_accept_is_remembered_whatever_else_fails(tmp_path):
    class Ask(RowOperator):
        inputs, outputs = {"text": str}, {"reply": str}
        model: Model

        async def row(self, text: str) -> dict[str, str]:
            return {"reply": (await complete(self.model, Request(text))).text}

    asked = []

    def fault(number, body):
        asked.extend(word for word in ("odd", "down", "good") if word in str(body))
        return {"odd": Fault("status", 400, message="too odd"), "down": Fault("status", 503)}.get(asked[-1])

    with Loopback(fault=fault) as server:
        steps = [Ask(model=OpenAIModel(name="m", base_url=server.url, max_retries=0))]
        results = [run(steps, [{"text": "odd"}, {"text": "down"}, {"text": "good"}], cache_dir=tmp_path) for _ in "ab"]
        assert sorted(asked) == ["down", "down", "good", "odd"]
        told = [result.rejects.select(["error", "message"]).to_pylist() for result in results]
        assert told[0] == told[1]
        assert "too odd" in told[0][0]["message"]
        results[1].retry()
        assert sorted(asked) == ["down"] * 3 + ["good"] + ["odd"] * 2


def test_a_call_that_fails_after_its_run_was_stopped_is_nothing_to_report(caplog):
    class Late:
        name = "late"
        local = False

        def identity(self):
            return {"name": "late"}

        async def complete(self, request):
            await asyncio.sleep(0.05)
            raise ValueError("too late")

    async def stopped():
        asking = asyncio.create_task(complete(Late(), Request("x")))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.sleep(0.1)

    with Session():
        asyncio.run(stopped())
    gc.collect()
    assert [record.message for record in caplog.records if "never retrieved" in record.message] == []


def test_a_local_model_sees_the_context_and_costs_nothing():
    with Session(RequestCache()) as session:
        replies = ask_all(Local(), [Request("a b", context=n) for n in range(3)])
    assert [reply.text for reply in replies] == ["2 of 0", "2 of 1", "2 of 2"]
    assert session.usage == {"rules": Usage(3, local=True)}
    assert session.cache.count() == 0


def test_models_of_one_server_share_its_limit():
    with Loopback(delay=0.03) as server, Session(max_in_flight=4):
        models = [OpenAIModel(name=name, base_url=server.url) for name in ("generator", "judge")]
        work = [(model, request) for request in requests(15) for model in models]
        replies = run_async(map_async(lambda pair: complete(*pair), work))
    assert {type(reply) for reply in replies} == {Reply}
    assert server.max_in_flight == 4


def test_a_server_that_takes_six_at_a_time_gets_everything_done():
    server = Loopback(delay=0.02)
    server.fault = lambda number, body: limited() if server.in_flight > 6 else None
    with server, Session(max_in_flight=24) as session:
        model = OpenAIModel(name="m", base_url=server.url, max_retries=8)
        replies = ask_all(model, requests(150))
    assert [reply.text for reply in replies] == [request.prompt for request in requests(150)]
    assert server.outcomes.count("ok") == 150
    assert session.usage["m"].retries == server.outcomes.count("status")


def test_with_a_third_of_calls_failing_all_are_answered_and_no_reply_is_paid_twice():
    kinds = [
        limited(),
        limited(0.05),
        Fault("status", 500),
        Fault("drop"),
        Fault("slow", seconds=1.0),
        Fault("garbage"),
        Fault("cut"),
    ]
    # Each prompt's fate hangs on its own number, so the mixture is the same in every run.
    fates = {f"prompt {n}": list(kinds[n % 7 :][: 1 + n % 2]) for n in range(0, 120, 3)}

    def fault(number, body):
        fate = fates.get(body["messages"][0]["content"])
        return fate.pop() if fate else None

    with Loopback(fault=fault) as server, Session(RequestCache(), max_in_flight=32) as session:
        model = OpenAIModel(name="m", base_url=server.url, timeout=0.5)
        replies = ask_all(model, requests(120))
    assert [reply.text for reply in replies] == [request.prompt for request in requests(120)]
    answered = [call.body["messages"][0]["content"] for call in server.calls if call.outcome == "ok"]
    assert sorted(answered) == sorted(request.prompt for request in requests(120))
    assert session.usage["m"].retries == server.received - 120 > 40


def test_a_dead_server_is_found_out_and_the_list_is_not_burned(monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.8)
    with Loopback() as server:
        url = server.url
    model = OpenAIModel(name="m", base_url=url)
    with Session(max_in_flight=16) as session:
        results = ask_all(model, requests(500))
    assert {type(result) for result in results} <= {ConnectionFailedError, ServerDownError}
    assert all(result.transient for result in results)
    assert sum(isinstance(result, ServerDownError) for result in results) > 450
    assert session.usage["m"].retries < 200


CALLER = """
import sys
from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import OpenAIModel, Request, Session, complete
model = OpenAIModel(name="m", base_url=sys.argv[1])
with Session(sys.argv[2], max_in_flight=8):
    replies = run_async(map_async(lambda r: complete(model, r), [Request(f"prompt {n}") for n in range(200)]))
print([reply.text for reply in replies] == [f"prompt {n}" for n in range(200)])
"""


def test_a_run_killed_on_its_way_asks_no_stored_reply_again(tmp_path):
    path = tmp_path / "r.sqlite"
    command = [sys.executable, "-c", CALLER]
    with Loopback(delay=0.01) as server:
        process = subprocess.Popen([*command, server.url, str(path)])
        while len(server.calls) < 60:
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        stored = RequestCache(path).count()
        sent = server.received
        done = subprocess.run([*command, server.url, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert 0 < stored < 200
    assert server.received - sent == 200 - stored


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_calls_with_a_client_of_its_own(tmp_path):
    with Loopback() as server, Session(tmp_path / "r.sqlite") as session:
        model = OpenAIModel(name="m", base_url=server.url)
        ask_all(model, requests(2))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                texts = [reply.text for reply in ask_all(model, requests(4))]
                code = 0 if texts == [f"prompt {n}" for n in range(4)] else 2
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert len(ask_all(model, requests(4))) == 4
    assert (server.received, session.usage["m"].cached) == (4, 4)


class Odd:
    """A model whose library raises what nobody expects."""

    name = "odd"

    def __init__(self, error, local=False):
        self.error, self.local = error, local

    async def complete(self, request):
        raise self.error

    def identity(self):
        return {}


@pytest.mark.parametrize("local", [False, True])
def test_what_a_model_raises_unexpectedly_may_pass_unless_it_works_in_this_process(local):
    odd = UnicodeDecodeError("ascii", b"\xff", 0, 1, "a header")
    with Session() as session, pytest.raises(UnicodeDecodeError) as caught:
        run_async(session.complete(Odd(odd, local), Request("a")))
    assert Failure.of(0, caught.value).transient is not local


def test_a_step_with_an_unexpected_failure_of_a_call_is_not_remembered(tmp_path):
    class Ask(RowOperator):
        inputs, outputs = {"text": str}, {"reply": str}
        model: Model

        async def row(self, text: str) -> dict[str, str]:
            return {"reply": (await complete(self.model, Request(text))).text}

    failed = run([Ask(model=Odd(KeyError("choices")))], [{"text": "a"}], cache_dir=tmp_path)
    assert failed.rejects["error"].to_pylist() == ["KeyError"]
    assert list((tmp_path / "steps").rglob("*.arrow")) == []
