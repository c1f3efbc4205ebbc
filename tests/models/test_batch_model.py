"""The Batch API as a back end, against a server on this machine that shuffles, fails and expires."""

import asyncio
import json
import logging
import pickle
import threading
import time

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import (
    AccessError,
    Model,
    OpenAIModel,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    Reply,
    Request,
    RequestCache,
    ServerFailedError,
    Session,
    TimedOutError,
)
from dataflow_ext.models.batch.model import BatchModel
from dataflow_ext.models.batch.server import BatchServer, _put_masked, bounded_lines
from tests.loopback import Fault
from tests.support.batch_api import BatchApi, Loopback


def shout(body):
    return body["messages"][-1]["content"].upper()


def batch_model(server, folder, **options):
    fast = {"quiet": 0.05, "poll": 0.03, **options}
    return BatchModel(model=OpenAIModel(name="m", base_url=server.url, max_retries=1), folder=folder, **fast)


def questions(count):
    return [Request(f"question {n}") for n in range(count)]


def ask(model, requests):
    return run_async(map_async(model.complete, requests, limit=len(requests)))


def texts(answers):
    return [answer.text if isinstance(answer, Reply) else type(answer).__name__ for answer in answers]


def shouted(count):
    return [f"QUESTION {n}" for n in range(count)]


def routes(server, method="POST"):
    return [call.route for call in server.batch_calls if call.route.startswith(method)]


def left_in(folder, expected=0):
    """The jobs in a folder, once there are as many as expected: one is removed after its replies are out."""
    end = time.monotonic() + 2
    while (
        len(left := [path.name for path in folder.iterdir() if path.name.startswith(("job-", ".new-", ".old-"))])
        != expected
    ):
        if time.monotonic() > end:
            break
        time.sleep(0.01)
    return left


def lines_of(server):
    """How many requests each batch had."""
    contents = {file.id: file.content for file in server.batch.files}
    return [contents[batch["input_file_id"]].count(b"\n") for batch in server.batch.batches]


def failing_lines(fault, *numbers):
    return lambda number, custom_id: fault if number in numbers else None


def test_three_hundred_requests_make_one_batch_whose_replies_come_to_the_right_rows(tmp_path, caplog):
    caplog.set_level(logging.INFO, "dataflow_ext")
    with Loopback(shout) as server:
        answers = ask(batch_model(server, tmp_path), questions(300))
        batches, calls, uploaded = server.batch.batches, server.calls, server.batch.files[0].content
    assert answers[7] == Reply("QUESTION 7", "stop", 2, 1, 2, "m", "remote", batch=True)
    assert texts(answers) == shouted(300)
    assert (routes(server), calls, len(batches)) == (["POST /files", "POST /batches"], [], 1)
    line = json.loads(uploaded.splitlines()[0])
    assert len(line.pop("custom_id")) == 64
    body = {"model": "m", "messages": [{"role": "user", "content": "question 0"}], "temperature": 0.0}
    assert line == {"method": "POST", "url": "/v1/chat/completions", "body": body}
    assert left_in(tmp_path) == []
    assert {record.levelname for record in caplog.records} == {"INFO"}


def test_the_body_of_a_line_is_the_body_of_a_direct_call(tmp_path):
    schema = {"type": "object", "properties": {}}
    request = Request("数学?", system="be brief", images=(b"\x89PNG\r\n\x1a\n",), json_schema=schema, max_tokens=9)
    with Loopback(lambda body: "yes") as server:
        inner = OpenAIModel(name="m", base_url=server.url, seed=1, extra_body={"top_k": 5})
        run_async(BatchModel(model=inner, folder=tmp_path, quiet=0.01, poll=0.03).complete(request))
        run_async(inner.complete(request))
    assert json.loads(server.batch.files[0].content)["body"] == server.calls[0].body


def test_replies_in_the_request_cache_serve_batches_and_direct_calls(tmp_path):
    with Loopback(shout) as server:
        model = batch_model(server, tmp_path / "jobs")
        with Session(tmp_path / "cache.sqlite") as session:
            run_async(map_async(lambda each: session.complete(model, each), questions(3)))
            reply = run_async(session.complete(model.model, Request("question 1")))
            usage = session.usage["m"]
    assert (reply.text, reply.batch, reply.from_cache, server.calls) == ("QUESTION 1", True, True, [])
    assert (usage.requests, usage.cached, usage.failures) == (4, 1, 0)


def test_it_is_a_queued_model_that_survives_pickling(tmp_path):
    model = BatchModel(model=OpenAIModel(name="m", base_url="http://localhost:1/v1", max_tokens=5), folder=tmp_path)
    assert isinstance(model, Model)
    assert (model.queued, model.name, model.server, model.max_tokens) == (True, "m", "http://localhost:1/v1", 5)
    assert model.identity() == model.model.identity()
    assert pickle.loads(pickle.dumps(model)) == model


def test_a_request_too_many_makes_a_second_batch(tmp_path):
    with Loopback(shout) as server:
        answers = ask(batch_model(server, tmp_path, max_lines=51), questions(52))
    assert (texts(answers), sorted(lines_of(server))) == (shouted(52), [1, 51])


def test_a_byte_too_many_makes_a_second_batch(tmp_path):
    with Loopback(shout) as server:
        ask(batch_model(server, tmp_path / "a"), [Request("question 0")])
        line = len(server.batch.files[0].content)
        ask(batch_model(server, tmp_path / "b", max_bytes=10 * line), questions(10))
        ask(batch_model(server, tmp_path / "c", max_bytes=10 * line - 1), questions(10))
    assert sorted(lines_of(server)) == [1, 1, 9, 10]


def test_a_request_too_large_for_any_batch_is_rejected(tmp_path):
    with Loopback(shout) as server:
        answers = ask(batch_model(server, tmp_path, max_bytes=300), [Request("x" * 300), Request("y")])
    assert texts(answers) == ["RejectedRequestError", "Y"]


def test_equal_requests_are_sent_once(tmp_path):
    with Loopback(shout) as server:
        answers = ask(batch_model(server, tmp_path), [Request("a")] * 5 + [Request("b")])
    assert (texts(answers), lines_of(server)) == (["A"] * 5 + ["B"], [2])


def test_lines_that_the_server_rejects_fail_like_direct_calls(tmp_path):
    api = BatchApi(line_fault=failing_lines(Fault("status", 400, "context_length_exceeded"), 2))
    with Loopback(
        shout, batch=api, fault=lambda number, body: Fault("status", 400, "context_length_exceeded")
    ) as server:
        model = batch_model(server, tmp_path)
        good, bad = ask(model, questions(2))
        (direct,) = run_async(map_async(model.model.complete, questions(1)))
    assert good.text == "QUESTION 0"
    assert (type(bad), bad.status, bad.code) == (RejectedRequestError, 400, "context_length_exceeded")
    assert str(bad) == str(direct)
    assert left_in(tmp_path) == []


def test_refused_and_cut_off_replies_are_what_they_are_in_direct_calls(tmp_path):
    faults = {1: Fault("refusal"), 2: Fault("length")}
    with Loopback(shout, batch=BatchApi(line_fault=lambda number, custom_id: faults.get(number))) as server:
        refused, short, good = ask(batch_model(server, tmp_path), questions(3))
    assert (type(refused), refused.reply.batch, refused.reply.finish_reason) == (RefusedError, True, "refusal")
    assert (short.text, short.finish_reason, short.batch) == ("QUEST", "length", True)
    assert good.text == "QUESTION 2"


@pytest.mark.parametrize(
    "fault",
    [Fault("expire"), Fault("drop"), Fault("garbage"), Fault("cut"), Fault("empty"), Fault("status", 500)],
    ids=lambda fault: fault.kind,
)
def test_what_the_batch_did_not_make_is_made_by_direct_calls(tmp_path, fault):
    with Loopback(shout, batch=BatchApi(line_fault=failing_lines(fault, 1, 3))) as server:
        answers = ask(batch_model(server, tmp_path), questions(4))
    assert texts(answers) == shouted(4)
    assert [answer.batch for answer in answers] == [False, True, False, True]
    assert sorted(server.prompts) == ["question 0", "question 2"]
    assert left_in(tmp_path) == []


def test_direct_calls_for_what_is_missing_keep_to_the_sessions_limits_and_budget_and_are_repeated(tmp_path):
    api = BatchApi(batch_fault=lambda number: Fault("expire"))
    once = lambda number, body: Fault("status", 500) if number == 1 else None  # noqa: E731
    with Loopback(shout, batch=api, fault=once, delay=0.01) as server:
        model = batch_model(server, tmp_path)
        with Session(max_in_flight=3, budget="1ktok") as session:
            requests = [Request(f"question {n}", expect=2) for n in range(12)]
            answers = run_async(map_async(lambda each: session.complete(model, each), requests, limit=12))
    assert texts(answers) == shouted(12)
    assert (len(server.calls), server.max_in_flight) == (13, 3)
    used = session.usage["m"]
    assert (used.made, used.retries, used.tokens, session.purse.spent.tokens) == (12, 1, 48, 48)


def test_what_does_not_fit_a_budget_waits_for_no_batch(tmp_path):
    with Loopback(shout) as server, Session(budget="40tok") as session:
        model = batch_model(server, tmp_path)
        requests = [Request(f"question {n}", expect=2) for n in range(12)]
        answers = run_async(map_async(lambda each: session.complete(model, each), requests, limit=12))
    assert texts(answers) == [*shouted(8), *["BudgetError"] * 4]
    assert lines_of(server) == [8]


def test_what_is_missing_can_go_into_another_batch_instead(tmp_path):
    first = lambda number: Fault("expire") if number == 1 else None  # noqa: E731
    with Loopback(shout, batch=BatchApi(batch_fault=first)) as server:
        answers = ask(batch_model(server, tmp_path, fallback="batch"), questions(4))
    assert (texts(answers), lines_of(server), server.calls) == (shouted(4), [4, 4], [])
    assert left_in(tmp_path) == []


def test_what_is_missing_can_be_rejected_and_is_sent_by_the_next_run(tmp_path):
    first = lambda number: Fault("expire") if number == 1 else None  # noqa: E731
    with Loopback(shout, batch=BatchApi(batch_fault=first)) as server:
        model = batch_model(server, tmp_path, fallback="reject")
        rejected, again = ask(model, questions(2)), ask(model, questions(2))
    assert (texts(rejected), rejected[0].transient) == (["ServerFailedError"] * 2, True)
    assert (texts(again), server.calls) == (shouted(2), [])


def test_a_batch_that_is_cancelled_at_the_server_fails_without_direct_calls(tmp_path):
    with Loopback(shout, batch=BatchApi(batch_fault=lambda number: Fault("hang"))) as server:

        def cancel():
            import openai

            while not server.batch.batches:
                time.sleep(0.01)
            openai.OpenAI(api_key="k", base_url=server.url).batches.cancel("batch_000001")

        thread = threading.Thread(target=cancel)
        thread.start()
        answers = ask(batch_model(server, tmp_path), questions(2))
        thread.join()
    assert ([type(answer) for answer in answers], server.calls) == ([ServerFailedError] * 2, [])


def test_a_line_that_the_server_cannot_read_fails_alone(tmp_path):
    def damaged(number, route):
        if (number, route) != (1, "POST /files"):
            return None
        path = next(tmp_path.glob("job-*/requests.jsonl"))
        first, second, third = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(first + second[:20] + b"\n" + third)
        return Fault("status", 503)

    with Loopback(shout, batch=BatchApi(fault=damaged)) as server:
        answers = ask(batch_model(server, tmp_path), questions(3))
    assert texts(answers) == ["QUESTION 0", "RejectedRequestError", "QUESTION 2"]
    assert (answers[1].status, answers[1].code, "cannot read" in str(answers[1])) == (400, "invalid_json_line", True)
    assert (lines_of(server), server.calls, left_in(tmp_path)) == ([3, 2], [], [])


def test_a_batch_in_which_no_line_can_be_read_rejects_them_all(tmp_path):
    with Loopback(shout) as server:
        inner = OpenAIModel.model_construct(name="m", base_url=server.url, extra_body={"messages": "none"})
        answers = ask(BatchModel(model=inner, folder=tmp_path, quiet=0.05, poll=0.03), questions(2))
    assert (texts(answers), lines_of(server)) == (["RejectedRequestError"] * 2, [2])


def test_a_batch_with_the_wrong_name_of_the_token_limit_is_made_again_with_the_right_one(tmp_path):
    wrong = Fault("status", 400, "unsupported_parameter", message="Use 'max_completion_tokens' instead.")
    with Loopback(shout) as server:
        server.batch.line_fault = lambda number, custom_id: wrong if len(server.batch.batches) == 1 else None
        inner = OpenAIModel(name="m", base_url=server.url, max_tokens=9)
        answers = ask(BatchModel(model=inner, folder=tmp_path, quiet=0.05, poll=0.03), questions(2))
    inputs = [file.content for file in server.batch.files if file.purpose == "batch"]
    assert (texts(answers), server.calls) == (shouted(2), [])
    assert [b"max_completion_tokens" in content for content in inputs] == [False, True]


@pytest.mark.parametrize(
    ("code", "kind"), [("model_not_found", RejectedRequestError), ("billing_hard_limit_reached", QuotaError)]
)
def test_a_batch_that_fails_as_a_whole_is_one_clear_error_and_is_not_kept(tmp_path, code, kind):
    fault = Fault("status", code=code, message="The provided model is not supported.")
    with Loopback(shout, batch=BatchApi(batch_fault=lambda number: fault)) as server:
        answers = ask(batch_model(server, tmp_path), questions(3))
        url = server.url
    message = f"{url} did not take in batch batch_000001 ({code}: The provided model is not supported.)."
    assert [(type(answer), str(answer)) for answer in answers] == [(kind, message)] * 3
    assert left_in(tmp_path) == []


def test_too_many_queued_tokens_lead_to_smaller_batches_one_after_the_other(tmp_path):
    under_way = []

    def limit(number):
        batch = server.batch.batches[number - 1]
        content = next(file.content for file in server.batch.files if file.id == batch["input_file_id"])
        others = [each for each in server.batch.batches if each["status"] == "in_progress"]
        under_way.append(len(others))
        if content.count(b"\n") > 5:
            return Fault("status", code="token_limit_exceeded", message="Enqueued token limit reached")
        return None

    with Loopback(shout, batch=BatchApi(batch_fault=limit, seconds=0.05)) as server:
        answers = ask(batch_model(server, tmp_path), questions(20))
    assert texts(answers) == shouted(20)
    assert (lines_of(server), set(under_way)) == ([20, 10, 10, 5, 5, 5, 5], {0})


def test_a_single_request_over_the_queue_limit_fails_until_another_day(tmp_path):
    fault = Fault("status", code="token_limit_exceeded", message="Enqueued token limit reached")
    with Loopback(shout, batch=BatchApi(batch_fault=lambda number: fault)) as server:
        answers = ask(batch_model(server, tmp_path), questions(3))
    assert [type(answer) for answer in answers] == [RateLimitedError] * 3


def test_trouble_on_every_route_is_overcome_without_a_second_batch(tmp_path):
    kinds = [Fault("status", 503), Fault("reset", part=0.5), Fault("garbage")]

    def fault(number, route):
        return kinds[number - 1] if number <= len(kinds) else None

    with Loopback(shout, batch=BatchApi(fault=fault)) as server:
        answers = ask(batch_model(server, tmp_path), questions(20))
    assert texts(answers) == shouted(20)
    assert (lines_of(server), len(server.batch.answered)) == ([20], 20)


def test_a_hanging_server_is_asked_again_after_the_timeout(tmp_path):
    hangs = lambda number, route: Fault("hang") if number == 1 else None  # noqa: E731
    with Loopback(shout, batch=BatchApi(fault=hangs)) as server:
        inner = OpenAIModel(name="m", base_url=server.url, timeout=0.2)
        answers = ask(BatchModel(model=inner, folder=tmp_path, quiet=0.01, poll=0.02), questions(3))
    assert (texts(answers), lines_of(server)) == (shouted(3), [3])


@pytest.mark.parametrize("route", ["POST /files", "POST /batches", "GET /batches/{id}", "GET /files/{id}/content"])
def test_a_refused_key_ends_at_once_and_the_next_run_goes_on(tmp_path, route):
    closed = [True]

    def fault(number, at):
        return Fault("status", 401, "invalid_api_key") if closed[0] and at == route else None

    with Loopback(shout, batch=BatchApi(fault=fault)) as server:
        refused = ask(batch_model(server, tmp_path), questions(3))
        closed[0] = False
        answers = ask(batch_model(server, tmp_path), questions(3))
    assert [type(answer) for answer in refused] == [AccessError] * 3
    assert (texts(answers), lines_of(server), len(server.batch.answered)) == (shouted(3), [3], 3)
    assert left_in(tmp_path) == []


def test_waiting_ends_after_the_time_allowed_and_the_next_run_waits_on(tmp_path):
    api = BatchApi(seconds=1.0)
    with Loopback(shout, batch=api) as server:
        late = ask(batch_model(server, tmp_path, give_up_after=0.2), questions(2))
        answers = ask(batch_model(server, tmp_path), questions(2))
    assert [type(answer) for answer in late] == [TimedOutError] * 2
    assert (texts(answers), lines_of(server)) == (shouted(2), [2])


def test_a_cancelled_run_leaves_its_batch_at_the_server_and_says_so(tmp_path, caplog):
    async def interrupted(model):
        work = asyncio.create_task(map_async(model.complete, questions(3)))
        while not server.batch.batches or server.batch.batches[0]["status"] != "in_progress":
            await asyncio.sleep(0.02)
        work.cancel()
        await asyncio.wait([work])

    with Loopback(shout, batch=BatchApi(seconds=0.4)) as server:
        model = batch_model(server, tmp_path)
        run_async(interrupted(model))
        url = server.url
        assert [record.getMessage() for record in caplog.records] == [
            f"Batch batch_000001 goes on at {url}; run again to fetch it."
        ]
        answers = ask(model, questions(3))
    assert (texts(answers), lines_of(server), len(server.batch.answered)) == (shouted(3), [3], 3)


def test_rows_that_come_later_join_the_batch_that_their_requests_are_in(tmp_path):
    async def one_after_the_other(model):
        first = asyncio.create_task(map_async(model.complete, questions(4)))
        while not server.batch.batches:
            await asyncio.sleep(0.01)
        other = model.model_copy(update={"poll": 0.02})  # a model of its own, as another process has it
        return await asyncio.gather(first, map_async(other.complete, questions(6)))

    with Loopback(shout, batch=BatchApi(seconds=0.3)) as server:
        first, second = run_async(one_after_the_other(batch_model(server, tmp_path)))
    assert (texts(first), texts(second), lines_of(server)) == (shouted(4), shouted(6), [4, 2])


def test_a_finished_batch_is_kept_for_requests_that_were_on_their_way_before_it_ended(tmp_path):
    async def both(quick):
        slow = quick.model_copy(update={"quiet": 0.6})  # as in another process that has just looked into the cache
        late = asyncio.create_task(map_async(slow.complete, questions(4)))
        await asyncio.sleep(0.05)
        return await map_async(quick.complete, questions(4)), await late

    with Loopback(shout) as server:
        first, second = run_async(both(batch_model(server, tmp_path)))
    assert (texts(first), texts(second), lines_of(server)) == (shouted(4), shouted(4), [4])
    assert left_in(tmp_path) == []


def test_replies_that_nobody_asked_for_yet_are_kept_until_somebody_does(tmp_path):
    async def half(model):
        tasks = [asyncio.create_task(model.complete(each)) for each in questions(4)]
        while not server.batch.batches:
            await asyncio.sleep(0.01)
        for task in tasks[2:]:
            task.cancel()
        return await asyncio.gather(*tasks[:2])

    with Loopback(shout, batch=BatchApi(seconds=0.2)) as server:
        model = batch_model(server, tmp_path)
        assert texts(run_async(half(model))) == shouted(2)
        assert len(left_in(tmp_path, 1)) == 1
        assert texts(ask(model, questions(4)[2:])) == shouted(4)[2:]
    assert (lines_of(server), left_in(tmp_path)) == ([4], [])


def test_rows_that_join_a_batch_do_not_wait_for_its_other_rows(tmp_path):
    released = threading.Event()

    def first_waits(body):
        if shout(body) == "QUESTION 0":
            released.wait(10)
        return shout(body)

    async def join_late(model):
        tasks = [asyncio.create_task(model.complete(each)) for each in questions(3)]
        while not server.batch.batches:
            await asyncio.sleep(0.01)
        for task in tasks[1:]:
            task.cancel()
        while not server.received:
            await asyncio.sleep(0.01)
        late = await asyncio.wait_for(model.complete(Request("question 1")), 5)
        released.set()
        return [await tasks[0], late]

    # The first line is not made by the batch, so its row waits for a direct call.
    api = BatchApi(line_fault=failing_lines(Fault("drop"), 1), seconds=0.2)
    with Loopback(first_waits, batch=api) as server:
        answers = run_async(join_late(batch_model(server, tmp_path)))
    assert (texts(answers), lines_of(server)) == (shouted(2), [3])


def test_a_reply_is_stored_before_its_job_lets_go_of_it(tmp_path):
    with Loopback(shout) as server:
        model, cache = batch_model(server, tmp_path / "jobs"), RequestCache(tmp_path / "cache.sqlite")
        with Session(cache) as session:
            run_async(map_async(lambda each: session.complete(model, each), questions(600), limit=600))
    assert (cache.count(), left_in(tmp_path / "jobs")) == (600, [])


def test_no_file_holds_the_key(tmp_path, key):
    seen = []

    def fault(number, route):
        seen.extend(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        return Fault("status", 500, message=f"bad key {key}") if number == 1 else None

    with Loopback(shout, batch=BatchApi(fault=fault)) as server:
        ask(batch_model(server, tmp_path), questions(3))
        assert server.batch_calls[0].authorization == f"Bearer {key}"
    assert len(seen) > 20
    assert not any(key.encode() in content or b"Bearer" in content for content in seen)


def test_a_key_that_a_batch_repeats_is_masked_in_its_files_and_replies(tmp_path, key):
    fault = Fault("status", 400, message=f"odd {key}")
    api = BatchApi(line_fault=lambda number, custom_id: fault if number == 1 else None)
    with Loopback(lambda body: f"your key is {key}", batch=api) as server:
        answers = ask(batch_model(server, tmp_path), questions(3))
    assert sorted(getattr(each, "text", None) or str(each).partition(" answered ")[2] for each in answers) == [
        "400: odd …",
        "your key is …",
        "your key is …",
    ]
    partial, path = tmp_path / ".output.jsonl", tmp_path / "output.jsonl"
    partial.write_text(f'{{"a": "{key}"}}\n{{"b": 1}}\n')
    _put_masked(partial, path, key)
    assert (path.read_text(), list(tmp_path.glob(".output*"))) == ('{"a": "…"}\n{"b": 1}\n', [])


def test_an_answer_about_batches_without_an_end_is_left_when_the_time_is_over(tmp_path):
    async def pages(client):
        while True:
            await asyncio.sleep(0.01)

    server = BatchServer(OpenAIModel(name="m", base_url="http://127.0.0.1:9/v1", timeout=0.1), 1.0, 1.0)
    with pytest.raises(TimedOutError, match=r"did not complete its reply within 0\.1 s"):
        run_async(server._call(pages))


def test_lines_without_an_end_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.batch.server.MOST_BODY", 100)
    path = tmp_path / "output.jsonl"
    path.write_bytes(b"x" * 1_000 + b'\n{"custom_id": "a"}\n')
    with path.open("rb") as file:
        assert [len(line) for line in bounded_lines(file)] == [100] * 10 + [1, 19]
