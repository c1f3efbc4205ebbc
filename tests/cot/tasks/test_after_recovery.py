"""Tasks 41 and 42: whether a recovered step is tried again or the plan goes on, in a word and among goals."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import Prefix
from operators.cot.plan import Failure, Plan
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.recovery import RetryOrContinue, StepAfterRecovery
from operators.cot.tasks.task import Draft, Skipped
from operators.cot.texts import normalised
from tests.cot.tasks.challenged import CAKE, any_challenged_plan
from tests.cot.tasks.laws import check_lawful, check_one_stream_a_sample
from tests.cot.tasks.plans import codes, drafted, skipped, streams

WORD, CHOICE = RetryOrContinue(), StepAfterRecovery()
GOAL = {"high_level_goal": "Bake a cake and serve it."}
GOALS = [step.step_goal for step in CAKE.steps]
UNSURE = "the recovery does not tell whether the step is done"


def told(i, label):
    """The sample about the i-th step of the cake."""
    step = CAKE.steps[i]
    return Draft(
        step.step_id,
        {
            **GOAL,
            "current_step_goal": step.step_goal,
            "next_step_goal": GOALS[i + 1],
            "failure_reason": step.failure_reflecting.reason,
            "recovery_strategy": step.failure_reflecting.recovery_strategy,
            "label": label,
        },
    )


def test_each_recovery_that_tells_gives_a_sample():
    assert list(WORD.drafts(CAKE, streams(WORD))) == [
        told(0, "continue_next_step"),
        told(1, "retry_current_step"),
        told(2, "continue_next_step"),
        Skipped(14, UNSURE),
        Skipped(15, "no step follows"),
    ]


@pytest.mark.parametrize(("i", "gold", "telling"), [(0, 1, 0), (1, 1, 2), (2, 3, 2)])
def test_the_step_and_the_next_one_are_both_among_the_goals(i, gold, telling):
    draft = drafted(CHOICE, CAKE)[i]
    fields = dict(draft.fields)
    options, label = fields.pop("options"), fields.pop("label")
    failure = CAKE.steps[i].failure_reflecting
    assert fields == {
        **GOAL,
        "failure_reason": failure.reason,
        "recovery_strategy": failure.recovery_strategy,
        "prefix_end_step": draft.step_index,
        "gold_next_step_goal": GOALS[gold],
    }
    assert options[LETTERS.index(label)] == GOALS[gold]
    assert GOALS[telling] in options
    assert len(set(options)) == 4
    assert {*options} <= {*GOALS}


def test_question_answer_evidence_and_anchors():
    word, choice = drafted(WORD, CAKE)[0], drafted(CHOICE, CAKE)[0]
    asked = "After applying the recovery strategy, should we retry the current step or continue to the next step?"
    assert WORD.question(word.fields) == asked
    assert WORD.answer(word.fields) == "continue_next_step"
    asked = "After applying the recovery strategy, what is the most appropriate next step?"
    assert CHOICE.question(choice.fields) == asked
    assert CHOICE.answer(choice.fields) == choice.fields["label"]
    for task, draft in ((WORD, word), (CHOICE, choice)):
        assert task.wanted(CAKE, 11, draft.fields) == Prefix(11)
        assert task.anchor_steps(CAKE, 11, draft.fields) == AnchorSteps.of(CAKE.steps[0])


def test_what_a_step_lacks_is_told():
    steps = [replace(CAKE.steps[0], failure_reflecting=Failure("", "Stir.")), replace(CAKE.steps[1], failure_reflecting=Failure("It burns.")), *CAKE.steps[2:4]]  # fmt: skip
    for task in (WORD, CHOICE):
        assert skipped(task, replace(CAKE, steps=steps)) == [
            Skipped(11, "the step has no failure reason"),
            Skipped(12, "the step has no recovery strategy"),
            Skipped(14, "no step follows"),
        ]


def test_goals_that_are_too_few_or_too_much_alike_are_not_asked_for():
    three = Plan("Bake.", CAKE.steps[:3])
    assert skipped(CHOICE, three)[:2] == [Skipped(i, "fewer than two other goals of the plan are wrong here") for i in (11, 12)]  # fmt: skip
    again = replace(CAKE.steps[1], step_goal="pour the batter in a tin")
    alike = replace(CAKE, steps=[CAKE.steps[0], again, *CAKE.steps[2:]])
    assert skipped(CHOICE, alike)[0] == Skipped(11, "the goals of the step and of the next one are too much alike")


@given(plan=any_challenged_plan(), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_all_drafts_are_in_order(plan, seed):
    words = {draft.step_index: draft.fields["label"] for draft in check_lawful(WORD, plan, seed)}
    goals = [step.step_goal for step in plan.steps]
    for draft in check_lawful(CHOICE, plan, seed):
        i = plan.position(draft.step_index)
        due = goals[i] if words[draft.step_index] == "retry_current_step" else goals[i + 1]
        assert normalised(draft.fields["gold_next_step_goal"]) == normalised(due)
        asked = {normalised(option) for option in draft.fields["options"]}
        assert {normalised(goals[i]), normalised(goals[i + 1])} <= asked
        assert len(asked) == 4
    for task in (WORD, CHOICE):
        check_one_stream_a_sample(task, plan)


def test_no_letter_is_right_more_often_than_another():
    letters = [draft.fields["label"] for seed in range(150) for draft in drafted(CHOICE, CAKE, seed)]
    counts = [letters.count(letter) for letter in "ABCD"]
    mean = len(letters) / 4
    assert sum((count - mean) ** 2 / mean for count in counts) < 11.3  # chi-square, 3 degrees, 1 in 100


@pytest.mark.parametrize(
    ("task", "damage", "found"),
    [
        (WORD, {"current_step_goal": "Eat."}, ["fields.plan"]),
        (WORD, {"next_step_goal": "Eat."}, ["fields.plan"]),
        (WORD, {"failure_reason": "It is late."}, ["fields.plan"]),
        (WORD, {"recovery_strategy": "Sleep."}, ["fields.plan"]),
        (WORD, {"label": "retry_current_step"}, ["fields.label"]),
        (WORD, {"label": "Continue_next_step"}, ["fields.label"]),
        (CHOICE, {"failure_reason": "It is late."}, ["fields.plan"]),
        (CHOICE, {"recovery_strategy": "Sleep."}, ["fields.plan"]),
        (CHOICE, {"prefix_end_step": 12}, ["fields.plan"]),
        (CHOICE, {"prefix_end_step": True}, ["fields.type"]),
        (CHOICE, {"label": "E"}, ["fields.label"]),
        (CHOICE, {"options": [GOALS[1], GOALS[0], GOALS[2]]}, ["fields.options"]),
        (CHOICE, {"options": [GOALS[1], GOALS[0], GOALS[0], GOALS[2]]}, ["fields.options"]),
        (CHOICE, {"options": [GOALS[1], GOALS[0], GOALS[2], "Eat."]}, ["fields.options"]),
        (CHOICE, {"options": [GOALS[1], GOALS[0], GOALS[2], GOALS[3]], "gold_next_step_goal": GOALS[0], "label": "B"}, ["fields.label"]),
        (CHOICE, {"options": [GOALS[3], GOALS[0], GOALS[2], GOALS[1]], "gold_next_step_goal": GOALS[3]}, ["fields.plan"]),
    ],
)  # fmt: skip
def test_damages_are_found(task, damage, found):
    fields = {**drafted(task, CAKE)[0].fields, **damage}
    if "options" in damage and "label" not in damage:
        fields["label"] = "A"
    assert codes(task, CAKE, 11, fields) == found


def test_a_label_that_the_plan_does_not_tell_is_warned_of():
    for label in ("retry_current_step", "continue_next_step"):
        problems = list(WORD.problems(CAKE, 14, told(3, label).fields))
        assert [(each.code, each.level) for each in problems] == [("fields.label", "warning")]
        assert problems[0].message.startswith(f"the plan does not tell {label}: ")


@pytest.mark.parametrize("task", [WORD, CHOICE])
@pytest.mark.parametrize("step_index", [15, 99])
def test_a_step_that_no_other_one_follows_cannot_be_asked_about(task, step_index):
    assert codes(task, CAKE, step_index, drafted(task, CAKE)[0].fields) == ["step.unknown"]
