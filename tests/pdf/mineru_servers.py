"""Loopback servers that answer as MinerU's own do, of version 2, 3 and 4, and on request misbehave."""

from __future__ import annotations

import io
import json
import re
import threading
import time
import zipfile
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

FIXTURES = Path(__file__).parent / "fixtures_mineru"


def archive(version, top=""):
    """The zip archive that a server of the version sends."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path in sorted(p for p in (FIXTURES / version).rglob("*") if p.is_file()):
            target.write(path, top + str(path.relative_to(FIXTURES / version)))
    return buffer.getvalue()


class Server:
    """A server of MinerU ``version`` (2, 3 or 4) on a port of its own, inside a ``with`` block.

    ``instead`` maps "METHOD /path" (``{id}`` for a task's) to answers that are given once each, in turn,
    before the usual ones: (status, headers, body) or a function that has the connection. ``asked`` holds
    the requests, ``forms`` what came with the PDFs.
    """

    def __init__(self, version, *, body=None, instead=None, key=None, states=None, tiers=("flash",)):
        self.version, self.key, self.tiers = version, key, tiers
        self.body = archive({2: "v2_5", 3: "v3_0", 4: "v4_0"}[version]) if body is None else body
        self.instead = {route: list(answers) for route, answers in (instead or {}).items()}
        self.states = list(states or [])
        self.asked, self.forms, self.keys = [], [], []

    def __enter__(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.serve(self)

            do_POST = do_DELETE = do_GET

            def log_message(self, *words):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self.http.shutdown()
        self.http.server_close()

    def serve(self, handler):
        where = urlsplit(handler.path)
        body = (
            handler.rfile.read(int(handler.headers.get("content-length") or 0))
            if self.sized(handler)
            else chunks(handler)
        )
        route = f"{handler.command} {re.sub('job_1', '{id}', where.path)}"
        self.asked.append(route)
        self.keys.append(handler.headers.get("authorization"))
        if self.instead.get(route):
            answer = self.instead[route].pop(0)
            return answer(handler) if callable(answer) else reply(handler, *answer)
        if handler.command == "POST":
            self.forms.append({**form(handler, body), **parse_qs(where.query)})
        return reply(handler, *self.usual(route, where, handler))

    def sized(self, handler):
        return "chunked" not in handler.headers.get("transfer-encoding", "")

    def usual(self, route, where, handler):
        if self.version == 4:
            return self.four(route, where, handler)
        paths = {"/file_parse": {}, **({"/tasks": {}, "/tasks/{task_id}/result": {}} if self.version == 3 else {})}
        state = {"task_id": "job_1", "backend": "pipeline", "file_names": ["document"], "error": None}
        answers = {
            "GET /openapi.json": (200, {}, {"paths": paths}),
            "POST /file_parse": (200, {"content-type": "application/zip"}, self.body),
        }
        if self.version == 3:
            answers |= {
                "GET /health": (200, {}, {"status": "healthy", "version": "3.4.5", "protocol_version": 2}),
                "POST /tasks": (202, {}, {**state, "status": "pending", "message": "Task submitted"}),
                "GET /tasks/{id}": (200, {}, {**state, "status": self.state(route)}),
                "GET /tasks/{id}/result": (200, {"content-type": "application/zip"}, self.body),
            }
        return answers.get(route, (404, {}, {"detail": "Not Found"}))

    def four(self, route, where, handler):
        public = route in ("GET /v1/health", "GET /v1/tiers")
        if self.key and not public and handler.headers.get("authorization") != f"Bearer {self.key}":
            return fault(401, "authentication_error", "invalid_api_key", "Invalid or missing API key")
        if route == "POST /v1/tasks" and not self.forms[-1].get("tier") and set(self.tiers) == {"flash"}:
            return fault(503, "engine_error", "quality_tier_unavailable", "Pass tier='flash' explicitly.")
        state = {"task_id": "job_1", "progress": {"completed": 0, "failed": 0, "total": 1}, "files": [{"error": None}]}
        answers = {
            "GET /v1/health": (200, {}, {"status": "ok", "version": "4.0.12", "features": {}}),
            "GET /v1/tiers": (200, {}, {"object": "list", "data": [{"id": tier} for tier in self.tiers]}),
            "POST /v1/tasks": (202, {}, {**state, "status": "queued"}),
            "GET /v1/tasks/{id}": (200, {}, {**state, "status": self.state(route)}),
            "DELETE /v1/tasks/{id}": (200, {}, {**state, "status": "canceled"}),
            "GET /v1/tasks/{id}/result": (200, {"content-type": "application/zip"}, self.body),
        }
        return answers.get(route, (404, {}, {"detail": "Not Found"}))

    def state(self, route):
        asked = re.fullmatch(r"GET (/v1)?/tasks/{id}", route)
        return self.states.pop(0) if asked and self.states else "completed"


def fault(status, kind, code, message):
    return status, {}, {"error": {"type": kind, "code": code, "message": message, "param": None}}


def reply(handler, status, headers, body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in {"content-type": "application/json", **headers, "content-length": str(len(data))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def chunks(handler):
    """A body that comes in chunks."""
    parts = []
    while size := int(handler.rfile.readline(), 16):
        parts.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(parts)


def form(handler, body):
    """The fields of a form, with the first bytes of its file."""
    head = f"Content-Type: {handler.headers['content-type']}\r\n\r\n".encode()
    fields = {}
    for part in BytesParser().parsebytes(head + body).walk():
        if name := part.get_param("name", header="content-disposition"):
            data = part.get_payload(decode=True)
            fields[name] = data[:5] if part.get_filename() else data.decode()
    return fields


def drop(handler):
    """Break the connection off without an answer."""
    handler.close_connection = True
    handler.connection.close()


def hang(handler):
    """Say nothing for longer than anyone waits."""
    time.sleep(5)
    handler.close_connection = True
