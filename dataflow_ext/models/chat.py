"""The wire format of chat completions: a request's body, a reply's content, an error's meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from dataflow_ext.errors import ModelError
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
from dataflow_ext.models.pictures import picture_url
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.well_formed import well_formed

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

    from dataflow_ext.models.openai_model import OpenAIModel

#: Longest piece of a server's own words that an error message repeats.
_QUOTE = 500

#: Names that servers give to the same ends; others are passed on as they are.
_REASONS = {"none": "stop", "": "stop", "max_tokens": "length", "model_length": "length", "safety": "content_filter"}

#: Error codes of requests that a content filter has refused.
_FILTERED = ("content_filter", "content_policy_violation")

#: Words of JSON schema that OpenAI's servers do not take in a strict one.
_NOT_STRICT = {"allOf", "oneOf", "not", "if", "then", "else", "default", "patternProperties"} | {
    "dependentRequired",
    "dependentSchemas",
}

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def chat_body(model: OpenAIModel, request: Request, pictures: Sequence[str] | None = None) -> dict[str, Any]:
    """The JSON body for a request, with the model's settings where the request has none.

    The system prompt comes first, then the prompt's text, its pictures, and what followed. ``pictures`` are
    their URLs if they have been made already, see :func:`~dataflow_ext.models.pictures.picture_urls`.
    """
    if pictures is None:
        pictures = [picture_url(image, getattr(model, "max_image_side", None)) for image in request.images]
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


def read_reply(content: bytes, model_name: str, pause: float = 0.0) -> Reply:
    """The reply in a chat completion's bytes.

    A refusal and a text that the server's content filter stopped are a RefusedError. A model that only
    thought, or called a tool, gave an empty text: a repair may help there.
    """
    try:
        completion = json.loads(content)
        choice = completion["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        reason = _REASONS.get(str(choice.get("finish_reason")).lower(), choice.get("finish_reason"))
        usage = completion.get("usage") or {}
        tokens = _tokens(usage)
        reasoning = int((usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0)
        answered_by = str(completion.get("model") or model_name)
        if isinstance(text, list):
            text = "".join(part.get("text") or "" for part in text)
        if not isinstance(text, str | None):
            raise TypeError
        busy = any(message.get(other) for other in ("reasoning_content", "reasoning", "tool_calls"))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        start = content[:_QUOTE].decode("utf-8", "replace")
        raise GarbledReplyError(f"The server's reply is no chat completion: {start!r}") from None
    if text is None and not refusal and reason not in ("length", "content_filter") and not busy:
        # No refusal says nothing: servers of reasoning models lose their text now and then.
        raise GarbledReplyError(f"The reply of model {model_name} has no text (finish reason {reason}).")
    if refusal or reason == "content_filter":
        reply = Reply(
            str(refusal or text or ""), "refusal", *tokens, answered_by, reasoning_tokens=reasoning, pause=pause
        )
        raise refused(reply, model_name, reason)
    return Reply(text or "", reason, *tokens, answered_by, reasoning_tokens=reasoning, pause=pause)


def refused(reply: Reply, model_name: str, reason: str = "refusal") -> RefusedError:
    """The error for a reply that is a refusal."""
    words = f": {reply.text[:_QUOTE]}" if reply.text else ""
    if reason == "content_filter":
        return RefusedError(f"The server's content filter stopped model {model_name}{words or '.'}", reply=reply)
    told = words or f" without words (finish reason {reason})."
    return RefusedError(f"Model {model_name} declined to answer{told}", reply=reply)


def call_failure(error: OpenAIError, server: str, key: str) -> ModelError:
    """What an error of the ``openai`` client means to us, without the key."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return _status_failure(error, server, key)
    cause = str(error.__cause__ or error) or type(error.__cause__ or error).__name__
    cause = _without_key(cause, key)
    if isinstance(error, openai.APITimeoutError):
        if "Connect" in type(error.__cause__).__name__:
            return ConnectionFailedError(f"No connection to {server} within the time allowed: {cause}")
        return TimedOutError(f"{server} did not reply within the time allowed ({cause}).")
    if isinstance(error, openai.APIConnectionError):
        return ConnectionFailedError(f"The connection to {server} failed: {cause}")
    return ModelError(f"The call to {server} failed: {cause}")


def _status_failure(error: APIStatusError, server: str, key: str) -> ModelError:
    status, code = error.status_code, error.code or error.type or ""
    said = _without_key(error.message, key)
    message = f"{server} answered {status}: {said}"
    if status == 429:
        if code == "insufficient_quota":
            return QuotaError(f"The account at {server} has no credit left: {said}")
        return RateLimitedError(message, retry_after=wait_asked_for(error.response.headers))
    if status in (408, 409) or status >= 500:
        wait = wait_asked_for(error.response.headers)
        return ServerFailedError(message, retry_after=wait, overload=status in (503, 529))
    if status == 402:
        return QuotaError(f"The account at {server} has no credit left: {said}")
    if status in (401, 403, 404, 405) or status < 400:
        return AccessError(message)
    if code in _FILTERED:
        # Kept as a refusal: the same prompt would be refused again, and is charged for on Azure.
        return RefusedError(f"The content filter refused the request: {message}", reply=Reply(said, "refusal"))
    if code.startswith("unsupported") and "max_completion_tokens" in said:
        _new_name_wanted.add(server)
        return RetryableError(message, retry_after=0.0)
    if code.startswith("unsupported") and "'temperature'" in said:
        message = f"{message.rstrip('.')}. Leave it to the server: temperature None, or --temperature none."
    return RejectedRequestError(message, status=status, code=code or None)


def wait_asked_for(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server's headers ask to wait, or None.

    ``retry-after-ms`` and ``Retry-After`` (seconds or a date) come first; else the reset of whichever rate
    limit is used up, else the sooner of the two.

    >>> wait_asked_for({"x-ratelimit-reset-requests": "1m2.5s", "x-ratelimit-reset-tokens": "90ms"})
    0.09
    """
    try:
        if (text := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(text) / 1000)
        if (text := headers.get("retry-after")) is not None:
            return max(0.0, float(text))
    except ValueError:
        return _seconds_until(str(text))
    resets = _resets(headers)
    return max(resets[True]) if resets[True] else min(resets[False], default=None)


def pause_after(headers: Mapping[str, str]) -> float:
    """Seconds until a rate limit that the server's headers call used up is filled again, 0 if none is.

    >>> pause_after({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "12ms"})
    0.012
    """
    return max(_resets(headers)[True], default=0.0)


def _resets(headers: Mapping[str, str]) -> dict[bool, list[float]]:
    """Seconds to the resets of rate limits, those that are used up and the others."""
    resets: dict[bool, list[float]] = {True: [], False: []}
    for kind in ("requests", "tokens"):
        parts = _DURATION.findall(headers.get(f"x-ratelimit-reset-{kind}", ""))
        if parts:
            used_up = headers.get(f"x-ratelimit-remaining-{kind}") == "0"
            resets[used_up].append(sum(float(number) * _SECONDS[unit] for number, unit in parts))
    return resets


def _seconds_until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _tokens(usage: Mapping[str, Any]) -> tuple[int, int, int]:
    details = usage.get("prompt_tokens_details") or {}
    counts = (usage.get("prompt_tokens"), details.get("cached_tokens"), usage.get("completion_tokens"))
    return cast(tuple[int, int, int], tuple(int(count or 0) for count in counts))


def _without_key(text: str, key: str) -> str:
    return (text.replace(key, "…") if len(key) > 8 else text)[:_QUOTE]
