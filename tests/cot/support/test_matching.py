"""Matching: what a person would call a support is one, what makes a condition false is told, and nothing else is either."""

from __future__ import annotations

import pytest

from operators.cot.support.matching import contradicts, support_of
from tests.cot.support.pairs import CONTRADICTS, NEITHER, SUPPORTS, Pair, pairs


@pytest.mark.parametrize("pair", pairs(SUPPORTS), ids=str)
def test_an_effect_that_establishes_the_condition_supports_it_and_does_not_contradict_it(pair: Pair) -> None:
    match = support_of(pair.effect, pair.condition, pair.things)
    assert match is not None
    assert match.kind == pair.kind
    assert contradicts(pair.effect, pair.condition, pair.things) is None


@pytest.mark.parametrize("pair", pairs(NEITHER), ids=str)
def test_an_effect_that_has_nothing_to_do_with_the_condition_neither_supports_nor_contradicts_it(pair: Pair) -> None:
    assert support_of(pair.effect, pair.condition, pair.things) is None
    assert contradicts(pair.effect, pair.condition, pair.things) is None


@pytest.mark.parametrize("pair", pairs(CONTRADICTS), ids=str)
def test_an_effect_that_makes_the_condition_false_contradicts_it_and_does_not_support_it(pair: Pair) -> None:
    match = contradicts(pair.effect, pair.condition, pair.things)
    assert match is not None
    assert match.kind == pair.kind
    assert support_of(pair.effect, pair.condition, pair.things) is None
