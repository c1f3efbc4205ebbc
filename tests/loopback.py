"""A small OpenAI-compatible server on this machine, with a switch for each way in which a real one fails."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Body = dict[str, Any]
Brain = Callable[[Body], str]


@dataclass(frozen=True)
class Fault:
    """How one call is to go wrong.

    ``status``: that HTTP status with ``headers`` and error ``code``; ``drop``: the connection closes without
    a word; ``cut``: it closes half-way through the reply; ``slow``: the reply comes ``seconds`` later;
    ``length``: half of the text with that finish reason; ``refusal``: a refusal in place of content;
    ``garbage``: status 200 with something that is no JSON.
    """

    kind: Literal["status", "drop", "cut", "slow", "length", "refusal", "garbage"]
    status: int = 500
    code: str = "injected"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def limited(retry_after: float | None = None) -> Fault:
    """A 429, with a ``Retry-After`` if one is given."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Fault("status", 429, "rate_limit_exceeded", headers)


@dataclass(frozen=True)
class Call:
    """One call as the server saw it; ``outcome`` is ``ok`` or its fault's kind."""

    number: int
    started: float
    body: Body
    authorization: str
    outcome: str


def prompt_of(body: Body) -> str:
    """All text of a body's messages, joined by line ends."""
    parts: list[str] = []
    for message in body["messages"]:
        content = message["content"]
        if isinstance(content, str):
            parts.append(content)
        else:
            parts.extend(part["text"] for part in content if part["type"] == "text")
    return "\n".join(parts)


class Loopback:
    """The server, running inside a ``with`` block.

    ``brain`` makes the reply's text from the request's body. ``fault`` is asked for each call, with its
    number from 1 on and its body, whether and how it goes wrong.

    >>> with Loopback(lambda body: prompt_of(body).upper()) as server:
    ...     server.url.startswith("http://127.0.0.1:"), server.calls
    (True, [])
    """

    def __init__(
        self,
        brain: Brain = prompt_of,
        *,
        fault: Callable[[int, Body], Fault | None] = lambda number, body: None,
        delay: float = 0.0,
        port: int = 0,
    ) -> None:
        self.brain, self.fault, self.delay = brain, fault, delay
        self.calls: list[Call] = []
        self.received = 0
        self.in_flight = 0
        self.max_in_flight = 0
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"loopback": self})
        self._server = _Server(("127.0.0.1", port), handler)
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Loopback:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def outcomes(self) -> list[str]:
        """What became of each call, in the order of arrival."""
        return [call.outcome for call in sorted(self.calls, key=lambda call: call.number)]

    @property
    def prompts(self) -> list[str]:
        """The text of each call, in the order of arrival."""
        return [prompt_of(call.body) for call in sorted(self.calls, key=lambda call: call.number)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients are killed on purpose."""


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *parts: object) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        server = self.loopback
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        started = time.monotonic()
        with server.lock:
            server.received += 1
            number = server.received
            server.in_flight += 1
            server.max_in_flight = max(server.max_in_flight, server.in_flight)
        try:
            fault = server.fault(number, body)
            time.sleep(server.delay + (fault.seconds if fault else 0.0))
            call = Call(number, started, body, self.headers.get("Authorization", ""), fault.kind if fault else "ok")
            with server.lock:
                server.calls.append(call)
        finally:
            with server.lock:
                server.in_flight -= 1
        self._answer(body, fault)

    def _answer(self, body: Body, fault: Fault | None) -> None:
        kind = fault.kind if fault else "ok"
        if fault is not None and kind == "status":
            error = {"message": "injected by the test", "type": fault.code, "code": fault.code}
            self._send(fault.status, json.dumps({"error": error}).encode(), fault.headers)
        elif kind == "drop":
            self.close_connection = True
        elif kind == "garbage":
            self._send(200, b'<html>{"choices": [')
        else:
            content = json.dumps(_completion(body, self.loopback.brain(body), kind)).encode()
            self._send(200, content, cut=kind == "cut")

    def _send(self, status: int, content: bytes, headers: Mapping[str, str] | None = None, cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        self.close_connection = self.close_connection or cut


def _completion(body: Body, text: str, kind: str) -> Body:
    message: Body = {"role": "assistant", "content": text}
    if kind == "refusal":
        message |= {"content": None, "refusal": "I would rather not."}
    if kind == "length":
        message["content"] = text[: len(text) // 2]
    prompt_tokens, completion_tokens = len(prompt_of(body)) // 4, len(text) // 4
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if kind == "length" else "stop"}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
            "prompt_tokens_details": {"cached_tokens": prompt_tokens // 2},
        },
    }
