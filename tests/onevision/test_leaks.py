"""The leak guard: it knows sentences about questions and answers from those about what can be seen."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.describing.description import without_guesses
from operators.onevision.describing.leaks import answers_question, leaks_in, without_leaks
from operators.onevision.model.language import pieces
from operators.verify.answer import AnswerType
from tests.onevision import more_leak_sentences as later
from tests.onevision.leak_sentences import HELD_OUT_INNOCENT, HELD_OUT_LEAKING, INNOCENT, LEAKING


def test_leaking_sentences_are_found() -> None:
    assert [each for each in (*LEAKING, *HELD_OUT_LEAKING) if leaks_in(each) != [each]] == []


def test_innocent_sentences_are_left_alone() -> None:
    assert [each for each in (*INNOCENT, *HELD_OUT_INNOCENT) if leaks_in(each)] == []


def test_of_later_sentences_it_finds_all_that_it_was_widened_for_and_most_of_the_others() -> None:
    assert [each for each in later.LEAKING if leaks_in(each) == []] == []
    assert [each for each in (*later.INNOCENT, *later.UNSEEN_INNOCENT) if leaks_in(each)] == []
    assert [each for each in later.UNSEEN_LEAKING if leaks_in(each) == []] == list(later.MISSED)


def test_leaking_sentences_are_taken_out_and_the_others_stay_as_they_were() -> None:
    told = "Mass m (6kg) hangs freely.\n- So the answer is B.\n- A sign reads “the answer is 3”. It is 2.5 m high."
    assert without_leaks(told) == (
        "Mass m (6kg) hangs freely.\n- A sign reads “the answer is 3”. It is 2.5 m high.",
        ["- So the answer is B."],
    )


GIVEN: list[tuple[str, str, str, list[str] | None, AnswerType, str | None]] = [
    ("The mass is 6kg. The tension is 58.8 N.", "Tension?", "58.8 N", ["m=6kg"], "quantity", "The tension is 58.8 N."),
    ("The tension is 58.8 N.", "Tension?", "58.8 N", ["T = 58.8 N"], "quantity", None),
    ("张力为58.8N。", "张力是多少？", "58.80 N", [], "quantity", "张力为58.8N。"),
    ("A rod of 5 cm.", "A rod is 5 cm long. How long is it?", "5 cm", [], "quantity", None),
    ("A mass of 6 kg.", "Mass?", "6 kg", None, "quantity", None),
    ("The tension equals 6 N.", "Tension?", "6 N", None, "quantity", "The tension equals 6 N."),
    ("There are 3 red cubes.", "How many?", "3", [], "number", None),
    ("The bar of 2015 reaches 45.", "Sales of 2015?", "45", ["2015", "40"], "number", None),
    ("The total of the three bars is 120.", "Total?", "120", ["40"], "number", "The total of the three bars is 120."),
    ("Option B shows a cube. Then more.", "Which?", "B", [], "letter", "Option B shows a cube."),
    ("Option A is a ball and option B a cube.", "Which?", "B", [], "letter", None),
    ("Option B shows a cube.", "Which?", "B", ["B. a cube"], "letter", None),
    ("Point B lies on AC.", "Which?", "B", [], "letter", None),
    ("The answer is a cat.", "What is it?", "cat", [], "words", "The answer is a cat."),
    ("A cat sits on a mat.", "What is it?", "cat", [], "words", None),
    ("The line is y = 2x + 1.", "Equation?", "y=2x+1", [], "expression", "The line is y = 2x + 1."),
    ("A label reads y = 2x + 1.", "Equation?", "y=2x+1", ["y=2x+1"], "expression", None),
    ("A cat.", "What?", "", [], "words", None),
]


@pytest.mark.parametrize(("description", "question", "answer", "read", "kind", "told"), GIVEN)
def test_an_answer_that_cannot_be_seen_is_found(
    description: str, question: str, answer: str, read: list[str] | None, kind: AnswerType, told: str | None
) -> None:
    assert answers_question(description, question, answer, read, kind) == told


def test_guesses_are_taken_out_of_captions() -> None:
    told = (
        "The image appears to be a bar chart. A man holds a cup, possibly of coffee. It might rain. "
        "The sign says 'perhaps'. 图中似乎有雾。一只狗躺着，可能睡着了。"
    )
    assert without_guesses(told) == (
        "The image is a bar chart. A man holds a cup. The sign says 'perhaps'. 一只狗躺着。"
    )
    assert without_guesses("Perhaps a dog.") == "Perhaps a dog."


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="aB1 .,!?\n\"'“”。，so the answer is因此", max_size=80))
def test_sentences_joined_are_the_text_and_no_leak_stays(text: str) -> None:
    assert "".join(pieces(text)) == text
    kept, leaks = without_leaks(text)
    assert leaks == leaks_in(text)
    assert len(kept) <= len(text)


@pytest.mark.parametrize(
    "piece", [".", "a. ", "the question ", "by the ", "adding ", '"', "a'", "根据", "，", "1,111", "\ud800"]
)
def test_hostile_texts_are_answered_soon(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    start = time.process_time()
    leaks_in(text)
    answers_question(text, text, "58.8 N", [text], "quantity")
    without_guesses(text)
    assert time.process_time() - start < 2
