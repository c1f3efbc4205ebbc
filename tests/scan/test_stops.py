"""A point behind a blank to fill in is found though OCR passes over it."""

from operators.pdf.scan.ocr_runs import runs_of
from operators.pdf.scan.strokes import add_stops, find_stops
from tests.scan.words_sheet import EM, Printed

LEFT, BASE = 100, 200


def dot(page: Printed, x: float, base: float = BASE) -> None:
    page.pen.ellipse((x, base - 4, x + 4, base), fill=(35, 35, 35))


def with_blank(start: str = "8. 如图，边长是多少") -> tuple[Printed, float]:
    """A page whose first line ends in a blank, and where the blank ends."""
    page = Printed()
    for number in range(4):
        page.write(LEFT, 600 + 50 * number, "这些句子告诉我们正文的大小是多少然后再继续写下去")
    end = page.write(LEFT, BASE, start)
    page.rule(end + 2, BASE + 3, end + 4 * EM)
    return page, end + 4 * EM


def first(page: Printed) -> str:
    runs = runs_of(page.picture, page.lines, page.rules)
    add_stops(runs, find_stops(page.picture, page.lines, page.rules))
    return runs[0].text


def test_a_point_behind_a_blank_ends_its_sentence() -> None:
    page, end = with_blank()
    dot(page, end + 5)
    assert first(page) == "8. 如图，边长是多少____."


def test_a_blank_without_a_point_is_left_as_it_is() -> None:
    page, _ = with_blank()
    assert first(page) == "8. 如图，边长是多少"


def test_a_sign_behind_a_blank_that_is_no_point_adds_none() -> None:
    page, end = with_blank()
    page.pen.ellipse((end + 5, BASE - 20, end + 17, BASE), fill=(35, 35, 35))
    assert first(page) == "8. 如图，边长是多少"


def test_a_mark_half_way_up_the_line_or_one_among_others_is_no_point() -> None:
    page, end = with_blank()
    dot(page, end + 5, BASE - 12)
    assert first(page) == "8. 如图，边长是多少"
    page, end = with_blank()
    for x, base in ((5, BASE), (12, BASE - 9), (17, BASE + 4)):
        dot(page, end + x, base)
    assert first(page) == "8. 如图，边长是多少"


def test_a_point_that_ocr_read_comes_once() -> None:
    page, end = with_blank()
    dot(page, end + 5)
    page.see(end + 5, BASE, end + 9, ".", 12)
    assert find_stops(page.picture, page.lines, page.rules) == []


def test_a_point_behind_a_rule_of_no_line_is_none() -> None:
    page, end = with_blank()
    page.rule(LEFT, 400, end)
    dot(page, end + 5, 398)
    assert find_stops(page.picture, page.lines, page.rules) == []
    assert find_stops(page.picture, [], page.rules) == []
