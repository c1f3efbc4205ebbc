"""A server that sends whatever bytes a fault consists of, on loopback; see faults.py for the catalogue."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Literal

#: What a fault is for the caller: a usable reply all the same, a failure that another try mends, the server's last
#: word on the request, or its word on key, model, address or credit.
Meaning = Literal["answered", "again", "refused", "no access"]


@dataclass(frozen=True)
class Asked:
    """One call as the server read it."""

    prompt: str
    key: str
    url: str


@dataclass(frozen=True)
class Fault:
    """What is sent in place of a reply: bytes, and seconds of silence between them.

    After that the connection is closed (``close``), reset, or kept for another request. With ``group`` wire a
    fault is about HTTP, with shape about the content of a reply, with slow it takes seconds or a lot of data.
    """

    name: str
    means: Meaning
    parts: Callable[[Asked], Iterable[bytes | float]]
    end: Literal["close", "reset", "keep"] = "close"
    group: Literal["wire", "shape"] = "wire"
    slow: bool = False


class FaultServer:
    """The server, running inside a ``with`` block at ``url``; ``choose`` names the fault for a prompt's n-th call.

    ``calls`` are the prompts in the order of arrival with the fault's name, or ok. ``others`` counts requests for
    anything but chat completions, such as a redirect that was followed.
    """

    def __init__(self, choose: Callable[[str, int], Fault | None]) -> None:
        self.choose = choose
        self.calls: list[tuple[str, str]] = []
        self.others = 0
        self._tries: Counter[str] = Counter()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._ready = threading.Event()

    def __enter__(self) -> FaultServer:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(self._connection(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_server(connected, sock=self._socket, limit=1 << 20)
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in tasks:
            task.cancel()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has gone
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; whether there may be another one on the connection."""
        asked = await self._read(reader)
        if asked is None:
            self.others += 1
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        self._tries[asked.prompt] += 1
        fault = self.choose(asked.prompt, self._tries[asked.prompt])
        self.calls.append((asked.prompt, fault.name if fault else "ok"))
        if fault is None:
            writer.write(good(asked))
            await writer.drain()
            return True
        for part in fault.parts(asked):
            if isinstance(part, float):
                await _silence(reader, part)
            else:
                writer.write(part)
                await writer.drain()
        if fault.end == "reset":
            at_once = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            writer.transport.abort()
        return fault.end == "keep"

    async def _read(self, reader: asyncio.StreamReader) -> Asked | None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        if not first.startswith("POST ") or "/chat/completions " not in first:
            return None
        prompt = json.loads(content)["messages"][-1]["content"]
        return Asked(prompt, headers.get("authorization", "").removeprefix("Bearer "), self.url)


async def _silence(reader: asyncio.StreamReader, seconds: float) -> None:
    """Say nothing for so long, but notice when the client goes."""
    try:
        async with asyncio.timeout(seconds):
            if not await reader.read(1):
                raise ConnectionResetError
    except TimeoutError:
        pass


def good(asked: Asked) -> bytes:
    """A good reply, whose text is the prompt's."""
    return response(completion(asked.prompt))


def completion(text: object, **more: object) -> bytes:
    """A chat completion as JSON; ``more`` replaces its fields."""
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"model": "m", "choices": [choice], "usage": usage, **more}).encode()


def response(content: bytes, status: str = "200 OK", *headers: str | bytes, length: bool = True) -> bytes:
    """An HTTP reply with that content; a header that is bytes is sent as it is."""
    sized = [f"Content-Length: {len(content)}"] if length else []
    lines = [f"HTTP/1.1 {status}", *headers, *sized, "", ""]
    return b"\r\n".join([line if isinstance(line, bytes) else line.encode("latin-1") for line in lines]) + content


def played(fault: Fault, key: str = "") -> Callable[[BaseHTTPRequestHandler], None]:
    """The fault as an answer of a server whose handler is one of ``http.server``."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        with contextlib.suppress(OSError):  # the client has gone
            for part in fault.parts(Asked("a", key, f"http://127.0.0.1:{handler.server.server_port}/v1")):
                if isinstance(part, float):
                    time.sleep(part)
                else:
                    handler.wfile.write(part)
        if fault.end == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return answer
