"""Letters that have no Unicode values in their PDF: they are read from the page's picture where the rest bears it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dataflow_ext import run
from dataflow_ext.codec import decode
from dataflow_ext.errors import InputError
from dataflow_ext.ocr import OCRLine, Picture
from operators.pdf.blocks import ContentItem
from operators.pdf.document_reader import DocumentReader
from operators.pdf.inputs import documents

FIXTURES = Path(__file__).parent / "fixtures_letters"


def ligatures() -> bytes:
    """A page of Helvetica whose ligatures, at 0xAE and 0xAF, have no value that means anything."""
    mapping = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"2 beginbfchar\n<AE> <FFFD>\n<AF> <FFFD>\nendbfchar endcmap end end"
    )
    shown = b"BT /F1 14 Tf 72 700 Td (1. What is the \xaerst speci\xaec in\xafuence?) Tj 0 -40 Td (2. De\xaene a \xafat.) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(shown), shown),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(mapping), mapping),
    ]
    data = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, part) for number, part in enumerate(parts, 1))
    return data + b"trailer << /Size 7 /Root 1 0 R >>\n%%EOF\n"


@dataclass(frozen=True)
class Broken:
    """An engine that never reads; another try may help, or not."""

    error: type[Exception]
    name: str = "broken"

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        raise self.error("no models")

    def identity(self) -> Mapping[str, object]:
        return {"name": self.name}


def read(path: Path, **options: str | Broken) -> tuple[list[str], list[str]]:
    """The texts of a PDF, and how its pages were read."""
    table = run([DocumentReader(image_dir=path.parent, **options)], documents([path])).table
    [items] = decode(table["content"], list[ContentItem])
    [row] = table["pages_read"].to_pylist()
    return [item.text for item in items if item.text], [f"{pages['source']}: {pages['why']}" for pages in row]


def test_ligatures_without_values_are_read_and_prove_themselves_by_their_words(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    book = tmp_path / "ligatures.pdf"
    book.write_bytes(ligatures())
    texts, ways = read(book)
    assert texts == ["1. What is the first specific influence?", "2. Define a flat."]
    assert ways == ["text_layer: letters without names, read by OCR"]


def test_the_numbers_of_glyphs_are_no_letters(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    book = tmp_path / "book.pdf"
    book.write_bytes((FIXTURES / "glyph_numbers.pdf").read_bytes())
    texts, ways = read(book)
    assert texts == [
        "一、填空题：本题共 2 小题",
        "1. 求三角形的面积。",
        "2. 求圆的周长。",
        "二、解答题",
        "3. 证明两条直线平行。",
    ]
    assert ways == ["text_layer: letters without names, read by OCR"]


def test_without_ocr_letters_without_values_are_pictures(tmp_path: Path) -> None:
    book = tmp_path / "book.pdf"
    book.write_bytes((FIXTURES / "glyph_numbers.pdf").read_bytes())
    texts, ways = read(book, ocr="never")
    assert texts == ["1. 求三角形的面积。", "2. 求圆的周长。", "3. 证明两条直线平行。"]
    assert ways == ["text_layer: letters without names"]


def test_a_page_is_not_lost_for_letters_that_no_engine_can_read(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    book = tmp_path / "book.pdf"
    book.write_bytes((FIXTURES / "glyph_numbers.pdf").read_bytes())
    texts, ways = read(book, engine=Broken(InputError))
    assert texts == ["1. 求三角形的面积。", "2. 求圆的周长。", "3. 证明两条直线平行。"]
    assert ways == ["text_layer: letters without names"]


def test_a_page_whose_engine_failed_in_passing_is_tried_again(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    book = tmp_path / "book.pdf"
    book.write_bytes((FIXTURES / "glyph_numbers.pdf").read_bytes())
    made = run([DocumentReader(image_dir=tmp_path, engine=Broken(ConnectionError))], documents([book]))
    assert made.table.num_rows == 0
    assert [(reject["kind"], reject["message"]) for reject in made.rejects.to_pylist()] == [
        ("failed", f"{book}: page 1 was not read: ConnectionError: no models.")
    ]
