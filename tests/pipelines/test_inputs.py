"""What a command tells of its inputs: those that are others than before, those that could not be read, and fewer rows."""

import json
import os
import shutil
from pathlib import Path

import pytest

from dataflow_ext.cli.records import RunInputs
from pipelines.pdf_vqa import main
from tests.pipelines.numbered_book import write_book


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def book(name, chapters=2):
    return write_book(Path(name), chapters, pictures=False, name=Path(name).name)


def make(*arguments):
    return main([*map(str, arguments), "--out", "out"])


def rows():
    return [json.loads(line)["name"] for line in Path("out/vqa.jsonl").read_text(encoding="utf-8").splitlines()]


def said(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith(("error:", "warning:", "  "))]


def test_another_book_is_not_written_over_the_one_before_unless_fresh_says_so(capsys):
    one, other = book("one"), book("other", 1)
    assert make(one) == 0
    before = Path("out/vqa.jsonl").read_bytes()
    capsys.readouterr()
    refusal = (
        f"error: The data in out were made of other inputs ({one.resolve()}), and would be replaced by those of "
        f"{other.resolve()}. Give another folder with --out, or replace them with --fresh."
    )
    assert make(other, "--dry-run") == 2
    assert make(other) == 2
    assert capsys.readouterr().err.splitlines() == [refusal, refusal]
    assert Path("out/vqa.jsonl").read_bytes() == before
    assert make(other, "--fresh") == 0
    warning = f"warning: 4 rows, and the run before in out had made 8; 1 of its inputs are not among these, such as {one.resolve()}."
    assert said(capsys) == [warning]
    assert make(other) == 0
    assert set(rows()) == {"other"}
    assert said(capsys) == []


def test_flags_changed_content_a_moved_file_and_more_inputs_are_the_same_inputs(capsys):
    one = book("one")
    assert make(one) == 0
    assert make(one, "--limit", 1, "--chunk-tokens", 300) == 0
    assert make(book("one", 3)) == 0
    shutil.move("one", "elsewhere")
    assert make("elsewhere") == 0
    book("elsewhere/two")
    assert make("elsewhere") == 0
    assert set(rows()) == {"one", "two"}
    assert said(capsys) == []


def test_fewer_inputs_are_told_with_what_they_cost(capsys):
    one, two = book("one"), book("two", 3)
    assert make(one, two) == 0
    capsys.readouterr()
    assert make(one) == 0
    assert said(capsys) == [
        f"warning: 8 rows, and the run before in out had made 20; 1 of its inputs are not among these, such as {two.resolve()}."
    ]


def test_a_first_run_that_gave_nothing_binds_nobody(capsys):
    Path("broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert make("broken.pdf") == 1
    assert make(book("one")) == 0


@pytest.mark.parametrize("record", ["", "[]", '{"rows": 1}', '{"rows": 1, "files": [1]}', "\udcff"])
def test_a_damaged_record_of_inputs_is_none(record):
    assert make(book("one")) == 0
    Path("out/.run/inputs.json").write_text(record, encoding="utf-8", errors="surrogateescape")
    assert make(book("other", 3)) == 0


def test_a_folder_of_which_files_failed_names_them_and_leaves_with_5(capsys):
    book("books/good")
    for n in range(1, 13):
        Path(f"books/{n:02}.pdf").write_bytes(b"%%PDF-1.7 and no more %d" % n)
    assert make("books") == 5
    lines = said(capsys)
    assert lines[0] == "error: 12 of 13 inputs could not be read:"
    assert [line.split(":")[0] for line in lines[1:11]] == [f"  books/{n:02}.pdf" for n in range(1, 11)]
    assert lines[11:] == ["  and 2 more, which rejects.jsonl names"]
    assert set(rows()) == {"good"}


def test_a_step_that_failed_on_all_rows_is_told_with_the_first_reason(capsys):
    for n in (1, 2):
        Path(f"{n}.pdf").write_bytes(b"%%PDF-1.7 and no more %d" % n)
    assert make("1.pdf", "2.pdf") == 1
    first = said(capsys)[0]
    assert first.startswith("error: all 2 rows failed at step 1 (DocumentReader), the first: 1.pdf: ")


def test_a_pipe_among_the_inputs_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.pdf")
    assert RunInputs.of([tmp_path / "pipe.pdf"]).files == {str(tmp_path / "pipe.pdf"): ""}
