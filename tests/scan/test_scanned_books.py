"""Scanned books through DocumentReader: pages one by one, remembered, spread, and told how they were read."""

import sys
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image, ImageDraw
from pydantic import BaseModel, ConfigDict

from dataflow_ext import InputError, run
from dataflow_ext.ocr import OCRLine
from operators import DocumentReader
from tests.pdf.sheets import Sheet

pytest.importorskip("cv2")


class Counting(BaseModel):
    """An engine that sees one line on every page, counts the pages, and fails where it is told to."""

    model_config = ConfigDict(frozen=True)
    stop_at: int | None = None
    refuse_at: int | None = None
    seen: ClassVar[list[int]] = []

    @property
    def name(self) -> str:
        return "counting"

    def identity(self):
        return {"engine": "counting"}

    def read(self, pictures):
        found = []
        for _ in pictures:
            number = len(self.seen)
            if number == self.stop_at:
                raise KeyboardInterrupt
            self.seen.append(number)
            if number == self.refuse_at:
                raise InputError("The picture is damaged.")
            found.append(
                [OCRLine(f"{number + 1}. What is the sum of these numbers?", 0.99, (200.0, 300.0, 900.0, 330.0))]
            )
        return found


def scanned_book(path: Path, pages: int) -> Path:
    """Pages that are pictures of one line of text, as wide as its page's number says."""
    sheets = []
    for number in range(pages):
        sheets.append(Image.new("L", (1654, 2339), 255))
        draw = ImageDraw.Draw(sheets[-1])
        for x in range(204, 700 + 14 * number, 14):
            draw.rectangle((x, 304, x + 8, 324), fill=20)
    sheets[0].save(path, save_all=True, append_images=sheets[1:], resolution=200)
    return path


@pytest.fixture(autouse=True)
def nothing_seen():
    Counting.seen.clear()


def book(path, engine, **options):
    rows = [{"name": "b", "input_pdf_paths": [str(path)]}]
    reader = DocumentReader(image_dir=path.parent / "pictures", engine=engine, **options)
    return [reader], rows


def test_a_stopped_run_goes_on_at_the_next_page(tmp_path):
    path = scanned_book(tmp_path / "b.pdf", 5)
    with pytest.raises(KeyboardInterrupt):
        run(*book(path, Counting(stop_at=3)), cache_dir=tmp_path / "memory")
    assert Counting.seen == [0, 1, 2]
    result = run(*book(path, Counting()), cache_dir=tmp_path / "memory")
    assert Counting.seen == [0, 1, 2, 3, 4]
    texts = [item["text"] for item in result.table["content"][0].as_py() if item["text"]]
    assert texts == [f"{n}. What is the sum of these numbers?" for n in range(1, 6)]


def test_a_page_that_cannot_be_read_is_a_reject_beside_the_document_and_the_others_live(tmp_path):
    path = scanned_book(tmp_path / "b.pdf", 3)
    result = run(*book(path, Counting(refuse_at=1)))
    (reject,) = result.rejects.to_pylist()
    assert (reject["kind"], reject["error"]) == ("dropped", "ScannedPages")
    assert reject["message"] == f"{path}: page 2 was not read: The picture is damaged."
    assert {item["page"] for item in result.table["content"][0].as_py()} == {0, 2}
    assert [(w["first"], w["last"], w["source"], w["why"]) for w in result.table["pages_read"][0].as_py()] == [
        (0, 0, "ocr", "no text layer"),
        (1, 1, "unread", "The picture is damaged."),
        (2, 2, "ocr", "no text layer"),
    ]


def test_progress_counts_pages(tmp_path):
    class Heard(list):
        def watch(self, detail): ...
        def start(self, name, total): ...
        def finish(self, note): ...
        def expect(self, total, unit):
            self.append((total, unit))

        def advance(self, rows):
            self.append(rows)

    heard = Heard()
    run(*book(scanned_book(tmp_path / "b.pdf", 3), Counting()), listener=heard)
    assert [event for event in heard if event != 0] == [(3, "pages"), 1, 1, 1]


def test_only_the_pages_asked_for_are_read(tmp_path):
    result = run(*book(scanned_book(tmp_path / "b.pdf", 4), Counting(), pages="2-3"))
    assert [(w["first"], w["last"]) for w in result.table["pages_read"][0].as_py()] == [(1, 2)]
    assert Counting.seen == [0, 1]


def test_with_always_even_a_good_text_layer_is_not_believed(tmp_path):
    sheet = Sheet(tmp_path / "b.pdf")
    sheet.lines(72, 100, ["1. What is the difference of these numbers, and why?"] * 3)
    path = sheet.save()
    result = run(*book(path, Counting(), ocr="always"))
    assert [w["why"] for w in result.table["pages_read"][0].as_py()] == ["asked for"]
    assert [i["text"] for i in result.table["content"][0].as_py() if i["text"]] == [
        "1. What is the sum of these numbers?"
    ]


def test_pages_spread_over_processes_give_the_same_as_in_one(tmp_path):
    path = scanned_book(tmp_path / "b.pdf", 4)
    one = run(*book(path, Steady()))
    two = run(*book(path, Steady()), workers=2)
    assert two.table.equals(one.table)
    assert two.table.num_rows == 1


class Steady(Counting):
    """Sees the same line on every page, in whichever process."""

    def identity(self):
        return {"engine": "steady"}

    def read(self, pictures):
        return [[OCRLine("1. The same on every page?", 0.99, (200.0, 300.0, 700.0, 330.0))] for _ in pictures]


class Sideways(Counting):
    """Sees lines that run from top to bottom."""

    def read(self, pictures):
        return [
            [OCRLine("A line of words", 0.9, (100.0 * n, 100.0, 100.0 * n + 30, 900.0)) for n in range(6)]
            for _ in pictures
        ]


def test_a_page_that_lies_on_its_side_is_told_and_not_read_wrongly(tmp_path):
    result = run(*book(scanned_book(tmp_path / "b.pdf", 1), Sideways()))
    (reject,) = result.rejects.to_pylist()
    assert "page 1 was not read: the page lies on its side; turn it" in reject["message"]


class Raising(Counting):
    """Fails in a way of its own choosing on the second page."""

    how: str = "runtime"

    def read(self, pictures):
        self.seen.append(0)
        good = OCRLine("1. What is the sum of these numbers?", 0.99, (200.0, 300.0, 900.0, 330.0))
        odd = {
            "short": [],
            "nan": [[OCRLine("x", 0.9, (float("nan"), 0.0, 9.0, 9.0))]],
            "tuple": [[("x", 0.9)]],
            "flat": [[OCRLine("A line without height", 0.9, (200.0, 300.0, 900.0, 300.0))]],
            "surrogate": [[OCRLine("half \ud800 a pair", 0.9, (200.0, 300.0, 900.0, 330.0))]],
        }
        if len(self.seen) != 2:
            return [[good] for _ in pictures]
        if self.how == "runtime":
            raise RuntimeError("the model fell over")
        return odd[self.how]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("runtime", "RuntimeError: the model fell over"),
        ("short", "The OCR engine counting gave lines for 0 of 1 pictures"),
        ("nan", "The OCR engine counting gave a line with score 0.9 and box (nan, 0.0, 9.0, 9.0)"),
        ("tuple", "The OCR engine counting gave \"('x', 0.9)\", which is no OCRLine"),
    ],
)
def test_an_engine_that_fails_costs_a_page_which_is_tried_again_next_time(tmp_path, how, why):
    path = scanned_book(tmp_path / "b.pdf", 3)
    steps, rows = book(path, Raising(how=how))
    result = run(steps, rows, cache_dir=tmp_path / "memory")
    (reject,) = result.rejects.to_pylist()
    assert (reject["kind"], reject["message"]) == ("failed", f"{path}: page 2 was not read: {why}.")
    assert {item["page"] for item in result.table["content"][0].as_py()} == {0, 2}
    again = run(steps, rows, cache_dir=tmp_path / "memory")
    assert (again.rejects.num_rows, len(Counting.seen)) == (0, 4)


@pytest.mark.parametrize("how", ["flat", "surrogate"])
def test_lines_that_are_a_little_odd_are_put_right(tmp_path, how):
    result = run(*book(scanned_book(tmp_path / "b.pdf", 2), Raising(how=how)))
    assert (result.table.num_rows, result.rejects.num_rows) == (1, 0)


def test_a_page_that_cannot_be_loaded_is_a_reject_beside_the_document(tmp_path):
    path = tmp_path / "b.pdf"
    data = scanned_book(path, 3).read_bytes()
    first, second, third = data.partition(b"/Type /Page\n")
    path.write_bytes(data.replace(b"/Kids [ ", b"/Kids [ 999 0 R ", 1).replace(b"/Count 3", b"/Count 4", 1))
    result = run(*book(path, Counting()))
    assert first and second and third
    assert result.table.num_rows == 1
    assert [(r["error"], r["message"]) for r in result.rejects.to_pylist()] == [
        ("ScannedPages", f"{path}: page 1 was not read: the page cannot be loaded.")
    ]


@pytest.mark.parametrize("overlays", ["a file", "x" * 300])
def test_an_overlay_that_cannot_be_written_costs_no_page(tmp_path, overlays):
    (tmp_path / "a file").write_text("")
    path = scanned_book(tmp_path / f"{'n' * 240}.pdf", 1)
    result = run(*book(path, Counting(), overlays=tmp_path / overlays))
    assert (result.table.num_rows, result.rejects.num_rows) == (1, 0)


def test_a_stamp_over_a_scan_does_not_make_it_a_page_with_a_text_layer(tmp_path):
    sheet = Sheet(tmp_path / "b.pdf")
    sheet.picture(0, 0, 595, 842)
    sheet.lines(72, 20, ["This copy was downloaded from the library of the town by a reader on a Monday."])
    result = run(*book(sheet.save(), Counting()))
    assert [w["why"] for w in result.table["pages_read"][0].as_py()] == ["only a stamp in letters"]
    assert len(Counting.seen) >= 1


def test_a_hidden_layer_that_lies_beside_the_page_is_not_believed(tmp_path):
    sheet = Sheet(tmp_path / "b.pdf")
    sheet.picture(0, 0, 595, 842)
    sheet.hidden(72, 900, "1. words below the page " * 10)
    result = run(*book(sheet.save(), Counting()))
    assert [w["source"] for w in result.table["pages_read"][0].as_py()] == ["ocr"]


def test_without_the_extra_a_scan_is_a_reject_that_says_what_to_install_and_other_books_live(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    sheet = Sheet(tmp_path / "words.pdf")
    sheet.lines(72, 100, ["1. What is the difference of these numbers, and why?"] * 3)
    books = [scanned_book(tmp_path / "scan.pdf", 2), sheet.save()]
    rows = [{"name": path.stem, "input_pdf_paths": [str(path)]} for path in books]
    result = run([DocumentReader(image_dir=tmp_path / "pictures")], rows)
    assert result.table["name"].to_pylist() == ["words"]
    (reject,) = result.rejects.to_pylist()
    assert reject["message"].startswith(
        f"{books[0]}: pages 1, 2 were not read: the page is scanned, and OCR is not inst"
    )
    assert reject["message"].endswith("install it: python -m pip install 'rowsmith[ocr]'.")
