"""What the command says of a file that it could make nothing of, and of a key given where a name belongs."""

import json
from pathlib import Path

import pytest

from pipelines.pdf_vqa import main


def listed(path: Path, texts: list[str]) -> Path:
    path.write_text(json.dumps([{"type": "text", "text": t, "page_idx": 0} for t in texts]), encoding="utf-8")
    return path


def test_a_file_of_which_nothing_was_used_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = listed(tmp_path / "book_content_list.json", ["1. What is 3 + 4?", "2. What is 5 + 6?"])
    letter = listed(tmp_path / "letter_content_list.json", ["Dear reader,", "here should be answers."])
    assert main([str(book), "--answers", str(letter), "--out", str(tmp_path / "out")]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning:")]
    assert warnings == [f"warning: nothing in {letter} was taken for a question or an answer."]


def test_a_book_in_a_language_whose_words_the_rules_do_not_know_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = (
        "Kalkulatu zenbat sagar geratzen diren Jonek hamabitik {n} jaten baditu eta haren arrebak bat oparitzen badu?"
    )
    for name, text in (
        ("basque", asked),
        ("english", "How many of the {n} apples are left when one of them is eaten?"),
    ):
        book = listed(tmp_path / f"{name}.json", [f"{n}. {text.format(n=n)}" for n in range(1, 13)])
        assert main([str(book), "--out", str(tmp_path / name)]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "whose words the rules do not know" in line]
    assert warnings == [
        "warning: basque is in a language whose words the rules do not know; they may miss its answers. "
        "Look at the page before using them, or read the book with --model or --hybrid."
    ]


def test_a_key_given_for_its_variables_name_is_refused_and_told_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = listed(tmp_path / "book_content_list.json", ["1. What is 3 + 4?"])
    out = tmp_path / "out"
    flags = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--api-key-env", "sk-not-a-name"]
    assert main([str(book), "--out", str(out), *flags]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: --api-key-env: there is no environment variable of that name")
    assert "sk-not-a-name" not in said
    assert not [f for f in out.rglob("*") if f.is_file()]


def test_a_book_whose_numbers_leave_gaps_is_called_misread_and_so_are_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = listed(tmp_path / "book_content_list.json", [f"{n}. What is {n} + 4?" for n in range(1, 17, 2)])
    assert main([str(book), "--out", str(tmp_path / "out")]) == 0
    [warning] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning:")]
    assert warning == (
        "warning: book was probably misread: 7 gaps or texts are left between its 8 items. "
        "Look at the page before using them, or read the book with --model or --hybrid."
    )
    rows = [json.loads(line) for line in (tmp_path / "out" / "vqa.jsonl").read_text(encoding="utf-8").splitlines()]
    doubt = "its book was probably misread: 7 gaps or texts are left between its 8 items"
    assert [doubt in row["doubts"] for row in rows] == [True] * 8
    whole = listed(tmp_path / "whole_content_list.json", [f"{n}. What is {n} + 4?" for n in range(1, 9)])
    assert main([str(whole), "--out", str(tmp_path / "whole")]) == 0
    assert "misread" not in capsys.readouterr().err
