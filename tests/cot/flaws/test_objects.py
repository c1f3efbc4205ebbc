"""Objects that a plan does not know, and steps that serve nothing."""

from __future__ import annotations

import pytest

from operators.cot.flaws.ground import ground_of
from operators.cot.flaws.idle import is_pointless, pointless, things_of_steps
from operators.cot.flaws.objects import ANYWHERE, DOMAINS, all_helpers, helper_in, needing
from operators.cot.plan import Plan
from tests.cot.flaws.plans import BRACKET, step


def helpers(goal: str) -> list[str]:
    return [each.name for each in ground_of(Plan(goal, [step(1, "Go.")])).helpers]


def test_objects_are_those_of_the_place_where_the_plan_happens() -> None:
    assert helpers("Fry the egg in the pan.") == ["oven mitts", "apron", "tongs", "step stool", "egg timer"][:4]
    assert helpers("Pull the tube off the wheel rim.") == [each.name for each in DOMAINS[1][1]]
    assert helpers("Fly to the moon.") == [each.name for each in ANYWHERE]


def test_objects_of_which_the_plan_has_a_word_anywhere_are_left_out() -> None:
    assert helpers("Fry fish in the pan; mind the oven.") == ["apron", "tongs", "step stool", "egg timer"]
    assert helpers("Work in the headlamp's glow.") == ["flashlight", "tweezers", "tongs", "magnifying glass"]


def test_what_is_added_is_found_again_and_only_that() -> None:
    words = ground_of(BRACKET).words
    for helper in all_helpers():
        if (text := needing("Hold it up.", helper)) is not None:
            assert helper_in(text, "Hold it up.", words) == helper.name
    assert helper_in("Hold it up.", "Hold it up.", words) is None
    assert helper_in("Hold it up using the brush.", "Hold it up.", words) is None
    assert helper_in("Hold it down using the pliers.", "Hold it up.", words) is None


def test_no_two_objects_are_needed_in_the_same_words() -> None:
    phrases = {helper.needed.format(helper.name): helper.name for helper in all_helpers()}
    assert all(phrase.endswith(name) for phrase, name in phrases.items())


def test_things_are_neither_hands_nor_agents_nor_stuff_nor_lists() -> None:
    one = step(
        1,
        "Go.",
        ["holding(left_hand, red_cup)", "near(robot, red_cup)"],
        ["on(cup_and_saucer, tray)", "inside(hot_water, red_cup)"],
        agent="robot",
    )
    assert things_of_steps(ground_of(Plan("", [step(0, "Start."), one])).words, 0, 1) == ["red cup", "tray"]


@pytest.mark.parametrize("goal", ["Sell the lamp.", "Guess the riddle."])
def test_a_step_that_might_serve_the_goal_is_not_made(goal: str) -> None:
    plan = ground_of(Plan(goal, [step(1, "Dust the lamp.", patient="lamp")])).words
    made = pointless(plan, "lamp")
    assert "Guess the price of the lamp" not in made
    assert "Admire the lamp from every side" in made
    assert all(is_pointless(each, plan) for each in made)
    assert not is_pointless("Guess the price of the lamp", plan)
    assert not is_pointless("Admire the moon from every side", plan)
