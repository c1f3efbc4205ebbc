"""A loopback server that answers as the four kinds of detectors do, and on request misbehaves."""

from __future__ import annotations

import base64
import io
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image

#: What the server sees in every picture, in the picture's pixels: label, score, corners.
Seen = tuple[str, float, tuple[float, float, float, float]]
#: An answer in place of the usual one: status, headers, content; or what is done with the connection.
Answer = tuple[int, dict[str, str], bytes] | Callable[[BaseHTTPRequestHandler], None]


class DetectorServer:
    """A server on a port of its own, inside a ``with`` block.

    ``instead`` are answers that are given once each, in turn, to calls that look for objects; ``looks`` the same for
    questions about a task. ``states`` are those that a task goes through before it is a success. ``asked`` holds
    method, path, headers and body of each call, ``pictures`` the size of each picture that was sent.
    """

    def __init__(
        self,
        seen: Sequence[Seen] = (),
        *,
        key: str | None = None,
        instead: Sequence[Answer] = (),
        looks: Sequence[Answer] = (),
        states: Sequence[str] = (),
        simple_extra: dict[str, Any] | None = None,
        roboflow_image: dict[str, Any] | None = None,
    ) -> None:
        self.seen, self.key, self.states = list(seen), key, list(states)
        self.instead, self.looks = list(instead), list(looks)
        self.simple_extra, self.roboflow_image = simple_extra or {}, roboflow_image
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.pictures: list[tuple[int, int]] = []
        self._tasks = 0
        self._lock = threading.Lock()

    def __enter__(self) -> DetectorServer:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                with outer._lock:
                    outer._serve(self)

            def do_GET(self) -> None:
                if self.path == "/":  # asked before a run whether anybody is there
                    return send(self, 404, {}, b"")
                return self.do_POST()

            def log_message(self, *words: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.http.shutdown()
        self.http.server_close()

    @property
    def paths(self) -> list[str]:
        return [f"{method} {path}" for method, path, _, _ in self.asked]

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        content = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        body = json.loads(content) if content else None
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.asked.append((handler.command, handler.path, headers, body))
        waiting = self.looks if handler.command == "GET" else self.instead
        if waiting:
            answer = waiting.pop(0)
            return answer(handler) if callable(answer) else send(handler, *answer)
        if self.key is not None and self.key not in (
            headers.get("authorization", "").removeprefix("Bearer "),
            headers.get("token"),
            (body or {}).get("api_key"),
        ):
            return send(handler, 401, {}, b'{"error": "Invalid credentials in Authorization header"}')
        routes = {"/detect": self._simple, "/grounding_dino/infer": self._roboflow}
        routes["/v2/task/grounding_dino/detection"] = self._create
        routes["/models/IDEA-Research/grounding-dino-base"] = self._hf
        if handler.path.startswith("/v2/task_status/"):
            reply = self._look()
        elif handler.path in routes:
            reply = routes[handler.path](body)
        else:
            return send(handler, 404, {}, b'{"error": "Not Found"}')
        return send(handler, 200, {}, json.dumps(reply).encode())

    def _hf(self, body: Any) -> Any:
        self._picture(body["inputs"])
        assert set(body["parameters"]) == {"candidate_labels"}
        return [
            {"score": score, "label": label, "box": dict(zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True))}
            for label, score, box in self.seen
        ]

    def _roboflow(self, body: Any) -> Any:
        assert body["image"]["type"] == "base64" and isinstance(body["text"], list)
        width, height = self._picture(body["image"]["value"])
        found = []
        for number, (label, score, (x0, y0, x1, y1)) in enumerate(self.seen):
            box = {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2, "width": x1 - x0, "height": y1 - y0}
            found.append({**box, "confidence": score, "class": label, "class_id": 0, "detection_id": f"d{number}"})
        image = self.roboflow_image or {"width": width, "height": height}
        return {"inference_id": "i", "time": 0.4, "image": image, "predictions": found}

    def _create(self, body: Any) -> Any:
        head, _, data = body["image"].partition(",")
        assert head.startswith("data:image/") and body["prompt"]["type"] == "text" and body["targets"] == ["bbox"]
        self._picture(data)
        self._tasks += 1
        return {"code": 0, "data": {"task_uuid": f"092ccde4-{self._tasks}"}, "msg": "ok"}

    def _look(self) -> Any:
        status = self.states.pop(0) if self.states else "success"
        data: dict[str, Any] = {"uuid": "092ccde4-1", "status": status, "error": None, "session_id": "s"}
        if status == "failed":
            data["error"] = "image can not be decoded"
        if status == "success":
            found = [{"category": label, "score": score, "bbox": list(box)} for label, score, box in self.seen]
            data["result"] = {"mask_url": None, "objects": found}
        return {"code": 0, "data": data, "msg": "ok"}

    def _simple(self, body: Any) -> Any:
        self._picture(body["image"])
        found = [{"label": label, "score": score, "box": list(box)} for label, score, box in self.seen]
        return {"detections": found, **self.simple_extra}

    def _picture(self, data: str) -> tuple[int, int]:
        size = Image.open(io.BytesIO(base64.b64decode(data, validate=True))).size
        self.pictures.append(size)
        return size


def send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], content: bytes) -> None:
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def said(status: int, body: Any, **headers: str) -> Answer:
    """An answer of that status with JSON."""
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body).encode()


def drop(handler: BaseHTTPRequestHandler) -> None:
    """End the connection without a word."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def hang(handler: BaseHTTPRequestHandler) -> None:
    """Say nothing for longer than any test waits."""
    time.sleep(0.5)
    drop(handler)
