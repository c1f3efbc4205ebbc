"""Waits that servers ask for, and replies of unusual make."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from dataflow_ext.models import GarbledReplyError, RefusedError, Reply
from dataflow_ext.models.chat import read_reply, wait_asked_for


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
    ],
)
def test_the_wait_is_read_from_the_headers(headers, seconds):
    assert wait_asked_for(headers) == seconds


def test_a_wait_given_as_a_date_is_the_time_until_then():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert wait_asked_for({"retry-after": date}) == pytest.approx(90, abs=3)


def completion(**message):
    return json.dumps({"choices": [{"message": message, "finish_reason": message.pop("reason", None)}]}).encode()


def test_a_reply_without_usage_or_reason_is_a_complete_one_with_unknown_tokens():
    assert read_reply(completion(content="hi"), "m") == Reply("hi", "stop", 0, 0, 0, "m")


def test_text_in_parts_is_joined():
    assert read_reply(completion(content=[{"text": "a"}, {"text": "b"}]), "m").text == "ab"


def test_a_model_that_thought_until_its_limit_gives_an_empty_cut_off_reply():
    reply = read_reply(completion(content=None, reason="length"), "m")
    assert (reply.text, reply.finish_reason) == ("", "length")


def test_no_words_at_all_count_as_a_refusal():
    with pytest.raises(RefusedError, match=r"without words \(finish reason content_filter\)"):
        read_reply(completion(content=None, reason="content_filter"), "m")


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b"\xff"])
def test_anything_else_is_garbled(content):
    with pytest.raises(GarbledReplyError, match="no chat completion"):
        read_reply(content, "m")
