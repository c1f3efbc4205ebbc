"""A reply's content as it comes: counted, inflated where it is compressed, and not taken beyond a bound."""

from __future__ import annotations

import importlib
import importlib.metadata
import zlib
from collections.abc import AsyncIterator
from functools import cache
from types import ModuleType
from typing import Any

from dataflow_ext.models.errors import GarbledReplyError

#: Most bytes of one reply's content, inflated: a hundred times what the longest replies have.
MOST_BODY = 64_000_000

#: Pieces of fewer bytes than these on average are too many once there are _MANY of them: each takes some
#: 30 microseconds of the processor's time and 40 bytes of memory, whatever is in it.
_SMALL, _MANY = 256, 100_000

#: As zlib takes it: the header tells whether it is gzip or deflate.
_EITHER = 32 + zlib.MAX_WBITS


class BodyError(ValueError):
    """The content is not taken; the text says why."""


class Body:
    """The content of one reply, in the ``encoding`` that its header names: none, gzip or deflate.

    >>> body = Body(most=5)
    >>> body.take(b"hel")
    b'hel'
    >>> body.take(b"lo!")
    Traceback (most recent call last):
    dataflow_ext.models.http.body.BodyError: its content has more than 5 bytes
    """

    def __init__(self, encoding: str | None = None, most: int = MOST_BODY) -> None:
        self._encoding = (encoding or "identity").strip().lower()
        self._most = most
        self._size = self._received = self._pieces = 0
        if self._encoding not in ("identity", "gzip", "x-gzip", "deflate"):
            raise BodyError(f"its content is compressed in a way that was not asked for ({self._encoding[:40]})")
        self._zlib = None if self._encoding == "identity" else zlib.decompressobj(_EITHER)

    def take(self, data: bytes) -> bytes:
        """The next piece, inflated; :class:`BodyError` if there is too much of it."""
        self._received += len(data)
        self._pieces += 1
        piece = data if self._zlib is None else self._inflated(data, self._zlib)
        self._size += len(piece)
        if max(self._size, self._received) > self._most:
            raise BodyError(too_much(self._most))
        if self._pieces > _MANY and self._received < self._pieces * _SMALL:
            raise BodyError(f"its content comes in more than {_MANY:,} small pieces")
        return piece

    def end(self) -> None:
        """Take it that nothing more follows; :class:`BodyError` if a compressed content is not whole."""
        if self._zlib is not None and self._received and not self._zlib.eof:
            raise BodyError(f"its content is cut {self._encoding}")

    def _inflated(self, data: bytes, inflating: zlib._Decompress) -> bytes:
        try:
            piece = inflating.decompress(data, self._most - self._size + 1)
        except zlib.error:
            raise BodyError(f"its content is not the {self._encoding} that it says it is") from None
        if inflating.unused_data:
            raise BodyError(f"its content goes on after the end of the {self._encoding}")
        return piece


def too_much(most: int) -> str:
    """What is wrong with a reply whose content has more bytes than that."""
    return f"its content has more than {most:,} bytes"


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
