"""A folder of other people's PDFs, some of which are hostile: good ones give rows, bad ones a reason, memory is bounded."""

import contextlib
import json
import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from dataflow_ext.parallel.journal import HEAD
from operators.pdf.parser.files import PDFError, open_pdf
from tests.abuse.commands import GB, command
from tests.abuse.pdfs import hostile_pdfs
from tests.abuse.settings import LONG

#: Ways of being hostile that differ most, and cost little: these are done always.
SHORT = (
    "empty",
    "noise",
    "pipe",
    "locked",
    "web_page",
    "three_hundred_megabytes_of_lines",
    "nested_forms",
    "picture_that_claims_more_than_there_is",
)
GOOD = 180 if LONG else 16
COMMAND = ("pipelines.pdf_vqa", "books", "--ocr", "never", "--workers", "2")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")


def good_book(path, number):
    """A page with two numbered questions and their answers."""
    canvas = Canvas(str(path), invariant=True)
    lines = ["Chapter 1", f"1. What is {number} and 2?", f"2. What is {number} and 5?"]
    lines += ["Answers", f"1. {number + 2}", f"2. {number + 5}"]
    for n, line in enumerate(lines):
        canvas.drawString(72, 720 - 40 * n, line)
    canvas.save()


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder, the hostile files in it, and the command's end."""
    place = tmp_path_factory.mktemp("folder")
    books = place / "books"
    books.mkdir()
    for number in range(GOOD):
        good_book(books / f"good{number:03}.pdf", number)
    hostile = hostile_pdfs.make_all(books, None if LONG else SHORT)
    ended = command([*COMMAND, "--out", "out"], place)
    return place, hostile, ended


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_good_book_gives_its_rows(done):
    place, _, ended = done
    rows = [(row["name"], row["label"], row["answer"]) for row in lines(place / "out" / "vqa.jsonl")]
    wanted = [(f"good{n:03}", str(k), str(n + plus)) for n in range(GOOD) for k, plus in ((1, 2), (2, 5))]
    assert sorted(rows) == wanted, ended.text[-2_000:]


def test_every_hostile_file_is_one_reject_with_a_true_reason(done):
    place, hostile, ended = done
    said = {}
    for reject in lines(place / "out" / "rejects.jsonl"):
        found = re.search(r"(\w+)\.pdf", reject["inputs"] + reject["message"])
        name = found.group(1) if found else "letter_that_writes_itself"  # a chunk's reject holds no file's name
        said.setdefault(name, []).append(reject["message"])
    untrue = {
        one.name: said.get(one.name)
        for one in hostile
        if len(said.get(one.name, [])) != 1 or not re.search(one.reason, said[one.name][0], re.IGNORECASE)
    }
    assert untrue == {}, ended.text[-2_000:]
    assert said.keys() == {one.name for one in hostile}


def test_reasons_are_sentences_and_nothing_is_a_traceback(done):
    place, _, ended = done
    assert "Traceback" not in ended.text
    for reject in lines(place / "out" / "rejects.jsonl"):
        assert 10 < len(reject["message"]) < 600, reject
        assert "Traceback" not in reject["message"], reject


def test_memory_stays_below_a_gigabyte_and_a_half(done):
    *_, ended = done
    print(f"peak {ended.peak / GB:.2f} GB, {ended.seconds:.0f} s, exit code {ended.code}")
    assert ended.peak < 1.5 * GB


def test_the_same_command_again_opens_no_file_and_gives_the_same_bytes(done):
    place, _, first = done
    names = ("vqa.jsonl", "vqa.md", "rejects.jsonl", "vqa.parquet")
    before = {name: (place / "out" / name).read_bytes() for name in names}
    again = command([*COMMAND, "--out", "out"], place)
    assert {name: (place / "out" / name).read_bytes() for name in names} == before
    assert again.code == first.code
    report = json.loads((place / "out" / ".run" / "report.json").read_text(encoding="utf-8"))
    assert report["steps"][0]["remembered"] is True


def kill_in_the_middle(steps, ended):
    """Kill the command that keeps its journal in this folder when it has counted all files' pages and read half."""
    while not ended.wait(0.05):
        for journal in steps.glob("*.journal"):
            if records(journal) > 1.5 * (GOOD + len(SHORT)):
                [pid] = (int(p.name) for p in Path("/proc").iterdir() if p.name.isdecimal() and holds(p, journal))
                os.killpg(os.getpgid(pid), signal.SIGKILL)
                return


def holds(process, path):
    """Whether a process has a file open."""
    with contextlib.suppress(OSError):
        return any(handle.readlink() == path for handle in (process / "fd").iterdir())
    return False


def records(journal):
    """The number of records of a journal."""
    with journal.open("rb") as file:
        count = 0
        while len(head := file.read(HEAD.size)) == HEAD.size:
            file.seek(HEAD.unpack(head)[0], os.SEEK_CUR)
            count += 1
    return count


@pytest.mark.skipif(not LONG, reason="the short form is tests/core/test_journal.py")
def test_a_command_that_is_killed_halfway_goes_on_among_the_files(tmp_path):
    books = tmp_path / "books"
    books.mkdir()
    for number in range(GOOD):
        good_book(books / f"good{number:03}.pdf", number)
    hostile_pdfs.make_all(books, SHORT)
    first = command([*COMMAND, "--out", "whole"], tmp_path)
    killed = threading.Event()
    half = threading.Thread(target=kill_in_the_middle, args=(tmp_path / "killed" / ".run" / "steps", killed))
    half.start()
    command([*COMMAND, "--out", "killed"], tmp_path)
    killed.set()
    half.join()
    [journal] = (tmp_path / "killed" / ".run" / "steps").glob("*.journal")
    again = command([*COMMAND, "--out", "killed"], tmp_path)
    print(f"{first.seconds:.0f} s in all, the rest after the kill {again.seconds:.0f} s")
    for name in ("vqa.jsonl", "rejects.jsonl", "vqa.md"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not journal.exists()


def test_what_pdfium_said_of_a_locked_file_is_not_said_of_the_next_one(tmp_path):
    hostile_pdfs.make_all(tmp_path, ("locked", "no_pages"))
    told = []
    for name in ("locked", "no_pages"):
        with pytest.raises(PDFError) as caught, open_pdf(tmp_path / f"{name}.pdf"):
            pass
        told.append(caught.value.what)
    assert told == ["the PDF is encrypted with a password", "the PDF is damaged, cut off or without pages"]
