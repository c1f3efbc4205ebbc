"""How a round's three values settle each other."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.game.rounds import (
    CardUnsure,
    Evidence,
    Found,
    LightUnsure,
    Look,
    NumbersUnsure,
    Reading,
    RoundContradiction,
    agrees,
    asked_for,
    evidence,
)
from operators.game.settling import Round, settled, with_found, with_model

SURE = 0.8


def made(numbers=(5, 8, 3), light="GREEN", card=1, n=0.95, li=0.95, c=0.95) -> Round:
    def reading(by: str, confidence: float) -> Reading:
        return Reading(by, confidence, f"seen by {by}", [Look(by, "", confidence, f"seen by {by}")])

    values = {"numbers": list(numbers), "light": light, "card": card}
    return Round(
        values, {"numbers": reading("ocr", n), "light": reading("colour", li), "card": reading("difference", c)}
    )


def values(outcome) -> tuple[list[int], str, int, str]:
    r, verdict = outcome
    return (r.values["numbers"], r.values["light"], r.values["card"], verdict)


def test_the_rule_names_the_card_and_of_equal_ones_the_leftmost():
    assert [asked_for([5, 8, 3], light) for light in ("GREEN", "RED", "YELLOW")] == [1, 2, 0]
    assert [asked_for([7, 7, 2], light) for light in ("GREEN", "RED", "YELLOW")] == [0, 2, 0]
    assert [asked_for([4, 4, 4], light) for light in ("GREEN", "RED", "YELLOW")] == [0, 0, 0]


@given(st.lists(st.integers(0, 999), min_size=3, max_size=3), st.sampled_from(["GREEN", "RED", "YELLOW"]))
def test_the_card_that_the_rule_asks_for_agrees_with_it(numbers, light):
    assert agrees(numbers, light, asked_for(numbers, light))


@given(st.lists(st.integers(0, 999), min_size=3, max_size=3, unique=True), st.sampled_from(["GREEN", "RED", "YELLOW"]))
def test_of_three_different_numbers_one_card_alone_agrees(numbers, light):
    assert [agrees(numbers, light, card) for card in range(3)].count(True) == 1


def test_the_rule_is_believed_if_nine_of_nine_rounds_go_by_it_and_not_if_eight_of_eight_do():
    good = ([5, 8, 3], "GREEN", 1)
    assert evidence([good] * 9) == Evidence(9, 9)
    assert (Evidence(9, 9).believed, Evidence(8, 8).believed) == (True, False)
    assert (Evidence(95, 100).believed, Evidence(70, 100).believed, Evidence(0, 0).believed) == (True, False, False)


def test_a_round_that_is_sure_and_goes_by_the_rule_is_used_as_it_is():
    assert values(settled(made(), True, SURE)) == ([5, 8, 3], "GREEN", 1, "agrees")
    assert values(settled(made(card=0), False, SURE)) == ([5, 8, 3], "GREEN", 0, "not applied")


def test_a_round_that_contradicts_itself_is_not_used():
    outcome = settled(made(card=2), True, SURE)
    assert isinstance(outcome, RoundContradiction)
    assert str(outcome) == (
        "the numbers 5 8 3 and the light GREEN ask for card 1, but card 2 is marked as the right one."
    )


@pytest.mark.parametrize(
    ("unsure", "error"), [({"n": 0.5}, NumbersUnsure), ({"li": 0.5}, LightUnsure), ({"c": 0.5}, CardUnsure)]
)
def test_without_the_rule_each_value_has_to_be_sure_by_itself(unsure, error):
    assert type(settled(made(**unsure), False, SURE)) is error


def test_the_rule_settles_an_unsure_light_or_card_but_no_numbers_and_not_two_at_once():
    assert values(settled(made(li=0.4), True, SURE))[3] == "agrees, which settles the unsure light"
    outcome = settled(made(c=0.4), True, SURE)
    assert values(outcome)[3] == "agrees, which settles the unsure card"
    assert outcome[0].readings["card"] == Reading(
        "difference",
        0.85,
        "seen by difference",
        [Look("difference", "", 0.4, "seen by difference"), Look("rule", "1", 0.85, "the rule leaves only this")],
    )
    assert isinstance(settled(made(n=0.4), True, SURE), NumbersUnsure)
    assert isinstance(settled(made(li=0.4, c=0.4), True, SURE), LightUnsure)


def test_the_leftmost_of_equal_cards_is_the_answer():
    outcome = settled(made(numbers=(8, 8, 3), card=1), True, SURE)
    assert values(outcome) == ([8, 8, 3], "GREEN", 0, "agrees, with the leftmost of equal cards")


def test_of_two_looks_that_differ_the_surer_counts_but_as_unsure():
    other = Found("RED", Look("colour", "RED", 0.9, "a red blob"))
    seen = with_found(made(li=0.6), "light", other)
    assert (seen.values["light"], seen.readings["light"].confidence) == ("RED", 0.5)
    kept = with_found(made(li=0.95), "light", other)
    assert (kept.values["light"], kept.readings["light"].confidence) == ("GREEN", 0.5)
    assert kept.readings["light"].looks[-1].reason == "another look saw RED: a red blob"
    nothing = with_found(made(li=0.6), "light", replace(other, value=None))
    assert (nothing.values["light"], nothing.readings["light"].confidence) == ("GREEN", 0.6)


def test_what_rules_and_model_both_see_is_sure():
    asked = with_model(made(n=0.3, li=0.3, c=0.3), {"numbers": [5, 8, 3], "light": "GREEN", "card": 1}, True)
    assert [asked.readings[f].confidence for f in ("numbers", "light", "card")] == [0.95, 0.95, 0.95]
    assert values(settled(asked, True, SURE))[3] == "agrees"


def test_a_single_dispute_is_settled_if_the_rule_allows_one_of_the_two():
    asked = with_model(made(light="RED"), {"numbers": [5, 8, 3], "light": "GREEN", "card": 1}, True)
    assert values(settled(asked, True, SURE)) == ([5, 8, 3], "GREEN", 1, "agrees")
    assert (asked.readings["light"].by, asked.readings["light"].confidence) == ("vlm", 0.85)


def test_disputes_that_the_rule_cannot_settle_are_not_settled():
    assert with_model(made(light="RED"), {"numbers": [5, 8, 2], "light": "GREEN", "card": 1}, True) is None
    assert with_model(made(light="RED"), {"light": "YELLOW"}, True) is None, "neither goes by the rule"
    assert with_model(made(), {"numbers": [5, 8, 2]}, True) is None, "both go by the rule"
    assert with_model(made(), {"light": "RED"}, False) is None, "there is no rule"


def test_a_model_that_repeats_itself_makes_its_value_no_surer():
    own = made(n=0.5)
    own = Round(own.values, {**own.readings, "numbers": replace(own.readings["numbers"], by="vlm")})
    asked = with_model(own, {"numbers": [5, 8, 3], "light": "GREEN"}, True)
    assert [asked.readings[f].confidence for f in ("numbers", "light", "card")] == [0.5, 0.95, 0.95]
