"""Which of several readings of a book the rules choose, and by what the book proves it."""

from __future__ import annotations

from operators.pdf.blocks import Block
from operators.pdf.rules import read_book
from operators.pdf.rules.fit import Fit, fit_of
from operators.pdf.rules.lines import Zone
from operators.pdf.rules.reading import NOTHING, Assumptions, Reading, choose
from tests.pdf.rules_book import book

ASKED = [
    f"{n}. Find the number that is {n} times as large as its square, and explain your answer." for n in range(1, 7)
]
TOLD = [f"{n}. One {n}th, which the rule for fractions of that form gives." for n in range(1, 7)]


def items(*lines: str | Block) -> list[tuple[str, bool]]:
    """Each item's label, and whether it was taken for an answer."""
    reading = read_book(book(*lines))
    return [(item.label.label, item.chapter.zone is Zone.ANSWERS) for item in reading.items]


def fit(*lines: str) -> Fit:
    reading = read_book(book(*lines))
    return fit_of(reading.lines, reading.items, reading.outline)


def test_a_key_under_a_word_that_nobody_knows_is_known_by_its_titles_and_labels():
    asked = [(str(n), False) for n in (*range(1, 7), *range(1, 7))]
    more = [f"{n}. Find the sum of {n} and its root." for n in range(1, 7)]
    chapters = ["# Chapter 1 Sums", *ASKED, "# Chapter 2 Products", *more]
    keys = ["# Chapter 1 Sums", *TOLD, "# Chapter 2 Products", *(f"{n}. Less than {n} times two." for n in range(1, 7))]
    assert items(*chapters) == asked
    assert items(*chapters, "# Lösungen", *keys) == [*asked, *((label, True) for label, _ in asked)]


def test_sets_that_count_alike_and_both_ask_are_both_of_questions():
    more = [f"{n}. Find the sum of {n} and its root, and explain how." for n in range(1, 7)]
    assert items("# Set A: Roots", *ASKED, "# Set B: Sums", *more) == [
        (str(n), False) for n in (*range(1, 7), *range(1, 7))
    ]


def test_questions_under_a_heading_that_speaks_of_answers_are_questions():
    answers = [f"{n}. It is {n}." for n in range(1, 9)]
    parts = ["# Unit 1: Cells", "# Part A: Choice", *ASKED[:4], "# Part B: Short answers"]
    short = [f"{n}. Explain why cell {n} divides. ______" for n in range(5, 9)]
    found = items(*parts, *short, "# Answer Key", "# Unit 1: Cells", *answers)
    assert found == [(str(n), told) for told in (False, True) for n in range(1, 9)]


def test_questions_behind_instructions_that_do_not_end_are_questions():
    lines = [
        "Instructions:",
        "Use a black pen.",
        "Write on one side of the sheet.",
        *(f"[{n}] Why is {n} odd?" for n in range(1, 8)),
    ]
    assert items("# Test", *lines) == [(str(n), False) for n in range(1, 8)]


def test_a_dress_of_answers_that_no_rule_knows_is_learnt_where_it_leaves_text_unread():
    told = [f"«{n}» The rule for fractions of that form gives one {n}th." for n in range(1, 7)]
    assert [label for label, told in items("# 1 Sums", *ASKED, "# Answers", *told) if not told] == list("123456")


def test_a_key_that_the_last_question_has_swallowed_is_found_by_its_count():
    asked = [f"{n}. Find the sum of {n} and its root." for n in range(1, 13)]
    keys = [f"({n}) {2 * n}" for n in range(1, 13)]
    assert items("# Sheet 7", *asked, "# Lösungen", *keys) == [
        (str(n), told) for told in (False, True) for n in range(1, 13)
    ]


def test_headings_that_hold_counted_lines_are_no_items():
    asked = [f"[{n}] Why is {n} larger than one half of it?" for n in range(1, 5)]
    more = [f"[{n}] What is the sum of {n} and its root?" for n in range(1, 5)]
    found = items("# Worksheet 1: Cells", *asked, "# Worksheet 2: Numbers", *more, "# Worksheet 3: Energy", *ASKED[:2])
    assert found == [(str(n), False) for n in (1, 2, 3, 4, 1, 2, 3, 4, 1, 2)]


def test_what_is_odd_is_counted_in_items():
    assert fit("# 1 Sums", *ASKED, "# Answers", *TOLD).cost == 0
    assert fit("# 1 Sums", *ASKED).unanswered == 0
    assert fit("# 1 Sums", *ASKED, "# Answers", *TOLD[:4]).unanswered == 2
    assert fit("# 1 Sums", *ASKED[:2], *ASKED[3:]).gaps == 1
    assert fit("# 1 Sums", *ASKED[:4], "# Answers", *TOLD[:4], "9. One ninth.").orphans == 1


def test_only_the_odd_numbers_of_a_book_may_be_answered():
    assert fit("# 1 Sums", *ASKED, "# Answers", *TOLD[::2]).unanswered == 0
    one_lost = [
        *ASKED,
        *(f"{n}. Why is {n} odd?" for n in range(7, 12)),
        "# Answers",
        TOLD[0],
        TOLD[2],
        "7. So.",
        "9. So.",
    ]
    assert (fit(*one_lost).unanswered, fit(*one_lost, "11. So.").unanswered) == (2, 1)


def test_of_readings_that_fit_alike_the_first_is_kept_and_their_number_is_bounded():
    blocks = book("# 1 Sums", "A text that nothing explains, as it stands before all questions of the book.", *ASKED)
    first = read_book(blocks)
    first.fit.places = dict.fromkeys(range(len(first.lines)), 9.0)
    tried: list[Assumptions] = []

    def read(given: Assumptions) -> Reading:
        tried.append(given)
        return first

    assert choose(read, NOTHING) is first
    assert tried[0] is NOTHING
    assert 1 < len(tried) < 50
    assert len({id(given) for given in tried}) == len(tried)


def test_numbers_such_as_1_1_that_count_on_inside_an_item_speak_against_a_reading():
    asked = ["# Kapitel 1", "1. Was ist das?", "2. Wer ist das?"]
    counts = [
        fit(*asked, *(part.format(n) for n in range(1, 5))).hidden for part in ("1.{} So ist es.", "({}) So ist es.")
    ]
    assert counts == [3, 0]


def test_results_in_brackets_on_lines_of_their_own_are_read():
    asked = [line for n in range(1, 6) for line in (f"{n}. Find the square of {n}.", f"[{'abcde'[n - 1]} = {n * n}]")]
    assert [item.lines for item in read_book(book(*asked)).items] == [{n, n + 1} for n in range(0, 10, 2)]


def zones_tried(*lines: str, odd: int) -> list[set[int]]:
    """The blocks that are tried as the first ones of answers if a line of a book is odd."""
    first = read_book(book(*lines))
    first.fit.places = {odd: 9.0}
    tried: list[Assumptions] = []

    def read(given: Assumptions) -> Reading:
        tried.append(given)
        return first

    choose(read, NOTHING)
    return [{block for block, zone in given.zones.items() if zone is Zone.ANSWERS} for given in tried if given.zones]


def test_a_part_that_counts_on_and_what_stands_before_the_first_answers_are_not_tried_as_answers():
    asked, told = ["1. Who?", "2. Why?"], ["1. Say it.", "2. Sing it."]
    assert {3} in zones_tried("# Cats", *asked, "# Dogs", *told, odd=4)
    for one, two in (("Part A", "Part B"), ("Blatt 1", "Blatt 2"), ("Feuille 1", "Feuille 2")):
        assert zones_tried(f"# {one}", *asked, f"# {two}", *told, odd=4) == []
    assert zones_tried("# Cats", *asked, "# Dogs", *told, "# Answers", "1. He.", "2. So.", odd=4) == []


def test_a_book_that_asks_is_not_read_as_answers_alone_however_well_these_would_fit():
    blocks = book("# 1 Sums", "A text that nothing explains, as it stands before all questions of the book.", *ASKED)
    asked = read_book(blocks)
    told = read_book(blocks, Assumptions(zones={0: Zone.BODY}))
    asked.fit.places, asked.fit.unread = dict.fromkeys(range(len(asked.lines)), 9.0), 20.0
    told.__dict__["fit"] = Fit()
    for item in told.items:
        item.chapter.zone = Zone.ANSWERS
    assert choose(lambda given: asked if given is NOTHING else told, NOTHING) is asked


def test_reviews_of_two_chapters_are_not_the_same_title_twice():
    def chapter(number: int) -> list[str | Block]:
        heads = [("Chapter {} Sets", 1), ("{}.1 Sums", 3), ("Review", 2)]
        titles = [Block(0, "text", text.format(number), level=level) for text, level in heads]
        return [*titles, *(f"{n}. What is x{n}?" for n in range(1, 5))]

    reading = read_book(book(*chapter(1), *chapter(2)))
    assert [[reading.lines[i].text for i in c.title] for c in reading.chapters] == [["Review"], ["Review"]]
    assert reading.fit.doubled == 0


def test_questions_that_are_formulas_alone_ask_what_the_line_before_them_says():
    terms = [f"{n}. x + {n} = {2 * n}" for n in range(1, 7)]
    assert fit("# 1 Sums", *ASKED, "# 2 Roots", "In Exercises 1-6, solve for x.", *terms).misread == 0
    assert fit("# 1 Sums", *ASKED, "# 2 Roots", "In Exercise 1, solve for x.", *terms).misread == 6
