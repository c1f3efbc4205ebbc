"""Where sentences end in any text, English and Chinese, and where a point ends none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.text.sentences import masked, pieces, places, sentences

SPLIT = {
    "The mass is 6.5 kg. It rests.": ["The mass is 6.5 kg.", "It rests."],
    "It leaves 0.41 m, e.g. for a chair, i.e. little.": ["It leaves 0.41 m, e.g. for a chair, i.e. little."],
    "See Fig. 3 and p. 7. It is No. 3. No. The car is red.": ["See Fig. 3 and p. 7.", "It is No. 3.", "No.", "The car is red."],
    "Mr. Smith and Dr. Lee meet. They talk.": ["Mr. Smith and Dr. Lee meet.", "They talk."],
    "the cup is clean. the tube is flat.": ["the cup is clean.", "the tube is flat."],
    "So x = 3. \\frac{1}{2} is left.": ["So x = 3.", "\\frac{1}{2} is left."],
    "B. 60 N": ["B. 60 N"],
    "1. Look at it.\n2. Go.": ["1. Look at it.", "2. Go."],
    "A．∠A": ["A．∠A"],
    "Point A. Point B is higher.": ["Point A.", "Point B is higher."],
    'He says "Stop! Now." Then he goes.': ['He says "Stop! Now."', "Then he goes."],
    "Is it red? Yes... It is.": ["Is it red?", "Yes...", "It is."],
    "5! = 120": ["5! = 120"],
    "小球的质量为 6.5 kg。它静止！为什么？因为受力平衡": ["小球的质量为 6.5 kg。", "它静止！", "为什么？", "因为受力平衡"],
    "则 x=2．又 y=３．５，求 z": ["则 x=2．", "又 y=３．５，求 z"],
    "求什么?设 x": ["求什么?", "设 x"],
    "先是“密码正确？”，然后是“否”。": ["先是“密码正确？”，然后是“否”。"],
    "他说“停。”然后走了。": ["他说“停。”", "然后走了。"],
    " \n\t": [],
    "": [],
}  # fmt: skip


@pytest.mark.parametrize("text", SPLIT)
def test_a_text_falls_into_these_sentences(text):
    assert list(sentences(text)) == SPLIT[text]


def test_other_signs_end_a_sentence_where_they_are_named():
    assert sentences("求 a；求 b") == ("求 a；求 b",)
    assert sentences("求 a；求 b; c", ";；") == ("求 a；", "求 b;", "c")


@settings(deadline=None)
@given(
    st.text(alphabet="aB13.。!?．；，, \n\r\u2028\x1f()[]\"'“”‘No图\ud800", max_size=80), st.sampled_from(["", ";；"])
)
def test_pieces_joined_are_the_text_and_places_are_those_of_the_sentences(text, also):
    assert "".join(pieces(text, also)) == text
    assert all(pieces(text, also))
    assert tuple(text[start:end] for start, end in places(text)) == sentences(text)
    assert len(masked(text)) == len(text)


@pytest.mark.parametrize("piece", ["a", "a.", "( A. ", "图", "。", "1.", '"', "' a", "A. B ", ".", "?", "e.g. "])
def test_a_long_line_takes_no_long_time(piece):
    began = time.process_time()
    pieces(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 1
