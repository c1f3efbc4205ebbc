"""The flags of ``pdf_vqa`` that say how PDFs are read: OCR, parsers from outside, the hybrid of rules and model."""

import json
from pathlib import Path

import pytest

from pipelines.pdf_vqa import main
from tests.loopback import Loopback
from tests.pdf.mineru_servers import Server
from tests.pdf.mineru_tools import tool
from tests.pdf.sheets import Sheet
from tests.pipelines.test_hybrid import damaged, reader

ROOT = Path(__file__).parents[2]


@pytest.fixture
def book(tmp_path):
    sheet = Sheet(tmp_path / "book.pdf")
    sheet.lines(72, 100, [f"{n}. What is the sum of {n} and {n + 1}, and why is it so?" for n in range(1, 7)], step=30)
    return sheet.save()


def ways(out):
    lines = (out / ".run" / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    return [(way["first_page"], way["last_page"], way["source"], way["why"]) for way in map(json.loads, lines)]


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--parser-url", "http://localhost:1"], "--parser-url makes no sense with --parser auto."),
        (["--parser", "mineru", "--parser-key-env", "K"], "--parser-key-env makes no sense with --parser mineru."),
        (["--parser", "mineru-api"], "--parser mineru-api needs --parser-url, such as http://localhost:8000."),
        (
            ["--parser", "mineru-api", "--parser-url", "host"],
            "what --parser-url gives is not an address such as http://localhost:8000",
        ),
        (["--parser", "mineru", "--parser-option=--api-key=x"], "--api-key does not belong among the options"),
        (["--parser", "mineru", "--parser-command", "no-such-tool"], "There is no command no-such-tool"),
        (["--ocr-option", "detect_side"], "--ocr-option detect_side: write it as NAME=VALUE"),
        (["--ocr-option", "colour=red"], "has no option 'colour'"),
        (["--ocr-option", "detect_side=many"], "detect_side"),
        (["--hybrid"], "--hybrid asks a model where the rules are unsure; name one with --model."),
    ],
)
def test_flags_that_cannot_be_meant_are_one_sentence(book, tmp_path, capsys, flags, sentence):
    assert main([str(book), "--out", str(tmp_path / "out"), *flags]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert "Traceback" not in told


def test_how_each_page_was_read_is_told_and_kept(book, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(book), "--out", str(out)]) == 0
    assert "read: 1 page by text layer" in capsys.readouterr().err
    assert ways(out) == [(1, 1, "text_layer", "")]
    assert "Read: 1 page" in (out / "report.html").read_text(encoding="utf-8")


def test_a_list_beside_a_book_is_taken_unless_the_builtin_parser_is_asked_for(book, tmp_path):
    entry = {"type": "text", "text": "1. What is listed here?", "page_idx": 4}
    (tmp_path / "book_content_list.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert main([str(book), "--out", str(tmp_path / "a")]) == 0
    assert ways(tmp_path / "a") == [
        (5, 5, "content_list", f"found beside book.pdf: {tmp_path / 'book_content_list.json'}")
    ]
    assert main([str(book), "--out", str(tmp_path / "b"), "--parser", "builtin"]) == 0
    assert ways(tmp_path / "b") == [(1, 1, "text_layer", "")]


def test_mineru_reads_the_book_by_its_command_and_once(book, tmp_path):
    command = tool(tmp_path / "bin", "v2_5")
    flags = ["--parser", "mineru", "--parser-command", str(command)]
    assert main([str(book), "--out", str(tmp_path / "out"), *flags]) == 0
    assert main([str(book), "--out", str(tmp_path / "out"), *flags]) == 0
    assert len((tmp_path / "bin" / "calls.jsonl").read_text().splitlines()) == 1
    assert {(source, why) for _, _, source, why in ways(tmp_path / "out")} == {("parser", "mineru")}
    assert (tmp_path / "out" / "vqa.jsonl").read_text(encoding="utf-8").count("\n") > 0


def test_mineru_reads_the_book_as_a_server(book, tmp_path):
    with Server(4) as server:
        flags = ["--parser", "mineru-api", "--parser-url", server.url]
        assert main([str(book), "--out", str(tmp_path / "out"), *flags]) == 0
    assert {(source, why) for _, _, source, why in ways(tmp_path / "out")} == {("parser", "mineru-api")}


def test_a_hybrid_run_tells_what_went_to_the_model_and_keeps_both_answers(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)
    out = tmp_path / "out"
    with Loopback(reader) as server:
        flags = ["--hybrid", "--model", "m", "--base-url", server.url, "--out", str(out)]
        assert main([str(damaged(tmp_path / "book")), *flags]) == 0
    told = capsys.readouterr().err
    assert "to the model: " in told
    assert "1 otherwise, 1 more and 0 fewer" in told
    assert json.loads((out / ".run" / "hybrid.json").read_text())["stretches"] == 7  # six of them probes
    found = map(json.loads, (out / ".run" / "hybrid.jsonl").read_text(encoding="utf-8").splitlines())
    (stretch,) = (each for each in found if each["doubts"])
    assert (stretch["stretch"], stretch["rules_reply"] != stretch["model_reply"]) == ("settled", True)
    assert stretch["doubts"][0]["reasons"]


def test_a_relative_out_folder_suits_tools_that_run_elsewhere(book, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check = "assert Path(sys.argv[2]).is_absolute() and out.is_absolute()"
    command = tool(tmp_path / "bin", "v2_5", does=check)
    assert main(["book.pdf", "--out", "out", "--parser", "mineru", "--parser-command", str(command)]) == 0


def test_a_run_without_a_row_leaves_the_files_of_an_earlier_one(book, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(book), "--out", str(out)]) == 0
    before = (out / "vqa.jsonl").read_bytes()
    empty = Sheet(book)
    empty.lines(72, 100, ["Nothing is asked here."])
    assert main([str(empty.save()), "--out", str(out)]) == 1
    assert (out / "vqa.jsonl").read_bytes() == before
    assert f"No row was made; the files of an earlier run in {out} are left as they are." in capsys.readouterr().err
