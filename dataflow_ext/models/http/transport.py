"""The HTTP connections under the ``openai`` client, held so that hundreds of calls at once stay cheap.

The client's own way of making a request takes about a millisecond of the processor's time, and its connection
pool more than that at some hundred in flight. A :class:`Line` sends what the client would send, to the address
and with the headers that the client names, over plain asyncio connections.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import urllib.request
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit
from weakref import WeakKeyDictionary

from dataflow_ext.models.errors import AccessError, RetryableError, ServerDownError, TimedOutError
from dataflow_ext.models.http.body import MOST_BODY, bounded, http_library
from dataflow_ext.models.http.connection import Connection, HttpReply, Limits, connect

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: Seconds after which a connection that no call used is not trusted any more.
_TRUSTED_IDLE = 90.0


class Line:
    """The connections to one server, with the address and the headers that an ``openai`` client names.

    A free connection is used again; a call that finds none opens one. Redirects are not followed, cookies
    are not kept and nothing is tried again.
    """

    def __init__(self, client: AsyncOpenAI) -> None:
        base = client.base_url
        self.server = str(base).rstrip("/")
        self._address = (base.raw_host.decode("ascii"), base.port or (443 if base.scheme == "https" else 80))
        self._tls = tls_context() if base.scheme == "https" else None
        self._root = base.raw_path.decode("ascii").partition("?")[0].rstrip("/")
        self._query = urlencode({name: str(value) for name, value in client.default_query.items()})
        sent = {**client.auth_headers, **client.default_headers}
        self._headers = {name: value for name, value in sent.items() if isinstance(value, str)}
        self._headers |= {"Host": base.netloc.decode("ascii"), "Accept-Encoding": "identity"}
        self._head = _lines(self._headers, self.server)
        self._free: list[tuple[Connection, float]] = []

    async def post(
        self, path: str, content: bytes, limits: Limits, headers: Mapping[str, str] | None = None
    ) -> HttpReply:
        """The server's reply, whatever its status; a RetryableError if none came.

        ``headers`` win over the client's own, and an empty one takes it away.
        """
        target = self._root + path + (f"?{self._query}" if self._query else "")
        lines = self._lines_with(headers) if headers else self._head
        head = b"POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n" % (target.encode(), lines, len(content))
        clock = asyncio.get_running_loop().time
        ends = clock() + limits.whole
        connection = self._idle(clock()) or await connect(self._address, self._tls, self.server, limits)
        reply = await connection.ask(head, content, limits, ends)
        if connection.usable:
            self._free.append((connection, clock()))
        else:
            connection.abort()
        return reply

    def _lines_with(self, headers: Mapping[str, str]) -> bytes:
        given = {name.lower() for name in headers}
        kept = {name: value for name, value in self._headers.items() if name.lower() not in given}
        return _lines({**kept, **{name: value for name, value in headers.items() if value}}, self.server)

    def _idle(self, now: float) -> Connection | None:
        while self._free:
            connection, since = self._free.pop()
            if now - since < _TRUSTED_IDLE and connection.quiet():
                return connection
            connection.abort()
        return None

    def close(self) -> None:
        """Close the connections that no call uses."""
        while self._free:
            self._free.pop()[0].abort()


@dataclass(slots=True)
class _OfLoop:
    clients: dict[tuple[object, ...], AsyncOpenAI] = field(default_factory=dict)
    lines: WeakKeyDictionary[AsyncOpenAI, Line | None] = field(default_factory=WeakKeyDictionary)
    closing: AsyncGenerator[None, None] | None = None

    async def close(self) -> None:
        for line in self.lines.values():
            if line is not None:
                line.close()
        for client in self.clients.values():
            await client.close()
        self.clients.clear()
        self.lines.clear()
        await asyncio.sleep(0)  # in which the connections' sockets are closed


_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()

#: What a fork brought along: the parent's connections, which the child must neither use nor close.
_inherited: list[object] = []


def client_for(url: str, key: str, timeout: float, connect_timeout: float, most: int = MOST_BODY) -> AsyncOpenAI:
    """The running loop's client for a server, made on first use; it repeats no call by itself.

    What it reads itself, without a :class:`Line`, has at most ``most`` bytes a reply.
    """

    def make() -> AsyncOpenAI:
        import openai

        http = http_client(url, timeout, connect_timeout, most)
        return openai.AsyncOpenAI(api_key=key, base_url=url, timeout=http.timeout, max_retries=0, http_client=http)

    return client_of((url, key, timeout, connect_timeout, most), make)


def client_of(wanted: tuple[object, ...], make: Callable[[], AsyncOpenAI]) -> AsyncOpenAI:
    """The running loop's client of these settings, made on first use and closed with the loop."""
    clients = _of_loop().clients
    client = clients.get(wanted)
    if client is None:
        client = clients[wanted] = make()
    return client


def line_for(client: AsyncOpenAI) -> Line | None:
    """The running loop's line for a client, or None where a proxy that the environment names is to be used."""
    lines = _of_loop().lines
    if client not in lines:
        lines[client] = None if needs_proxy(str(client.base_url)) else Line(client)
    return lines[client]


def needs_proxy(url: str) -> bool:
    """Whether the environment names a proxy for that address."""
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    if not (proxies.get(parts.scheme) or proxies.get("all")):
        return False
    return not urllib.request.proxy_bypass(parts.hostname or "")


def http_client(server: str, timeout: float, connect_timeout: float, most: int = MOST_BODY) -> Any:
    """What an ``openai`` client sends with where it does so itself; it follows no redirect."""
    import openai

    limits = openai.Timeout(timeout, connect=connect_timeout)
    return openai.DefaultAsyncHttpxClient(timeout=limits, follow_redirects=False, **bounded(server, most))


def _lines(headers: Mapping[str, str], server: str) -> bytes:
    text = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    # Not by way of an encoding error, which would hold the key.
    if not text.isascii() or not text.replace("\r\n", "").isprintable() or text.count("\n") != len(headers):
        raise AccessError(
            f"The key for {server} has characters that no key has, such as a line break or a letter with an accent."
        )
    return text.encode("ascii")


@cache
def tls_context() -> Any:
    """The certificates that servers are trusted by; loaded once, which takes long."""
    context = http_library().create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _of_loop() -> _OfLoop:
    loop = asyncio.get_running_loop()
    here = _loops.get(loop)
    if here is None:
        here = _loops[loop] = _OfLoop()
        # An event loop that ends closes its asynchronous generators, so this one closes the connections.
        here.closing = _close_at_end(here)
        with contextlib.suppress(StopIteration):
            here.closing.asend(None).send(None)
    return here


async def _close_at_end(here: _OfLoop) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await here.close()


@atexit.register
def _close_at_exit() -> None:
    for loop, here in list(_loops.items()):
        if loop.is_running():
            with contextlib.suppress(TimeoutError):
                asyncio.run_coroutine_threadsafe(here.close(), loop).result(timeout=1.0)


def _forget_after_fork() -> None:
    global _loops
    _inherited.append(list(_loops.items()))
    _loops = WeakKeyDictionary()


os.register_at_fork(after_in_child=_forget_after_fork)


#: Seconds that a server has to answer.
PATIENCE = 5.0


async def must_answer(url: str, path: str = "") -> None:
    """Raise :class:`ServerDownError` unless a server answers a GET of ``url`` and ``path`` within five seconds.

    Any answer will do, also one that says that there is no such page, or that a key is wanted.
    """
    try:
        await (_by_proxy(url + path) if needs_proxy(url) else _get(url, path))
    except RetryableError as error:
        why = str(error).removeprefix(f"The connection to {url} failed: ").rstrip(".")
        why = why.removesuffix(" (connect_timeout)")
        if isinstance(error, TimedOutError):
            why = f"no reply began within {PATIENCE:g} s"
        raise ServerDownError(
            f"{url} does not answer: {why}. Start the server or mend its address; without the check "
            "(preflight=False, --no-preflight) what is remembered can be used without it."
        ) from None


async def _get(url: str, path: str) -> None:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    limits = Limits(PATIENCE, PATIENCE, PATIENCE)
    tls = tls_context() if parts.scheme == "https" else None
    ends = asyncio.get_running_loop().time() + PATIENCE
    connection = await connect((parts.hostname or "", port), tls, url, limits)
    head = (
        f"GET {parts.path + path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )
    try:
        await connection.ask(head.encode("ascii", "replace"), b"", limits, ends)
    except RetryableError:
        if not connection.answered:  # what it has begun to say is an answer, however it ends
            raise
    finally:
        connection.abort()


async def _by_proxy(address: str) -> None:
    http = http_library()
    failure: RetryableError
    try:
        async with http.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
            await client.get(address)
    except http.TransportError as error:
        failure = RetryableError(f"{str(error) or type(error).__name__} (by the proxy that the environment names)")
    else:
        return
    raise failure
