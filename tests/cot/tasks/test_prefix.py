"""Task 31: up to which step the prefix has got."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import Prefix
from operators.cot.tasks.next_step import CompletedSteps
from operators.cot.tasks.task import Draft
from tests.cot.tasks.laws import any_plan, check_lawful
from tests.cot.tasks.plans import LAMP, TEA, TWICE, codes, drafted, streams

TASK = CompletedSteps()
LISTED = [{"step_id": step.step_id, "step_goal": step.step_goal} for step in TEA.steps]


def test_each_step_may_end_the_prefix_the_last_one_too():
    steps = [{"step_id": 10, "step_goal": "Plug the lamp in."}, {"step_id": 20, "step_goal": "Switch the lamp on."}]
    told = {"high_level_goal": "Read in the evening.", "all_steps": steps}
    assert list(TASK.drafts(LAMP, streams(TASK))) == [
        Draft(10, {**told, "prefix_end_step": 10, "label": 10}),
        Draft(20, {**told, "prefix_end_step": 20, "label": 20}),
    ]


def test_question_answer_evidence_and_anchors():
    draft = drafted(TASK, TEA)[3]
    assert TASK.question(draft.fields) == "Up to which step_id has the plan been completed in this prefix?"
    assert TASK.answer(draft.fields) == "4"
    assert TASK.wanted(TEA, 4, draft.fields) == Prefix(4)
    assert TASK.anchor_steps(TEA, 4, draft.fields) == AnchorSteps.of(TEA.steps[3])


@given(plan=any_plan(), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_the_answer_is_the_id_of_the_step(plan, seed):
    assert [TASK.answer(draft.fields) for draft in check_lawful(TASK, plan, seed)] == [
        str(step.step_id) for step in plan.steps
    ]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"high_level_goal": "Brew coffee."}, "fields.plan"),
        ({"label": 4}, "fields.label"),
        ({"label": 0}, "fields.label"),
        ({"label": 99}, "fields.label"),
        ({"label": -3}, "fields.label"),
        ({"label": 10**60}, "fields.label"),
        ({"label": "3"}, "fields.type"),
        ({"label": 3.0}, "fields.type"),
        ({"label": True}, "fields.type"),
        ({"label": [3]}, "fields.type"),
        ({"prefix_end_step": 2}, "fields.plan"),
        ({"prefix_end_step": 99}, "fields.plan"),
        ({"prefix_end_step": None}, "fields.type"),
        ({"all_steps": LISTED[:-1]}, "fields.plan"),
        ({"all_steps": LISTED[1:]}, "fields.plan"),
        ({"all_steps": []}, "fields.plan"),
        ({"all_steps": [*LISTED, {"step_id": 8, "step_goal": "Wash the cup."}]}, "fields.plan"),
        ({"all_steps": [*LISTED[:2], LISTED[1], *LISTED[3:]]}, "fields.plan"),
        ({"all_steps": [{"step_id": 1, "step_goal": "Heat the kettle."}, *LISTED[1:]]}, "fields.plan"),
        ({"all_steps": [{"step_id": 9, "step_goal": LISTED[0]["step_goal"]}, *LISTED[1:]]}, "fields.plan"),
        ({"all_steps": [{**LISTED[0], "step_id": "1"}, *LISTED[1:]]}, "fields.type"),
        ({"all_steps": [None, *LISTED[1:]]}, "fields.type"),
        ({"all_steps": "all"}, "fields.type"),
        ({"all_steps": [{**LISTED[0], "done": True}, *LISTED[1:]]}, "fields.unknown"),
        ({"hint": 3}, "fields.unknown"),
    ],
)
def test_each_damage_of_a_field_is_told(changed, code):
    assert code in (found := codes(TASK, TEA, 3, {**drafted(TASK, TEA)[2].fields, **changed}))
    assert set(found) - {code} <= {"fields.type"}


def test_swapped_steps_are_told_one_by_one():
    swapped = [LISTED[1], LISTED[0], *LISTED[2:]]
    assert codes(TASK, TEA, 3, {**drafted(TASK, TEA)[2].fields, "all_steps": swapped}) == ["fields.plan"] * 2


def test_each_missing_field_is_told():
    fields = drafted(TASK, TEA)[2].fields
    for name in fields:
        left = {other: value for other, value in fields.items() if other != name}
        assert codes(TASK, TEA, 3, left) == ["fields.missing"]


@pytest.mark.parametrize(
    ("step_index", "told"),
    [(4, {"fields.plan", "fields.label"}), (8, {"step.unknown", "fields.plan", "fields.label"})],
)
def test_another_step_than_the_fields_tell_of_is_told(step_index, told):
    assert set(codes(TASK, TEA, step_index, drafted(TASK, TEA)[2].fields)) == told


def test_files_made_elsewhere_may_list_the_goals_alone():
    goals = [step.step_goal for step in TWICE.steps]
    fields = {"high_level_goal": "Do it all.", "all_steps": goals, "prefix_end_step": 2, "label": 2}
    assert codes(TASK, TWICE, 2, fields) == []
    assert codes(TASK, TWICE, 2, {**fields, "all_steps": [*goals[:-1], "Shut the box."]}) == ["fields.plan"]


def test_of_a_step_that_is_not_there_nothing_can_be_shown():
    fields = drafted(TASK, TEA)[2].fields
    with pytest.raises(LookupError):
        TASK.wanted(TEA, 8, fields)
    with pytest.raises(LookupError):
        TASK.anchor_steps(TEA, 8, fields)
