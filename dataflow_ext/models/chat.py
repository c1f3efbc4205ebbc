"""Chat completions on the wire: a request, a reply of which any field may be nonsense, and what a failure means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dataflow_ext.errors import DataflowError, ModelError
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.untrusted import masked, read_json, text_or, wait_asked_for
from dataflow_ext.well_formed import message_of, well_formed

if TYPE_CHECKING:
    from openai import OpenAIError

    from dataflow_ext.models.openai_model import OpenAIModel

#: Words of JSON schema that OpenAI's servers do not take in a strict one.
_NOT_STRICT = {"allOf", "oneOf", "not", "if", "then", "else", "default", "patternProperties"} | {
    "dependentRequired",
    "dependentSchemas",
}


def chat_body(model: OpenAIModel, request: Request, pictures: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON body for a request, with the model's settings where the request has none.

    The system prompt comes first, then the prompt's text, its pictures, and what followed. ``pictures`` are
    their URLs, see :func:`~dataflow_ext.models.pictures.picture_urls`.
    """
    prompt = well_formed(request.prompt)
    content: object = prompt
    if pictures:
        parts = [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
        content = [{"type": "text", "text": prompt}, *parts]
    messages: list[dict[str, object]] = [{"role": "user", "content": content}]
    if request.system:
        messages.insert(0, {"role": "system", "content": well_formed(request.system)})
    for turn, text in enumerate(request.follow_up):
        messages.append({"role": ("assistant", "user")[turn % 2], "content": well_formed(text)})
    body: dict[str, Any] = {"model": model.name, "messages": messages}
    settings = {
        _limit_name(model.server): request.max_tokens if request.max_tokens is not None else model.max_tokens,
        "temperature": request.temperature if request.temperature is not None else model.temperature,
        "seed": request.seed if request.seed is not None else model.seed,
    }
    body.update((name, value) for name, value in settings.items() if value is not None)
    if request.json_schema is not None:
        strict = is_strict(request.json_schema)
        schema = {"name": request.schema_name, "schema": dict(request.json_schema), "strict": strict}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


#: Servers that have refused ``max_tokens`` and asked for the newer name. It depends on the model, so for
#: Azure, where a deployment may bear any name, nothing but the server's own word tells.
_new_name_wanted: set[str] = set()


def wants_new_name(server: str) -> None:
    """Note that the server has refused ``max_tokens``; from now on it is sent the newer name."""
    _new_name_wanted.add(server)


def _limit_name(server: str) -> str:
    # OpenAI's newer models refuse the old name, other servers may not know the new one.
    new = "//api.openai.com" in server or server in _new_name_wanted
    return "max_completion_tokens" if new else "max_tokens"


def is_strict(schema: object) -> bool:
    """Whether OpenAI's servers take the schema as a strict one, which a reply is then sure to follow.

    All properties must be required and no others allowed, and a few words of JSON schema must not occur;
    with ``strict`` such a schema would be refused, without it the model is only shown what is wanted.

    >>> closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    >>> is_strict(closed | {"required": ["a"]}), is_strict(closed)
    (True, False)
    """
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties") or {}
    kind = schema.get("type")
    if properties or kind == "object" or (isinstance(kind, list) and "object" in kind):
        closed = schema.get("additionalProperties") is False
        if not closed or set(properties) - set(schema.get("required") or ()):
            return False
    inner = [*properties.values(), *(schema.get("$defs") or {}).values(), *(schema.get("anyOf") or ())]
    return not _NOT_STRICT & schema.keys() and all(map(is_strict, [*inner, schema.get("items")]))


#: Longest piece of a server's own words that an error message repeats.
QUOTE = 500

#: Characters of a text that are looked through for a key before a piece is cut off.
_LOOKED_THROUGH = 10_000

#: Most characters of a model's name and of a finish reason.
_NAME = 200

#: A call's count of tokens above this is none: a hundred times the longest prompts.
MOST_TOKENS = 100_000_000

#: Names that servers give to the same ends; others are passed on as they are.
_REASONS = {"": "stop", "none": "stop", "max_tokens": "length", "model_length": "length", "safety": "content_filter"}

#: Fields in which servers of reasoning models tell the thoughts, the more usual one first.
_THOUGHTS = ("reasoning_content", "reasoning")


def read_reply(content: bytes, model_name: str, pause: float = 0.0, key: str = "") -> Reply:
    """The reply in a chat completion's bytes, without the key if it repeats that.

    A refusal and a text that the server's content filter stopped are a RefusedError. A model that only
    thought, or called a tool, gave an empty text: a repair may help there. Anything else is a
    GarbledReplyError, but for figures of usage that make no sense, which count as missing. What the model thought
    is kept with the name of its field.
    """
    try:
        completion = read_json(content)
        choice = completion["choices"][0]
        message = choice["message"]
        text, refusal = _text(message.get("content")), message.get("refusal")
        given = choice.get("finish_reason")
        busy = any(message.get(other) for other in (*_THOUGHTS, "tool_calls"))
        thoughts = next((name for name in _THOUGHTS if isinstance(message.get(name), str) and message[name]), "")
    except (ValueError, LookupError, TypeError, AttributeError):
        raise GarbledReplyError(f"The server's reply is no chat completion: {start_of(content, key)!r}") from None
    named = masked(text_or(given, "", _LOOKED_THROUGH), key)[:_NAME]
    reason = _REASONS.get(named.lower(), named)
    if text is None and not refusal and reason not in ("length", "content_filter") and not busy:
        # No refusal says nothing: servers of reasoning models lose their text now and then.
        raise GarbledReplyError(f"The reply of model {model_name} has no text (finish reason {reason}).")
    prompt, cached, completed, reasoning = counts_of(completion.get("usage"))
    declined = bool(refusal) or reason == "content_filter"
    reply = Reply(
        masked(str(refusal or text or "") if declined else text or "", key),
        "refusal" if declined else reason,
        prompt,
        cached,
        completed,
        masked(text_or(completion.get("model"), model_name, _LOOKED_THROUGH), key)[:_NAME],
        reasoning_tokens=reasoning,
        pause=pause,
        reasoning=masked(message[thoughts], key) if thoughts else "",
        reasoning_source=thoughts,
    )
    if declined:
        raise refused(reply, model_name, reason)
    return reply


def refused(reply: Reply, model_name: str, reason: str = "refusal") -> RefusedError:
    """The error for a reply that is a refusal."""
    words = f": {reply.text[:QUOTE]}" if reply.text else ""
    if reason == "content_filter":
        return RefusedError(f"The server's content filter stopped model {model_name}{words or '.'}", reply=reply)
    told = words or f" without words (finish reason {reason})."
    return RefusedError(f"Model {model_name} declined to answer{told}", reply=reply)


def counts_of(usage: object) -> tuple[int, int, int, int]:
    """Tokens of the prompt, of those the cached ones, of the completion, of those the thoughts; 0 where not told.

    >>> counts_of({"prompt_tokens": 9, "completion_tokens": -1, "prompt_tokens_details": {"cached_tokens": 1e30}})
    (9, 0, 0, 0)
    """
    told = _fields(usage)
    prompt, completion = _fields(told.get("prompt_tokens_details")), _fields(told.get("completion_tokens_details"))
    return (
        _count(told.get("prompt_tokens")),
        _count(prompt.get("cached_tokens")),
        _count(told.get("completion_tokens")),
        _count(completion.get("reasoning_tokens")),
    )


def start_of(content: bytes, key: str | None) -> str:
    """The first words of a content, for messages, without the key."""
    return masked(content[:_LOOKED_THROUGH].decode("utf-8", "replace"), key)[:QUOTE]


def _text(content: Any) -> str | None:
    if isinstance(content, list):
        return "".join([part.get("text") or "" for part in content])
    if not isinstance(content, str | None):
        raise TypeError
    return content


def _fields(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _count(value: object) -> int:
    """The number if it is one that a count of tokens can be; True and text are none."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if number and 0 <= value <= MOST_TOKENS else 0  # type: ignore[operator, call-overload]


#: Statuses that say the request itself will never do. 400 says so only with words: proxies send it, too.
_REFUSED = frozenset({413, 414, 415, 422, 431})

#: Key, model or address are not accepted.
_NO_ACCESS = frozenset({401, 403, 404, 405, 407, 410})

#: Error codes of requests that a content filter has refused.
_FILTERED = ("content_filter", "content_policy_violation")


def status_failure(status: int, content: bytes, headers: Mapping[str, str], server: str, key: str | None) -> ModelError:
    """What an answer that is no success means, without the key. ``headers`` have names in lower case.

    >>> answer = b'{"error": {"message": "The prompt is too long.", "code": "too_long"}}'
    >>> print(status_failure(400, answer, {}, "http://localhost/v1", ""))
    http://localhost/v1 answered 400: The prompt is too long.
    >>> type(status_failure(400, b"<html>Bad gateway configuration</html>", {}, "http://localhost/v1", "")).__name__
    'ServerFailedError'
    """
    error, said = _said(content, key)
    if status < 400:
        to = masked(headers.get("location", "elsewhere"), key)[:QUOTE]
        return AccessError(f"{server} answered {status}: it redirects to {to}; if that is right, give it as base_url")
    code = masked(text_or(error.get("code"), text_or(error.get("type"), "", QUOTE), QUOTE), key)
    message = f"{server} answered {status}: {said or 'without a word'}"
    if status == 402 or (status == 429 and code == "insufficient_quota"):
        return QuotaError(f"The account at {server} has no credit left: {said}")
    if status == 429:
        return RateLimitedError(message, retry_after=wait_asked_for(headers))
    if status in _NO_ACCESS:
        return AccessError(message)
    if status in _REFUSED or (status == 400 and error):
        return _refusal(status, code, said, message, server)
    return ServerFailedError(message, retry_after=wait_asked_for(headers), overload=status in (503, 529))


def _refusal(status: int, code: str, said: str, message: str, server: str) -> ModelError:
    """What the server's word on the request itself means."""
    if code in _FILTERED:
        # Kept as a refusal: the same prompt would be refused again, and is charged for on Azure.
        return RefusedError(f"The content filter refused the request: {message}", reply=Reply(said, "refusal"))
    if code.startswith("unsupported") and "max_completion_tokens" in said:
        wants_new_name(server)
        return RetryableError(message, retry_after=0.0)
    if code.startswith("unsupported") and "'temperature'" in said:
        message = f"{message.rstrip('.')}. Leave it to the server: temperature None, or --temperature none."
    return RejectedRequestError(message, status=status, code=code or None)


def client_failure(error: OpenAIError, server: str, key: str) -> ModelError:
    """What an error of the ``openai`` client means to us, without the key."""
    import openai

    if isinstance(error, openai.APIStatusError):
        try:
            content = error.response.content
        except RuntimeError:  # it was not read
            content = b""
        return status_failure(error.status_code, content, error.response.headers, server, key)
    if isinstance(error.__cause__, ModelError):
        return error.__cause__  # ours, from below the client
    cause = str(error.__cause__ or error) or type(error.__cause__ or error).__name__
    cause = masked(cause, key)[:QUOTE]
    if isinstance(error, openai.APITimeoutError):
        if "Connect" in type(error.__cause__).__name__:
            return ConnectionFailedError(f"No connection to {server} within the time allowed: {cause}")
        return TimedOutError(f"{server} did not reply within the time allowed ({cause}).")
    if isinstance(error, openai.APIConnectionError):
        return ConnectionFailedError(f"The connection to {server} failed: {cause}")
    return RetryableError(f"The call to {server} failed: {cause}")


def unknown_failure(error: Exception, server: str, key: str | None) -> DataflowError:
    """The error itself if it is one of ours; of any other nobody knows that it would come again.

    Whatever hangs on the error is let go: its frames hold the content of replies, and what it came from may
    hold the key.
    """
    if not isinstance(error, DataflowError):
        kind, what = type(error).__name__, masked(message_of(error), key)[:QUOTE]
        return RetryableError(f"The call to {server} failed: {kind}{'' if what == kind else f': {what}'}")
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _said(content: bytes, key: str | None) -> tuple[Mapping[str, Any], str]:
    """The fields of an answer's error, none if it is no JSON object, and its words."""
    start = start_of(content, key).strip()
    try:
        body = read_json(content)
    except ValueError:
        return {}, start
    if not isinstance(body, dict):
        return {}, start
    error = body.get("error", body)
    if not isinstance(error, dict):
        return body, masked(str(error or ""), key)[:QUOTE] or start
    message = error.get("message")
    return error, masked(str(message), key)[:QUOTE] if message else start
