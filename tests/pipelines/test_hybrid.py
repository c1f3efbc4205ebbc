"""The pipeline with rules and a model: what is asked over the wire, what it costs, and what a dead server leaves."""

import json
from pathlib import Path

import pytest

from dataflow_ext import Result, run
from dataflow_ext.models import OpenAIModel
from operators import DocumentReader, LLMOutputParser, MinerU2LLMInput, QA_Merger
from operators.pdf.doubts import hybrid_figures
from operators.pdf.hybrid import HybridGenerator
from tests.loopback import Body, Fault, Loopback
from tests.pipelines.numbered_book import brain, shown, write_book

CHAPTERS, QUESTIONS = 12, 6


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def damaged(folder: Path) -> Path:
    """A book in which question 3 of chapter 2 has lost its label."""
    path = write_book(folder, CHAPTERS, QUESTIONS, pictures=False)
    entries = json.loads(path.read_text(encoding="utf-8"))
    (lost,) = [e for e in entries if e["text"].startswith("3. A tank holds 17 ")]
    lost["text"] = lost["text"].removeprefix("3. ")
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def reader(body: Body) -> str:
    """What a model that understands the text says: the lost label is 3."""
    told = brain({**body, "messages": [{**m, "content": _mended(m["content"])} for m in body["messages"]]})
    assert "<label>3</label>" in told
    return told


def _mended(text: str) -> str:
    return text.replace("] A tank holds 17 ", "] 3. A tank holds 17 ")


def extract(book: Path, server: Loopback, folder: Path) -> Result:
    model = OpenAIModel(name="m", base_url=server.url, api_key_env="", max_retries=0)
    steps = [
        DocumentReader(image_dir=folder / "pictures"),
        MinerU2LLMInput(),
        HybridGenerator(model=model, probes=0),
        LLMOutputParser(),
        QA_Merger(),
    ]
    return run(steps, [{"name": "b", "input_pdf_paths": [str(book)]}], cache_dir=folder)


def test_one_lost_label_costs_one_small_request_and_is_paid_for_once(tmp_path: Path) -> None:
    book = damaged(tmp_path / "book")
    with Loopback(reader) as server:
        result = extract(book, server, tmp_path / "cache")
        again = extract(book, server, tmp_path / "cache")
    assert len(server.calls) == 1
    assert len(shown(server.calls[0].body)) < 12
    rows = result.table.to_pylist()
    assert [r["label"] for r in rows] == [str(n) for n in range(1, QUESTIONS + 1)] * CHAPTERS
    assert {r["status"] for r in rows} == {"answered"}
    assert [(n, r["extracted_by"]) for n, r in enumerate(rows) if r["extracted_by"] != "rules"] == [(7, "m"), (8, "m")]
    assert again.table.equals(result.table)
    figures = hybrid_figures(result.after(3), result.table.num_rows)
    assert figures.asked < figures.tokens / 20
    assert (figures.changed, figures.added, figures.dropped, figures.kept) == (1, 1, 0, 0)


def test_a_server_that_is_down_costs_no_row_and_is_asked_again_on_retry(tmp_path: Path) -> None:
    book = damaged(tmp_path / "book")
    with Loopback(reader) as server:
        server.fault = lambda number, body: Fault("status", 500) if number <= 1 else None
        result = extract(book, server, tmp_path / "cache")
        assert result.table.num_rows == CHAPTERS * QUESTIONS - 1
        assert set(result.table["extracted_by"].to_pylist()) == {"rules"}
        (failed,) = [r for r in result.rejects.to_pylist() if r["kind"] == "failed"]
        assert "of which the rules' reading is kept" in failed["message"]
        again = result.retry()
    assert again.table.num_rows == CHAPTERS * QUESTIONS
    assert again.rejects["kind"].to_pylist() == []
