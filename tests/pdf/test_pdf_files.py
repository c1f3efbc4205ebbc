"""The built-in parser: which pages need OCR, and what is said of files that cannot be read."""

from __future__ import annotations

import pickle
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from operators.pdf.parser.parse import PDFError, parse_pdf
from tests.pdf.sheets import Sheet


def parsed(sheet: Sheet, **options):
    path = sheet.save()
    return parse_pdf(path, path.parent / "images", **options)


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    return Sheet(tmp_path / "book.pdf")


def test_pages_can_be_picked_and_keep_their_own_index(sheet):
    for page in range(5):
        sheet.lines(72, 100, [f"Page {page} has words."])
        sheet.next_page()
    result = parsed(sheet, pages=[1, 3])
    assert [(item.text, item.page) for item in result.items] == [
        ("Page 1 has words.", 1),
        ("Page 3 has words.", 3),
    ]
    assert result.pages == 5
    with pytest.raises(PDFError, match="there is no page 6; give pages from 1 to 5"):
        parse_pdf(sheet.path, sheet.path.parent, pages=[5])


def test_scanned_pages_are_listed_and_give_no_items(sheet):
    sheet.picture(0, 0, 595, 842)
    sheet.hidden(72, 100, "1. 错误的文字层" * 20)
    sheet.next_page()
    sheet.lines(72, 100, ["A page with words."])
    sheet.next_page()
    sheet.picture(100, 100, 300, 300, seed=2)
    sheet.next_page()
    sheet.next_page()
    sheet.lines(72, 100, ["Words hidden below the scan of their page"] * 9)
    sheet.picture(5, 5, 590, 840, seed=3)
    result = parsed(sheet)
    assert [(page.number, page.why, page.layer) for page in result.scanned] == [
        (0, "hidden text layer", True),
        (2, "no text layer", False),
        (4, "hidden text layer", True),
    ]
    assert [(item.text, item.page) for item in result.items] == [("A page with words.", 1)]


def test_words_seen_on_a_page_wide_background_are_read(sheet):
    sheet.picture(0, 0, 595, 842)
    sheet.lines(72, 100, [f"{number}. A question on a tinted page." for number in range(1, 5)])
    result = parsed(sheet)
    assert (result.scanned, [item.type for item in result.items]) == ([], ["text"] * 4)


def broken(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "broken.pdf"
    path.write_bytes(content)
    return path


def test_files_that_cannot_be_read_say_what_is_wrong_and_what_to_do(tmp_path):
    sheet = Sheet(tmp_path / "locked.pdf", encrypt=StandardEncryption("secret"))
    sheet.text(72, 100, "x")
    locked = sheet.save()
    cases = [
        (tmp_path / "none.pdf", "no such file"),
        (broken(tmp_path, b""), "the file is empty"),
        (locked, "the PDF is encrypted with a password"),
    ]
    for path, what in cases:
        with pytest.raises(PDFError, match=what) as caught:
            parse_pdf(path, tmp_path)
        assert caught.value.path == path
    for content, what in ((b"Dear reader", "not a PDF"), (b"%PDF-1.7\n1 0 obj <<", "damaged, cut off")):
        with pytest.raises(PDFError, match=what):
            parse_pdf(broken(tmp_path, content), tmp_path)


def test_a_pdf_without_pages_is_refused(tmp_path):
    document = pdfium.PdfDocument.new()
    document.save(tmp_path / "nothing.pdf")
    with pytest.raises(PDFError, match="damaged, cut off or without pages"):
        parse_pdf(tmp_path / "nothing.pdf", tmp_path)


def test_the_error_can_come_back_from_another_process(tmp_path):
    error = pickle.loads(pickle.dumps(PDFError(tmp_path, "it is empty", "get it again")))
    assert str(error) == f"{tmp_path}: it is empty; get it again."
