"""An OpenAI-compatible server on this machine, for tests and demos, with a switch for each way to fail."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from tests.loopback.exchange import Call, Exchange, Log
from tests.loopback.replies import Body, Fault, chat_reply, error_reply, json_reply, limited, prompt_of
from tests.loopback.wire import Connection, Incoming, Outgoing

__all__ = ["Body", "Brain", "Call", "Fault", "Loopback", "Routes", "limited", "prompt_of"]

Brain = Callable[[Body], str]

_CHAT = "POST /chat/completions"
_CHAT_ONLY = {"length", "refusal", "empty"}
_PREFIX = re.compile(r"/openai/deployments/(?P<deployment>[^/]+)|/openai/v1|/openai|/v1")


class Routes(Protocol):
    """What a server answers beside chat completions: how the replies to some routes are made, and which go wrong."""

    def serves(self, route: str) -> bool:
        """Whether a route, such as ``"GET /batches/{id}"``, is one of these."""

    def fault(self, number: int, route: str) -> Fault | None:
        """How the request of that number on that route goes wrong, if it does."""

    def answer(self, route: str, name: str, incoming: Incoming, think: Callable[[Body], Awaitable[str]]) -> Outgoing:
        """The reply, called on the server's loop; ``think`` is the server's brain."""


class Loopback:
    """The server, running inside a ``with`` block at ``url``, in a thread of its own.

    ``brain`` makes the reply's text from the request's body. Up to ``threads`` calls of it run at a time, in
    threads, so it may wait; with 0 threads the server calls it between two replies, which is cheaper for one
    that answers at once. ``delay`` is what every reply takes, in seconds. ``fault`` is asked for each chat
    call, with its number from 1 on and its body, whether and how it goes wrong; ``headers``, in the same way,
    for more headers on good replies. Both are called on the server's loop and must not wait. ``more`` answers on
    further routes. All these can be replaced while the server runs.

    It answers below ``/v1`` and below Azure's ``/openai/deployments/NAME``, there with an ``api-version``.

    >>> with Loopback(lambda body: prompt_of(body).upper()) as server:
    ...     server.url.startswith("http://127.0.0.1:"), server.calls
    (True, [])
    """

    def __init__(
        self,
        brain: Brain = prompt_of,
        *,
        fault: Callable[[int, Body], Fault | None] = lambda number, body: None,
        headers: Callable[[int, Body], Mapping[str, str]] = lambda number, body: {},
        delay: float = 0.0,
        port: int = 0,
        threads: int = 256,
        models: Sequence[str] = ("loopback",),
        more: Routes | None = None,
    ) -> None:
        self.brain, self.fault, self.headers, self.delay, self.models = brain, fault, headers, delay, models
        self.more = more
        self._chats, self._others = Log(), Log()
        self._visits: dict[str, int] = {}
        self._connections: set[Connection] = set()
        self._connected = 0
        self._pool = ThreadPoolExecutor(threads, "loopback-brain") if threads else None
        self._socket = socket.create_server(("127.0.0.1", port), backlog=1024)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready, self._stop = threading.Event(), asyncio.Event()

    def __enter__(self) -> Loopback:
        self._thread = threading.Thread(target=self._run, name="loopback", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._loop is None:
            raise RuntimeError("the loopback server could not start, its thread's error tells why")
        return self

    def __exit__(self, *error: object) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def calls(self) -> list[Call]:
        """The chat calls so far, each from the moment on at which its outcome was known."""
        return self._chats.calls

    @property
    def more_calls(self) -> list[Call]:
        """The calls on further routes; each route has numbers of its own."""
        return [call for call in self._others.calls if self.more is not None and self.more.serves(call.route)]

    @property
    def received(self) -> int:
        """How many chat calls have come in."""
        return self._chats.received

    @property
    def in_flight(self) -> int:
        """How many chat calls are under way."""
        return self._chats.in_flight

    @property
    def max_in_flight(self) -> int:
        """How many chat calls were under way at a time, at most."""
        return self._chats.max_open

    @property
    def outcomes(self) -> list[str]:
        """What became of each chat call, in the order of arrival."""
        return [call.outcome for call in sorted(self.calls, key=lambda call: call.number)]

    @property
    def prompts(self) -> list[str]:
        """The text of each chat call, in the order of arrival."""
        return [prompt_of(call.body) for call in sorted(self.calls, key=lambda call: call.number)]

    def _run(self) -> None:
        try:
            asyncio.run(self._serve_until_stopped())
        finally:
            self._ready.set()

    async def _serve_until_stopped(self) -> None:
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(self._connection, sock=self._socket, backlog=1024)
        self._loop = loop
        self._ready.set()
        await self._stop.wait()
        listener.close()
        for connection in list(self._connections):
            connection.abort()

    def _connection(self) -> Connection:
        self._connected += 1
        return Connection(self._connected, self._serve, self._connections)

    async def _serve(self, connection: Connection, incoming: Incoming) -> None:
        """Answer one request of any kind."""
        route, name, deployment = route_of(incoming.method, incoming.target)
        call = Call(0, route, incoming.target, {}, connection.number, time.monotonic(), incoming.headers)
        log = self._chats if route == _CHAT else self._others
        exchange = Exchange(connection, incoming, call, log)
        try:
            if route == _CHAT:
                await self._chat(exchange, deployment or "loopback")
            elif self.more is not None and self.more.serves(route):
                await self._on_route(exchange, name, self.more)
            else:
                await exchange.send(self._other(route, incoming))
        finally:
            log.end(call)

    async def _chat(self, exchange: Exchange, model: str) -> None:
        call = exchange.call
        call.body = chat_body(exchange.incoming.body)
        exchange.log.begin(call)

        async def make(kind: str) -> Outgoing:
            if not call.body:
                call.outcome = "invalid"
                return error_reply(400, "The body must be a JSON object with messages.", "invalid_body", "messages")
            text = "" if kind == "empty" else await self._think(call.body)
            reply = chat_reply(call.body, text, kind, model)
            more = self.headers(call.number, call.body)
            return replace(reply, headers=more) if more else reply

        await exchange.run(self.delay, lambda: self.fault(call.number, call.body), make)

    async def _on_route(self, exchange: Exchange, name: str, routes: Routes) -> None:
        call = exchange.call
        self._visits[call.route] = call.number = self._visits.get(call.route, 0) + 1

        async def make(kind: str) -> Outgoing:
            if kind in _CHAT_ONLY:
                raise ValueError(f"a fault of kind {kind} is for chat completions, not for {call.route}")
            return routes.answer(call.route, name, exchange.incoming, self._think)

        await exchange.run(self.delay, lambda: routes.fault(call.number, call.route), make)

    def _other(self, route: str, incoming: Incoming) -> Outgoing:
        if route == "GET /models":
            entries = [{"id": m, "object": "model", "created": 0, "owned_by": "loopback"} for m in self.models]
            return json_reply({"object": "list", "data": entries})
        return error_reply(404, f"Nothing is served at {incoming.method} {incoming.target}.", "not_found")

    async def _think(self, body: Body) -> str:
        if self._pool is None:
            return self.brain(body)
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.brain, body)


@lru_cache(1024)
def route_of(method: str, target: str) -> tuple[str, str, str]:
    """Method and path without what servers differ in, the id in it, and the deployment of an Azure path.

    An Azure path without its API version leads nowhere.

    >>> route_of("GET", "/v1/files/file-1/content?a=1")
    ('GET /files/{id}/content', 'file-1', '')
    >>> route_of("POST", "/openai/deployments/gpt/chat/completions?api-version=2024-10-21")
    ('POST /chat/completions', '', 'gpt')
    """
    parts = urlsplit(target)
    prefix = _PREFIX.match(parts.path)
    path = parts.path[prefix.end() :] if prefix else parts.path
    if prefix and prefix[0] not in ("/v1", "/openai/v1") and "api-version" not in parse_qs(parts.query):
        return "", "", ""
    name = ""
    if (found := re.match(r"/(files|batches)/([^/]+)(.*)", path)) is not None:
        name, path = found[2], f"/{found[1]}/{{id}}{found[3]}"
    return f"{method} {path}", name, (prefix["deployment"] or "") if prefix else ""


def chat_body(content: bytes) -> Body:
    """A chat request's body; an empty one if it is none."""
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) and isinstance(body.get("messages"), list) else {}
