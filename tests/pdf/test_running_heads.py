"""Running heads that a parser took for text or headings."""

from __future__ import annotations

from operators.pdf.blocks import Block
from operators.pdf.parser.furniture import find_furniture
from operators.pdf.parser.runs import Run
from operators.pdf.rules import read_book
from operators.pdf.rules.lines import Kind
from tests.pdf.rules_book import book


def line(text: str, top: float, kind: str = "text", level: int | None = None) -> Block:
    return Block(0, kind, text, level=level, box=(100, top, 400, top + 20), shown=kind == "text")


def hidden(*lines: str | Block) -> list[tuple[int, str]]:
    """Page and words of what is page furniture."""
    found = read_book(book(*lines)).lines
    return [(one.block.page, one.text) for one in found if one.kind is Kind.HIDDEN]


CHAPTER = (line("Chapter 1", 150, level=1), line("Sets", 180, level=1), line("1. Why?", 300))


def test_a_title_in_capitals_at_the_top_of_a_later_page_is_a_running_head() -> None:
    again = (line("CHAPTER 1. SETS", 60, level=1), line("2. How?", 300))
    assert hidden(*CHAPTER, "---", *again) == [(1, "CHAPTER 1. SETS")]


def test_a_title_with_a_page_number_is_a_running_head() -> None:
    again = (line("48 Chapter 1. Sets", 60), line("2. How?", 300))
    assert hidden(*CHAPTER, "---", *again) == [(1, "48 Chapter 1. Sets")]


def test_a_line_beside_a_page_number_is_a_running_head_whatever_it_says() -> None:
    again = (line("2", 60, "page_number"), line("Chapter 1 Sets", 62, level=1), line("2. How?", 300))
    assert hidden(*CHAPTER, "---", *again) == [(1, "2"), (1, "Chapter 1 Sets")]


def test_the_head_of_a_section_that_begins_further_down_its_page_is_no_title() -> None:
    page = (line("1.2 Maps", 60, level=2), line("2. How?", 100), line("1.2 Maps", 500, level=2), line("1. When?", 560))
    assert hidden(*CHAPTER, "---", *page) == [(1, "1.2 Maps")]


def test_two_papers_of_one_title_at_the_top_of_their_pages_are_two_titles() -> None:
    papers = [line("Unit Test 1", 60, level=1), line("1. Why?", 100), "---", line("Unit Test 1", 60, level=1)]
    assert hidden(*papers, line("1. How?", 100)) == []


def test_a_group_of_one_name_in_two_lessons_of_a_page_is_no_running_head() -> None:
    page = (line("巩固练习", 60, level=3), line("1. 求值？", 100), line("第3节 圆", 300, level=2))
    assert hidden(*CHAPTER, "---", *page, line("巩固练习", 340, level=3), line("1. 化简？", 400)) == []


def test_words_that_stand_alone_inside_pages_as_well_are_no_running_head() -> None:
    def page(*tops: float) -> tuple[list[Run], float, bool]:
        head = [Run("Tutorial sheets", 400, 470, 30, 10), Run("The lecture goes on.", 60, 200, 400, 10)]
        return [*head, *(Run("Solution", 60, 100, top, 10) for top in tops)], 800, False

    pages = [page(60, 300, 500), page(60, 350, 450), page(60, 380, 420)]
    found = [[line.text for _, line in furniture.items] for furniture in find_furniture(pages)]
    assert found == [["Tutorial sheets"]] * 3
    once = [([run for run in runs if run.base < 100], height, scan) for runs, height, scan in pages]
    assert [{line.text for _, line in f.items} for f in find_furniture(once)] == [{"Tutorial sheets", "Solution"}] * 3
