"""The loopback server's replies: completions, streams of their pieces, lists and errors, and how one goes wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.loopback.wire import Outgoing

Kind = Literal[
    "status",
    "drop",
    "reset",
    "cut",
    "stall",
    "hang",
    "slow",
    "length",
    "refusal",
    "empty",
    "garbage",
    "expire",
]


@dataclass(frozen=True)
class Fault:
    """How one call is to go wrong; each kind first waits ``seconds``.

    Kinds for any call:

    * ``status``: that HTTP status with ``headers``, error ``code`` and ``message``;
    * ``drop``: the connection closes without a word;
    * ``reset``: ``part`` of the reply's content goes out, then the connection is reset (TCP RST);
    * ``cut``: ``part`` of the content goes out, then the connection closes;
    * ``stall``: ``part`` of the content goes out, then nothing more until the client leaves;
    * ``hang``: nothing goes out until the client leaves;
    * ``slow``: nothing but the wait of ``seconds``;
    * ``garbage``: status 200 with something that is no JSON.

    With a ``part`` of 0 the headers stay at home too. What a reply that is cut, reset or stalled on its way
    tells of has happened: a batch was made, a file was stored.

    Kinds for chat completions only: ``length`` is half of the text with that finish reason, ``refusal`` a
    refusal in place of content, ``empty`` a completion without choices. ``expire`` is for batches and their
    lines only, see :class:`tests.loopback.BatchApi`.
    """

    kind: Kind
    status: int = 500
    code: str = "injected"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    part: float = 0.5
    message: str = "injected by the test"


def limited(retry_after: float | None = None) -> Fault:
    """A 429, with a ``Retry-After`` if one is given.

    >>> limited(2).status, dict(limited(2).headers)
    (429, {'Retry-After': '2'})
    """
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Fault("status", 429, "rate_limit_exceeded", headers)


Body = dict[str, Any]

_PIECE = re.compile(r"\S+\s*|\s+")
_BROKEN = b'<html>{"choices": ['


def prompt_of(body: Body) -> str:
    r"""All text of a body's messages, joined by line ends.

    >>> prompt_of({"messages": [{"role": "user", "content": [{"type": "text", "text": "Look:"}]}]})
    'Look:'
    """
    parts: list[str] = []
    for message in body["messages"]:
        content = message.get("content") or ""
        if isinstance(content, str):
            parts.append(content)
        else:
            parts.extend(part["text"] for part in content if part["type"] == "text")
    return "\n".join(parts)


def usage(body: Body, text: str) -> Body:
    """Token counts: a token is four characters, and half of the prompt came from a cache."""
    prompt_tokens, completion_tokens = len(prompt_of(body)) // 4, len(text) // 4
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": prompt_tokens // 2},
    }


def completion(body: Body, text: str, kind: str = "ok", model: str = "loopback") -> Body:
    """A chat completion with that text, or what a fault's ``kind`` makes of it; ``model`` if the body has none."""
    message: Body = {"role": "assistant", "content": text}
    if kind == "refusal":
        message |= {"content": None, "refusal": "I would rather not."}
    if kind == "length":
        message["content"] = text[: len(text) // 2]
    choice = {"index": 0, "message": message, "finish_reason": "length" if kind == "length" else "stop"}
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", model),
        "choices": [] if kind == "empty" else [choice],
        "usage": usage(body, text),
    }


def chat_reply(body: Body, text: str, kind: str = "ok", model: str = "loopback") -> Outgoing:
    """The reply to a chat request, in one piece or as a stream, as the body asks for."""
    whole = completion(body, text, kind, model)
    if not body.get("stream"):
        return json_reply(whole)
    with_usage = bool((body.get("stream_options") or {}).get("include_usage"))
    return stream_reply([json.dumps(piece).encode() for piece in _pieces(whole, with_usage)] + [b"[DONE]"])


def stream_reply(events: Iterable[bytes]) -> Outgoing:
    """Server-sent events, each in an HTTP chunk of its own."""
    lines = [b"data: " + event + b"\n\n" for event in events]
    chunks = [b"%x\r\n%b\r\n" % (len(line), line) for line in lines]
    return Outgoing(b"".join([*chunks, b"0\r\n\r\n"]), content_type="text/event-stream", chunked=True)


def _pieces(whole: Body, with_usage: bool) -> Iterable[Body]:
    """What a stream sends of a completion: the role, word by word the text, the finish reason, the usage."""
    base = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    if with_usage:
        base["usage"] = None
    for choice in whole["choices"]:
        message = choice["message"]
        deltas = [{"role": "assistant", "content": ""}]
        deltas += [{"content": piece} for piece in _PIECE.findall(message["content"] or "")]
        deltas += [{"refusal": piece} for piece in _PIECE.findall(message.get("refusal", ""))]
        for delta in deltas:
            yield base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if with_usage:
        yield base | {"choices": [], "usage": whole["usage"]}


def json_reply(value: Body, status: int = 200) -> Outgoing:
    """A reply that holds ``value``."""
    return Outgoing(json.dumps(value).encode(), status)


def garbage_reply(stream: bool) -> Outgoing:
    """Status 200 and no JSON."""
    return stream_reply([_BROKEN]) if stream else Outgoing(_BROKEN)


def error_body(message: str, code: str | None, param: str | None = None, kind: str = "invalid_request_error") -> Body:
    """What stands in the content of a reply that tells of an error."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def error_reply(status: int, message: str, code: str | None = None, param: str | None = None) -> Outgoing:
    """A reply that tells what is wrong with the request."""
    return json_reply(error_body(message, code, param), status)


def fault_body(fault: Fault) -> Body:
    """The content of a fault's error reply."""
    return error_body(fault.message, fault.code, kind=fault.code)


def fault_reply(fault: Fault) -> Outgoing:
    """The error reply that a fault of kind ``status`` asks for."""
    return Outgoing(json.dumps(fault_body(fault)).encode(), fault.status, fault.headers)
