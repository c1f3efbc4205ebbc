"""Matching: what a person would call a support is one, what makes a condition false is told, and nothing else is either."""

from __future__ import annotations

import pytest

from operators.cot.support.matching import Match, contradicts, establishes, support_of
from tests.cot.support.pairs import CONTRADICTS, NEITHER, SUPPORTS, Pair, fact, pairs


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


@pytest.mark.parametrize(
    ("effect", "condition", "match"),
    [
        ("inside(tea, cup)", "inside(tea, cup)", Match("same", 1.0)),
        ("inside(tea, cup)", "Inside(Tea, cup)", Match("spelling", 1.0)),
        ("ready: grasp", "ready: grasps", Match("spelling", 0.95)),
        ("inside(tea, cup)", "in(tea, cup)", Match("synonym", 0.95)),
        ("holding(hand, cup)", "gripping(hand, cup)", Match("synonym", 0.9)),
        ("attached_to(hose, pump)", "connected_to(hose, pump)", Match("synonym", 0.85)),
        ("touching(hose, pump)", "touching(pump, hose)", Match("order", 0.95)),
        ("closed(gate)", "!open(gate)", Match("opposite", 0.9)),
        ("closed(gate)", "gate: closed", Match("state", 0.9)),
        ("inside(teas, cups)", "inside(tea, cup)", Match("object", 0.9025)),
        ("inside(tea, cup)", "inside(tea, cup_interior)", Match("object", 0.85)),
        ("inside(green_tea, cup)", "inside(tea, cup)", Match("object", 0.8)),
        ("onion: diced", "onion: cut", Match("implied", 0.85)),
        ("on(cup, tray)", "contacting(cup, tray)", Match("implied", 0.8)),
        # two leaps at once are too far
        ("attached_to(hose, red_pump)", "connected_to(hose, pump)", None),
        ("on(green_tea, tray)", "contacting(tea, tray)", None),
    ],
)
def test_the_strength_is_the_product_of_the_steps_and_the_kind_the_least_sure(
    effect: str, condition: str, match: Match | None
) -> None:
    one, other = fact(effect), fact(condition)
    assert support_of(one, other, frozenset(one.objects + other.objects)) == match


def test_a_name_is_shortened_only_where_the_plan_shows_that_no_other_thing_is_meant() -> None:
    effect, condition = fact("on(blue_lid, jar)"), fact("on(lid, jar)")
    assert support_of(effect, condition) is None
    assert support_of(effect, condition, frozenset({"blue_lid", "lid", "jar"})) == Match("object", 0.8)
    assert support_of(effect, condition, frozenset({"blue_lid", "lid", "jar", "red_lid"})) is None


def test_the_surest_effect_establishes_a_condition() -> None:
    effects = [fact("gripping(hand, cup)"), fact("holding(hand, cup)"), fact("holding(hands, cup)")]
    assert establishes(effects, fact("holding(hand, cup)")) == Match("same", 1.0)
    assert establishes(effects[:1], fact("holding(hand, cup)")) == Match("synonym", 0.9)
    assert establishes(effects, fact("holding(hand, pot)")) is None
    assert establishes([], fact("holding(hand, cup)")) is None


def test_no_line_of_the_tables_stands_twice() -> None:
    told = [(str(pair), pair.things) for table in (SUPPORTS, NEITHER, CONTRADICTS) for pair in pairs(table)]
    assert len(told) == len(set(told)) >= 200
