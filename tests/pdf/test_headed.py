"""Under which headings items stand: whole books under trees drawn by chance, and what tells one heading from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.headed_books import Maker, found, path_is_right
from operators.pdf.blocks import Block
from operators.pdf.numbering.dress import read_letter
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.rules import find_headings, find_pairs
from tests.pdf.rules_book import book
from tests.pdf.sheets import Sheet

#: Each drawn as its number says; all items stand under their headings with their answers, and have to go on doing so.
WHOLE = [1, 3, 5, 13, 15, 16, 20, 34, 44, 45, 51, 57, 62, 74, 79, 83, 87, 107, 123, 129, 137, 141, 153, 166, 175, 185]


def paths(*lines: str | Block) -> list[list[str]]:
    """The paths of the chapters that have questions, in order."""
    blocks = book(*lines)
    headings = find_headings(blocks)
    return [
        headings.get(c.title[-1], []) if c.title else [] for c in find_pairs(blocks) if any(p.question for p in c.pairs)
    ]


def sized(text: str, level: int) -> Block:
    return Block(0, "text", text, level=level)


@pytest.mark.parametrize("seed", WHOLE)
def test_items_stand_under_their_headings_whatever_these_are(seed: int) -> None:
    drawn = Maker(seed)
    for item, row in found(drawn):
        assert row is not None, (drawn.drawn(), item)
        assert path_is_right(item, row["chapter_path"]), (drawn.drawn(), item, row["chapter_path"])
        told = f"{row['answer']}{row['solution']}"
        assert (told == "") if drawn.answers == "none" else (item.answer.strip(".。") in told), (drawn.drawn(), item)


def test_what_is_set_larger_holds_what_is_set_smaller_whatever_their_words() -> None:
    lines = [
        sized("Lesson 1. Heat", 2),
        sized("1.1 Fire", 3),
        "1. Why?",
        "2. How?",
        sized("1.2 Ice", 3),
        "1. Who?",
        "2. When?",
    ]
    assert paths(*lines) == [["Lesson 1. Heat", "1.1 Fire"], ["Lesson 1. Heat", "1.2 Ice"]]


def test_headings_that_count_anew_below_others_stand_under_these() -> None:
    lines = ["Week 1: Heat", "Lesson 1: Fire", "1. Why?", "2. How?", "Lesson 2: Ice", "1. Who?", "2. When?"]
    more = ["Week 2: Light", "Lesson 1: Stars", "1. Where?", "2. What?", "Lesson 2: Lamps", "1. Whose?", "2. Which?"]
    assert paths(*lines, *more) == [
        ["Week 1: Heat", "Lesson 1: Fire"],
        ["Week 1: Heat", "Lesson 2: Ice"],
        ["Week 2: Light", "Lesson 1: Stars"],
        ["Week 2: Light", "Lesson 2: Lamps"],
    ]


def test_headings_of_unknown_wording_below_a_title_are_in_paths_from_the_first_one_on() -> None:
    lines = [
        sized("Lección 1. Mapas", 2),
        sized("Ríos", 3),
        "1. Why?",
        "2. How?",
        sized("Calor", 3),
        "1. Who?",
        "2. When?",
    ]
    assert paths(*lines) == [["Lección 1. Mapas", "Ríos"], ["Lección 1. Mapas", "Calor"]]


def test_exercises_with_the_number_of_their_chapter_and_a_letter_are_headings_over_numbers() -> None:
    lines = [
        sized("4.1 Angles", 2),
        "Exercise 4A",
        "1 Find x.",
        "2 Find y.",
        sized("4.2 Sides", 2),
        "Exercise 4B",
        "1 Find z.",
        "2 Find t.",
    ]
    assert paths(*lines) == [["4.1 Angles", "Exercise 4A"], ["4.2 Sides", "Exercise 4B"]]


def test_an_answer_by_its_letter_is_no_heading() -> None:
    lines = [
        "# Chapter 1 Sets",
        "例1 求值。",
        "故答案为 A．",
        "1. 求 x？",
        "2. 求 y？",
        "例2 求值。",
        "故答案为 B．",
        "3. 求 z？",
    ]
    assert {tuple(path) for path in paths(*lines)} == {("Chapter 1 Sets",)}


def test_a_line_that_says_that_solutions_are_there_is_in_no_path() -> None:
    lines = [sized("Unit 3 Test: Quadratics", 1), "Worked solutions", sized("Part A", 1), "1. Why?", "2. How?"]
    assert paths(*lines, sized("Part B", 1), "1. Who?", "2. When?") == [
        ["Unit 3 Test: Quadratics", "Part A"],
        ["Unit 3 Test: Quadratics", "Part B"],
    ]


def test_what_is_to_be_done_is_no_heading_though_it_is_heavy() -> None:
    lines = [
        sized("Part 1", 2),
        "1. Why?",
        "2. How?",
        sized("Part 2", 2),
        sized("Write your answers in full.", 3),
        "3. Who?",
        "4. When?",
    ]
    assert paths(*lines) == [["Part 1"], ["Part 2"]]


def test_chapters_numbers_that_a_parser_takes_for_running_heads_are_part_of_their_titles() -> None:
    lines: list[str | Block] = []
    for number, name in ((1, "Maps"), (2, "Vectors"), (3, "Spaces")):
        head = Block(0, "header", f"Chapter {number}", shown=False, box=(80.0, 60.0, 300.0, 80.0))
        lines += [head, sized(name, 1), f"{number}.1. Why?", f"{number}.2. How?", "---"]
    lines += ["# Answers", *(line for n in "123" for line in (f"# Chapter {n}", f"{n}.1. So.", f"{n}.2. Thus."))]
    assert paths(*lines) == [["Chapter 1 Maps"], ["Chapter 2 Vectors"], ["Chapter 3 Spaces"]]


def test_numbers_hold_theirs_though_a_number_alone_and_the_answers_stand_between() -> None:
    lines = ["# Notes", "1. Sums", "Exercise 1.1. Add.", "3. □", "Exercise 1.2. Add more.", "2. Products", "Exercise 2.1. Why?",
             "Exercise 2.2. How?", "# Solutions", "1.1. It is 5.", "1.2. It is 9.", "2.1. So.", "2.2. Thus."]  # fmt: skip
    assert paths(*lines) == [["1. Sums"], ["2. Products"]]


def test_a_heading_at_the_top_of_its_page_is_no_running_head_of_the_answers_below() -> None:
    def at(text: str, y: float, level: int | None) -> Block:
        return Block(0, "text", text, level=level, box=(80.0, y, 900.0, y + 25))

    page = [at("Lesson 1: Heat", 90, 3), at("1. Why?", 150, None), at("2. How?", 190, None), at("Answers", 300, 4),
            at("Lesson 1: Heat", 340, 5), at("1. So.", 380, None), at("2. Thus.", 420, None)]  # fmt: skip
    assert paths(sized("Chapter 1 Fire", 2), "It burns.", "---", *page) == [["Chapter 1 Fire", "Lesson 1: Heat"]]


def test_letters_count_headings_behind_words_or_alone() -> None:
    told = [read_letter(text) for text in ("A. Sets", "Topic B: Maps", "Exercise 4C", "Section D", "DNA", "a. sets")]
    assert [found and (found.word, found.numbers) for found in told] == [
        ("", (1,)), ("topic", (2,)), ("exercise", (4, 3)), ("section", (4,)), None, None,
    ]  # fmt: skip


def test_answers_in_columns_that_each_count_from_one_are_read_down(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "key.pdf")
    for x, name, numbers in ((60, "4A", (1, 2, 3, 4)), (230, "4B", (1, 2, 3, 4, 5)), (400, "4C", (1, 2, 4, 5))):
        sheet.text(x, 300, f"Exercise {name}")
        for line, number in enumerate(numbers):
            sheet.text(x + 4, 320 + 14 * line, f"{number} {10 * number} cm")
    path = sheet.save()
    texts = [item.text for item in parse_pdf(path, tmp_path).items]
    assert " ".join(texts).split() == [
        *["Exercise", "4A", "1", "10", "cm", "2", "20", "cm", "3", "30", "cm", "4", "40", "cm"],
        *["Exercise", "4B", "1", "10", "cm", "2", "20", "cm", "3", "30", "cm", "4", "40", "cm", "5", "50", "cm"],
        *["Exercise", "4C", "1", "10", "cm", "2", "20", "cm", "4", "40", "cm", "5", "50", "cm"],
    ]


def test_a_group_that_repeats_a_running_head_opens_no_chapter_and_ends_no_reading() -> None:
    def group(kind: str) -> Block:
        return Block(0, kind, "三、解答题", shown=kind == "text", box=(50.0, 60.0, 480.0, 80.0))

    pages = [
        group("header"),
        "3. 求 c？",
        "---",
        group("header"),
        "4. 求 d？",
        "---",
        group("text"),
        "1. 求 e？",
        "2. 求 f？",
    ]
    assert paths("# 第1章 圆", "1. 求 a？", "2. 求 b？", "---", *pages) == [["第1章 圆"], []]


def test_contents_end_on_their_page_before_the_first_heading_that_is_set_as_one() -> None:
    listed = [sized("Contents", 2), "1 Past or present? 1 2 The passive 1 3 Reported speech 2"]
    units = [sized("Unit 1 Past or present?", 2), "Use the past for what is over and the present perfect for what is not over yet.", "1. I see.", "2. You go.",
             sized("Unit 2 The passive", 2), "1. We do it.", "2. They sing it.", sized("Unit 3 Reported speech", 2), "1. She says."]  # fmt: skip
    assert paths(*listed, *units) == [["Unit 1 Past or present?"], ["Unit 2 The passive"], ["Unit 3 Reported speech"]]


def test_numbers_hold_theirs_though_a_year_opens_a_line_and_references_are_counted() -> None:
    lines = ["# Notes", "1. Sums", "Theorem 1.1. So it is.", "Exercise 1.2. Add.", "Exercise 1.3. Add more.", "Exercise 1.4. Why?",
             "2. Products", "Exercise 2.1. Multiply.", "Hint. Factor 2730 first.", "Exercise 2.2. Divide.", "Exercise 2.3. How?", "Exercise 2.4. Who?",
             "[1] A. Hardy, Numbers", "[2] B. Niven, More numbers"]  # fmt: skip
    assert paths(*lines) == [["1. Sums"], ["2. Products"]]


def test_what_stands_below_the_books_title_ends_no_path() -> None:
    lines = [sized("Elektrizität", 2), "Aufgaben und Lösungen", sized("Teil A: Grundlagen", 1), sized("1 Der Stromkreis", 3),
             "Aufgabe 1. Warum?", "Aufgabe 2. Wie?", sized("Teil B: Anwendungen", 1), sized("2 Schaltungen", 3), "Aufgabe 3. Wo?"]  # fmt: skip
    assert paths(*lines) == [["Teil A: Grundlagen", "1 Der Stromkreis"], ["Teil B: Anwendungen", "2 Schaltungen"]]


def test_a_groups_name_is_in_paths_without_what_is_said_of_it() -> None:
    lines = [
        "# 数学",
        "一、选择题：本题共 8 小题，每小题 5 分，共 40 分。",
        "1. 求 a？",
        "2. 求 b？",
        "二、填空题",
        "1. 求 c？",
        "2. 求 d？",
    ]
    assert paths(*lines) == [["一、选择题"], ["二、填空题"]]
