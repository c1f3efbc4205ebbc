"""The answer in a blind solver's reply."""

from __future__ import annotations

import time

import pytest

from operators.onevision.judging import solved
from operators.verify.answer import Option

OPTIONS = [Option("A", "60 N"), Option("B", "140 N")]

LETTERS = {
    "It hangs.\nAnswer: A": "A",
    "Answer: (B)": "B",
    "Answer: B.": "B",
    "**Answer:** A": "A",
    "**Answer: A**": "A",
    "Final answer: A": "A",
    "The answer is:\nB": "B",
    "Answer:\nA": "A",
    "Answer: A\nNo, I was wrong.\nAnswer: B\n\n": "B",
    "受力平衡。\n答案：A": "A",
    "```\nAnswer: A\n```": "A",
    "<think>Answer: B? No.</think>\nAnswer: A": "A",
    "<answer>A</answer>": "A",
}
NONE = ("", "I cannot tell.", "Answer: unknown", "Answer:", "Answer: …", "答案：未知", "Answer: " + "x" * 5_000)


@pytest.mark.parametrize("text", LETTERS)
def test_the_letter_is_read(text: str) -> None:
    assert solved(text, "What is the tension?", OPTIONS) == LETTERS[text]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_answer_is_none(text: str) -> None:
    assert solved(text, "What is the tension?", OPTIONS) is None


def test_a_quantity_and_words_are_read() -> None:
    assert solved("T = 58.8.\nAnswer: 58.8 N", "What is the tension?", []) == "58.8 N"
    assert solved("Answer: the red car", "Which car is faster?", []) == "the red car"


@pytest.mark.parametrize("piece", ["Answer: ", "\n", "*", "<answer>", "x", "\ud800"])
def test_hostile_replies_are_read_in_no_time(piece: str) -> None:
    began = time.process_time()
    solved(piece * (100_000 // len(piece)), "?", [])
    assert time.process_time() - began < 0.5
