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
    return drawn_cases(tmp_path_factory.mktemp("rooms"), 40, 1)


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


@pytest.fixture(scope="module")
def lies(cases: list[Case]) -> dict[str, list[tuple[Text, Case]]]:
    return {kind: one_each(cases, kind) for kind in KINDS}


def test_lies_of_all_kinds_are_found_in_whatever_words(lies: dict[str, list[tuple[Text, Case]]]) -> None:
    """One text for each phrasing is few for a rate by kind, which benchmarks/scene_lies.py measures on many."""
    missed = {kind: [text.lie for text, case in told if not found(text, case)] for kind, told in lies.items()}
    # Overlaps are seldom made on purpose, so not every phrasing about them finds its turn.
    assert min(map(len, lies.values())) >= 5
    assert sum(map(len, missed.values())) <= 0.05 * sum(map(len, lies.values())), missed
    assert max(map(len, missed.values())) <= 2, missed


def found(text: Text, case: Case) -> bool:
    """Whether something is found that is not found in the text without its lie."""
    return bool(set(codes(text.think, text.conclusion, case)) - set(codes(*text.without, case)))


def test_true_texts_are_left_alone(cases: list[Case]) -> None:
    blamed = []
    for i, case in enumerate(cases):
        text = honest(case, random.Random(case.id), STYLES[i % len(STYLES)])
        if wrong := codes(text.think, text.conclusion, case):
            blamed.append((case.id, wrong))
    assert len(blamed) < 0.05 * len(cases), blamed


def test_texts_are_as_long_as_asked_for_and_hold_their_lie_once(lies: dict[str, list[tuple[Text, Case]]]) -> None:
    made = [text for told in lies.values() for text, _ in told]
    assert Counter((f"{text.think}\n{text.conclusion}").count(text.lie) for text in made) == {1: len(made)}
    assert all(60 <= len(text.think.split()) <= 250 for text in made)
    assert all(text.conclusion.count(". ") == 0 and len(text.conclusion.split()) <= 60 for text in made)


def test_an_instruction_names_what_is_listed() -> None:
    asked = "The style: brief\n\nThe room: bedroom\n\nIt will hold:\n- 1 bed (white); A white bed.\n- 2 nightstands; the first: Oak."
    assert instruction(asked) == (
        "I would like a comfortable bedroom with a bed and nightstands. "
        "It should feel calm and be easy to live in from day to day."
    )
