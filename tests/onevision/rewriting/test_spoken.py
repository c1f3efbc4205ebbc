"""Guesses and talk of source reasonings, by class: what each sentence says plainly, and what is none of both."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.rewriting.facts import Facts
from operators.onevision.rewriting.sentences import is_vague, plain, without_asides, without_talk
from tests.onevision.rewriting.spoken import GUESSES, NO_GUESSES, PLAIN, TALK


@pytest.mark.parametrize("sentence", GUESSES)
def test_a_guess_is_known_and_said_plainly(sentence: str) -> None:
    assert (is_vague(sentence), plain(sentence)) == (True, GUESSES[sentence])


@pytest.mark.parametrize("sentence", [*NO_GUESSES, *PLAIN])
def test_what_is_no_guess_and_no_talk_stays_as_it_is(sentence: str) -> None:
    assert (is_vague(sentence), without_talk(sentence)) == (False, sentence)


@pytest.mark.parametrize("sentence", TALK)
def test_talk_goes_and_what_it_introduces_stays(sentence: str) -> None:
    assert without_talk(sentence) == TALK[sentence]


def test_a_guess_in_commas_or_brackets_goes_without_its_sentence() -> None:
    assert without_asides("A dog, probably a retriever, is running.") == "A dog is running."
    assert without_asides("He wears a coat, possibly because of the rain.") == "He wears a coat."
    assert without_asides("A building (perhaps a school) stands there.") == "A building stands there."


BORNE_OUT = {
    "The dog is running.": True,
    "The brown dog runs.": True,
    "The cat sleeps.": True,
    "The dog sleeps on the sofa.": False,  # the cat does
    "The cat is brown.": False,
    "The dog is not running.": False,
    "The dog is young.": False,
    "There are 3 dogs.": False,
    "It is.": False,
}


@pytest.mark.parametrize("claim", BORNE_OUT)
def test_a_guess_becomes_a_fact_only_where_the_description_bears_it_out(claim: str) -> None:
    facts = Facts(["A brown dog is running in a park. A cat sleeps on a sofa, and 2 birds sit above it."])
    assert facts.bear_out(claim) is BORNE_OUT[claim]


def test_chinese_claims_are_borne_out_by_their_characters() -> None:
    facts = Facts(["图中有一辆红色的小车，旁边是一棵树。"])
    claims = ("小车是红色的。", "红色的小车。", "树是红色的。")
    assert [facts.bear_out(claim) for claim in claims] == [True, True, False]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"abc,.;(：，。", " it seems that ", " likely ", "might be", "可能", "the ", "看起来像"]),
        max_size=30,
    )
)
def test_what_is_said_plainly_is_no_guess(pieces: list[str]) -> None:
    said = plain("".join(pieces))
    assert said is None or not is_vague(said)


@pytest.mark.parametrize(
    "piece", ["it seems ", "likely, ", "to be ", "caption ", "the image ", "可能", "图片描述", "(", ", possibly a "]
)
def test_a_long_sentence_takes_no_long_time(piece: str) -> None:
    text = piece * (1_500 // len(piece))
    began = time.process_time()
    for done in (is_vague(text), plain(text), without_talk(text), without_asides(text)):
        assert done is None or isinstance(done, (str, bool))
    assert time.process_time() - began < 0.3
