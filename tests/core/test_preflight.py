"""Before work begins: servers answer, keys are there, packages are installed; and what is remembered needs none of it."""

import logging
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from dataflow_ext import OutputPath, RowOperator, run
from dataflow_ext.background import run_async
from dataflow_ext.errors import DataflowError, NotReadyError
from dataflow_ext.models import AzureOpenAIModel, Model, OpenAIModel, Request, ServerDownError, complete
from dataflow_ext.models.batch.model import BatchModel
from dataflow_ext.models.http import transport
from pipelines.pdf_vqa import main
from tests.loopback import Fault, Loopback
from tests.pipelines.numbered_book import brain, write_book

ROWS = [{"text": "a"}, {"text": "b"}]
REMEDY = (
    "Start the server or mend its address; without the check (preflight=False, --no-preflight) what is remembered "
    "can be used without it."
)


class Slow(RowOperator):
    """Work that takes long before a model is asked; leaves a mark in a file."""

    inputs, outputs = {"text": str}, {}
    mark: OutputPath

    def row(self, text: str) -> dict[str, str]:
        with self.mark.open("a") as file:
            file.write(text)
        return {}


class Written(Slow):
    """The same, leaving files behind."""

    remembered = False


class Answer(RowOperator):
    """A model's answer."""

    inputs, outputs = {"text": str}, {"answer": str}
    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"answer": (await complete(self.model, Request(text))).text}


class Draw(RowOperator):
    """Work that needs a package."""

    inputs, outputs = {"text": str}, {}

    def preflight(self) -> None:
        raise DataflowError("Drawing needs a pen.")

    def row(self, text: str) -> dict[str, str]:
        return {}


def closed() -> str:
    """The address of a server that has gone."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        return f"http://127.0.0.1:{gone.getsockname()[1]}/v1"


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


def refused(url: str, step: str = "Step 2 (Answer)") -> str:
    return f"{step}: {url} does not answer: nobody listens at that address (connection refused). {REMEDY}"


def test_a_server_that_is_not_there_is_told_at_once_and_before_any_work(mark):
    url, began = closed(), time.monotonic()
    with pytest.raises(NotReadyError) as found:
        run([Slow(mark=mark), Answer(model=OpenAIModel(name="m", base_url=url))], ROWS)
    assert (str(found.value), found.value.transient) == (refused(url), True)
    assert time.monotonic() - began < 20  # with all its repeats a call takes 72
    assert not mark.exists()


def test_all_that_is_missing_is_told_together_and_each_thing_once(mark, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    one, other = closed(), closed()
    models = [OpenAIModel(name=n, base_url=u) for n, u in (("a", one), ("b", one), ("c", other))]
    steps = [Slow(mark=mark), Draw(), *[Answer(model=each, writes={"answer": each.name}) for each in models]]
    steps.append(Answer(model=OpenAIModel(name="gpt", base_url="https://api.openai.com/v1"), writes={"answer": "d"}))
    with pytest.raises(NotReadyError) as found:
        run(steps, ROWS)
    assert str(found.value).splitlines() == [
        "Step 2 (Draw): Drawing needs a pen.",
        refused(one, "Step 3 (Answer)"),
        refused(other, "Step 5 (Answer)"),
        "Step 6 (Answer): Model gpt needs a key: set the environment variable OPENAI_API_KEY, or give base_url for a "
        "server of your own.",
    ]
    assert not found.value.transient
    assert not mark.exists()


@contextmanager
def answering(answer: bytes):
    """A server that says this to whatever it is asked first; its address, and what it heard."""
    heard: list[bytes] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            heard.append(connection.recv(4096))
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", heard


@pytest.mark.parametrize("status", [200, 401, 404, 500])
def test_any_answer_is_one_and_costs_no_call_and_no_key_is_sent(status, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    with answering(b"HTTP/1.1 %d Any\r\nContent-Length: 99999\r\n\r\nbegun" % status) as (url, heard):
        run_async(OpenAIModel(name="m", base_url=url).preflight())
    host = url.removeprefix("http://").removesuffix("/v1")
    asked = ["GET /v1/models HTTP/1.1", f"Host: {host}", "Accept: */*", "Connection: close", "", ""]
    assert heard == ["\r\n".join(asked).encode()]


def test_a_server_that_takes_a_connection_and_says_nothing_has_five_seconds(monkeypatch):
    assert transport.PATIENCE == 5.0
    monkeypatch.setattr(transport, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with pytest.raises(ServerDownError) as found:
            run_async(OpenAIModel(name="m", base_url=url).preflight())
    assert str(found.value) == f"{url} does not answer: no reply began within 0.3 s. {REMEDY}"


def test_a_name_that_nobody_knows_and_a_server_without_tls_are_told():
    with pytest.raises(ServerDownError, match="does not answer: its name is not known"):
        run_async(OpenAIModel(name="m", base_url="http://nobody.invalid/v1").preflight())
    with (
        answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as (url, _),
        pytest.raises(ServerDownError, match="does not answer: no TLS with it"),
    ):
        run_async(OpenAIModel(name="m", base_url=url.replace("http:", "https:")).preflight())


def test_azure_and_batches_are_looked_at_by_their_resource_and_their_model(monkeypatch, tmp_path):
    monkeypatch.delenv("AZURE_OPENAI_API_KEY", raising=False)
    azure = AzureOpenAIModel(name="m", endpoint=closed().removesuffix("/v1"))
    with pytest.raises(DataflowError, match="set the environment variable AZURE_OPENAI_API_KEY"):
        run_async(azure.preflight())
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    with pytest.raises(ServerDownError, match="does not answer"):
        run_async(azure.preflight())
    batch = BatchModel(model=OpenAIModel(name="m", base_url=closed()), folder=tmp_path)
    with pytest.raises(ServerDownError, match="does not answer"):
        run_async(batch.preflight())


def test_a_proxy_is_asked_where_the_environment_names_one(monkeypatch):
    monkeypatch.setenv("http_proxy", closed().removesuffix("/v1"))
    with pytest.raises(ServerDownError, match="by the proxy that the environment names"):
        run_async(OpenAIModel(name="m", base_url="http://models.example/v1").preflight())


def test_what_is_remembered_needs_no_server_and_without_the_check_rows_fail_one_by_one(mark, tmp_path):
    with Loopback() as server:
        steps = [Slow(mark=mark), Answer(model=OpenAIModel(name="m", base_url=server.url, max_retries=0))]
        first = run(steps, ROWS, cache_dir=tmp_path / "cache")
    again = run(steps, ROWS, cache_dir=tmp_path / "cache")
    assert (again.table.equals(first.table), mark.read_text()) == (True, "ab")
    more = [*ROWS, {"text": "c"}]
    with pytest.raises(NotReadyError):
        run(steps, more, cache_dir=tmp_path / "cache")
    assert mark.read_text() == "ab"
    result = run(steps, more, cache_dir=tmp_path / "cache", preflight=False)
    assert result.table["answer"].to_pylist() == first.table["answer"].to_pylist()
    assert result.rejects["error"].to_pylist() == ["ConnectionFailedError"]


def test_a_step_that_is_done_each_time_warns_of_what_the_steps_behind_it_may_miss(mark, tmp_path, caplog):
    with Loopback() as server:
        steps = [Written(mark=mark), Answer(model=OpenAIModel(name="m", base_url=server.url))]
        run(steps, ROWS, cache_dir=tmp_path / "cache")
    caplog.set_level(logging.WARNING)
    assert run(steps, ROWS, cache_dir=tmp_path / "cache").table.num_rows == 2
    assert [record.getMessage() for record in caplog.records] == [refused(server.url)]


# -- at the command line


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return str(write_book(tmp_path / "book", 2))


def test_the_command_leaves_with_3_and_a_sentence_before_any_work(book, capsys):
    url = closed()
    assert main([book, "--out", "out", "--model", "m", "--base-url", url]) == 3
    step = "Step 3 (ChunkedPromptedGenerator)"
    assert capsys.readouterr().err == f"1. DocumentReader: not begun\nerror: {refused(url, step)}\n"


def test_a_dry_run_looks_too_and_can_be_told_not_to(book, capsys):
    url = closed()
    flags = ["--out", "out", "--model", "m", "--base-url", url, "--dry-run"]
    assert main([book, *flags]) == 3
    assert main([book, *flags, "--no-preflight"]) == 0
    with Loopback(brain, fault=lambda number, body: Fault("drop")) as server:
        assert main([book, *flags[:-2], server.url, "--dry-run"]) == 0
        assert server.received == 0
    sound = "Inputs: 1. Steps: 5. The wiring is sound; nothing was run."
    step = "Step 3 (ChunkedPromptedGenerator)"
    assert capsys.readouterr().err.splitlines() == [f"error: {refused(url, step)}", sound, sound]
    assert not Path("out").exists()
