"""Arbitrary bytes, headers and JSON in place of a reply: a reply or an error of ours, never much memory."""

import json
import math
import tracemalloc
from contextlib import contextmanager
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from dataflow_ext.errors import DataflowError
from dataflow_ext.models import ModelError, Reply, RequestCache, Usage
from dataflow_ext.models.batch.server import outcomes
from dataflow_ext.models.chat import counts_of, read_reply, status_failure
from dataflow_ext.models.http.body import Body, BodyError
from dataflow_ext.models.http.connection import HttpReply, NotHttpError
from dataflow_ext.models.untrusted import MOST_BELIEVED, pause_after, wait_asked_for

#: What a case of some kB may take; 64 MB and less are measured by the storm.
MOST_MEMORY = 8_000_000

#: What HTTP is made of, whole and broken.
FRAGMENTS = [
    *(
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.0 500\r\n",
        b"HTTP/1.1 100 Go\r\n\r\n",
        b"HTTP/1.1 101 X\r\n\r\n",
        b"HTTP/1.1 099 X\r\n\r\n",
    ),
    *(
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 99999999999999999999\r\n",
        b"content-length: 5, 5\r\n",
    ),
    *(
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Connection: close\r\n",
        b"Upgrade: x\r\n",
    ),
    *(
        b"Content-Encoding: gzip\r\n",
        b"Content-Encoding: deflate\r\n",
        b"Content-Encoding: \xff\r\n",
        b"X: \xe4\r\n",
        b" folded\r\n",
    ),
    *(
        b"\r\n",
        b"\n",
        b"\r\n\r\n",
        b"5\r\nhello\r\n",
        b"0\r\n\r\n",
        b"ffffffffff\r\n",
        b"0;x=1\r\nT: 1\r\n\r\n",
        b"hello",
        b"\x1f\x8b\x08",
    ),
]
WIRE = st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=40), max_size=30).map(b"".join) | st.binary(
    max_size=2_000
)

NUMBERS = st.integers() | st.floats() | st.sampled_from([10**30, -(10**30), 1e30, True, 2**63])
SCALARS = (
    st.none()
    | st.booleans()
    | NUMBERS
    | st.text(max_size=20)
    | st.sampled_from(["\ud800", "a\x00", "length", "content_filter"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def fields(**values):
    """An object with some of these fields, each as it should be or anything."""
    return st.fixed_dictionaries({}, optional={name: value | VALUES for name, value in values.items()})


USAGE = fields(
    prompt_tokens=NUMBERS,
    completion_tokens=NUMBERS,
    prompt_tokens_details=fields(cached_tokens=NUMBERS),
    completion_tokens_details=fields(reasoning_tokens=NUMBERS),
)
MESSAGE = fields(content=st.text(), refusal=st.text(), reasoning=st.text(), tool_calls=st.lists(VALUES, max_size=2))
CHOICE = fields(message=MESSAGE, finish_reason=st.text(max_size=10))
COMPLETIONS = fields(choices=st.lists(CHOICE, min_size=1, max_size=2), usage=USAGE, model=st.text(max_size=10)) | VALUES
HEADERS = st.dictionaries(
    st.sampled_from(
        ["retry-after", "retry-after-ms", "location"]
        + [f"x-ratelimit-{what}-{kind}" for what in ("reset", "remaining") for kind in ("requests", "tokens")]
    ),
    st.text(st.characters(max_codepoint=255))
    | st.from_regex(r"[+-]?[0-9]{1,40}(\.[0-9]+)?(e[0-9]+|ms|s|m|h|d)?", fullmatch=True)
    | st.datetimes().map(lambda when: when.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    | st.sampled_from(["0", "nan", "inf"]),
)


@contextmanager
def bounded():
    """A block that takes little memory."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY


@given(raw=WIRE, cuts=st.lists(st.integers(0, 2_000), max_size=6))
@example(raw=b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", cuts=[])
def test_any_bytes_are_a_reply_or_none(raw, cuts):
    reply = HttpReply()
    edges = [0, *sorted(cuts), len(raw)]
    with bounded():
        try:
            for start, end in pairwise(edges):
                reply.feed(raw[start:end])
        except (NotHttpError, BodyError) as error:
            assert str(error)
        else:
            reply.end()
    if reply.complete:
        assert 200 <= reply.status < 1_000
        assert len(reply.content) <= 1_100 * len(raw)


@given(
    pieces=st.lists(st.binary(max_size=200), max_size=20),
    encoding=st.sampled_from([None, "gzip", "deflate"]),
    most=st.integers(1, 500),
)
def test_a_body_never_gives_more_than_its_bound(pieces, encoding, most):
    body, given_out = Body(encoding, most), 0
    with bounded():
        try:
            for piece in pieces:
                given_out += len(body.take(piece))
            body.end()
        except BodyError:
            pass
    assert given_out <= most


@given(headers=HEADERS)
def test_any_headers_ask_for_a_wait_of_at_most_a_day_or_for_none(headers):
    wait = wait_asked_for(headers)
    assert wait is None or 0 <= wait <= MOST_BELIEVED
    assert 0 <= pause_after(headers) <= MOST_BELIEVED


@given(text=st.text())
@example("Fri, 31 Dec 9999 23:59:59 -2359")
@example("Mon, 01 Jan 0001 00:00:00 +2359")
@example("Mon, 99 Jan 99999 99:99:99 +99999999999999")
def test_any_text_as_a_wait_is_one_or_none(text):
    wait = wait_asked_for({"retry-after": text})
    assert wait is None or 0 <= wait <= MOST_BELIEVED


@given(content=COMPLETIONS.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=500))
def test_any_content_is_a_reply_that_can_be_kept_or_an_error_of_ours(content):
    with bounded():
        try:
            reply = read_reply(content, "m", key="sk-a-key-of-ours")
        except ModelError as error:
            reply = getattr(error, "reply", None) or Reply("")
    assert all(
        0 <= count <= 100_000_000 for count in (reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens)
    )
    cache = RequestCache()
    cache.put("00" * 32, reply)
    kept = cache.get("00" * 32)
    assert (kept.text, kept.tokens, kept.finish_reason, kept.model) == (
        reply.text,
        reply.tokens,
        reply.finish_reason,
        reply.model,
    )


@given(usages=st.lists(USAGE | VALUES, min_size=1, max_size=5))
def test_any_usage_can_be_added_up_and_noted(usages):
    total = Usage()
    for usage in usages:
        total.paid(Reply("a", "stop", *counts_of(usage)[:3]), 0.0)
    cache = RequestCache()
    total.requests = len(usages)
    cache.note_session(total)
    assert 0 <= total.tokens <= len(usages) * 200_000_000
    assert math.isfinite(total.usd)


@given(
    status=st.integers(300, 999),
    content=VALUES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=300),
    headers=HEADERS,
)
def test_any_answer_that_is_no_success_is_an_error_of_ours(status, content, headers):
    with bounded():
        error = status_failure(status, content, headers, "http://127.0.0.1/v1", "sk-a-key-of-ours")
    assert isinstance(error, DataflowError)
    assert len(str(error)) < 3_000


LINE = fields(
    custom_id=st.just("a"),
    error=fields(message=st.text()),
    response=fields(status_code=st.sampled_from([200, 400, 429, 500]), body=COMPLETIONS),
)


@given(lines=st.lists(LINE.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=100), max_size=4))
def test_any_result_file_of_a_batch_gives_replies_and_errors_of_ours(tmp_path_factory, lines):
    folder = tmp_path_factory.getbasetemp()
    (folder / "output.jsonl").write_bytes(b"\n".join(lines))

    class Job:
        errors, output = folder / "errors.jsonl", folder / "output.jsonl"

    class Model:
        name, server, api_key_env = "m", "http://127.0.0.1/v1", "OPENAI_API_KEY"

    found = outcomes(Job(), Model(), {"a"})
    assert all(isinstance(each, Reply | DataflowError) for each in found.values())
