"""The checker against texts of free words: true ones pass, and a lie of whatever kind is found."""

import random
from collections import Counter

import pytest

from operators.scene.facts import check_text
from tests.scene.lies.lying import told
from tests.scene.lies.phrasings import KINDS, PHRASINGS
from tests.scene.lies.server import instruction
from tests.scene.lies.texts import STYLES, Text, honest
from tests.scene.lies.turns import Case, drawn_cases


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return drawn_cases(tmp_path_factory.mktemp("rooms"), 60, 1)


def codes(think: str, conclusion: str, case: Case) -> list[str]:
    return [str(p) for p in check_text(think, conclusion, case.before, case.calls, case.after, case.retrievals)]


def one_each(cases: list[Case], kind: str) -> list[tuple[Text, Case]]:
    """A text for each phrasing of a kind, about the first turn of a drawn order that gives something for it."""
    made = []
    for number in range(len(PHRASINGS[kind])):
        for case in random.Random(f"{kind} {number}").sample(cases, len(cases)):
            if text := told(case, kind, number, random.Random(f"{case.id} {kind} {number}")):
                made.append((text, case))
                break
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_a_lie_is_found_in_whatever_words(cases: list[Case], kind: str) -> None:
    texts = one_each(cases, kind)
    missed = [text.lie for text, case in texts
              if not set(codes(text.think, text.conclusion, case)) - set(codes(*text.without, case))]  # fmt: skip
    assert len(texts) >= 7
    assert len(missed) <= 0.05 * len(texts), missed


def test_true_texts_are_left_alone(cases: list[Case]) -> None:
    blamed = []
    for i, case in enumerate(cases):
        text = honest(case, random.Random(case.id), STYLES[i % len(STYLES)])
        if found := codes(text.think, text.conclusion, case):
            blamed.append((case.id, found))
    assert len(blamed) < 0.05 * len(cases), blamed


def test_texts_are_as_long_as_asked_for_and_hold_their_lie_once(cases: list[Case]) -> None:
    made = [text for kind in KINDS for text, _ in one_each(cases, kind)]
    assert Counter((f"{text.think}\n{text.conclusion}").count(text.lie) for text in made) == {1: len(made)}
    assert all(60 <= len(text.think.split()) <= 250 for text in made)
    assert all(text.conclusion.count(". ") == 0 and len(text.conclusion.split()) <= 60 for text in made)


def test_an_instruction_names_what_is_listed() -> None:
    asked = "The style: brief\n\nThe room: bedroom\n\nIt will hold:\n- 1 bed (white); A white bed.\n- 2 nightstands; the first: Oak."
    assert instruction(asked) == (
        "I would like a comfortable bedroom with a bed and nightstands. "
        "It should feel calm and be easy to live in from day to day."
    )
