"""A folder of other people's PDFs, some of which are hostile: good ones give rows, bad ones a reason, memory is bounded."""

import json
import re
import sys

import pytest
from reportlab.pdfgen.canvas import Canvas

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
    ended = command(["pipelines.pdf_vqa", "books", "--out", "out", "--ocr", "never", "--workers", "2"], place)
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
    again = command(["pipelines.pdf_vqa", "books", "--out", "out", "--ocr", "never", "--workers", "2"], place)
    assert {name: (place / "out" / name).read_bytes() for name in names} == before
    assert again.code == first.code
    report = json.loads((place / "out" / ".run" / "report.json").read_text(encoding="utf-8"))
    assert report["steps"][0]["remembered"] is True


def test_what_pdfium_said_of_a_locked_file_is_not_said_of_the_next_one(tmp_path):
    hostile_pdfs.make_all(tmp_path, ("locked", "no_pages"))
    told = []
    for name in ("locked", "no_pages"):
        with pytest.raises(PDFError) as caught, open_pdf(tmp_path / f"{name}.pdf"):
            pass
        told.append(caught.value.what)
    assert told == ["the PDF is encrypted with a password", "the PDF is damaged, cut off or without pages"]
