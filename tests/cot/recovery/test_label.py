"""Whether a step is done after its recovery: against labels given by hand, rule by rule, and on any text."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.plan import CausalChain, Failure, Spatial, Step
from operators.cot.recovery import CONTINUE, RETRY, label_of
from tests.cot.recovery.labelled import labelled


@pytest.mark.parametrize(("of", "count"), [("development", 175), ("aside", 26)])
def test_labels_are_those_that_a_person_gives(of, count):
    """The rules were made on the first set. The second was labelled after them, but later ones have seen it too."""
    pairs = [(label, label_of(step, after)[0]) for step, after, label in labelled(of)]
    told = [(want, got) for want, got in pairs if got is not None]
    assert len(pairs) >= count
    assert sum(want == got for want, got in told) >= 0.95 * len(told)
    assert len(told) >= 0.5 * len(pairs)
    assert min(Counter(got for _, got in told).values()) >= 5
    assert set(Counter(want for want, _ in pairs)) == {RETRY, CONTINUE}


POUR = Step(
    1,
    "Pour the batter into the tin.",
    causal_chain=CausalChain(
        "hands",
        "tilt the bowl",
        "batter",
        [Spatial("inside", ["batter", "bowl"]), Spatial("holding", ["hands", "bowl"])],
        [],
        [Spatial("inside", ["batter", "tin"]), Spatial("inside", ["batter", "bowl"], False)],
    ),
)
BAKE = Step(2, "Bake the cake in the oven.", causal_chain=CausalChain("hands", "slide the tin in", "cake"))


def after(recovery: str, reason: str = "Batter sticks to the bowl.") -> tuple[str | None, str]:
    return label_of(replace(POUR, failure_reflecting=Failure(reason, recovery)), BAKE)


@pytest.mark.parametrize(
    "recovery",
    [
        "Scrape the batter out of the bowl and into the tin.",
        "Loosen it with a spatula, then push it into the tin.",
        "Keep pouring until the bowl is empty.",
        "Pour the rest in with the help of a spoon.",
        "Wipe the rim of the bowl, pour once more, and go on until all the batter is in the tin.",
    ],
)
def test_a_recovery_that_brings_the_effects_about_leaves_nothing_to_do(recovery):
    assert after(recovery) == (CONTINUE, "the recovery brings about the step's effects")


@pytest.mark.parametrize(
    "recovery",
    [
        "Wipe the table and continue to the baking.",
        "Accept the loss and move on to the next step.",
        "Smooth what there is before baking.",
    ],
)
def test_a_recovery_may_say_that_one_goes_on(recovery):
    assert after(recovery) == (CONTINUE, "the recovery goes on with what the next step does")


@pytest.mark.parametrize(
    "recovery",
    [
        "Get a better grip on the bowl with a towel.",
        "Put a cloth under the bowl and hold it with both hands.",
        "The cook should wipe her hands dry and ask for help.",
        "Find a larger spoon, or warm the bowl.",
    ],
)
def test_a_repair_that_only_lets_the_step_succeed_is_no_reason_to_skip_it(recovery):
    label, why = after(recovery)
    assert (label, why.split(",")[0]) == (RETRY, "the recovery restores or improves conditions")


@pytest.mark.parametrize(
    "recovery",
    [
        "Steady the bowl and pour again.",
        "Hold the bowl closer and continue pouring.",
        "Wipe the spill up before pouring again.",
        "Stop, warm the bowl, and try again.",
        "Tilt the bowl more slowly.",
    ],
)
def test_work_that_is_ordered_anew_is_still_to_be_done(recovery):
    assert after(recovery) == (RETRY, "the recovery orders the step's work anew")


@pytest.mark.parametrize("recovery", ["Wait a minute and check the bowl.", "Ask for advice.", "Inspect the tin."])
def test_who_only_looks_asks_or_waits_neither_helps_the_step_nor_does_it(recovery):
    assert after(recovery)[0] is None


@pytest.mark.parametrize(
    "recovery",
    [
        "Pour.",
        "Scrape the batter into the tin, then pour again.",
        "If the bowl is cracked, scrape the batter into the tin.",
        "Scrape the batter into the tin or fetch another bowl.",
        "Mix a topping instead.",
        "Hope for the best.",
        "重新倒一次。",
        "",
        "...",
    ],
)
def test_what_tells_both_or_neither_is_not_labelled(recovery):
    assert after(recovery)[0] is None


def test_effects_that_held_before_do_not_tell_that_a_step_is_done():
    """The door was closed before, too; that it is closed again does not bring the milk out."""
    door = Spatial("closed", ["door"])
    chain = CausalChain("hands", "fetch the milk", "milk", [door], [], [door, Spatial("on", ["milk", "table"])])
    fetch = Step(1, "Fetch the milk.", causal_chain=chain, failure_reflecting=Failure("It slips.", "Close the door."))
    assert label_of(fetch, BAKE)[0] != CONTINUE


def test_what_is_overdone_is_not_undone_by_better_conditions():
    assert after("Lower the bowl and wipe the table.", "Too much batter comes at once.")[0] is None


def test_something_that_still_has_to_get_to_its_place_keeps_the_label_back():
    chain = CausalChain(
        "hands",
        "scrub the pan",
        "pan",
        causal_effect_on_spatial=[Spatial("free_of", ["pan", "grease"]), Spatial("inside", ["pan", "rack"])],
    )
    scrub = Step(1, "Scrub the pan.", causal_chain=chain)
    left = replace(scrub, failure_reflecting=Failure("Grease stays.", "Scrub until no grease is left."))
    racked = replace(scrub, failure_reflecting=Failure("Grease stays in the rack.", "Scrub until no grease is left."))
    assert label_of(left, BAKE) == (None, "the recovery brings about only some of the step's effects")
    assert label_of(racked, BAKE)[0] == CONTINUE


def test_a_text_that_is_too_long_for_a_recovery_is_not_read():
    assert after("Pour the batter in the tin, in the in. " * 9000) == (None, "the recovery is too long to be one")


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=20), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_text_is_either_labelled_or_not(recovery, reason, name, truth):
    chain = CausalChain(name, name, name, causal_effect_on_spatial=[Spatial(name, [name, reason], truth)])
    step = Step(1, name, causal_chain=chain, failure_reflecting=Failure(reason, recovery))
    label, why = label_of(step, Step(2, reason))
    assert label in (RETRY, CONTINUE, None)
    assert why
