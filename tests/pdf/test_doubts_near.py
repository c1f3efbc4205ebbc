"""Doubts are about the item that may be wrong, and not about all that stand beside it."""

from __future__ import annotations

from operators.pdf.doubts.judge import judge
from operators.pdf.merging import Entry, merge
from tests.pdf.rules_book import book

SETS = "# Chapter 1 Sets"
LONG = "Take both sides of the equation, divide them by the number before the sign, and write down what is left."


def told(*lines: str) -> dict[str, list[str]]:
    """The doubts of questions and answers that have any, by their labels; answers behind an =."""
    chapters = judge(book(*lines)).reply()
    pairs = [pair for chapter in chapters for pair in chapter.pairs]
    return {("" if pair.question else "=") + pair.label: pair.doubts for pair in pairs if pair.doubts}


def asked(*numbers: int) -> list[str]:
    return [f"{n}. Find x if 3x = {n}." for n in numbers]


def test_a_paragraph_that_asks_nothing_is_doubted_where_few_items_have_one() -> None:
    lines = [*asked(*range(1, 13)), "Nature rarely changes one thing at a time, and experiments are planned so."]
    assert told(SETS, *lines)["12"][0] == "its question has a paragraph more than its likes"
    lines = [line for n in range(1, 7) for line in (*asked(n), "The number before the letter is a factor of it.")]
    assert told(SETS, *lines) == {}


def test_a_number_that_a_remark_has_is_not_missing() -> None:
    lines = ["Exercise 1.1 Find x.", "Exercise 1.2 Find y.", "Remark 1.3 Both are small.", "Exercise 1.4 Find z."]
    assert told(SETS, *lines) == {}
    lines[2] = "Both of them are small."
    assert [*told(SETS, *lines)] == ["Exercise 1.2", "Exercise 1.4"]


def test_an_answer_that_is_missing_is_looked_for_in_a_long_one_alone() -> None:
    questions = [SETS, *asked(1, 2, 3, 4, 5, 6), "# Answers"]
    answers = [f"{n}. {LONG}" for n in (1, 2, 4, 5, 6)]
    assert told(*questions, *answers) == {}
    answers[1] += f" {LONG} {LONG}"
    assert [*told(*questions, *answers)] == ["=2"]


def test_what_stands_behind_several_answers_of_one_line_concerns_the_last() -> None:
    lines = [SETS, *asked(1, 2, 3), "# Chapter 2 Maps", *asked(1, 2, 3), "# Answers", "# Chapter 1 Sets"]
    lines += [
        "1 one, 2 two, 3 three",
        "# Chapter 2 Maps",
        "1 one, 2 two, 3 three",
        "| <table><tr><td>What is it?</table>",
    ]
    found = told(*lines)
    assert "=1" not in found
    assert "=2" not in found


def test_chapters_of_answers_that_mirror_those_of_questions_need_no_headings() -> None:
    questions = [SETS, *asked(1, 2, 3), "# Chapter 2 Maps", *asked(1, 2, 3, 4)]
    answers = [f"{n}. {LONG}" for n in (1, 2, 3)] + [f"{n}. {LONG}" for n in (1, 2, 3, 4)]
    assert told(*questions, "# Answers", *answers) == {}


def test_answers_that_nothing_else_comes_near_are_sure() -> None:
    def entry(position: int, label: str, title: str, answer: str = "") -> Entry:
        heading = (0 if title == "Section 1 Sets" else 50,)
        return Entry(position, label, heading, title, not answer, (position,) if not answer else (), answer, (), 0, 0)

    questions = [entry(n, str(n), "Section 1 Sets") for n in range(1, 19)]
    answers = [entry(50 + n, str(n), "Exercise 1", f"{n} apples") for n in range(1, 19, 2)]
    rows = merge([*questions, *answers]).rows
    assert [round(row.confidence, 2) for row in rows[:4]] == [0.8, 0.0, 0.8, 0.0]
