"""Batches of the loopback server, as the real client sees them: files, statuses, lines that fail or expire."""

import json
import time

import openai
import pytest

from tests.loopback import Fault
from tests.support.batch_api import BatchApi, Loopback

CHAT = "/v1/chat/completions"


def line(name, text="", **changes):
    body = {"model": "m", "messages": [{"role": "user", "content": text or f"prompt {name}"}]}
    return {"custom_id": name, "method": "POST", "url": CHAT, "body": body, **changes}


def content(lines):
    return "".join(json.dumps(entry) + "\n" for entry in lines).encode()


def client(server):
    return openai.OpenAI(base_url=server.url, api_key="k", max_retries=0, timeout=5)


def begin(api, data, **options):
    file = api.files.create(file=("requests.jsonl", data), purpose="batch")
    return api.batches.create(input_file_id=file.id, endpoint=CHAT, completion_window="24h", **options)


def finish(api, batch):
    """The batch once it has reached its last status, and the statuses on the way there."""
    statuses = [batch.status]
    while batch.status in ("validating", "in_progress", "finalizing", "cancelling"):
        time.sleep(0.005)
        batch = api.batches.retrieve(batch.id)
        statuses += [batch.status] if batch.status != statuses[-1] else []
    return batch, statuses


def read(api, name):
    return [json.loads(text) for text in api.files.content(name).text.splitlines()] if name else []


def by_id(entries):
    return {entry["custom_id"]: entry for entry in entries}


def test_files_are_stored_described_listed_read_and_deleted():
    with Loopback() as server:
        api = client(server)
        made = [api.files.create(file=(f"{n}.jsonl", b"\x00\r\n--line %d" % n), purpose="batch") for n in range(3)]
        assert made[1].model_dump() | {"created_at": 0} == {
            "id": "file-000002",
            "object": "file",
            "bytes": 11,
            "created_at": 0,
            "filename": "1.jsonl",
            "purpose": "batch",
            "status": "processed",
            "expires_at": None,
            "status_details": None,
        }
        assert api.files.retrieve(made[1].id) == made[1]
        assert api.files.content(made[1].id).content == b"\x00\r\n--line 1"
        assert [file.id for file in api.files.list(limit=2)] == ["file-000003", "file-000002", "file-000001"]
        assert [file.id for file in api.files.list(order="asc", purpose="batch").data] == [file.id for file in made]
        assert api.files.list(purpose="vision").data == []
        assert api.files.delete(made[1].id).deleted
        with pytest.raises(openai.NotFoundError, match="No such File object: file-000002"):
            api.files.content(made[1].id)
    assert [file.filename for file in server.batch.files] == ["0.jsonl", "2.jsonl"]


def test_a_batch_answers_each_line_once_and_out_of_order():
    names = [f"r-{n}" for n in range(40)]
    with Loopback(lambda body: body["messages"][0]["content"].upper()) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content(map(line, names)), metadata={"run": "7"}))
        entries = read(api, batch.output_file_id)
    assert (batch.status, batch.error_file_id, batch.metadata) == ("completed", None, {"run": "7"})
    assert batch.request_counts.model_dump() == {"total": 40, "completed": 40, "failed": 0}
    found = [entry["custom_id"] for entry in entries]
    assert (sorted(found), found == names) == (sorted(names), False)
    assert by_id(entries)["r-7"] == {
        "id": "batch_req_1_8",
        "custom_id": "r-7",
        "response": {
            "status_code": 200,
            "request_id": "req_1_8",
            "body": {
                "id": "chatcmpl-loopback",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": "PROMPT R-7"},
                        "finish_reason": "stop",
                    }
                ],
                "usage": {
                    "prompt_tokens": 2,
                    "completion_tokens": 2,
                    "total_tokens": 4,
                    "prompt_tokens_details": {"cached_tokens": 1},
                },
            },
        },
        "error": None,
    }
    assert batch.to_dict()["usage"] == {
        "input_tokens": 80,
        "input_tokens_details": {"cached_tokens": 40},
        "output_tokens": 80,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 160,
    }
    assert sorted(server.batch.answered) == sorted((batch.id, name) for name in names)
    assert (server.calls, server.received) == ([], 0)


def test_a_batch_goes_through_the_real_statuses_in_its_time():
    with Loopback(batch=BatchApi(seconds=0.4)) as server:
        api = client(server)
        began = time.monotonic()
        batch, statuses = finish(api, begin(api, content([line("a"), line("b")])))
        seconds = time.monotonic() - began
    assert statuses == ["validating", "in_progress", "finalizing", "completed"]
    assert 0.4 <= seconds < 2
    given = {name for name in ("in_progress", "finalizing", "completed") if getattr(batch, f"{name}_at") is not None}
    missing = {
        name for name in ("failed", "expired", "cancelling", "cancelled") if getattr(batch, f"{name}_at") is None
    }
    assert given | missing == {"in_progress", "finalizing", "completed", "failed", "expired", "cancelling", "cancelled"}
    assert batch.expires_at - batch.created_at == 86_400
    polls = [call for call in server.batch_calls if call.route == "GET /batches/{id}"]
    assert [call.number for call in polls] == list(range(1, len(polls) + 1))
    assert {(call.path, call.outcome, call.delivered) for call in polls} == {(f"/v1/batches/{batch.id}", "ok", True)}


def test_lines_fail_expire_and_are_spoilt_as_their_switch_says():
    fates = {
        "bad": Fault("status", 400, "context_length_exceeded", message="too long"),
        "late": Fault("expire"),
        "lost": Fault("drop"),
        "short": Fault("length"),
        "shy": Fault("refusal"),
        "bare": Fault("empty"),
    }
    names = ["good", *fates]
    with Loopback(lambda body: "0123", batch=BatchApi(line_fault=lambda number, name: fates.get(name))) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content(map(line, names))))
        output = by_id(read(api, batch.output_file_id))
        errors = by_id(read(api, batch.error_file_id))
    assert (batch.status, batch.completed_at) == ("expired", None)
    assert batch.request_counts.model_dump() == {"total": 7, "completed": 4, "failed": 3}
    choices = {name: entry["response"]["body"]["choices"] for name, entry in output.items()}
    assert {name: c and (c[0]["message"]["content"], c[0]["finish_reason"]) for name, c in choices.items()} == {
        "good": ("0123", "stop"),
        "short": ("01", "length"),
        "shy": (None, "stop"),
        "bare": [],
    }
    assert errors == {
        "bad": {
            "id": "batch_req_1_2",
            "custom_id": "bad",
            "response": {
                "status_code": 400,
                "request_id": "req_1_2",
                "body": {
                    "error": {
                        "message": "too long",
                        "type": "context_length_exceeded",
                        "param": None,
                        "code": "context_length_exceeded",
                    }
                },
            },
            "error": None,
        },
        "late": {
            "id": "batch_req_1_3",
            "custom_id": "late",
            "response": None,
            "error": {
                "code": "batch_expired",
                "message": "This request could not be executed before the completion window expired.",
            },
        },
    }
    assert sorted(name for _, name in server.batch.answered) == ["bare", "good", "short", "shy"]


def test_line_numbers_choose_too_and_output_lines_may_be_no_json():
    spoil = {1: Fault("garbage"), 2: Fault("cut")}
    with Loopback(batch=BatchApi(line_fault=lambda number, name: spoil.get(number))) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content(map(line, "abc"))))
        texts = sorted(api.files.content(batch.output_file_id).text.splitlines(), key=len)
    assert texts[0] == "<html>"
    assert texts[1] == texts[2][: len(texts[1])].replace('_3"', '_2"').replace('"c"', '"b"')
    assert len(texts[1]) == len(texts[2]) // 2


def test_if_no_line_succeeds_there_is_no_output_file():
    api_side = BatchApi(line_fault=lambda number, name: Fault("status", 500))
    with Loopback(batch=api_side) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content(map(line, "ab"))))
        errors = read(api, batch.error_file_id)
    assert (batch.status, batch.output_file_id) == ("completed", None)
    assert [entry["response"]["status_code"] for entry in errors] == [500, 500]


BAD_LINES = [
    (b"{no json\n", ("invalid_json_line", None, 1)),
    (b"[1]\n", ("invalid_json_line", None, 1)),
    (content([line("a"), line("a")]), ("duplicate_custom_id", "custom_id", 2)),
    (content([line("a"), line("b", url="/v1/embeddings")]), ("url_mismatch", "url", 2)),
    (content([line("a", method="GET")]), ("invalid_method", "method", 1)),
    (content([line(7)]), ("missing_required_parameter", "custom_id", 1)),
    (content([line("a", body={"model": "m"})]), ("missing_required_parameter", "body.messages", 1)),
    (content([line("a"), line("b", body=line("b")["body"] | {"model": "n"})]), ("model_mismatch", "body.model", 2)),
    (b"\n", ("empty_file", None, None)),
    (content(map(line, "abcd")), ("too_many_tasks", None, None)),
]


@pytest.mark.parametrize(("data", "error"), BAD_LINES, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_batch_of_malformed_input_fails_with_the_line_named(data, error):
    with Loopback(batch=BatchApi(most_lines=3)) as server:
        api = client(server)
        batch, statuses = finish(api, begin(api, data))
    assert statuses == ["validating", "failed"]
    assert [(e.code, e.param, e.line) for e in batch.errors.data] == [error]
    assert (batch.output_file_id, batch.error_file_id, server.batch.answered) == (None, None, [])


def test_a_batch_that_cannot_be_made_is_refused_at_once():
    with Loopback() as server:
        api = client(server)
        other = api.files.create(file=("a.txt", b"a"), purpose="user_data")
        asked = {"input_file_id": other.id, "endpoint": CHAT, "completion_window": "24h"}
        with pytest.raises(openai.BadRequestError, match="purpose is not 'batch'"):
            api.batches.create(**asked)
        with pytest.raises(openai.BadRequestError, match="No such File object: file-9"):
            api.batches.create(**asked | {"input_file_id": "file-9"})
        good = api.files.create(file=("a.jsonl", content([line("a")])), purpose="batch")
        for change in ({"endpoint": "/v1/moderations"}, {"completion_window": "1h"}):
            with pytest.raises(openai.BadRequestError) as caught:
                api.batches.create(**asked | {"input_file_id": good.id} | change)
            assert caught.value.param == next(iter(change))
        with pytest.raises(openai.NotFoundError, match="No such Batch object: batch_000001"):
            api.batches.retrieve("batch_000001")
    assert server.batch.batches == []


def test_batches_are_listed_newest_first_in_pages():
    with Loopback() as server:
        api = client(server)
        made = [finish(api, begin(api, content([line("a")])))[0].id for _ in range(5)]
        first = api.batches.list(limit=2)
        assert [batch.id for batch in first.data] == made[:2:-1]
        assert first.has_more
        assert [batch.id for batch in api.batches.list(limit=2)] == made[::-1]
        assert [batch.id for batch in api.batches.list(after=made[1]).data] == [made[0]]
    assert [batch["id"] for batch in server.batch.batches] == made


def test_a_cancelled_batch_keeps_what_was_done():
    with Loopback(batch=BatchApi(seconds=2)) as server:
        api = client(server)
        batch = begin(api, content([line(f"r-{n}") for n in range(100)]))
        while not batch.request_counts.completed:
            time.sleep(0.02)
            batch = api.batches.retrieve(batch.id)
        assert api.batches.cancel(batch.id).status == "cancelling"
        batch, _ = finish(api, batch)
        done = read(api, batch.output_file_id)
        with pytest.raises(openai.BadRequestError, match="Cannot cancel a batch with status 'cancelled'"):
            api.batches.cancel(batch.id)
    assert (batch.status, batch.request_counts.total, batch.cancelled_at is None) == ("cancelled", 100, False)
    assert 0 < len(done) == batch.request_counts.completed < 100


def test_a_whole_batch_fails_expires_or_never_ends_as_its_switch_says():
    fates = [Fault("status", code="token_limit_exceeded", message="too much enqueued"), Fault("expire"), Fault("hang")]
    with Loopback(batch=BatchApi(batch_fault=lambda number: fates[number - 1])) as server:
        api = client(server)
        failed, expired = (finish(api, begin(api, content(map(line, "ab"))))[0] for _ in range(2))
        endless = begin(api, content(map(line, "ab")))
        time.sleep(0.1)
        hanging = api.batches.retrieve(endless.id)
        api.batches.cancel(endless.id)
        cancelled, _ = finish(api, hanging)
        late = read(api, expired.error_file_id)
    assert [(e.code, e.message) for e in failed.errors.data] == [("token_limit_exceeded", "too much enqueued")]
    assert (failed.status, expired.status, hanging.status, cancelled.status) == (
        "failed",
        "expired",
        "in_progress",
        "cancelled",
    )
    assert sorted((entry["custom_id"], entry["error"]["code"]) for entry in late) == [
        ("a", "batch_expired"),
        ("b", "batch_expired"),
    ]
    assert server.batch.answered == []


def test_uploads_polls_and_downloads_can_be_broken():
    broken = {
        ("POST /files", 1): Fault("status", 503),
        ("POST /batches", 1): Fault("drop"),
        ("GET /batches/{id}", 2): Fault("reset"),
        ("GET /files/{id}/content", 1): Fault("cut"),
    }
    with Loopback(batch=BatchApi(fault=lambda number, route: broken.get((route, number)))) as server:
        api = client(server)
        with pytest.raises(openai.InternalServerError):
            begin(api, content([line("a")]))
        with pytest.raises(openai.APIConnectionError):
            begin(api, content([line("a")]))
        batch = begin(api, content([line("a")]))
        api.batches.retrieve(batch.id)
        with pytest.raises(openai.APIConnectionError):
            api.batches.retrieve(batch.id)
        batch, _ = finish(api, api.batches.retrieve(batch.id))
        with pytest.raises(openai.APIConnectionError):
            read(api, batch.output_file_id)
        assert [entry["custom_id"] for entry in read(api, batch.output_file_id)] == ["a"]
    outcomes = [(call.route, call.number, call.outcome) for call in server.batch_calls if call.outcome != "ok"]
    assert outcomes == [(route, number, fault.kind) for (route, number), fault in broken.items()]
    assert len(server.batch.batches) == 1


def test_a_batch_whose_reply_was_lost_has_been_made():
    with Loopback(
        batch=BatchApi(fault=lambda number, route: Fault("cut") if route == "POST /batches" else None)
    ) as server:
        api = client(server)
        with pytest.raises(openai.APIConnectionError):
            begin(api, content([line("a")]), metadata={"run": "7"})
        assert [batch.metadata for batch in api.batches.list()] == [{"run": "7"}]


def test_faults_that_only_a_chat_can_have_are_refused_elsewhere():
    with Loopback(batch=BatchApi(fault=lambda number, route: Fault("refusal"))) as server:
        with pytest.raises(openai.InternalServerError, match="refusal is for chat completions, not for GET /files"):
            client(server).files.list()
        server.batch.fault = lambda number, route: None
        server.batch.line_fault = lambda number, name: Fault("stall")
        batch, _ = finish(client(server), begin(client(server), content([line("a")])))
    assert [e.message for e in batch.errors.data] == ["ValueError: a fault of kind stall is not for a line of a batch"]


def test_a_brain_that_fails_fails_its_line():
    def brain(body):
        raise LookupError("no idea")

    with Loopback(brain) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content([line("a")])))
        (entry,) = read(api, batch.error_file_id)
    assert (entry["response"]["status_code"], entry["response"]["body"]["error"]["message"]) == (
        500,
        "LookupError: no idea",
    )


def test_a_large_batch_is_quick_and_leaves_room_for_polls():
    with Loopback(lambda body: "ok", threads=0) as server:
        api = client(server)
        batch, _ = finish(api, begin(api, content([line(f"r-{n}") for n in range(3_000)])))
        assert len(read(api, batch.output_file_id)) == 3_000
    assert batch.request_counts.completed == 3_000


def test_azure_has_files_and_batches_below_openai():
    with Loopback(lambda body: "fine") as server:
        api = openai.AzureOpenAI(
            azure_endpoint=server.url.removesuffix("/v1"), api_key="k", api_version="2024-10-21", max_retries=0
        )
        file = api.files.create(file=("a.jsonl", content([line("a", url="/chat/completions")])), purpose="batch")
        batch = api.batches.create(input_file_id=file.id, endpoint="/chat/completions", completion_window="24h")
        batch, _ = finish(api, batch)
        (entry,) = read(api, batch.output_file_id)
    assert entry["response"]["body"]["choices"][0]["message"]["content"] == "fine"
    assert {call.path.split("?")[1] for call in server.batch_calls} == {"api-version=2024-10-21"}
