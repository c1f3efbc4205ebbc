"""What makes the rules unsure of an item: each reason on a book that has it, and none on books that have not."""

import pyarrow as pa
import pytest

from dataflow_ext import run
from dataflow_ext.codec import encode
from operators import ChunkedPromptedGenerator, LLMOutputParser, PDFRules, QA_Merger
from operators.pdf.blocks import Block
from operators.pdf.doubts.judge import judge
from operators.pdf.doubts.reconcile import Placed, reconcile
from operators.pdf.doubts.stretches import Core
from operators.pdf.doubts.texts import reads_as_label
from operators.pdf.reply import ReplyPair
from tests.pdf.rules_book import book


def doubts(*lines: str) -> dict[int, list[str]]:
    """The reasons that make a unit unsure, by the unit's first block."""
    judged = judge(book(*lines))
    return {unit.first: sorted(unit.reasons) for unit in judged.units if unit.confidence < 0.7}


def asked(*numbers: int, words: str = "Find x if 3x = 1.") -> list[str]:
    return [f"{n}. {words}" for n in numbers]


SETS, MAPS = "# Chapter 1 Sets", "# Chapter 2 Maps"


def test_books_that_count_on_are_not_doubted() -> None:
    assert doubts(SETS, *asked(1, 2, 3, 4), MAPS, *asked(1, 2, 3)) == {}
    assert doubts(SETS, *asked(1, 2, 3), "一、选择题", *asked(4, 5), MAPS, *asked(6, 7, 8)) == {}
    assert doubts("第1章 集合", "例1 求值。", "解：1", "例2 求值。", "解：2", "1. 求值。", "2. 求值。") == {}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (asked(1, 2, 4, 5), {2: ["number missing between 2 and 4: 3"]}),
        (asked(1, 2, 7, 8), {2: ["number missing between 2 and 7: 3 to 6"]}),
        (asked(1, 2, 9, 4, 5), {3: ["label out of order: 9 stands beside 2 and 4"]}),
        (asked(2, 3, 4), {0: ["number missing before 2: 1"]}),
        ([*asked(1, 2, 3, 4), "S. Find x."], {4: ["a line in it opens like a damaged label 5"]}),
        ([*asked(1, 2, 3), "4 Find x."], {3: ["a line in it opens like a damaged label 4"]}),
    ],
)
def test_numbers_that_do_not_count_on_are_doubted(lines: list[str], found: dict[int, list[str]]) -> None:
    assert {k: [r for r in v if r in found.get(k, [])] for k, v in doubts(SETS, *lines).items()} == found


def test_a_count_that_begins_anew_without_a_heading_is_doubted_where_it_does() -> None:
    found = doubts(
        SETS, *asked(1, 2, 3, 4), "Graphs and what they are good for", *asked(1, 2, 3), MAPS, *asked(1, 2, 3)
    )
    assert set(found) == {4, 6}


def test_an_example_without_a_solution_is_doubted_where_the_others_have_one() -> None:
    lines = [line for n in range(1, 8) for line in (f"例{n} 求值。", "解：由题意得 1")]
    del lines[5]
    assert doubts("第1章 集合", *lines) == {5: ["it has no solution, and the others of its kind have one"]}


def test_two_solutions_in_one_example_are_doubted() -> None:
    lines = [line for n in range(1, 12) for line in (f"例{n} 求值。", "解：由题意得 1")]
    lines[20] = "求另一个值。"
    assert doubts("第1章 集合", *lines)[19] == ["two solutions begin in it"]


def test_options_are_missed_where_the_other_choices_have_them() -> None:
    lines = [line for n in range(1, 8) for line in (f"{n}. 正确的是（　）", "(A) 1", "(B) 2", "(C) 3")]
    del lines[9:12]
    assert doubts("第1章 集合", *lines) == {9: ["it has no options, and the others of its kind have them"]}


def test_a_question_whose_answer_nobody_gives_is_no_doubt_if_no_answer_can_be_hidden() -> None:
    answers = [f"{n}. {n}" for n in (1, 2, 4, 5)]
    assert doubts(SETS, *asked(1, 2, 3, 4, 5), "# Answers", *answers) == {}
    hidden = ["1. 1", "2. 2", "33", "4. 4", "5. 5"]
    assert set(doubts(SETS, *asked(1, 2, 3, 4, 5), "# Answers", *hidden)) == {8}


def test_an_answer_lost_among_others_in_one_block_is_looked_for_there() -> None:
    lines = [SETS, *asked(1, 2, 3, 4, 5), "# Answers", "1. 7", "2. 8", "3. x = 9\u3000 10\u30005. 11"]
    assert list(doubts(*lines)) == [9]


def test_an_answer_without_a_question_points_to_the_question_before_it() -> None:
    lines = [*asked(1, 2, 3, 4), "Show that y is large.", "# Answers", *(f"{n}. {n}" for n in range(1, 6))]
    assert 4 in doubts(SETS, *lines)


def test_a_label_as_ocr_may_read_it() -> None:
    assert [reads_as_label(t, "", 12) for t in ("l2. a", "12 a", "1Z, a", "12a", "13. a", "(12) a")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def placed(at: int, label: str, ids: list[int], title: int) -> Placed:
    return Placed(at, [title], ReplyPair(label, ids, at=at))


def test_a_picture_that_the_model_gives_to_its_item_is_taken_from_the_rules_item_far_away() -> None:
    rules = [placed(1, "1", [1, 8], 0), placed(7, "7", [7], 6)]
    core = Core(7, 9)
    segments = reconcile(9, rules, rules, {core: [placed(7, "1", [7, 8], 6)]}, [])
    assert [[(p.pair.label, p.pair.question) for p in s.pairs] for s in segments] == [[("1", [1])], [("1", [7, 8])]]


def test_a_title_that_the_model_sees_without_its_part_holds_for_the_whole_chapter() -> None:
    rules = [Placed(n, [0, 1], ReplyPair(str(n), [n], at=n)) for n in (2, 3, 4)]
    segments = reconcile(5, rules, rules, {Core(3, 4): [placed(3, "3", [3], 0)]}, [])
    assert [p.title for s in segments for p in s.pairs] == [[0], [0], [0]]


def test_a_pair_of_the_model_without_a_title_stands_under_that_of_the_pair_before_it() -> None:
    rules = [placed(1, "1", [1], 0), placed(6, "1", [6], 5), placed(8, "3", [8], 5)]
    said = [Placed(6, [5], ReplyPair("1", [6], at=6)), Placed(7, [], ReplyPair("2", [7], at=7))]
    segments = reconcile(9, rules, rules, {Core(6, 8): said}, [])
    assert [(p.at, p.title) for s in segments for p in s.pairs] == [(1, [0]), (6, [5]), (7, [5]), (8, [5])]


@pytest.mark.parametrize(("unsure", "title"), [(set(), [5]), ({(5,)}, [])])
def test_a_title_that_the_rules_are_unsure_of_is_dropped_where_the_model_gives_none(
    unsure: set[tuple[int, ...]], title: list[int]
) -> None:
    rules = [placed(1, "1", [1], 0), placed(6, "1", [6], 5), placed(7, "2", [7], 5)]
    said = [Placed(6, [], ReplyPair("1", [6], at=6))]
    segments = reconcile(9, rules, rules, {Core(6, 7): said}, [], unsure)
    assert [(p.at, p.title) for s in segments for p in s.pairs] == [(1, [0]), (6, title), (7, title)]


def told(*lines: str | Block) -> dict[str, list[str]]:
    """What the rules' pairs say against themselves, by label and place."""
    pairs = [pair for chapter in judge(book(*lines)).reply() for pair in chapter.pairs]
    return {f"{pair.label}@{pair.at}": pair.doubts for pair in pairs if pair.doubts}


def test_a_lost_item_is_told_in_the_row_before_it() -> None:
    assert told(SETS, *asked(1, 2, 4, 5)) == {"2@2": ["number missing between 2 and 4: 3"]}
    assert told(SETS, *asked(1, 2, 3), MAPS, *asked(3, 4, 5)) == {"3@5": ["number missing before 3: 1 to 2"]}


def test_all_items_of_a_chapter_without_a_heading_say_so() -> None:
    lines = [SETS, *asked(1, 2, 3, 4), "Graphs and what they are good for", *asked(1, 2, 3), MAPS, *asked(1, 2, 3)]
    why = "numbering begins anew at 1 and no heading stands before it"
    found = told(*lines)
    assert list(found) == ["1@6", "2@7", "3@8"]
    assert all(why in reasons for reasons in found.values())


def test_instructions_are_no_lost_question() -> None:
    assert told("# Test 1", "Answer all questions.", *asked(1, 2, 3)) == {}


def test_an_item_a_page_long_holds_more_than_itself() -> None:
    lines = [SETS, *asked(*range(1, 10)), *["and so on, line by line, until the end"] * 40]
    assert told(*lines) == {"9@9": ["far longer than its likes: 1540 characters, most have up to 20"]}


def test_books_that_answer_odd_numbers_only_are_not_doubted() -> None:
    answers = [f"{n}. {n}/3" for n in (1, 3, 5, 7, 9)]
    assert told(SETS, *asked(*range(1, 11)), "# Answers", *answers) == {}


def test_numbers_that_count_on_with_theorems_have_gaps_of_their_own() -> None:
    lines = [f"Example 1.{n}. Find x if 3x = {n}." for n in (3, 5, 9, 12)]
    assert told("# Chapter 1 Sets", *lines) == {}
    assert told("# Chapter 1 Sets", *(f"Example 1.{n}. Find x if 3x = {n}." for n in (1, 2, 3, 5, 6))) == {
        "Example 1.3@3": ["number missing between Example 1.3 and Example 1.5: 4"]
    }


def test_a_label_that_opens_another_line_of_its_item_was_misread() -> None:
    lines = [SETS, "8. Find x.", *asked(2, 3), "9. Find y.", *asked(5, 6, 9, 10, 11)]
    assert told(*lines)["9@4"] == ["its label opens another line in it too"]


def test_every_row_is_doubted_in_a_language_whose_words_the_rules_do_not_know() -> None:
    known = [f"{n}. How many of the {n} apples are left when one of them is eaten?" for n in range(1, 13)]
    other = [
        f"{n}. Kalkulatu zenbat sagar geratzen diren oraindik saskian Jonek {n} jaten baditu?" for n in range(1, 13)
    ]
    assert told(SETS, *known) == {}
    assert told("# Gaia 1", *other) == {
        f"{n}@{n}": ["the rules do not know the words of its language"] for n in range(1, 13)
    }


def test_in_any_language_counting_proves_a_book_in_which_each_question_has_just_one_answer() -> None:
    questions = [
        f"{n}. Kalkulatu zenbat sagar geratzen diren oraindik saskian Jonek {n} jaten baditu?" for n in range(1, 13)
    ]
    answers = [f"{n}. Oraindik {n + 2} daude, Jonek {n} bakarrik jan baititu." for n in range(1, 13)]
    apart = ("# Erantzunak", "# Gaia 1")
    assert told("# Gaia 1", *questions, *apart, *answers) == {}
    assert told("# Gaia 1", *questions, *apart, *answers[:-1]) != {}
    assert told("# Gaia 1", *questions[:4], *questions[5:], *apart, *answers[:4], *answers[5:]) != {}


def test_theory_speaks_against_no_chapter() -> None:
    theory = [
        "# Theory",
        *(f"The sum of {n} numbers is found one after the other, as the proof shows." for n in range(40)),
    ]
    assert told(SETS, *theory, "# Exercises", *asked(*range(1, 7))) == {}


def test_rows_of_the_rules_alone_have_their_doubts() -> None:
    blocks = encode([book(SETS, *asked(1, 2, 4, 5))], list[Block])
    documents = pa.table({"row_id": ["b"], "name": ["b"], "document": ["b"], "blocks": blocks})
    steps = [ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser(), QA_Merger()]
    assert run(steps, documents).table["doubts"].to_pylist() == [[], ["number missing between 2 and 4: 3"], [], []]
