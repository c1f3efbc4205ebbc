"""The bounds of a reply for clients of the HTTP library, which have none of their own."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import AsyncIterator
from functools import cache
from types import ModuleType
from typing import Any

from dataflow_ext.models.errors import GarbledReplyError
from dataflow_ext.models.http.body import MOST_BODY, Body, BodyError

#: The extension of a request whose answer is written to a file piece by piece.
TO_FILE = "to_file"


@cache
def http_library() -> ModuleType:
    """``httpx2``, or ``httpx`` where the installed ``openai`` is older than 3."""
    major = int(importlib.metadata.version("openai").split(".")[0])
    return importlib.import_module("httpx2" if major >= 3 else "httpx")


def bounded(server: str, most: int = MOST_BODY, most_file: int = MOST_BODY) -> dict[str, Any]:
    """Options of an ``AsyncClient`` whose replies have at most ``most`` bytes of content, inflated.

    A longer one is a :class:`GarbledReplyError` that names the server. Heads are bounded by the library itself.
    The good answer to a request with the extension ``TO_FILE`` may have ``most_file`` bytes, unless it is JSON.
    """

    async def bound(response: Any) -> None:
        """Have the content counted, and inflated, before the library does either."""
        file = response.request.extensions.get(TO_FILE) and response.is_success
        file = file and not response.headers.get("content-type", "").startswith("application/json")
        try:
            body = Body(response.headers.pop("content-encoding", None), most_file if file else most)
        except BodyError as error:
            raise _not_taken(server, error) from None
        response.stream = _stream_class()(response.stream, body, server)

    return {"headers": {"Accept-Encoding": "identity"}, "event_hooks": {"response": [bound]}}


def _not_taken(server: str, error: BodyError) -> GarbledReplyError:
    return GarbledReplyError(f"{server} sent a reply that was not taken: {error}.")


@cache
def _stream_class() -> Any:
    http = http_library()

    class BoundedStream(http.AsyncByteStream):  # type: ignore[misc, name-defined]
        """A response's stream, whose pieces go through a body."""

        def __init__(self, inner: Any, body: Body, server: str) -> None:
            self._inner, self._body, self._server = inner, body, server

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for data in self._inner:
                    yield self._body.take(data)
                self._body.end()
            except BodyError as error:
                raise _not_taken(self._server, error) from None

        async def aclose(self) -> None:
            await self._inner.aclose()

    return BoundedStream
