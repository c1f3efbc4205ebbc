"""What a call's failure means: which are final is a short list, all others may pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dataflow_ext.errors import DataflowError, ModelError
from dataflow_ext.models.chat import QUOTE, start_of, wants_new_name
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.request import Reply
from dataflow_ext.models.untrusted import masked, read_json, text_or, wait_asked_for
from dataflow_ext.well_formed import message_of

if TYPE_CHECKING:
    from openai import OpenAIError

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
