"""The tables of words: no word twice, and nothing follows from them that contradicts itself."""

from __future__ import annotations

from collections import Counter

import pytest

from operators.cot.support.forms import implications
from operators.cot.support.names import RELATIONS, STATES, Group


@pytest.mark.parametrize("groups", [RELATIONS, STATES], ids=["relations", "states"])
def test_every_word_stands_in_one_group(groups: tuple[Group, ...]) -> None:
    words = [word for group in groups for part in _parts(group) for word in part]
    assert {word: count for word, count in Counter(words).items() if count > 1} == {}


@pytest.mark.parametrize("groups", [RELATIONS, STATES], ids=["relations", "states"])
def test_words_are_phrases_in_lower_case(groups: tuple[Group, ...]) -> None:
    words = [word for group in groups for part in _parts(group) for word in part]
    assert words == [" ".join(word.lower().replace("_", " ").split()) for word in words]


def test_nothing_implies_a_thing_and_its_opposite() -> None:
    for told, reached in implications().items():
        both = {name for name, holds in reached if (name, not holds) in reached}
        assert both == set(), told
        assert (told[0], told[1]) not in reached


def test_what_follows_follows_back_from_its_denial() -> None:
    for (name, holds), reached in implications().items():
        for (other, so), (strength, turned) in reached.items():
            assert implications()[other, not so][name, not holds] == (pytest.approx(strength), turned)


def _parts(group: Group) -> list[list[str]]:
    return [part.split(", ") for part in (group.words, group.converse, group.opposite) if part]
