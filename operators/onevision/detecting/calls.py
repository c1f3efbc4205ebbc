"""Calls to a detector's server: JSON there and back, every failure as one of the errors that sessions know."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from dataflow_ext.errors import ModelError
from dataflow_ext.models.chat import call_failure
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    RejectedRequestError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.http.transport import http_library
from dataflow_ext.models.openai_model import status_error

#: Characters of a server's words that an error message repeats.
_QUOTE = 200
#: Characters that a real key has at least one more of.
_SHORT = 8


class Calls:
    """The calls for one picture, over one client that is closed after them.

    A client is made for each picture: that takes a millisecond, a picture hundreds, and no connection is left to
    an event loop that ends, or to a fork.
    """

    def __init__(self, client: Any, server: str, key: str | None) -> None:
        self._client, self._server, self._key = client, server, key

    async def post(self, url: str, body: Mapping[str, Any]) -> Any:
        """The JSON that a server answers to JSON; a ModelError if there is none."""
        # Not the client's own encoder, which fails on half of a surrogate pair.
        content = json.dumps(body, ensure_ascii=True, allow_nan=False).encode("ascii")
        return await self._answer("POST", url, content=content, headers={"Content-Type": "application/json"})

    async def get(self, url: str) -> Any:
        """The JSON at an address; a ModelError if there is none."""
        return await self._answer("GET", url)

    async def _answer(self, method: str, url: str, **options: Any) -> Any:
        http = http_library()
        # The error is made outside the except block: the client's own, which holds the key in its request, must
        # not travel along as the context of ours.
        failure: Exception
        try:
            answer = await self._client.request(method, url, **options)
        except http.ConnectTimeout:
            failure = ConnectionFailedError(f"The connection to {self._server} did not stand in time.")
        except http.TimeoutException:
            failure = TimedOutError(f"{self._server} did not go on with its reply in time.")
        except (http.InvalidURL, http.UnsupportedProtocol) as error:
            failure = AccessError(f"{self._server} is not the address of a server ({self._without_key(str(error))}).")
        except http.HTTPError as error:
            what = self._without_key(str(error)) or type(error).__name__
            failure = ConnectionFailedError(f"The connection to {self._server} failed: {what}.")
        else:
            # What a server repeats of its key must not get into memories and messages.
            content = self._without_key(answer.content.decode("utf-8", "replace"))
            if 200 <= answer.status_code < 300:
                return self._json(content)
            failure = self._failure(answer.status_code, content, answer.headers)
        raise failure

    def _json(self, content: str) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise GarbledReplyError(
                f"The reply of {self._server} is no JSON, it begins: {content[:_QUOTE]!r}"
            ) from None

    def _failure(self, status: int, content: str, headers: Mapping[str, str]) -> ModelError:
        """What an answer that is no success means."""
        if 300 <= status < 400:
            to = self._without_key(headers.get("location", "elsewhere"))
            return AccessError(f"{self._server} sends us on to {to}; give that address if it is right.")
        told = status_error(status, content.encode(), headers, self._server)
        error = call_failure(told, self._server, self._key or "")
        if status == 503 and isinstance(error, ServerFailedError) and error.retry_after is None:
            error.retry_after = _loading(content)
        if status in (401, 403) and isinstance(error, AccessError):
            return AccessError(
                f"{str(error).rstrip('.')}. Check the detector's key: the variable that is named for it has to hold it."
            )
        if status == 413 and isinstance(error, RejectedRequestError):
            what = f"The picture is too large for the detector: {error} Let ImageNormalizer make it smaller (max_side)."
            return RejectedRequestError(what, status=status, code=error.code)
        return error

    def _without_key(self, text: str) -> str:
        # A key of a few letters is none, and may be part of any word.
        return text.replace(self._key, "…") if self._key and len(self._key) > _SHORT else text


@asynccontextmanager
async def calls_to(
    server: str, headers: Mapping[str, str], key: str | None, *, timeout: float, connect_timeout: float
) -> AsyncIterator[Calls]:
    """The calls for one picture, which have ``timeout`` seconds together; TimedOutError after that."""
    http = http_library()
    limits = http.Timeout(timeout, connect=min(connect_timeout, timeout))
    verify = _tls_context() if server.startswith("https:") else False
    client = http.AsyncClient(headers=dict(headers), timeout=limits, follow_redirects=False, verify=verify)
    try:
        async with client, asyncio.timeout(timeout):
            yield Calls(client, server, key)
    except TimeoutError:
        raise TimedOutError(
            f"{server} was not done with the picture after {timeout:g} s (timeout); another try asks it anew."
        ) from None


@cache
def _tls_context() -> Any:
    # Loading the certificates takes longer than all the rest, so once a process.
    return http_library().create_ssl_context()


def _loading(content: str) -> float | None:
    """The seconds that a server says it needs to load its model."""
    try:
        seconds = float(json.loads(content)["estimated_time"])
    except (ValueError, LookupError, TypeError, RecursionError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
