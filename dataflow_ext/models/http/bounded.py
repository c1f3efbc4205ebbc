"""The bounds of a reply for clients of the HTTP library, which have none of their own."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import AsyncIterator, Callable, Iterator
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


def bounded(server: str, most: int = MOST_BODY) -> dict[str, Any]:
    """Options of an ``AsyncClient`` whose replies have at most ``most`` bytes of content, inflated.

    A longer one is a :class:`GarbledReplyError` that names the server. Heads are bounded by the library itself.
    """

    async def bound(response: Any) -> None:
        _bound(response, server, most)

    return {"headers": {"Accept-Encoding": "identity"}, "event_hooks": {"response": [bound]}}


def bounded_sync(server: str, most_file: int, look: Callable[[], object]) -> dict[str, Any]:
    """The same for a ``Client``; ``look`` is called before each piece and may raise, where time is up.

    The good answer to a request with the extension ``TO_FILE`` may have ``most_file`` bytes, unless it is JSON.
    """

    def bound(response: Any) -> None:
        file = response.request.extensions.get(TO_FILE) and response.is_success
        file = file and not response.headers.get("content-type", "").startswith("application/json")
        _bound(response, server, most_file if file else MOST_BODY, look)

    return {"headers": {"Accept-Encoding": "identity"}, "event_hooks": {"response": [bound]}}


def _bound(response: Any, server: str, most: int, look: Callable[[], object] = lambda: None) -> None:
    """Have the response's content counted, and inflated, before the library does either."""
    try:
        body = Body(response.headers.pop("content-encoding", None), most)
    except BodyError as error:
        raise _not_taken(server, error) from None
    response.stream = _stream_class()(response.stream, body, server, look)


def _not_taken(server: str, error: BodyError) -> GarbledReplyError:
    return GarbledReplyError(f"{server} sent a reply that was not taken: {error}.")


@cache
def _stream_class() -> Any:
    http = http_library()

    class BoundedStream(http.AsyncByteStream, http.SyncByteStream):  # type: ignore[misc, name-defined]
        """A response's stream, whose pieces go through a body."""

        def __init__(self, inner: Any, body: Body, server: str, look: Callable[[], object]) -> None:
            self._inner, self._body, self._server, self._look = inner, body, server, look

        def _taken(self, data: bytes) -> bytes:
            try:
                return self._body.take(data)
            except BodyError as error:
                raise _not_taken(self._server, error) from None

        def _ended(self) -> None:
            try:
                self._body.end()
            except BodyError as error:
                raise _not_taken(self._server, error) from None

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for data in self._inner:
                yield self._taken(data)
            self._ended()

        def __iter__(self) -> Iterator[bytes]:
            for data in self._inner:
                self._look()
                yield self._taken(data)
            self._ended()

        async def aclose(self) -> None:
            await self._inner.aclose()

        def close(self) -> None:
            self._inner.close()

    return BoundedStream
