"""``--push`` against a hub on this machine: the real client, its requests, and the bytes that arrive."""

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("huggingface_hub")


class Hub(ThreadingHTTPServer):
    """A hub that takes repositories and files for whoever has the right token."""

    def __init__(self) -> None:
        self.created: list[dict[str, object]] = []
        self.files: dict[str, bytes] = {}
        super().__init__(("127.0.0.1", 0), Answers)
        self.place = f"http://127.0.0.1:{self.server_port}/datasets/me/sums"


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.answer(200, {"id": "me/sums", "sha": "0" * 40, "private": True, "siblings": [], "tags": []})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers["Authorization"] != "Bearer right":
            return self.answer(401, {"error": "Invalid credentials"})
        if self.path == "/api/repos/create":
            self.server.created.append(json.loads(body))
            return self.answer(200, {"url": self.server.place})
        if self.path.endswith("/preupload/main"):
            names = [each["path"] for each in json.loads(body)["files"]]
            told = [{"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names]
            return self.answer(200, {"files": told})
        if self.path.endswith("/commit/main"):
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    self.server.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            return self.answer(200, {"commitUrl": f"{self.server.place}/commit/{'0' * 40}", "commitOid": "0" * 40})
        return self.answer(200, {"errors": [], "warnings": []})

    def answer(self, code: int, told: object) -> None:
        data = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def hub() -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def push(folder: Path, hub: Hub, token: str) -> subprocess.CompletedProcess[str]:
    rows = folder / "rows"
    rows.mkdir()
    (rows / "rows.jsonl").write_text(json.dumps({"question": "2 + 2?", "answer": "4"}) + "\n")
    command = [sys.executable, "-m", "dataflow_ext", "export", str(rows), "--to", "grpo", "--push", "me/sums"]
    there = f"http://127.0.0.1:{hub.server_port}"
    env = {**os.environ, "HF_ENDPOINT": there, "HF_TOKEN": token, "HF_HOME": str(folder / "home"),
           "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}  # fmt: skip
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_the_folder_arrives_as_a_private_data_set(tmp_path: Path, hub: Hub) -> None:
    done = push(tmp_path, hub, "right")
    assert done.returncode == 0, done.stderr
    assert f"pushed to {hub.place}" in done.stderr
    [made] = hub.created
    assert (made["name"], made["organization"], made["type"]) == ("sums", "me", "dataset")
    assert made.get("private") is True or made.get("visibility") == "private"
    exported = tmp_path / "rows/exports/grpo"
    assert hub.files == {path.name: path.read_bytes() for path in exported.iterdir() if path.is_file()}
    assert sorted(hub.files) == ["README.md", "grpo.jsonl"]


def test_a_hub_that_refuses_is_told_in_a_sentence_without_the_token(tmp_path: Path, hub: Hub) -> None:
    done = push(tmp_path, hub, "wrong-secret")
    assert (done.returncode, hub.files) == (2, {})
    assert done.stderr.splitlines()[-1].startswith("error: --push me/sums: ")
    assert "wrong-secret" not in done.stderr
