"""Signs that OCR passed over are found by their ink and read once more, all on one sheet."""

import cv2
import numpy as np
import pytest

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.formula_pictures import stack_fractions
from operators.pdf.parser.runs import Box
from operators.pdf.parser.text_lines import make_lines
from operators.pdf.scan.ocr_runs import runs_of
from operators.pdf.scan.rest import find_rest, read_rest
from tests.scan.words_sheet import EM, SCALE, Printed

LEFT = 100


class Reader:
    """An engine that sees where ink stands on a sheet, and reads there what it is told, from left to right."""

    name = "reader"

    def __init__(self, *words: str) -> None:
        self.words = words
        self.sheets: list[np.ndarray] = []

    def read(self, pictures: list[np.ndarray]) -> list[list[OCRLine]]:
        self.sheets += pictures
        return [self._lines(picture) for picture in pictures]

    def identity(self) -> dict[str, object]:
        return {}

    def _lines(self, sheet: np.ndarray) -> list[OCRLine]:
        ink = cv2.dilate((sheet.min(axis=2) < 120).astype(np.uint8), np.ones((25, 25), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink)
        boxes = sorted((float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, _ in stats[1:])
        return [OCRLine(word, 0.9, box) for word, box in zip(self.words, boxes, strict=True)]


def unseen(page: Printed, x: float, base: float, text: str, size: float = EM) -> float:
    """Words that the first reading passes over."""
    end = page.write(x, base, text, size=size)
    page.lines.pop()
    return end


def read(page: Printed, engine: Reader, figures: tuple[Box, ...] = ()) -> list[OCRLine]:
    return read_rest(page.picture, page.lines, page.rules, figures, engine)


def a_page() -> Printed:
    page = Printed()
    for row in range(3):
        page.write(LEFT, 600 + 60 * row, "这些句子告诉我们正文的大小是多少")
    return page


def test_a_page_that_was_read_whole_costs_no_second_reading() -> None:
    engine = Reader()
    assert read(a_page(), engine) == []
    assert engine.sheets == []


def test_a_unit_right_behind_a_blank_is_read_and_a_letter_further_off_is_not() -> None:
    for off, wanted in ((-3, ["A"]), (8, ["A"]), (60, [])):
        page = a_page()
        end = page.write(LEFT, 200, "电流是")
        page.rule(end + 2, 203, end + 120)
        unseen(page, end + 120 + off, 200, "A")
        assert [line.text for line in read(page, Reader("A"))] == wanted


def test_a_sign_between_two_pieces_is_read_at_its_place() -> None:
    page = a_page()
    end = page.write(LEFT, 200, "因为周长")
    last = unseen(page, end + 8, 200, "=")
    page.write(last + 8, 200, "半径的两倍")
    (found,) = read(page, Reader("="))
    assert found.text == "="
    assert end < found.box[0] < found.box[2] < last + 8
    assert 200 - 0.7 * EM < found.box[1] < found.box[3] < 200


def test_a_numerator_that_was_passed_over_completes_its_fraction() -> None:
    page = a_page()
    end = page.write(LEFT, 200, "它的")
    page.rule(end + 2, 189, end + 34)
    page.write(end + 10, 217, "2")
    unseen(page, end + 10, 182, "1")
    page.write(end + 40, 200, "是多少")
    lines = page.lines + read(page, Reader("1"))
    runs, rules = stack_fractions(runs_of(page.picture, lines, page.rules), page.rules, EM / SCALE)
    assert make_lines(runs, rules)[0].text == "它的1/2 是多少"


def test_several_signs_share_one_sheet() -> None:
    page = a_page()
    for row in range(12):
        end = page.write(LEFT, 60 + 40 * row, "左边的数")
        end = unseen(page, end + 10, 60 + 40 * row, "<")
        page.write(end + 10, 60 + 40 * row, "右边的数")
    engine = Reader(*"<" * 12)
    assert [line.text for line in read(page, engine)] == ["<"] * 12
    assert len(engine.sheets) == 1


def test_marks_far_from_lines_and_drawings_are_not_read() -> None:
    page = a_page()
    page.write(LEFT, 200, "如图所示")
    unseen(page, 1100, 320, "7")
    unseen(page, 500, 280, "A")
    assert find_rest(page.picture, page.lines, [], []) == []
    end = LEFT + 4 * EM
    unseen(page, end + 8, 200, "B")
    assert len(find_rest(page.picture, page.lines, [], [])) == 1
    figure = ((end + 4) / SCALE, 150 / SCALE, (end + 90) / SCALE, 230 / SCALE)
    assert find_rest(page.picture, page.lines, [], [figure]) == []


@pytest.mark.parametrize(("read_as", "text"), [("9", "，"), ("，", "，")])
def test_a_small_mark_at_the_foot_of_a_line_is_a_comma_however_it_looks_when_enlarged(read_as: str, text: str) -> None:
    page = a_page()
    end = page.write(LEFT, 200, "一小时的六分之五")
    page.pen.rectangle((end + 8, 195, end + 12, 203), fill=(35, 35, 35))
    page.write(end + 40, 200, "当时间为十点")
    assert [line.text for line in read(page, Reader(read_as))] == [text]


def test_a_ring_is_a_full_stop_though_no_engine_finds_it_alone() -> None:
    page = a_page()
    end = page.write(LEFT, 200, "求它的面积")
    page.ring(end + 4, 200)
    assert [line.text for line in read(page, Reader("o"))] == ["。"]


def test_a_page_full_of_specks_is_not_read_again() -> None:
    page = a_page()
    for number in range(40):
        x, base = LEFT + 220 * (number % 5), 100 + 60 * (number // 5)
        end = page.write(x, base, "数")
        for left in (x - 30, end + 18):
            page.pen.rectangle((left, base - 18, left + 10, base - 8), fill=(35, 35, 35))
    engine = Reader()
    assert read(page, engine) == []
    assert engine.sheets == []
