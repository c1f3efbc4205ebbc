"""Faults of a reply's content: shapes, types, usage, refusals, and keys that are repeated; each under a name."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

from tests.support.fault_server import Asked, Fault, Meaning, completion, response


def _shape(name: str, means: Meaning, make: Callable[[Asked], bytes] | bytes) -> Fault:
    return Fault(name, means, lambda asked: [response(make(asked) if callable(make) else make)], "keep", "shape")


def _answer(name: str, means: Meaning, status: str, content: Callable[[Asked], bytes]) -> Fault:
    return Fault(name, means, lambda asked: [response(content(asked), status)], "keep", "shape")


def _field(name: str, means: Meaning, make: Callable[[str], dict[str, Any]]) -> Fault:
    return _shape(name, means, lambda asked: completion(asked.prompt, **make(asked.prompt)))


def _message(name: str, means: Meaning, message: object, reason: object = "stop") -> Fault:
    return _field(name, means, lambda prompt: {"choices": [{"message": message, "finish_reason": reason}]})


def _usage(name: str, usage: object) -> Fault:
    return _field(f"usage {name}", "answered", lambda prompt: {"usage": usage})


SHAPES = [
    *(
        _shape(f"content {c[:20].decode('latin-1')!r}", "again", c)
        for c in (
            b"{}",
            b"[]",
            b"null",
            b'"text"',
            b"NaN",
            b"<html>Sign in</html>",
            b"{'choices': 1}",
            b"\xff\xfe\x00",
            b"\x00" * 1_000,
            b'{"choices": [',
            b"[" * 200_000,
            b'{"a":' * 200_000,
            b"[]," * 3_000_000,
            b'{"choices": [' + b"[]," * 2_000_000 + b"[]]}",
            b"9" * 100_000,
            b'{"error": {"message": "overloaded", "code": 502}}',
        )
    ),
    *(
        _field(f"choices {choices!r}", "again", lambda prompt, choices=choices: {"choices": choices})
        for choices in (None, [], {}, "text", [None], [[]], [{}], [{"message": None}], [{"message": "text"}])
    ),
    *(
        _message(f"message {content!r}", "again", {"content": content})
        for content in (None, 5, {}, [5], [{"text": 5}], True)
    ),
    _message("a refusal", "refused", {"content": None, "refusal": "No."}),
    _message("a filter", "refused", {"content": "No."}, "content_filter"),
    _message("a refusal that is no text", "refused", {"content": None, "refusal": {"why": 1}}),
    _message("text in parts", "answered", {"content": [{"type": "text", "text": "a"}, {"text": None}]}),
    _message("half of a surrogate pair", "answered", {"content": "a\ud800b"}),
    _message("NUL", "answered", {"content": "a\x00b"}),
    *(
        _message(f"finish reason {reason!r}", "answered", {"content": "a"}, reason)
        for reason in (5, {}, [], True, "x" * 9_000)
    ),
    _field("a model that is no text", "answered", lambda prompt: {"model": {"id": 5}}),
    _field("a model with a long name", "answered", lambda prompt: {"model": "m" * 1_000_000}),
    _shape(
        "duplicate keys",
        "answered",
        lambda asked: completion(asked.prompt).replace(b'{"model"', b'{"choices": 5, "model"', 1),
    ),
    _shape("a byte order mark", "answered", lambda asked: b"\xef\xbb\xbf" + completion(asked.prompt)),
    _shape("UTF-16", "answered", lambda asked: completion(asked.prompt).decode().encode("utf-16")),
    _shape("no UTF-8", "again", lambda asked: completion("MARK").replace(b"MARK", b"\xe9")),
    _shape("two contents", "again", lambda asked: completion(asked.prompt) * 2),
    _shape("a text of 20 MB", "answered", lambda asked: completion("word " * 4_000_000)),
]
USAGE = [
    _usage("enormous", {"prompt_tokens": 1e30, "completion_tokens": 10**30}),
    _usage("beyond floats", {"prompt_tokens": 10**400, "completion_tokens": 1}),
    _usage("below zero", {"prompt_tokens": -5, "completion_tokens": -(10**30)}),
    _usage("no numbers", {"prompt_tokens": float("nan"), "completion_tokens": float("inf")}),
    _usage("text", {"prompt_tokens": "5", "completion_tokens": "many"}),
    _usage("booleans", {"prompt_tokens": True, "completion_tokens": False}),
    _usage("fractions", {"prompt_tokens": 2.5, "completion_tokens": 1e-30}),
    _usage("lists", {"prompt_tokens": [5], "completion_tokens": {}}),
    _usage("as a list", [1, 2]),
    _usage("as a text", "12 tokens"),
    _usage("with details of the wrong type", {"prompt_tokens_details": [], "completion_tokens_details": 5}),
    _usage(
        "with enormous details",
        {"prompt_tokens_details": {"cached_tokens": 1e30}, "completion_tokens_details": {"reasoning_tokens": -1}},
    ),
]
KEYS = [
    _shape(
        "the key in a text",
        "answered",
        lambda asked: completion(f"{asked.key} {b64encode(b'user:' + asked.key.encode()).decode()}"),
    ),
    _shape(
        "the key in escapes",
        "answered",
        lambda asked: completion("MARK").replace(b"MARK", b"".join(b"\\u%04x" % ord(c) for c in asked.key)),
    ),
    _shape("the key in other fields", "answered", lambda asked: completion("a", model=asked.key)),
    _answer(
        "the key in a refusal",
        "refused",
        "400 No",
        lambda asked: json.dumps({"error": {"message": asked.key, "code": asked.key}}).encode(),
    ),
    _answer("the key in an error", "again", "500 No", lambda asked: asked.key.encode() * 40),
    _shape("the key in what is no reply", "again", lambda asked: b"{" + asked.key.encode() * 40),
]

CONTENT_FAULTS = [*SHAPES, *USAGE, *KEYS]
