"""The HTTP connections under the ``openai`` client, held so that hundreds of calls at once stay cheap."""

from __future__ import annotations

import asyncio
import importlib
import urllib.request
from collections.abc import AsyncIterator
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[object, ...], AsyncOpenAI]] = WeakKeyDictionary()


def client_for(url: str, key: str, timeout: float, connect_timeout: float) -> AsyncOpenAI:
    """The running loop's client for a server, made on first use; it repeats no call by itself."""
    of_loop = _clients.setdefault(asyncio.get_running_loop(), {})
    client = of_loop.get((url, key, timeout, connect_timeout))
    if client is None:
        client = of_loop[url, key, timeout, connect_timeout] = _new_client(url, key, timeout, connect_timeout)
    return client


@cache
def http_library() -> ModuleType:
    """``httpx2``, or ``httpx`` where the installed ``openai`` is older than 3."""
    import openai

    return importlib.import_module("httpx2" if int(openai.__version__.split(".")[0]) >= 3 else "httpx")


def _new_client(url: str, key: str, timeout: float, connect_timeout: float) -> AsyncOpenAI:
    import openai

    limits = openai.Timeout(timeout, connect=connect_timeout)
    # A transport of our own would make the client overlook a proxy that the environment asks for.
    transport = None if _needs_proxy(url) else _transport_class()()
    http_client = openai.DefaultAsyncHttpxClient(transport=transport, timeout=limits)
    return openai.AsyncOpenAI(api_key=key, base_url=url, timeout=limits, max_retries=0, http_client=http_client)


def _needs_proxy(url: str) -> bool:
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    if not (proxies.get(parts.scheme) or proxies.get("all")):
        return False
    return not urllib.request.proxy_bypass(parts.hostname or "")


@cache
def _transport_class() -> type[Any]:
    """A class made on first use, as its bases come from whichever HTTP library ``openai`` brought."""
    httpx = http_library()

    class OneConnectionEach(httpx.AsyncBaseTransport):  # type: ignore[name-defined, misc]
        """Gives each call a connection of its own and keeps the used ones for the next calls.

        The library's own pool looks at all connections for each request, which costs more than the request
        at some hundred in flight. One pool a connection and a stack of free ones does not.
        """

        def __init__(self) -> None:
            self._tls = httpx.create_ssl_context()
            self._limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
            self._free: list[Any] = []

        async def handle_async_request(self, request: Any) -> Any:
            if self._free:
                connection = self._free.pop()
            else:
                connection = httpx.AsyncHTTPTransport(verify=self._tls, limits=self._limits)
            try:
                response = await connection.handle_async_request(request)
            except BaseException:
                await connection.aclose()
                raise
            response.stream = Lent(response.stream, connection, self._free)
            return response

        async def aclose(self) -> None:
            while self._free:
                await self._free.pop().aclose()

    class Lent(httpx.AsyncByteStream):  # type: ignore[name-defined, misc]
        """A response's bytes; closing it gives the connection back."""

        def __init__(self, stream: Any, connection: Any, free: list[Any]) -> None:
            self._stream, self._connection, self._free = stream, connection, free

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for part in self._stream:
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()
            self._free.append(self._connection)

    return OneConnectionEach
