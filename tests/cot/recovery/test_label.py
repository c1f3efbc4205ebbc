"""Whether a step is done after its recovery: against labels given by hand, sign by sign, and on any text."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.plan import CausalChain, Failure, Spatial, Step
from operators.cot.tasks.options import is_order
from operators.cot.tasks.recovery import ANEW, CONTINUE, DONE, EITHER, ONWARD, READY, RETRY, UNSURE, label_of
from operators.cot.texts import root
from tests.cot.recovery.labelled import held_out, labelled


def measured(pairs: list[tuple[Step, Step, str]]) -> tuple[int, int, int, int]:
    """How many labels there are, how many of them are right, how many are of sure ones, and how many those are.

    What a person is not sure of counts as wrong where it is labelled, and not as missed where it is not.
    """
    told = [(want, label_of(step, after)[0]) for step, after, want in pairs]
    kept = [(want, got) for want, got in told if got is not None]
    sure = [got for want, got in told if want != "unsure"]
    assert {got for _, got in kept} == {RETRY, CONTINUE}
    return len(kept), sum(want == got for want, got in kept), sum(got is not None for got in sure), len(sure)


def test_labels_are_mostly_those_that_people_give():
    """Of 516 recoveries two thirds have no label, and more than nine of ten labels are right.

    An earlier grammar of recoveries was made with these in view; the rules of today were made after two looks at them.
    """
    sets = ("development", "aside", "probes", "forty", "fresh", "later")
    pairs = [*held_out(), *(pair for name in sets for pair in labelled(name))]
    kept, right, covered, sure = measured(pairs)
    assert len(pairs) >= 516
    assert right >= 0.93 * kept
    assert covered >= 0.33 * sure


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
    ("recovery", "label", "why"),
    [
        ("Loosen it with a spatula, then push it into the tin.", CONTINUE, DONE),
        ("Keep the bowl low and pour until nothing is left in it.", CONTINUE, DONE),
        ("Pour the rest with the help of a spoon.", CONTINUE, DONE),
        ("Wipe the rim and pour again until the bowl has no batter in it.", CONTINUE, DONE),
        ("Wipe the table and continue to the baking.", CONTINUE, ONWARD),
        ("Accept the loss and move on to the next step.", CONTINUE, ONWARD),
        ("Put a cloth under the bowl and hold the bowl with both hands.", RETRY, READY),
        ("Steady the bowl and pour again.", RETRY, ANEW),
        ("Hold the bowl closer and continue pouring.", RETRY, ANEW),
        ("Wipe the spill up before pouring.", RETRY, ANEW),
        ("Stop, warm the bowl, and try again.", RETRY, ANEW),
        ("Re-pour what is on the table.", RETRY, ANEW),
        ("Scrape the batter into the tin, then pour again.", None, EITHER),
        ("If the bowl is cracked, scrape the batter into the tin.", None, EITHER),
        ("Scrape the batter into the tin or fetch another bowl.", None, EITHER),
        ("Tilt the bowl to ensure an even flow into the tin.", None, UNSURE),
        ("Pour until it looks good.", None, UNSURE),
        ("Wait a minute and look.", None, UNSURE),
        ("Push the batter.", None, UNSURE),
        ("Warm the bowl until it is soft.", None, UNSURE),
        ("Warm the bowl so that the batter runs.", None, UNSURE),
        ("重新倒一次。", None, UNSURE),
        ("", None, UNSURE),
        ("Pour the batter in the tin, in the in. " * 200, None, EITHER),
    ],
)  # fmt: skip
def test_a_label_is_told_where_the_texts_leave_no_choice(recovery, label, why):
    assert after(recovery) == (label, why)


def test_what_was_left_undone_makes_better_conditions_no_reason_to_try_again():
    warm = "Warm the bowl with both hands."
    assert after(warm) == (RETRY, READY)
    assert after(warm, "The last spoon stays in the bowl.") == (None, UNSURE)


def test_effects_that_held_before_do_not_tell_that_a_step_is_done():
    """The door was closed before, too; that it is closed again does not bring the milk out."""
    door = Spatial("closed", ["door"])
    chain = CausalChain("hands", "fetch the milk", "milk", [door], [], [door, Spatial("on", ["milk", "table"])])
    fetch = Step(1, "Fetch the milk.", causal_chain=chain, failure_reflecting=Failure("It slips.", "Close the door."))
    assert label_of(fetch, BAKE)[0] != CONTINUE


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=20), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_text_is_either_labelled_or_not(recovery, reason, name, truth):
    chain = CausalChain(name, name, name, causal_effect_on_spatial=[Spatial(name, [name, reason], truth)])
    step = Step(1, name, causal_chain=chain, failure_reflecting=Failure(reason, recovery))
    label, why = label_of(step, Step(2, reason))
    assert label in (RETRY, CONTINUE, None)
    assert why


def test_only_plain_forms_are_orders():
    assert [is_order(word) for word in ("stir", "re-stir", "stirs", "stirring", "spoonful")] == [True, True, False, False, False]  # fmt: skip
    assert root("readable") == root("reading")
