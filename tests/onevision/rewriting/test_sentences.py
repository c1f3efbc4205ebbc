"""Sentences of reasonings: where they end, where they do not, and how they become a text again."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.rewriting.sentences import joined, sentences_of

SPLIT = {
    "The mass is 6.5 kg. It rests.": ["The mass is 6.5 kg.", "It rests."],
    "Use SI units, e.g. Newton. See Fig. 3 for it.": ["Use SI units, e.g. Newton.", "See Fig. 3 for it."],
    "It is No. 3 in the list. No. The car is red.": ["It is No. 3 in the list.", "No.", "The car is red."],
    "Mr. Smith and Dr. Lee meet John Brown. They talk.": ["Mr. Smith and Dr. Lee meet John Brown.", "They talk."],
    "The speed is 3 m/s. The time is 2 s.": ["The speed is 3 m/s.", "The time is 2 s."],
    "So the answer is B. The others are wrong.": ["So the answer is B.", "The others are wrong."],
    "Point A. Point B is higher.": ["Point A.", "Point B is higher."],
    "A. Reduce the cost.": ["A. Reduce the cost."],
    'He says "Stop!" Then he goes.': ['He says "Stop!"', "Then he goes."],
    "Is it red? Yes... It is.": ["Is it red?", "Yes...", "It is."],
    "小球的质量为 6.5 kg。它静止！为什么？因为受力平衡。": [
        "小球的质量为 6.5 kg。",
        "它静止！",
        "为什么？",
        "因为受力平衡。",
    ],
    "先是“密码正确？”，然后是“否”。": ["先是“密码正确？”，然后是“否”。"],
    "他说“停。”然后走了。": ["他说“停。”", "然后走了。"],
    "1. Look at it.\n2. **Compare:** it is less.\n- Done": ["Look at it.", "it is less.", "Done"],
    "## Analysis\nSteps:\nx = 3\ny = 2**3 = 8": ["x = 3", "y = 2**3 = 8"],
    "<think>It is <b>red</b>.</think>": ["It is  red ."],
    "a < b and b > c. So a is less.": ["a < b and b > c.", "So a is less."],
    "(1)由图可知，a=2。\n（2）因此 b=3": ["由图可知，a=2。", "因此 b=3"],
    " \n\t\n...": [],
    "": [],
}


@pytest.mark.parametrize("text", SPLIT)
def test_a_text_falls_into_these_sentences(text: str) -> None:
    assert sentences_of(text) == SPLIT[text]


def test_sentences_are_joined_as_their_language_wants() -> None:
    assert joined(["It is 5.", "T = 6 N", "So it is.", "图中有车。", "它是红色的。", "OK."]) == (
        "It is 5. T = 6 N\nSo it is. 图中有车。它是红色的。OK."
    )


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="aB3.。!?，, \n:<>/*_-(\"“”'\ud800é图", max_size=80))
def test_no_letter_is_invented_and_none_moves(text: str) -> None:
    left = iter(text)
    for sentence in sentences_of(text):
        assert sentence == sentence.strip()
        assert all(sign.isspace() or sign in left for sign in sentence if sign != "\ufffd")


@pytest.mark.parametrize("piece", ["a", "a.", "**a", "<a", "( A. ", "图", "1.", '"', "A. B "])
def test_a_long_line_takes_no_long_time(piece: str) -> None:
    began = time.process_time()
    sentences_of(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 0.5
