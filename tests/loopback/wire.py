"""HTTP/1.1 as far as the loopback server needs it: whole requests in, whole or broken replies out."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable, Coroutine, Generator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast
from urllib.parse import urlsplit

MOST_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request: ``target`` is path and query, header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A reply; the content of a ``chunked`` one is already in chunks."""

    content: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    chunked: bool = False

    def head(self, request_id: str, keep_alive: bool) -> bytes:
        """Status line and headers, the empty line behind them too."""
        phrase = HTTPStatus(self.status).phrase if self.status in HTTPStatus._value2member_map_ else "Unknown"
        lines = [
            f"HTTP/1.1 {self.status} {phrase}",
            f"Content-Type: {self.content_type}",
            f"x-request-id: {request_id}",
        ]
        lines.append("Transfer-Encoding: chunked" if self.chunked else f"Content-Length: {len(self.content)}")
        if not keep_alive:
            lines.append("Connection: close")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def read_request(data: bytearray) -> Generator[bytes, None, Incoming]:
    """The request at the front of ``data``, which is taken away from it; ValueError if it is none.

    Yields what is to be sent to the client at once, and nothing (``b""``) where more bytes are needed.
    """
    while (end := data.find(b"\r\n\r\n")) < 0:
        if len(data) > MOST_HEAD:
            raise ValueError("the head of the request is too long")
        yield b""
    first, *fields = bytes(data[:end]).decode("latin-1").split("\r\n")
    del data[: end + 4]
    method, target, version = first.split(" ")
    headers = {}
    for line in fields:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("expect", "").lower() == "100-continue":
        yield b"HTTP/1.1 100 Continue\r\n\r\n"
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = yield from _read_chunks(data)
    else:
        body = yield from _take(data, int(headers.get("content-length", "0")))
    keep_alive = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    return Incoming(method, _origin_form(target), headers, body, keep_alive)


def _origin_form(target: str) -> str:
    """A proxy is sent whole addresses."""
    if target.startswith("/"):
        return target
    parts = urlsplit(target)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _take(data: bytearray, size: int) -> Generator[bytes, None, bytes]:
    if size < 0:
        raise ValueError("a negative length")
    while len(data) < size:
        yield b""
    taken = bytes(data[:size])
    del data[:size]
    return taken


def _read_chunks(data: bytearray) -> Generator[bytes, None, bytes]:
    chunks = []
    while True:
        while (end := data.find(b"\r\n")) < 0:
            yield b""
        size = int(bytes(data[:end]).split(b";")[0], 16)
        del data[: end + 2]
        if size:
            chunks.append((yield from _take(data, size)))
        yield from _take(data, 2)
        if not size:  # our clients send no trailers
            return b"".join(chunks)


class Connection(asyncio.Protocol):
    """One client's connection: its requests are served one after the other, in tasks that end when it goes."""

    def __init__(
        self,
        number: int,
        serve: Callable[[Connection, Incoming], Coroutine[None, None, None]],
        everyone: set[Connection],
    ) -> None:
        self.number = number
        self._serve, self._everyone = serve, everyone
        self._data = bytearray()
        self._reader = read_request(self._data)
        self._task: asyncio.Task[None] | None = None
        self._paused = False
        self._drained: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep nothing back: what the system does not take at once is waited for."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(0)
        self._everyone.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        """End the call under way."""
        self._everyone.discard(self)
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        """Serve a request as soon as it is whole; what follows it waits."""
        self._data += data
        if self._task is None:
            self._advance()

    def _advance(self) -> None:
        try:
            while (out := next(self._reader)) != b"":
                self._transport.write(out)
        except StopIteration as whole:
            incoming: Incoming = whole.value
            self._reader = read_request(self._data)
            self._task = asyncio.get_running_loop().create_task(self._serve(self, incoming))
            self._task.add_done_callback(lambda task: self._served(task, incoming.keep_alive))
        except ValueError as error:
            reply = Outgoing(str(error).encode(), 400, content_type="text/plain")
            self._transport.write(reply.head("none", False) + reply.content)
            self._transport.close()

    def _served(self, task: asyncio.Task[None], keep_alive: bool) -> None:
        self._task = None
        if task.cancelled() or task.exception() is not None or not keep_alive:
            self._transport.close()
        elif self._data and not self._transport.is_closing():
            self._advance()

    def write(self, data: bytes) -> bool:
        """Send; whether the system has taken all of it. ConnectionError if the client has gone."""
        if not self._transport.is_closing():
            self._transport.write(data)
        if self._transport.is_closing():
            raise ConnectionResetError("the client has gone")
        return not self._paused

    async def drain(self) -> None:
        """Wait until the system has taken all that was written."""
        if self._paused:
            self._drained = asyncio.get_running_loop().create_future()
            await self._drained

    def pause_writing(self) -> None:
        """Note that something was left over."""
        self._paused = True

    def resume_writing(self) -> None:
        """Note that nothing is left over."""
        self._paused = False
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

    def close(self) -> None:
        """Close once all that was written is out."""
        self._transport.close()

    def abort(self, *, reset: bool = False) -> None:
        """Close at once; with ``reset`` so that the client's system reports a reset (TCP RST)."""
        if reset:
            at_once = struct.pack("ii", 1, 0)
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self._transport.abort()
