"""While a server gives no good answer, progress tells which, since when, and when it is tried again."""

import io
import re

from dataflow_ext import RowOperator, progress, run
from dataflow_ext.loopback import Fault, Loopback
from dataflow_ext.models import Model, OpenAIModel, Request, complete
from dataflow_ext.models.errors import RetryableError
from dataflow_ext.models.gate import retry
from dataflow_ext.models.gate.retry import Silences


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
    told = re.escape(f"1. Ask: {server.url} has given no good answer since ")
    assert len(lines) == 3
    for line in lines:
        assert re.fullmatch(
            told + r"\d\d:\d\d:\d\d \(The connection to .* before the reply began\); next try in \d s", line
        )


def test_a_good_answer_ends_it_and_short_troubles_are_not_told(monkeypatch):
    heard = []
    monkeypatch.setattr(progress, "note", heard.append)
    silences, error = Silences(), RetryableError("busy")
    silences.failed("s", error, 1.0)
    assert heard == []
    monkeypatch.setattr(retry, "_PATIENCE", 0.0)
    silences.failed("s", error, 7.0)
    assert len(heard) == 1
    assert heard[0].endswith(" (busy); next try in 7 s")
    silences.broken("s")
    monkeypatch.setattr(retry, "_PATIENCE", 3.0)
    silences.failed("s", error, 1.0)
    assert len(heard) == 1
