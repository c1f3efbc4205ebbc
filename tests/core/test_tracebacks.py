"""Errors behind rejects: the first traceback of each kind is kept, a run can end at the first, and a log has it all."""

import json
import logging
import re
from pathlib import Path

import pytest

from dataflow_ext import run
from dataflow_ext.cli.records import logged
from dataflow_ext.errors import OptionError, RowFailed
from pipelines.pdf_vqa import main
from tests.core.samples import Picky, SpreadPicky
from tests.pipelines.numbered_book import write_book

HERE = "samples.py"


ROWS = [{"row_id": f"r{n}", "text": text} for n, text in enumerate(["abc", "x1", "---", "x2", "--"])]


def test_the_first_traceback_of_each_kind_of_error_is_in_the_report():
    result = run([Picky()], ROWS)
    assert result.rejects["error"].to_pylist() == ["KeyError", "ZeroDivisionError"] * 2
    kinds = [(t.step, t.error, t.place.split(":")[0]) for t in result.report.tracebacks]
    assert kinds == [("1. Picky", "KeyError", HERE), ("1. Picky", "ZeroDivisionError", HERE)]
    first = result.report.tracebacks[0].traceback
    assert first.startswith("Traceback (most recent call last):\n")
    assert first.endswith("raise KeyError(text)\nKeyError: 'x1'\n")
    assert [each["error"] for each in result.report.to_dict()["tracebacks"]] == ["KeyError", "ZeroDivisionError"]


def test_tracebacks_come_back_from_other_processes():
    one, two = (run([SpreadPicky()], ROWS, workers=workers) for workers in (1, 2))
    kinds = [[(t.step, t.error, t.place) for t in result.report.tracebacks] for result in (one, two)]
    assert kinds[0] == kinds[1]
    assert [error for _, error, _ in kinds[0]] == ["KeyError", "ZeroDivisionError"]
    assert one.rejects.equals(two.rejects)


def test_a_run_can_end_at_the_first_failed_row_with_its_own_error(tmp_path):
    run([SpreadPicky()], ROWS, cache_dir=tmp_path)
    with pytest.raises(RowFailed) as found:
        run([SpreadPicky()], ROWS, on_error="raise", workers=2, cache_dir=tmp_path)
    assert str(found.value) == "Step 1 (SpreadPicky), row r1: 'x1'"
    assert isinstance(found.value.__cause__, KeyError)
    assert run([Picky()], ROWS[:1], on_error="raise").table["n"].to_pylist() == [4]
    with pytest.raises(OptionError, match="on_error is 'stop'; it is 'reject' or 'raise'"):
        run([Picky()], ROWS, on_error="stop")


def test_a_command_s_log_has_steps_times_and_sentences_of_all_its_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = write_book(tmp_path / "book", 1, pictures=False)
    Path("broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert main([str(book), "broken.pdf", "--out", "out"]) == 5
    log = Path("out/.run/run.log")
    first = log.read_text(encoding="utf-8")
    report = json.loads(Path("out/.run/report.json").read_text(encoding="utf-8"))
    assert [each["error"] for each in report["tracebacks"]] == ["PDFError"]
    assert main([str(book), "broken.pdf", "--out", "out"]) == 5
    assert log.read_text(encoding="utf-8").startswith(first)
    lines = [re.sub(r"^[\d-]+ [\d:,]+ ", "", line) for line in first.splitlines()]
    assert lines[0].startswith("INFO a run of 2 rows begins (version ")
    assert next(line for line in lines if line.startswith("INFO first ")).startswith("INFO first PDFError of step 1.")
    assert "Traceback (most recent call last):" in lines
    assert [line.split(",")[0] for line in lines if re.match(r"INFO \d\. ", line)] == [
        "INFO 1. DocumentReader: 2 → 1 rows",
        "INFO 2. MinerU2LLMInput: 1 → 1 rows",
        "INFO 3. ChunkedPromptedGenerator: 1 → 1 rows",
        "INFO 4. LLMOutputParser: 1 → 8 rows",
        "INFO 5. QA_Merger: 8 → 4 rows",
    ]
    assert "INFO error: 1 of 2 inputs could not be read:" in lines
    assert log.stat().st_mode & 0o077 == 0


def test_no_value_of_a_variable_that_is_called_like_a_secret_is_in_the_log(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "sk-canary-0123456789")
    monkeypatch.setenv("MINE", "other-canary-98765")
    with pytest.raises(ValueError), logged(tmp_path, ("MINE",)):
        logging.getLogger("dataflow_ext.models").warning(
            "the server said: sk-canary-0123456789, %s", "other-canary-98765"
        )
        raise ValueError("other-canary-98765")
    text = (tmp_path / "run.log").read_text(encoding="utf-8")
    assert re.findall("canary", text) == []
    assert text.count("…") >= 3
    assert "WARNING the server said: …, …\n" in text
    logging.getLogger("dataflow_ext.models").warning("later")
    assert (tmp_path / "run.log").read_text(encoding="utf-8") == text
