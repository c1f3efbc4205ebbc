"""Tasks 29 and 30: the goal of the next step, after a step and after a prefix."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import KeyFrames, Prefix
from operators.cot.tasks.next_step import NextAction, NextStepGoal
from operators.cot.tasks.task import Draft, Skipped
from operators.cot.texts import one_line
from tests.cot.tasks.laws import any_plan, check_lawful
from tests.cot.tasks.plans import CHINESE, LAMP, ONE, TEA, TWICE, bare, codes, drafted, streams

BOTH = [NextAction(), NextStepGoal()]
GOAL = {"high_level_goal": "Do it all."}


def test_each_step_but_the_last_has_a_next_action():
    task = NextAction()
    assert list(task.drafts(bare("Open.", "Fill.", "Close.", first=4), streams(task))) == [
        Draft(4, {**GOAL, "current_step_goal": "Open.", "next_step_goal": "Fill."}),
        Draft(5, {**GOAL, "current_step_goal": "Fill.", "next_step_goal": "Close."}),
        Skipped(6, "no step follows"),
    ]


def test_each_prefix_but_the_whole_has_a_next_step():
    task = NextStepGoal()
    goal = {"high_level_goal": "Read in the evening."}
    assert list(task.drafts(LAMP, streams(task))) == [
        Draft(
            10,
            {
                **goal,
                "current_step_goal": "Plug the lamp in.",
                "next_step_goal": "Switch the lamp on.",
                "prefix_end_step": 10,
            },
        ),
        Skipped(20, "no step follows"),
    ]


@pytest.mark.parametrize("task", BOTH)
def test_a_single_step_has_no_next_one(task):
    assert list(task.drafts(ONE, streams(task))) == [Skipped(1, "no step follows")]


def test_question_answer_evidence_and_anchors_of_the_next_action():
    task, draft = NextAction(), drafted(NextAction(), TEA)[2]
    assert task.question(draft.fields) == "What is the next planned action?"
    assert task.answer(draft.fields) == "Pour hot water over the leaves."
    assert task.wanted(TEA, 3, draft.fields) == KeyFrames(((3, "end"),))
    assert task.anchor_steps(TEA, 3, draft.fields) == AnchorSteps.of(TEA.steps[3])


def test_question_answer_evidence_and_anchors_of_the_next_step_goal():
    task, draft = NextStepGoal(), drafted(NextStepGoal(), CHINESE)[0]
    assert task.question(draft.fields) == "What is the next step goal?"
    assert task.answer(draft.fields) == "点火烧开。"
    assert task.wanted(CHINESE, 1, draft.fields) == Prefix(1)
    assert task.anchor_steps(CHINESE, 1, draft.fields) == AnchorSteps.of(CHINESE.steps[1])


@pytest.mark.parametrize("task", BOTH)
def test_a_goal_that_comes_again_is_asked_for_each_time(task):
    told = [(draft.step_index, task.answer(draft.fields)) for draft in drafted(task, TWICE)]
    assert told == [(1, "Stir the paint."), (2, "Wait a minute."), (3, "Wait a minute"), (4, "stir the paint"), (5, "Close the box.")]  # fmt: skip


@pytest.mark.parametrize("task", BOTH)
@given(plan=any_plan(), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_the_answer_is_the_goal_of_the_step_after_it(task, plan, seed):
    made = check_lawful(task, plan, seed)
    assert [draft.step_index for draft in made] == [step.step_id for step in plan.steps[:-1]]
    assert [task.answer(draft.fields) for draft in made] == [one_line(step.step_goal) for step in plan.steps[1:]]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"high_level_goal": "Brew coffee."}, "fields.plan"),
        ({"current_step_goal": "Heat the kettle in the oven."}, "fields.plan"),
        ({"current_step_goal": TEA.steps[2].step_goal}, "fields.plan"),
        ({"next_step_goal": TEA.steps[3].step_goal}, "fields.plan"),
        ({"next_step_goal": "Drink."}, "fields.plan"),
        ({"next_step_goal": " "}, "fields.type"),
        ({"next_step_goal": [TEA.steps[2].step_goal]}, "fields.type"),
        ({"next_step_goal": None}, "fields.type"),
        ({"hint": "none"}, "fields.unknown"),
        ({"prefix_end_step": 3}, "fields.plan"),
        ({"prefix_end_step": 99}, "fields.plan"),
        ({"prefix_end_step": "2"}, "fields.type"),
        ({"prefix_end_step": True}, "fields.type"),
    ],
)
def test_each_damage_of_a_field_is_told(changed, code):
    task = NextStepGoal()
    assert codes(task, TEA, 2, {**drafted(task, TEA)[1].fields, **changed}) == [code]


@pytest.mark.parametrize("task", BOTH)
def test_each_missing_field_is_told(task):
    fields = drafted(task, TEA)[1].fields
    for name in fields:
        left = {other: value for other, value in fields.items() if other != name}
        assert codes(task, TEA, 2, left) == ["fields.missing"]


@pytest.mark.parametrize(
    ("step_index", "told"),
    [(3, {"fields.plan"}), (7, {"step.unknown"}), (8, {"step.unknown"}), (0, {"step.unknown"}), (-1, {"step.unknown"})],
)
@pytest.mark.parametrize("task", BOTH)
def test_another_step_than_the_fields_tell_of_is_told(task, step_index, told):
    assert set(codes(task, TEA, step_index, drafted(task, TEA)[1].fields)) == told


@pytest.mark.parametrize("task", BOTH)
def test_spaces_are_no_damage_but_case_and_stop_are(task):
    fields = drafted(task, TEA)[1].fields
    assert codes(task, TEA, 2, {**fields, "next_step_goal": "Measure green  leaves into the teapot. "}) == []
    for altered in ("measure green leaves into the teapot.", "Measure green leaves into the teapot"):
        assert codes(task, TEA, 2, {**fields, "next_step_goal": altered}) == ["fields.plan"]


@pytest.mark.parametrize("task", BOTH)
def test_of_a_step_that_is_not_there_nothing_can_be_shown(task):
    fields = drafted(task, TEA)[1].fields
    with pytest.raises(LookupError):
        task.wanted(TEA, 8, fields)
    with pytest.raises(LookupError):
        task.anchor_steps(TEA, 7, fields)
