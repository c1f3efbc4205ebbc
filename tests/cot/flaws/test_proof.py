"""Flaws in bad plans that others wrote."""

from __future__ import annotations

import pytest

from operators.cot.flaws.bad_plans import Proof, Unproven, prove
from operators.cot.plan import Plan
from tests.cot.flaws.plans import BRACKET, JAR, TWOFOLD, step

CLEAN, HOLD, FASTEN = (each.step_goal for each in BRACKET.steps[1:])


def kind(proof: Proof | Unproven) -> str | tuple[str, int, str]:
    return proof.why if isinstance(proof, Unproven) else (proof.flaw_type, proof.flaw_step, proof.match)


def test_case_and_stops_make_no_difference() -> None:
    bad = [CLEAN.upper(), FASTEN.rstrip("."), f"  {HOLD} "]
    assert prove(BRACKET, 0, bad) == prove(BRACKET, 0, [CLEAN, FASTEN, HOLD])


@pytest.mark.parametrize(
    ("text", "stated", "expected"),
    [
        ("Carefully clean the frame using the wrench", "tool_mismatch", ("tool_mismatch", 1, "no_affordance_reworded")),
        ("Clean the frame with a ladder.", "hallucinated_object", ("hallucinated_object", 1, "unknown_words")),
        ("CLEAN THE FRAME WITH THE WRENCH", None, ("tool_mismatch", 1, "no_affordance_reworded")),
        ("COUNT the scratches on the frame", None, ("goal_mismatch", 1, "pointless_reworded")),
        ("CLEAN the frame with the violin bow", None, ("hallucinated_object", 1, "unknown_reworded")),
    ],
)
def test_other_wordings_are_believed_as_far_as_they_go(text: str, stated: str | None, expected: object) -> None:
    assert kind(prove(BRACKET, 0, [text, HOLD, FASTEN], stated)) == expected


@pytest.mark.parametrize("stated", ["goal_mismatch", "tool_mismatch", None])
@pytest.mark.parametrize(
    "text", ["Clean the frame with a ladder.", "Sing a song.", "Clean the frame.", "Count the scratches on the moon."]
)
def test_what_nothing_tells_is_not_proven_and_not_refuted(text: str, stated: str | None) -> None:
    why = "nothing tells what is wrong with the step at 1: it cannot be proven"
    assert prove(BRACKET, 0, [text, HOLD, FASTEN], stated) == Unproven(why, refuted=False)


def test_an_exchange_of_steps_that_are_no_neighbours_puts_them_out_of_order() -> None:
    steps = [step(1, "Start."), step(2, "Make.", (), ["ra(aa)"]), step(3, "Wait."), step(4, "Use.", ["ra(aa)"])]
    assert kind(prove(Plan("", steps), 0, ["Use.", "Wait.", "Make."])) == ("order_violation", 1, "same")
    assert kind(prove(Plan("", [*steps[:2], steps[3], steps[2]]), 0, ["Use.", "Make.", "Wait."])) == (
        "precondition_missing",
        1,
        "same",
    )


def test_a_pointless_step_in_place_of_one_that_is_needed_breaks_more_than_one_condition() -> None:
    bad = [CLEAN, "Count the scratches on the frame.", FASTEN]
    why = "the bad plan breaks 2 conditions more than the gold plan, not 1"
    assert prove(BRACKET, 0, bad) == Unproven(why)


def test_a_pointless_step_in_place_of_one_that_nobody_needs_breaks_one() -> None:
    assert kind(prove(BRACKET, 0, ["Count the scratches on the frame.", HOLD, FASTEN])) == (
        "goal_mismatch",
        1,
        "pointless",
    )


def test_a_step_is_not_pointless_where_the_plan_is_about_just_that() -> None:
    steps = [
        step(1, "Prepare the shop."),
        step(2, "Check the lamp for a price tag."),
        step(3, "Dust it."),
        step(4, "Pack it."),
    ]
    plan = Plan("Sell the lamp.", steps)
    bad = ["Check the shop for a price tag.", "Check the lamp for a price tag.", "Dust it."]
    assert isinstance(prove(plan, 0, bad, "goal_mismatch"), Unproven)


@pytest.mark.parametrize(
    ("plan", "bad", "why"),
    [
        (TWOFOLD, ["Use.", "Make.", "End."], "the bad plan breaks 2 conditions more than the gold plan, not 1"),
        (TWOFOLD, ["Make.", "Use.", "End."], "the bad plan is the gold plan"),
        (JAR, ["Pour the jam.", "Stick the label on.", "Screw the lid down."], "the bad plan breaks 0 conditions more than the gold plan, not 1"),
        (JAR, ["Pour the jam.", "Boil the jam.", "Screw the lid down."], "a step of the bad plan is one of the plan, but not of the gold steps"),
        (JAR, ["Pour the jam.", "Pour the jam.", "Screw the lid down."], "the bad plan has a step twice"),
        (JAR, ["Rest.", "Sleep.", "Screw the lid down."], "more than one step of the bad plan is not of the gold plan"),
    ],
)  # fmt: skip
def test_what_the_plan_refutes(plan: Plan, bad: list[str], why: str) -> None:
    assert prove(plan, 0, bad) == Unproven(why)


def test_a_bad_plan_that_mends_what_gold_breaks_is_no_bad_plan() -> None:
    steps = [
        step(1, "Start."),
        step(2, "Shake.", ["mixed(jam)"]),
        step(3, "Stir.", (), ["mixed(jam)"]),
        step(4, "Eat."),
    ]
    plan = Plan("", steps)
    assert prove(plan, 0, ["Stir.", "Shake.", "Eat."]) == Unproven(
        "the bad plan breaks a condition less than the gold plan"
    )


def test_words_alone_never_crash_a_proof() -> None:
    for text in ("", " ", "。", "🫖", "\ud800", "a" * 10_000, "with", "using the", "Count the scratches on the ."):
        found = prove(BRACKET, 0, [text, HOLD, FASTEN], "hallucinated_object")
        assert isinstance(found, Unproven)
