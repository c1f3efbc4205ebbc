"""The wire format of chat completions: a request's body, a reply's content, an error's meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
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
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.pictures import picture_url
from dataflow_ext.models.request import Reply, Request

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

    from dataflow_ext.models.openai_model import OpenAIModel

#: Longest piece of a server's own words that an error message repeats.
_QUOTE = 500

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def chat_body(model: OpenAIModel, request: Request) -> dict[str, Any]:
    """The JSON body for a request, with the model's settings where the request has none."""
    prompt = _sendable(request.prompt)
    content: object = prompt
    if request.images:
        pictures = [{"type": "image_url", "image_url": {"url": picture_url(image)}} for image in request.images]
        content = [{"type": "text", "text": prompt}, *pictures]
    messages: list[dict[str, object]] = [{"role": "user", "content": content}]
    if request.system:
        messages.insert(0, {"role": "system", "content": _sendable(request.system)})
    body: dict[str, Any] = {"model": model.name, "messages": messages}
    # OpenAI's newer models refuse the old name, other servers may not know the new one.
    limit = "max_completion_tokens" if "//api.openai.com" in model.server else "max_tokens"
    settings = {
        limit: request.max_tokens if request.max_tokens is not None else model.max_tokens,
        "temperature": request.temperature if request.temperature is not None else model.temperature,
        "seed": request.seed if request.seed is not None else model.seed,
    }
    body.update((name, value) for name, value in settings.items() if value is not None)
    if request.json_schema is not None:
        schema = {"name": request.schema_name, "schema": dict(request.json_schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def read_reply(content: bytes, model_name: str) -> Reply:
    """The reply in a chat completion's bytes; a refusal or a reply without words is a RefusedError."""
    try:
        completion = json.loads(content)
        choice = completion["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        reason = choice.get("finish_reason") or "stop"
        tokens = _tokens(completion.get("usage") or {})
        answered_by = str(completion.get("model") or model_name)
        if isinstance(text, list):
            text = "".join(part.get("text", "") for part in text)
    except (ValueError, LookupError, TypeError, AttributeError):
        start = content[:_QUOTE].decode("utf-8", "replace")
        raise GarbledReplyError(f"The server's reply is no chat completion: {start!r}") from None
    if refusal or (text is None and reason != "length"):
        words = str(refusal or "")
        reply = Reply(words, "refusal", *tokens, answered_by)
        raise refused(reply, model_name, reason)
    return Reply(text or "", reason, *tokens, answered_by)


def refused(reply: Reply, model_name: str, reason: str = "refusal") -> RefusedError:
    """The error for a reply that is a refusal."""
    said = f": {reply.text[:_QUOTE]}" if reply.text else f" without words (finish reason {reason})."
    return RefusedError(f"Model {model_name} declined to answer{said}", reply=reply)


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
    if status in (401, 403):
        return AccessError(message)
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
    resets: dict[bool, list[float]] = {True: [], False: []}
    for kind in ("requests", "tokens"):
        parts = _DURATION.findall(headers.get(f"x-ratelimit-reset-{kind}", ""))
        if parts:
            used_up = headers.get(f"x-ratelimit-remaining-{kind}") == "0"
            resets[used_up].append(sum(float(number) * _SECONDS[unit] for number, unit in parts))
    return max(resets[True]) if resets[True] else min(resets[False], default=None)


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


def _sendable(text: str) -> str:
    # Half of a surrogate pair, as broken PDFs give, cannot be written as UTF-8.
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_key(text: str, key: str) -> str:
    return (text.replace(key, "…") if len(key) > 8 else text)[:_QUOTE]
