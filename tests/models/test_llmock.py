"""Against a fake server that somebody else wrote (``llmock``), with its faults and its verdict on the client."""

import importlib.util
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import OpenAIModel, RejectedRequestError, Request, Session, complete

if importlib.util.find_spec("llmock") is None:
    pytest.skip("llmock is not installed: pip install 'rowsmith[fakes]'", allow_module_level=True)

PNG = b"\x89PNG\r\n\x1a\n picture"


class LLMock:
    """The fake in a process of its own."""

    def __init__(self):
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self.root = f"http://127.0.0.1:{self.port}"
        serve = ["serve", "--port", str(self.port), "--response-style", "echo"]
        command = [sys.executable, "-c", "from llmock.cli import app; app()", *serve]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(self):
        end = time.monotonic() + 30
        while True:
            try:
                return self.call("/health")
            except urllib.error.URLError:
                assert self.process.poll() is None and time.monotonic() < end, "llmock does not start"
                time.sleep(0.05)

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.root + path, data), timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def server():
    server = LLMock()
    try:
        server.wait()
        yield server
    finally:
        server.process.terminate()
        server.process.wait(10)


@pytest.fixture
def llmock_server(server, monkeypatch):
    server.call("/_llmock/reset", {})
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.2)
    return server


def model_at(server, name="gpt-4o", **options):
    return OpenAIModel(name=name, base_url=f"{server.root}/v1", **options)


def test_fifty_requests_survive_its_faults_and_please_its_verdict(llmock_server):
    def first(model, **behavior):
        return {**behavior, "match": {"model": model}}

    behaviors = [
        first("m0", type="fail", status=429, retry_after=0.3, times=5),
        first("m1", type="fail", status=500, times=3),
        first("m1", type="fail", status=503, retry_after=0.2, times=2),
        first("m2", type="fail", status=429, retry_after=0.1, times=2),
        first("m2", type="fail", status=529, retry_after=0.1, times=2),
        first("m3", type="delay", seconds=1.0, times=2),
        first("m3", type="reply", text="Once upon", finish_reason="length", times=4),
    ]
    llmock_server.call("/_llmock/scenario", {"behaviors": behaviors})
    models = [model_at(llmock_server, name=f"m{n}", timeout=0.7, max_retries=8) for n in range(5)]
    questions = [(models[n % 5], Request(f"prompt number {n}")) for n in range(50)]
    with Session(max_in_flight=16) as session:
        replies = run_async(map_async(lambda question: complete(*question), questions, 50))
    assert [r for r in replies if isinstance(r, Exception)] == []
    whole = [(request, r) for (_, request), r in zip(questions, replies, strict=True) if r.finish_reason == "stop"]
    assert all(request.prompt in reply.text for request, reply in whole)
    # Two of the four cut replies went with the delayed ones, which nobody waited for.
    assert [r.text for r in replies if r.finish_reason == "length"] == ["Once upon"] * 2
    seen = llmock_server.call("/_llmock/requests")["requests"]
    assert sum(record["status"] >= 400 for record in seen) == 14
    assert (sum(usage.retries for usage in session.usage.values()), len(seen)) == (16, 66)
    verdict = llmock_server.call("/_llmock/verdict")
    assert (verdict["passed"], verdict["findings"]) == (True, [])


def test_the_wait_that_it_asks_for_is_kept_to(llmock_server):
    llmock_server.call("/_llmock/scenario", {"behaviors": [{"type": "fail", "status": 429, "retry_after": 1}]})
    start = time.monotonic()
    reply = run_async(model_at(llmock_server).complete(Request("a")))
    assert (time.monotonic() - start >= 1, reply.finish_reason) == (True, "stop")
    assert llmock_server.call("/_llmock/verdict")["findings"] == []


def test_a_prompt_that_is_too_long_is_final(llmock_server):
    fail = {"type": "fail", "status": 400, "code": "context_length_exceeded", "message": "too long"}
    llmock_server.call("/_llmock/scenario", {"behaviors": [fail]})
    with pytest.raises(RejectedRequestError, match="too long") as caught:
        run_async(model_at(llmock_server).complete(Request("a")))
    assert (caught.value.status, caught.value.code) == (400, "context_length_exceeded")
    assert llmock_server.call("/_llmock/verdict")["attempts"] == 1


def test_pictures_and_schemas_arrive_as_it_expects_them(llmock_server):
    schema = {
        "type": "object",
        "properties": {"label": {"type": "string"}, "page": {"type": "integer"}},
        "required": ["label", "page"],
        "additionalProperties": False,
    }
    reply = run_async(model_at(llmock_server).complete(Request("a", "be brief", (PNG,), json_schema=schema)))
    value = json.loads(reply.text)
    assert {name: type(value[name]) for name in value} == {"label": str, "page": int}
    assert reply.prompt_tokens > 0 < reply.completion_tokens
