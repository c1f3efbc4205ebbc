"""While a server gives no good answer, progress tells which, since when, and how many calls wait for another try."""

import io
import re
from types import SimpleNamespace

from dataflow_ext import RowOperator, progress, run
from dataflow_ext.models import Model, OpenAIModel, Request, complete
from dataflow_ext.models.errors import RetryableError
from dataflow_ext.models.gate import retry
from dataflow_ext.models.gate.retry import Silences
from tests.loopback import Fault, Loopback


class Ask(RowOperator):
    """A model's answer."""

    inputs, outputs = {"text": str}, {"answer": str}
    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"answer": (await complete(self.model, Request(text))).text}


def test_a_server_without_a_good_answer_is_told_until_it_gives_one(monkeypatch):
    monkeypatch.setattr(retry, "_PATIENCE", 0.0)
    stream = io.StringIO()
    with Loopback(fault=lambda number, body: Fault("drop") if number < 4 else None) as server:
        model = OpenAIModel(name="m", base_url=server.url)
        result = run([Ask(model=model)], [{"text": "a"}], listener=progress.Lines(stream, every=0.0))
    assert result.table["answer"].to_pylist() == ["a"]
    lines = [line for line in stream.getvalue().splitlines() if "no good answer" in line]
    told = re.escape(f"1. Ask: 1 call waits for another try: {server.url} has given no good answer since ")
    assert len(lines) == 3
    for line in lines:
        assert re.fullmatch(
            told + r"\d\d:\d\d:\d\d \(The connection to .* before the reply began\); next try in \d s", line
        )


def test_a_good_answer_ends_it_and_short_troubles_are_not_told(monkeypatch):
    heard = []
    monkeypatch.setattr(progress, "note", heard.append)
    silences, error = Silences(), RetryableError("busy")
    with silences.call("s") as failed:
        failed(error, 1.0)
        assert heard == []
        monkeypatch.setattr(retry, "_PATIENCE", 0.0)
        failed(error, 7.0)
        assert len(heard) == 1
        assert heard[0].endswith(" (busy); next try in 7 s")
        silences.broken("s")
        monkeypatch.setattr(retry, "_PATIENCE", 3.0)
        failed(error, 1.0)
        assert len(heard) == 1


def test_the_calls_that_wait_are_counted_by_server_each_once_until_it_is_over(monkeypatch):
    heard = []
    monkeypatch.setattr(progress, "note", heard.append)
    monkeypatch.setattr(retry, "_PATIENCE", 0.0)
    silences, error = Silences(), RetryableError("busy")
    with silences.call("s") as one:
        with silences.call("s") as other, silences.call("t"):
            one(error, 1.0)
            one(error, 1.0)
            other(error, 1.0)
        one(error, 1.0)
    assert [text.partition(" for another try: s has given ")[0] for text in heard] == [
        "1 call waits", "1 call waits", "2 calls wait", "1 call waits",
    ]  # fmt: skip


def test_a_script_is_told_on_stderr_what_a_run_waits_for_and_nothing_else(monkeypatch, capsys):
    monkeypatch.setattr(retry, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_BETWEEN_WAITS", 0.0)
    with Loopback(fault=lambda number, body: Fault("status", 503) if number < 3 else None) as server:
        run([Ask(model=OpenAIModel(name="m", base_url=server.url))], [{"text": "a"}])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert line.startswith(
            f"1. Ask: 0 of 1 rows are done; 1 call waits for another try: {server.url} has given no "
        )


def test_waits_are_told_every_twenty_seconds_at_most(monkeypatch):
    now, stream = [0.0], io.StringIO()
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    waits = progress.Waits(stream)
    waits.start("1. Ask", 9)
    for second in range(0, 61, 5):
        now[0] = float(second)
        waits.advance(second == 25)
        waits.note("later")
    waits.finish("9 → 9 rows")
    assert stream.getvalue().splitlines() == [f"1. Ask: {n} of 9 rows are done; later" for n in (0, 1, 1)]
