"""The wire format: bodies, replies of unusual make, and what a server's errors and headers mean."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import openai
import pytest

from dataflow_ext.models import (
    AccessError,
    GarbledReplyError,
    OpenAIModel,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    Reply,
    Request,
    RetryableError,
    ServerFailedError,
)
from dataflow_ext.models.chat import chat_body, client_failure, read_reply, status_failure, unknown_failure
from dataflow_ext.models.untrusted import wait_asked_for


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-7"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        (
            {
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-tokens": "20ms",
                "x-ratelimit-remaining-tokens": "900",
            },
            360.0,
        ),
        ({"x-ratelimit-reset-requests": "?"}, None),
        ({"retry-after": "2, 5"}, 5.0),
        ({"retry-after": "Mon, 01 Jan 1990 00:00:00 GMT"}, 0.0),
        ({"retry-after": "86400"}, 86_400.0),
        ({"retry-after": "86401"}, None),
        ({"retry-after": "1" + "0" * 30}, None),
        ({"retry-after": "1e30"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, None),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 -9999"}, None),
        ({"retry-after": "zwölf"}, None),
        ({"retry-after": "7" * 200_000}, None),
        ({"retry-after-ms": "nan", "retry-after": "7"}, 7.0),
        ({"x-ratelimit-reset-requests": "9" * 200_000}, None),
        ({"x-ratelimit-reset-requests": "99999999d"}, None),
    ],
    ids=lambda value: str(value)[:60],
)
def test_the_wait_is_read_from_the_headers(headers, seconds):
    assert wait_asked_for(headers) == seconds


def test_a_wait_given_as_a_date_is_the_time_until_then():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert wait_asked_for({"retry-after": date}) == pytest.approx(90, abs=3)


def completion(usage=None, **message):
    choice = {"finish_reason": message.pop("reason", None), "message": message}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def test_a_reply_without_usage_or_reason_is_a_complete_one_with_unknown_tokens():
    assert read_reply(completion(content="hi"), "m") == Reply("hi", "stop", 0, 0, 0, "m")


def test_all_tokens_that_the_server_counts_are_read():
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    reply = read_reply(completion(usage, content="hi", reason="stop"), "m", pause=2.0)
    assert (reply, reply.pause) == (Reply("hi", "stop", 9, 4, 7, "m", reasoning_tokens=5), 2.0)


@pytest.mark.parametrize(
    "usage",
    [
        [],
        "many",
        7,
        {"prompt_tokens": 1e30, "completion_tokens": -1},
        {"prompt_tokens": float("nan"), "completion_tokens": float("inf")},
        {"prompt_tokens": "12", "completion_tokens": True},
        {"prompt_tokens": 10**400, "completion_tokens": {}},
        {"prompt_tokens_details": [1], "completion_tokens_details": "x"},
        {"prompt_tokens_details": {"cached_tokens": -3}, "completion_tokens_details": {"reasoning_tokens": 1e99}},
    ],
    ids=lambda usage: str(usage)[:60],
)
def test_counts_that_no_call_can_have_count_as_missing(usage):
    assert read_reply(completion(usage, content="hi"), "m") == Reply("hi", model="m")


def test_text_in_parts_is_joined():
    assert read_reply(completion(content=[{"text": "a"}, {"text": None}, {"text": "b"}]), "m").text == "ab"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("stop", "stop"),
        (None, "stop"),
        ("", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("tool_calls", "tool_calls"),
        ("eos", "eos"),
    ],
)
def test_reasons_of_one_meaning_have_one_name(given, reason):
    assert read_reply(completion(content="hi", reason=given), "m") == Reply("hi", reason, model="m")


def test_a_model_that_thought_until_its_limit_gives_an_empty_cut_off_reply():
    reply = read_reply(completion(content=None, reason="length"), "m")
    assert (reply.text, reply.finish_reason) == ("", "length")


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ({"reasoning_content": "Let me see."}, "stop"),
        ({"reasoning": "Let me see."}, "stop"),
        ({"tool_calls": [{"id": "1"}]}, "tool_calls"),
    ],
)
def test_a_model_that_only_thought_or_called_a_tool_gave_an_empty_text(extra, reason):
    reply = read_reply(completion(content=None, reason=reason, **extra), "m")
    assert (reply.text, reply.finish_reason, reply.model) == ("", reason, "m")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_what_a_model_thought_is_kept_with_the_name_of_its_field_and_without_the_key(field):
    reply = read_reply(completion(content="4", **{field: "2 + 2, said sk-012345678"}), "m", key="sk-012345678")
    assert (reply.text, reply.reasoning, reply.reasoning_source) == ("4", "2 + 2, said …", field)
    assert Reply.remembered(reply.record()).reasoning == reply.reasoning


@pytest.mark.parametrize("odd", [{"reasoning_content": ["a"]}, {"reasoning": 1}, {"reasoning_content": ""}, {}])
def test_thoughts_of_another_type_are_none_and_take_no_room_in_a_record(odd):
    reply = read_reply(completion(content="4", **odd), "m")
    assert (reply.reasoning, reply.reasoning_source) == ("", "")
    assert not {"reasoning", "reasoning_source", "seconds"} & reply.record().keys()


def test_a_reply_without_a_word_is_garbled_and_may_be_better_the_next_time():
    with pytest.raises(GarbledReplyError, match=r"^The reply of model m has no text \(finish reason stop\)\.$"):
        read_reply(completion(content=None), "m")


def test_thoughts_are_no_part_of_the_text():
    assert read_reply(completion(content="4", reasoning_content="2 + 2"), "m").text == "4"


@pytest.mark.parametrize(
    ("message", "told", "words"),
    [
        ({"content": None, "refusal": "No."}, "Model m declined to answer: No.", "No."),
        ({"content": None, "reason": "content_filter"}, "The server's content filter stopped model m.", ""),
        (
            {"content": "First take", "reason": "content_filter"},
            "The server's content filter stopped model m: First take",
            "First take",
        ),
        ({"content": "a", "reason": "SAFETY"}, "The server's content filter stopped model m: a", "a"),
    ],
)
def test_refusals_and_what_a_filter_stopped_keep_their_words_and_price(message, told, words):
    with pytest.raises(RefusedError) as caught:
        read_reply(completion({"prompt_tokens": 3, "completion_tokens": 1}, **message), "m")
    assert (str(caught.value), caught.value.reply) == (told, Reply(words, "refusal", 3, 0, 1, "m"))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b"\xff", completion(content=7)),
        *(b"[" * 100_000, b'{"choices": [' + b"[]," * 2_000_000 + b"[]]}"),
    ],
    ids=range(9),
)
def test_anything_else_is_garbled(content):
    with pytest.raises(GarbledReplyError, match="no chat completion"):
        read_reply(content, "m")


# -- what is sent


def test_the_constant_part_is_first_and_what_followed_is_last():
    request = Request(
        "look",
        system="be brief",
        follow_up=("no json", "mend it", "still no", "again"),
    )
    assert chat_body(OpenAIModel(name="m", temperature=None), request, ["https://x.org/a.png"]) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "be brief"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look"},
                    {"type": "image_url", "image_url": {"url": "https://x.org/a.png"}},
                ],
            },
            {"role": "assistant", "content": "no json"},
            {"role": "user", "content": "mend it"},
            {"role": "assistant", "content": "still no"},
            {"role": "user", "content": "again"},
        ],
    }


def test_pictures_that_are_urls_already_are_not_made_again():
    body = chat_body(OpenAIModel(name="m"), Request("look", images=("gone.png",)), ["data:made"])
    assert body["messages"][0]["content"][1] == {"type": "image_url", "image_url": {"url": "data:made"}}


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        (None, "max_completion_tokens"),
        ("http://localhost:8000/v1", "max_tokens"),
        ("https://openrouter.ai/api/v1", "max_tokens"),
    ],
)
def test_the_limit_has_the_name_that_the_server_knows(base_url, name):
    body = chat_body(OpenAIModel(name="m", base_url=base_url, max_tokens=9), Request("a"))
    assert {key: value for key, value in body.items() if key.startswith("max_")} == {name: 9}


CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def around(inner):
    return CLOSED | {"properties": {"a": inner}}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (around(CLOSED), True),
        (around({"type": ["object", "null"]} | CLOSED), True),
        (around({"anyOf": [CLOSED, {"type": "null"}]}), True),
        (around({"type": "array", "items": {"$ref": "#/$defs/one"}}) | {"$defs": {"one": CLOSED}}, True),
        (around({"type": "string", "enum": ["default", "not"]}), True),
        (CLOSED | {"properties": {"not": {"type": "string"}}, "required": ["not"]}, True),
        ({"type": "object"}, False),
        ({"type": ["object", "null"]}, False),
        (CLOSED | {"additionalProperties": True}, False),
        (CLOSED | {"required": []}, False),
        (around({"type": "string", "default": "x"}), False),
        (around({"anyOf": [{"type": "object"}, {"type": "null"}]}), False),
        (around({"type": "array", "items": {"type": "object"}}), False),
        (around({"$ref": "#/$defs/one"}) | {"$defs": {"one": {"type": "object"}}}, False),
        (around({"not": {"type": "string"}}), False),
    ],
)
def test_a_schema_is_sent_as_strict_only_if_it_follows_the_rules(schema, strict):
    body = chat_body(OpenAIModel(name="m"), Request("a", json_schema=schema, schema_name="rows"))
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "rows", "schema": schema, "strict": strict},
    }


# -- what a server's errors mean


@pytest.mark.parametrize(
    ("status", "content", "kind"),
    [
        (400, b'{"error": {"message": "too long"}}', RejectedRequestError),
        (400, b'{"detail": "too long"}', RejectedRequestError),
        (400, b'{"error": "too long"}', RejectedRequestError),
        (400, b"<html>Bad Request</html>", ServerFailedError),
        (400, b"", ServerFailedError),
        (413, b"", RejectedRequestError),
        (422, b"<html>", RejectedRequestError),
        (401, b"", AccessError),
        (410, b"", AccessError),
        (302, b"", AccessError),
        (402, b"", QuotaError),
        (418, b'{"error": {"message": "no"}}', ServerFailedError),
        (425, b"", ServerFailedError),
        (429, b'{"error": {"code": 429, "type": ["x"]}}', RateLimitedError),
        (429, b"[" * 100_000, RateLimitedError),
        (451, b"", ServerFailedError),
        (503, b"\xff\xfe", ServerFailedError),
        (999, b"null", ServerFailedError),
    ],
)
def test_only_what_a_server_says_of_the_request_itself_is_final(status, content, kind):
    error = status_failure(status, content, {"retry-after": "zwölf"}, "http://127.0.0.1/v1", "a-secret-key")
    assert type(error) is kind
    assert error.transient is (kind is not RejectedRequestError)


def test_what_no_library_should_raise_may_pass_and_holds_neither_key_nor_content():
    try:
        content = "x" * 1_000
        raise UnicodeError(f"odd a-secret-key in {content[:3]}")
    except UnicodeError as error:
        failure = unknown_failure(error, "http://127.0.0.1/v1", "a-secret-key")
    assert (type(failure), failure.transient, failure.__traceback__, failure.__context__) == (
        RetryableError,
        True,
        None,
        None,
    )
    assert str(failure) == "The call to http://127.0.0.1/v1 failed: UnicodeError: odd … in xxx"


def told_off(monkeypatch, **error):
    """What a 400 with that error means, as OpenAI's client brings it."""
    monkeypatch.setattr("dataflow_ext.models.chat._new_name_wanted", set())
    request = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
    response = httpx2.Response(400, json={"error": error}, request=request)
    return client_failure(
        openai.BadRequestError(error["message"], response=response, body=error), "http://127.0.0.1/v1", "a-secret-key"
    )


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_request_that_a_filter_refused_is_a_refusal_that_can_be_kept(monkeypatch, code):
    error = told_off(monkeypatch, code=code, message="It triggered the policy.")
    assert isinstance(error, RefusedError)
    assert (
        str(error)
        == "The content filter refused the request: http://127.0.0.1/v1 answered 400: It triggered the policy."
    )
    assert error.reply == Reply("It triggered the policy.", "refusal")


def test_a_server_that_wants_the_newer_name_of_the_limit_gets_it_from_then_on(monkeypatch):
    error = told_off(monkeypatch, code="unsupported_parameter", message="Use 'max_completion_tokens'.")
    assert (type(error), error.retry_after, error.overload) == (RetryableError, 0.0, False)
    body = chat_body(OpenAIModel(name="m", base_url="http://127.0.0.1/v1", max_tokens=9), Request("a"))
    assert {key: value for key, value in body.items() if key.startswith("max_")} == {"max_completion_tokens": 9}


def test_a_temperature_that_the_model_does_not_take_is_told_with_the_remedy(monkeypatch):
    error = told_off(monkeypatch, code="unsupported_value", message="'temperature' must be 1.")
    assert (type(error), error.code) == (RejectedRequestError, "unsupported_value")
    assert str(error).endswith(
        "'temperature' must be 1. Leave it to the server: temperature None, or --temperature none."
    )
