"""What holds of all facts, whatever they say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.support.facts import Fact, fact_of
from operators.cot.support.matching import THRESHOLD, Match, contradicts, establishes, support_of
from tests.cot.support.drawn import facts, odd_facts, relations, things

SAME = Match("same", 1.0)

some = settings(max_examples=30, deadline=None)


@some
@given(facts | odd_facts, things)
def test_a_fact_supports_itself_word_for_word(fact: Fact, names: frozenset[str]) -> None:
    assert support_of(fact, fact, names) == SAME
    assert contradicts(fact, fact, names) is None


@some
@given(relations)
def test_a_relation_contradicts_its_own_denial_both_ways(fact: Fact) -> None:
    denial = replace(fact, truth=not fact.truth)
    assert contradicts(fact, denial) == SAME
    assert support_of(fact, denial) is None


@pytest.mark.parametrize("relation", ["above", "below", "left_of"])
def test_a_thing_above_itself_contradicts_its_denial_alone(relation: str) -> None:
    fact = Fact("spatial", relation, ("box", "boxes"))
    assert contradicts(fact, replace(fact, truth=False)) == SAME
    assert support_of(fact, replace(fact, truth=False)) is None


@some
@given(facts, facts, things)
def test_no_effect_both_supports_and_contradicts_a_condition(effect: Fact, other: Fact, names: frozenset[str]) -> None:
    found = [support_of(effect, other, names), contradicts(effect, other, names)]
    assert None in found
    assert all(THRESHOLD <= match.strength <= 1 for match in found if match is not None)


@some
@given(facts, facts, things)
def test_names_of_more_things_only_take_matches_away(effect: Fact, other: Fact, names: frozenset[str]) -> None:
    both = frozenset(effect.objects + other.objects)
    least, most = support_of(effect, other, both | names), support_of(effect, other, both)
    assert least is None or least == most


@some
@given(facts, facts)
def test_case_hyphens_and_spaces_make_no_difference(effect: Fact, other: Fact) -> None:
    def written(text: str) -> str:
        return text.replace("_", " ").upper()

    respelt = Fact(other.kind, written(other.name), tuple(map(written, other.objects)), other.truth)
    for relation in (support_of, contradicts):
        plain, spelt = relation(effect, other), relation(effect, respelt)
        assert (plain is None) == (spelt is None)
        assert plain is None or spelt is None or plain.strength == spelt.strength


@pytest.mark.parametrize(
    "relation", ["contacting", "connected_to", "attached_to", "mixed", "aligned_with", "adjacent_to", "next_to", "near"]
)
@given(truth=st.booleans())
@settings(max_examples=2, deadline=None)
def test_symmetric_relations_hold_in_either_order(relation: str, truth: bool) -> None:
    one, other = Fact("spatial", relation, ("hose", "pump"), truth), Fact("spatial", relation, ("pump", "hose"), truth)
    assert support_of(one, other) == support_of(other, one) == Match("order", 0.95)
    assert contradicts(one, replace(other, truth=not truth)) == Match("order", 0.95)


@some
@given(st.lists(facts, max_size=5), facts)
def test_a_condition_is_established_by_the_surest_effect(effects: list[Fact], condition: Fact) -> None:
    found = [match for effect in effects if (match := support_of(effect, condition)) is not None]
    best = establishes(effects, condition)
    assert best == (next(m for m in found if m.strength == max(each.strength for each in found)) if found else None)


@some
@given(odd_facts, odd_facts, things)
def test_no_name_is_too_odd(effect: Fact, condition: Fact, names: frozenset[str]) -> None:
    assert None in [support_of(effect, condition, names), contradicts(effect, condition, names)]


@some
@given(facts)
def test_a_fact_is_read_back_from_its_text(fact: Fact) -> None:
    if "(" not in fact.name:
        assert fact_of(fact.text) == fact
