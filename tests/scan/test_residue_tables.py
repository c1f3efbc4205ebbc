"""Ruled tables of scanned pages: their cells as HTML, their words no text of the page."""

from __future__ import annotations

from dataflow_ext.ocr import OCRLine
from tests.scan.residue_sheet import BLACK, ScanSheet, scanned


def _score_table() -> ScanSheet:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for level in (300, 350, 400):
        sheet.stroke((100, level), (1000, level))
    for wall in range(5):
        sheet.stroke((100 + 225 * wall, 300), (100 + 225 * wall, 400))
    for number, words in enumerate(("Part", "one", "two", "sum")):
        sheet.words(130 + 225 * number, 325, words)
    sheet.words(130, 375, "Score")
    sheet.paragraph(500)
    return sheet


_HTML = (
    "<table><tr><td>Part</td><td>one</td><td>two</td><td>sum</td></tr>"
    "<tr><td>Score</td><td></td><td></td><td></td></tr></table>"
)


def test_a_ruled_table_has_the_words_in_its_cells() -> None:
    sheet = _score_table()
    residue = sheet.residue()
    assert [(figure.kind, figure.html) for figure in residue.figures] == [("table", _HTML)]
    assert sheet.read_inside() == ["Part", "one", "two", "sum", "Score"]
    assert residue.rules == []


def test_a_noisy_scan_of_a_table_gives_the_same_cells() -> None:
    sheet = _score_table()
    [figure] = sheet.residue(scanned(sheet.pixels())).figures
    assert figure.html == _HTML


def test_a_line_read_across_the_walls_is_parted_to_its_cells() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for level in (300, 350, 400):
        sheet.stroke((100, level), (700, level))
    for wall in range(4):
        sheet.stroke((100 + 200 * wall, 300), (100 + 200 * wall, 400))
    for row, y in (("abc", 325), ("xyz", 375)):
        for number, letter in enumerate(row):
            sheet.words(140 + 200 * number, y, letter * 3, read="")
    left, right = 138.0, 590.0
    sheet.lines += [
        OCRLine("aaa bbb ccc", 0.9, (left, 308, right, 342)),
        OCRLine("xxx yyy zzz", 0.9, (left, 358, right, 392)),
    ]
    [figure] = sheet.residue().figures
    assert figure.html == (
        "<table><tr><td>aaa</td><td>bbb</td><td>ccc</td></tr><tr><td>xxx</td><td>yyy</td><td>zzz</td></tr></table>"
    )


def test_a_table_of_three_rules_without_walls_is_a_table() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for level, width in ((300, 4), (350, 2), (440, 4)):
        sheet.stroke((100, level), (900, level), width=width)
    for y, row in ((325, ("item", "mass", "price")), (372, ("tea", "2 kg", "14")), (415, ("rice", "5 kg", "20"))):
        for number, words in enumerate(row):
            sheet.words(130 + 270 * number, y, words)
    sheet.paragraph(560)
    [figure] = sheet.residue().figures
    assert figure.html == (
        "<table><tr><td>item</td><td>mass</td><td>price</td></tr><tr><td>tea</td><td>2 kg</td><td>14</td></tr>"
        "<tr><td>rice</td><td>5 kg</td><td>20</td></tr></table>"
    )


def test_a_box_of_one_column_round_answers_stays_text() -> None:
    sheet = ScanSheet()
    sheet.words(500, 60, "Quick answers")
    sheet.pen.rectangle((80, 100, 1100, 300), outline=BLACK, width=3)
    sheet.stroke((80, 150), (1100, 150))
    sheet.words(100, 125, "Part one 1 to 5 C A C C C and then some")
    sheet.words(100, 185, "6. 20%")
    sheet.words(300, 185, "7. 4 metres a second")
    sheet.words(600, 185, "8. sixteen and a half")
    sheet.words(100, 250, "9. thirty kilometres an hour at the most")
    sheet.paragraph(400)
    residue = sheet.residue()
    assert residue.figures == []
    assert residue.inside == set()


def test_a_drawing_on_squared_paper_is_a_picture() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for number in range(9):
        sheet.stroke((300 + 40 * number, 300), (300 + 40 * number, 620), width=2)
        sheet.stroke((300, 300 + 40 * number), (620, 300 + 40 * number), width=2)
    sheet.stroke((340, 580), (460, 340), (580, 500), (340, 580), width=4)
    sheet.words(465, 330, "A")
    sheet.paragraph(760)
    assert [figure.kind for figure in sheet.residue().figures] == ["image"]
