"""Letters beyond the basic plane, halves of them, and file names that are no UTF-8: no book is lost by one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dataflow_ext import run
from operators.pdf.document_reader import DocumentReader
from operators.pdf.inputs import documents
from operators.pdf.parser.letter_repairs import upright
from operators.pdf.parser.letters import Letter
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.parser.runs import Style
from tests.pdf.sheets import Sheet


def pdf_of(units: list[str], font: str = "Helvetica") -> bytes:
    """A page with one letter for each of the units, which its font maps to by their UTF-16 in hex."""
    named = "\n".join(f"<{65 + n:02X}> <{unit}>" for n, unit in enumerate(units))
    letters = "".join(chr(65 + n) for n in range(len(units)))
    mapping = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(units)} beginbfchar\n{named}\nendbfchar endcmap end end"
    )
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        _stream(f"BT /F1 12 Tf 72 600 Td ({letters}) Tj ET"),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /ToUnicode 6 0 R >>",
        _stream(mapping),
    ]
    data, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return (
        f"{data}xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}"
        f"trailer << /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    ).encode()


def _stream(text: str) -> str:
    return f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"


def units_of(text: str) -> list[str]:
    return [letter.encode("utf-16-be", "surrogatepass").hex().upper() for letter in text]


@pytest.mark.parametrize(
    ("units", "wanted"),
    [
        (units_of("Let 𝔽 be a field."), "Let 𝔽 be a field."),
        (units_of("No 😀 but 𝒜𝒷 here"), "No 😀 but 𝒜𝒷 here"),
        (units_of("Half of one: \ud835."), "Half of one: �."),
        (units_of("The other half: \udc65 in it"), "The other half: � in it"),
        ([*units_of("Both in two letters: "), "D835", "DC65"], "Both in two letters: 𝑥"),
        ([*units_of("No "), "00660066", *units_of("ice 𝟙 is full")], "No ffice 𝟙 is full"),
    ],
)
def test_letters_beyond_the_basic_plane_are_read_as_the_letters_they_are(units, wanted, tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_of(units))
    assert [item.text for item in parse_pdf(path, tmp_path).items] == [wanted]


def test_a_letter_s_box_is_where_it_stands_behind_letters_of_two_units(tmp_path):
    plain, other = tmp_path / "plain.pdf", tmp_path / "other.pdf"
    plain.write_bytes(pdf_of(units_of("aaaa words here")))
    other.write_bytes(pdf_of(units_of("𝑥𝑥𝑥𝑥 words here")))
    boxes = [parse_pdf(path, tmp_path).items[0].box for path in (plain, other)]
    assert boxes[0] == boxes[1]


def test_a_book_with_such_letters_or_such_a_name_and_the_books_beside_it_are_read(tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "letters.pdf").write_bytes(pdf_of(units_of("Is 𝑥 in 𝔽?")))
    sheet = Sheet(folder / "plain.pdf")
    sheet.lines(72, 100, ["1. A plain question?"])
    sheet.save()
    (folder / "listed_content_list.json").write_text(
        json.dumps([{"type": "text", "text": "\ud835\udc65 and \ud835", "bbox": [1, 2, 3, 4], "page_idx": 0}])
    )
    raw = folder / os.fsdecode(b"name\xff.pdf")
    try:
        raw.write_bytes(sheet.path.read_bytes())
        (folder / os.fsdecode(b"rubbish\xfe.pdf")).write_bytes(b"%PDF-1.4 rubbish")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    result = run([DocumentReader(image_dir=tmp_path / "pictures")], documents([folder]), workers=2)
    assert [(row["name"], [item["text"] for item in row["content"]]) for row in result.table.to_pylist()] == [
        ("listed", ["𝑥 and �"]),
        ("letters", ["Is 𝑥 in 𝔽?"]),
        ("name%FF", ["1. A plain question?"]),
        ("plain", ["1. A plain question?"]),
    ]
    failed = [r["message"] for r in result.rejects.to_pylist() if r["kind"] == "failed"]
    assert failed == [
        f"{folder}/rubbish%FE.pdf: the PDF is damaged, cut off or without pages; "
        "repair it (qpdf in.pdf out.pdf) or get it again."
    ]


def test_a_single_file_whose_name_is_no_utf_8_and_is_missing_is_named(tmp_path: Path):
    rows = documents([_raw(tmp_path)])
    (tmp_path / os.fsdecode(b"gone\xff.pdf")).unlink()
    result = run([DocumentReader(image_dir=tmp_path)], rows)
    assert result.rejects["message"].to_pylist() == [f"{tmp_path}/gone%FF.pdf: there is no such file."]


def _raw(folder: Path) -> Path:
    path = folder / os.fsdecode(b"gone\xff.pdf")
    try:
        path.write_bytes(b"%PDF")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    return path


def test_letters_at_private_values_of_a_font_are_those_that_they_are_other_forms_of(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_of(["EBF8", "0061"], font="ArevSans-Oblique"))
    assert [item.text for item in parse_pdf(path, tmp_path).items] == ["xa"]


def words_in_drawings(plain: list[str], last: list[str]) -> bytes:
    """A page with lines of Helvetica, and a last one in a font without a name, of drawings: TeX's font has its $x."""
    code = {char: 65 + n for n, char in enumerate(sorted({*"".join(part for part in last if part[0] != "$")}))}
    shown = " ".join(f"({line}) Tj T*" for line in plain)
    for part in last:
        spelt = "".join(f"{code[char]:02X}" for char in part) if part[0] != "$" else ""
        shown += f" /F2 12 Tf <{spelt}> Tj" if spelt else f" /F3 12 Tf ({part[1:]}) Tj"
    named = "\n".join(f"<{at:02X}> <{units_of(char)[0]}>" for char, at in code.items())
    names = " ".join(f"/g{at}" for at in code.values())
    drawings = " ".join(f"/g{at} {9 if char == ' ' else 8} 0 R" for char, at in code.items())
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 10 0 R >> >> >>",
        _stream(f"BT /F1 12 Tf 16 TL 72 700 Td {shown} ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/CharProcs << {drawings} >> /Encoding << /Type /Encoding /Differences [65 {names}] >> /FirstChar 65 "
        f"/LastChar {64 + len(code)} /Widths [{'600 ' * len(code)}] /Resources << >> /ToUnicode 7 0 R >>",
        _stream(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
            "1 begincodespacerange <00> <FF> endcodespacerange\n"
            f"{len(code)} beginbfchar\n{named}\nendbfchar endcmap end end"
        ),
        _stream("600 0 0 0 600 700 d1 60 0 480 650 re f"),
        _stream("600 0 0 0 0 0 d1"),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /FirstChar 0 /LastChar 127 /Widths [{'500 ' * 128}] >>",
    ]
    data = "".join(f"{number} 0 obj\n{part}\nendobj\n" for number, part in enumerate(parts, 1))
    return f"%PDF-1.4\n{data}trailer << /Size {len(parts) + 1} /Root 1 0 R >>\n%%EOF\n".encode()


def test_a_few_words_in_a_font_without_a_name_are_no_part_of_the_formulas_beside_them(tmp_path):
    plain = [
        "1. A magnet has two poles, north and south, which are found at its ends.",
        "2. Poles of one kind push each other away, and those of two kinds attract.",
        "3. A needle that floats on water turns until it points to the north.",
        "4. Draw the needle and the earth below it, and the sun above both of them.",
    ]
    path = tmp_path / "a.pdf"
    path.write_bytes(words_in_drawings(plain, ["5. Where does the ", "$x", "-axis meet the ", "$y", "-axis?"]))
    assert [(item.type, item.text) for item in parse_pdf(path, tmp_path).items] == [
        *(("text", line) for line in plain),
        ("text", "5. Where does the $x$-axis meet the $y$-axis?"),
    ]


def test_letters_on_their_heads_are_read_from_left_to_right_and_ligatures_stand_in_their_gap() -> None:
    # As pdfium gives "diffuse" on its head: from the left of the page, the two letters of a ligature somewhere else.
    style, lost = (Style(10, base, False, True, False, upside_down=True) for base in (100, 300))
    places = [("e", 50), ("s", 55), ("u", 60), ("f", 400), ("f", 405), ("i", 70), ("d", 75)]
    letters = [Letter(n, char, lost if char == "f" else style, x, x + 5) for n, (char, x) in enumerate(places)]
    assert "".join(letter.char for letter in upright(letters)).split() == ["diffuse"]
