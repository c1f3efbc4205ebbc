"""Calls to a detector's server: JSON there and back, every failure as one of the errors that sessions know."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from dataflow_ext.errors import DataflowError
from dataflow_ext.models.chat import status_failure, unknown_failure
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    RejectedRequestError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.http.body import bounded, http_library
from dataflow_ext.models.untrusted import believed, masked, read_json

#: Characters of a server's words that an error message repeats.
_QUOTE = 200


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
        # Raised outside the except block: the client's own error, which holds the key in its request, must not
        # travel along as the context of ours.
        try:
            return await self._asked(method, url, options)
        except Exception as error:
            failure = unknown_failure(error, self._server, self._key)
        raise failure

    async def _asked(self, method: str, url: str, options: Mapping[str, Any]) -> Any:
        http = http_library()
        try:
            answer = await self._client.request(method, url, **options)
        except http.ConnectTimeout:
            raise ConnectionFailedError(f"The connection to {self._server} did not stand in time.") from None
        except http.TimeoutException:
            raise TimedOutError(f"{self._server} did not go on with its reply in time.") from None
        except (http.InvalidURL, http.UnsupportedProtocol) as error:
            what = masked(str(error), self._key)
            raise AccessError(f"{self._server} is not the address of a server ({what}).") from None
        except http.HTTPError as error:
            what = masked(str(error), self._key) or type(error).__name__
            raise ConnectionFailedError(f"The connection to {self._server} failed: {what}.") from None
        # What a server repeats of its key must not get into memories and messages.
        content = masked(answer.content.decode("utf-8", "replace"), self._key)
        if not 200 <= answer.status_code < 300:
            raise self._failure(answer.status_code, content, answer.headers)
        try:
            value = read_json(content)
            # Escapes may hide the key from who looks for it in JSON.
            return read_json(masked(json.dumps(value), self._key)) if "\\" in content else value
        except ValueError:
            raise GarbledReplyError(
                f"The reply of {self._server} is no JSON, it begins: {content[:_QUOTE]!r}"
            ) from None

    def _failure(self, status: int, content: str, headers: Mapping[str, str]) -> DataflowError:
        """What an answer that is no success means."""
        if 300 <= status < 400:
            to = masked(headers.get("location", "elsewhere"), self._key)[:_QUOTE]
            return AccessError(f"{self._server} sends us on to {to}; give that address if it is right.")
        error = status_failure(status, content.encode(), headers, self._server, self._key)
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


@asynccontextmanager
async def calls_to(
    server: str, headers: Mapping[str, str], key: str | None, *, timeout: float, connect_timeout: float
) -> AsyncIterator[Calls]:
    """The calls for one picture, which have ``timeout`` seconds together; TimedOutError after that."""
    http = http_library()
    limits = http.Timeout(timeout, connect=min(connect_timeout, timeout))
    verify = _tls_context() if server.startswith("https:") else False
    options = bounded(server)
    client = http.AsyncClient(
        headers={**options["headers"], **headers},
        event_hooks=options["event_hooks"],
        timeout=limits,
        follow_redirects=False,
        verify=verify,
    )
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
        return believed(float(read_json(content)["estimated_time"]))
    except (ValueError, LookupError, TypeError, OverflowError):
        return None
