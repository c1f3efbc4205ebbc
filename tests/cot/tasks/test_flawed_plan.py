"""Tasks 35 and 36: whole samples written by hand, and what is found in samples that are not true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import Prefix
from operators.cot.plan import Plan
from operators.cot.problems import Problem
from operators.cot.tasks.flawed_plan import FlawPointing, PlanRepair
from operators.cot.tasks.task import Draft, Skipped, Task, common_problems, form_problems
from tests.cot.flaws.plans import BRACKET, JAR, TWOFOLD, First, first, step

POINTING, REPAIR = FlawPointing(), PlanRepair()
UNPACK, CLEAN, HOLD, FASTEN = (each.step_goal for each in BRACKET.steps)
GOLD = [CLEAN, HOLD, FASTEN]

#: For each type of flaw: the bad plan, the place of the flaw, the reason, the proof and its two steps.
AGAINST = "against(bracket, frame) => True"
EXPECTED: dict[str, tuple[list[str], int, str, dict[str, Any]]] = {
    "precondition_missing": (
        [CLEAN, FASTEN, HOLD],
        2,
        f'It requires "{AGAINST}" as a causal precondition, but this bad plan only establishes it later.',
        {"condition": AGAINST, "step": 40, "prerequisite": 30, "match": "same", "strength": 1.0},
    ),
    "order_violation": (
        [FASTEN, CLEAN, HOLD],
        1,
        f'It comes too early, for it must follow "Hold the bracket against the frame", which establishes "{AGAINST}".',
        {"condition": AGAINST, "step": 40, "prerequisite": 30, "match": "same", "strength": 1.0},
    ),
    "tool_mismatch": (
        ["Clean the frame with the wrench.", HOLD, FASTEN],
        1,
        'It uses the wrench, but it requires "brush: bristled", and the plan gives the wrench no such affordance.',
        {"condition": "brush: bristled", "step": 20, "prerequisite": 20, "match": "no_affordance", "strength": 1.0},
    ),
    "hallucinated_object": (
        ["Clean the frame with the violin bow.", HOLD, FASTEN],
        1,
        "It needs the violin bow, an object that this scene does not have, for nothing else in the plan names one.",
        {
            "condition": "The plan knows the violin bow",
            "step": 20,
            "prerequisite": 20,
            "match": "unknown",
            "strength": 1.0,
        },
    ),
    "goal_mismatch": (
        ["Check the frame for a price tag.", CLEAN, HOLD],
        1,
        "It only looks for a price on the frame, which changes nothing that a later step requires"
        " and does not serve the goal.",
        {
            "condition": "The step contributes to a later step or to the goal",
            "step": 20,
            "prerequisite": 20,
            "match": "pointless",
            "strength": 1.0,
        },
    ),
}


def pointing(flaw_type: str) -> Draft:
    bad, place, reason, proof = EXPECTED[flaw_type]
    fields = {
        "high_level_goal": "Mount the bracket on the frame.",
        "prefix_end_step": 10,
        "K": 3,
        "bad_plan_steps": bad,
        "gold_plan_steps": GOLD,
        "flaw_step": place,
        "flaw_type": flaw_type,
        "proof": proof,
        "label": f"FlawStep={place}; FlawType={flaw_type}; Reason={reason}",
    }
    return Draft(10, fields, flaw_type)


def repair(flaw_type: str) -> Draft:
    bad, place, _, proof = EXPECTED[flaw_type]
    fields = {
        "high_level_goal": "Mount the bracket on the frame.",
        "prefix_end_step": 10,
        "bad_plan_steps": bad,
        "gold_plan_steps": GOLD,
        "flaw_step": place,
        "flaw_type": flaw_type,
        "proof": proof,
        "label": GOLD,
    }
    return Draft(10, fields, flaw_type)


LATE = [Skipped(each, "fewer than three steps follow") for each in (20, 30, 40)]


def problems(task: Task, plan: Plan, draft: Draft) -> list[Problem]:
    found = [*form_problems(task, draft.fields), *common_problems(plan, draft.fields)]
    return found or list(task.problems(plan, draft.step_index, draft.fields))


def test_the_first_that_can_be_drawn_of_each_type_is_this_sample() -> None:
    made = list(POINTING.drafts(BRACKET, first))
    assert made == [*map(pointing, EXPECTED), *LATE]
    assert [list(each.fields) for each in made[:5]] == [list(pointing(flaw).fields) for flaw in EXPECTED]
    assert list(REPAIR.drafts(BRACKET, first)) == [*map(repair, EXPECTED), *LATE]


@pytest.mark.parametrize("flaw_type", EXPECTED)
def test_what_is_made_has_no_problems(flaw_type: str) -> None:
    assert problems(POINTING, BRACKET, pointing(flaw_type)) == []
    assert problems(REPAIR, BRACKET, repair(flaw_type)) == []


def test_question_answer_and_evidence() -> None:
    fields = pointing("precondition_missing").fields
    assert POINTING.question(fields) == "Identify the flaw in the bad plan."
    assert POINTING.answer(fields) == (
        'FlawStep=2; FlawType=precondition_missing; Reason=It requires "against(bracket, frame) => True"'
        " as a causal precondition, but this bad plan only establishes it later."
    )
    assert POINTING.wanted(BRACKET, 10, fields) == Prefix(10)
    fields = repair("tool_mismatch").fields
    assert REPAIR.question(fields) == "Repair the plan by outputting the corrected K-step sequence."
    assert REPAIR.answer(fields) == f"1) {CLEAN}\n2) {HOLD}\n3) {FASTEN}"
    assert REPAIR.wanted(BRACKET, 10, fields) == Prefix(10)


def test_anchors_are_of_the_flawed_and_the_prerequisite_step() -> None:
    _, clean, hold, fasten = BRACKET.steps
    for flaw_type in ("precondition_missing", "order_violation"):
        steps = POINTING.anchor_steps(BRACKET, 10, pointing(flaw_type).fields)
        assert steps == AnchorSteps(conditions=fasten, effects=hold, failure=fasten)
        assert REPAIR.anchor_steps(BRACKET, 10, repair(flaw_type).fields) == AnchorSteps.of(hold)
    for flaw_type in ("tool_mismatch", "hallucinated_object", "goal_mismatch"):
        assert POINTING.anchor_steps(BRACKET, 10, pointing(flaw_type).fields) == AnchorSteps.of(clean)
        assert REPAIR.anchor_steps(BRACKET, 10, repair(flaw_type).fields) == AnchorSteps.of(clean)


def test_anchors_of_a_bad_plan_without_proof_are_of_the_step_that_belongs_there() -> None:
    fields = {**pointing("goal_mismatch").fields, "bad_plan_steps": [CLEAN, "Hum a tune.", HOLD], "flaw_step": 2}
    assert POINTING.anchor_steps(BRACKET, 10, fields) == AnchorSteps.of(BRACKET.steps[2])
    assert REPAIR.anchor_steps(BRACKET, 10, fields) == AnchorSteps.of(BRACKET.steps[2])
    with pytest.raises(LookupError):
        POINTING.anchor_steps(BRACKET, 10, {**fields, "flaw_step": 9})
    with pytest.raises(LookupError):
        REPAIR.anchor_steps(BRACKET, 30, fields)


def test_a_step_that_undoes_what_another_needs_is_a_violation_of_order() -> None:
    made = {each.variant: each.fields for each in POINTING.drafts(JAR, first) if isinstance(each, Draft)}
    assert made["order_violation"]["bad_plan_steps"] == ["Screw the lid down.", "Pour the jam.", "Stick the label on."]
    assert made["order_violation"]["label"] == (
        'FlawStep=1; FlawType=order_violation; Reason=It comes too early, for it undoes "open(jar) => True",'
        ' which "Pour the jam" still requires.'
    )
    proof = {"condition": "open(jar) => True", "step": 3, "prerequisite": 2, "match": "same", "strength": 1.0}
    assert made["order_violation"]["proof"] == proof
    assert "precondition_missing" not in made


def test_what_a_plan_cannot_bear_out_is_skipped_with_its_reason() -> None:
    assert [each.reason for each in POINTING.drafts(TWOFOLD, first) if isinstance(each, Skipped)] == [
        "no exchange of two neighbours breaks exactly one condition",
        "no step moved out of its place breaks exactly one condition",
        "no step needs a tool in place of which the plan has one without the affordance",
        *["fewer than three steps follow"] * 3,
    ]


def test_the_plan_of_a_single_step_and_repeated_and_blank_goals_give_no_samples() -> None:
    short = "fewer than three steps follow"
    assert list(POINTING.drafts(Plan("Go.", [step(1, "Go.")]), first)) == [Skipped(1, short)]
    unclear = "a goal is blank or comes twice among the next three steps"
    for goals in (["a", "b", "B.", "c"], ["a", "b", " ", "c"]):
        plan = Plan("Go.", [step(i, goal) for i, goal in enumerate(goals, 1)])
        assert list(REPAIR.drafts(plan, first)) == [Skipped(1, unclear)] * 5 + [Skipped(i, short) for i in (2, 3, 4)]


def test_nothing_english_is_added_to_goals_in_another_script() -> None:
    goals = ["把水倒进水壶。", "点火烧开。", "放入茶叶。", "盖好盖子。"]
    plan = Plan("泡茶。", [step(i, goal, patient="茶叶") for i, goal in enumerate(goals, 1)])
    assert not any(isinstance(each, Draft) for each in POINTING.drafts(plan, first))


def test_k_is_drawn_from_those_that_can_bear_the_flaw_out() -> None:
    steps = [*BRACKET.steps, *(step(i, f"Wait {i}.") for i in (50, 60, 70, 80))]
    plan = Plan("Mount the bracket on the frame.", steps)

    class Last(First):
        def shuffle(self, x: Any) -> None:
            x.reverse()

    made = {each.fields["K"]: each for each in POINTING.drafts(plan, lambda *_: Last()) if isinstance(each, Draft)}
    assert set(made) == {3, 4, 5, 6}
    assert all(problems(POINTING, plan, each) == [] for each in made.values())


def test_a_step_that_too_few_others_follow_is_no_step_to_ask_about() -> None:
    for step_index in (20, 99):
        found = problems(POINTING, BRACKET, Draft(step_index, pointing("goal_mismatch").fields))
        assert [each.code for each in found] == ["step.unknown"]


OPTIONAL = ("proof", "flaw_step", "flaw_type")


def test_files_made_elsewhere_need_no_proof_and_may_have_reasons_of_their_own() -> None:
    for flaw_type in EXPECTED:
        fields = {key: value for key, value in pointing(flaw_type).fields.items() if key != "proof"}
        if flaw_type != "precondition_missing":
            fields["label"] = fields["label"].partition("Reason=")[0] + "Reason=This one does not belong there."
        assert problems(POINTING, BRACKET, Draft(10, fields)) == []
        fields = {key: value for key, value in repair(flaw_type).fields.items() if key not in OPTIONAL}
        assert problems(REPAIR, BRACKET, Draft(10, {**fields, "K": 3})) == []


def test_whatever_comes_too_late_may_be_called_by_either_name_elsewhere_which_is_a_warning() -> None:
    fields = {key: value for key, value in pointing("precondition_missing").fields.items() if key != "proof"}
    fields.update(flaw_type="order_violation", label="FlawStep=2; FlawType=order_violation; Reason=It comes too early.")
    found = problems(POINTING, BRACKET, Draft(10, fields))
    assert [(each.code, each.level) for each in found] == [("fields.proof", "warning")]


def test_what_is_worded_so_that_nothing_can_be_proven_is_a_warning() -> None:
    fields = {key: value for key, value in pointing("goal_mismatch").fields.items() if key != "proof"}
    fields["bad_plan_steps"] = ["Polish the doorknob.", CLEAN, HOLD]
    found = problems(POINTING, BRACKET, Draft(10, fields))
    assert [(each.code, each.level) for each in found] == [("fields.proof", "warning")]


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("edit", [str.upper, str.lower, lambda text: text + "!", lambda text: text.rstrip(".")])
def test_the_other_steps_of_a_bad_plan_are_those_of_the_plan_word_for_word(
    place: int, edit: Callable[[str], str]
) -> None:
    for flaw_type in EXPECTED:
        for proof in (True, False):
            fields = {key: value for key, value in pointing(flaw_type).fields.items() if proof or key != "proof"}
            bad = list(fields["bad_plan_steps"])
            bad[place] = edit(bad[place])
            found = problems(POINTING, BRACKET, Draft(10, {**fields, "bad_plan_steps": bad}))
            assert ("fields.proof", "error") in {(each.code, each.level) for each in found}
            bad[place] = f" {pointing(flaw_type).fields['bad_plan_steps'][place]} ".replace(" ", "  ")
            assert problems(POINTING, BRACKET, Draft(10, {**fields, "bad_plan_steps": bad})) == []


def test_a_flawed_step_in_other_spelling_does_not_bear_its_proof_out() -> None:
    for flaw_type in ("tool_mismatch", "hallucinated_object", "goal_mismatch"):
        fields = pointing(flaw_type).fields
        bad = [fields["bad_plan_steps"][0].upper(), *fields["bad_plan_steps"][1:]]
        found = problems(POINTING, BRACKET, Draft(10, {**fields, "bad_plan_steps": bad}))
        assert {(each.code, each.level) for each in found} == {("fields.proof", "error")}
        without = {key: value for key, value in fields.items() if key != "proof"}
        assert problems(POINTING, BRACKET, Draft(10, {**without, "bad_plan_steps": bad})) == []
