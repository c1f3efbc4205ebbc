"""Task 32: the steps between a head and a tail."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import HeadTail
from operators.cot.tasks.next_step import MiddleSteps
from operators.cot.tasks.task import Draft, Skipped, numbered
from operators.cot.texts import one_line
from tests.cot.tasks.laws import any_plan, check_lawful, check_one_stream_a_sample
from tests.cot.tasks.plans import LAMP, TEA, TWICE, bare, codes, drafted, streams

TASK = MiddleSteps()
GOALS = [step.step_goal for step in TEA.steps]
#: Between steps 2 and 5 of TEA.
FIELDS = {
    "high_level_goal": TEA.high_level_goal,
    "head_step_goal": GOALS[1],
    "tail_step_goal": GOALS[4],
    "middle_steps": GOALS[2:4],
}


def test_each_head_has_up_to_two_tails():
    def fields(head: str, tail: str, *middle: str) -> dict[str, object]:
        told = {"head_step_goal": head, "tail_step_goal": tail, "middle_steps": list(middle)}
        return {"high_level_goal": "Do it all.", **told}

    assert list(TASK.drafts(bare("Open.", "Fill.", "Stir.", "Close."), streams(TASK))) == [
        Draft(1, fields("Open.", "Stir.", "Fill."), "tail=3"),
        Draft(1, fields("Open.", "Close.", "Fill.", "Stir."), "tail=4"),
        Draft(2, fields("Fill.", "Close.", "Stir."), "tail=4"),
        Skipped(3, "fewer than two steps follow"),
        Skipped(4, "fewer than two steps follow"),
    ]


def test_two_steps_have_nothing_between_them():
    reason = "fewer than two steps follow"
    assert list(TASK.drafts(LAMP, streams(TASK))) == [Skipped(10, reason), Skipped(20, reason)]


def test_question_answer_evidence_and_anchors():
    assert (
        TASK.question(FIELDS)
        == "Based on the beginning/end glimpses of the video, infer the missing middle steps in order."
    )
    assert TASK.answer(FIELDS) == "1) Measure green leaves into the teapot.\n2) Pour hot water over the leaves."
    assert TASK.wanted(TEA, 2, FIELDS) == HeadTail(2, 5)
    assert TASK.anchor_steps(TEA, 2, FIELDS) == AnchorSteps.of(TEA.steps[2])


def test_one_two_or_three_steps_are_missing_each_about_as_often():
    plan = bare(*(f"Do thing {i}." for i in range(12)))
    missing = Counter(
        len(draft.fields["middle_steps"])
        for seed in range(60)
        for draft in drafted(TASK, plan, seed)
        if draft.step_index <= 8
    )
    assert set(missing) == {1, 2, 3}
    assert sum((n - 320) ** 2 / 320 for n in missing.values()) < 13.8


@given(plan=any_plan(), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_the_answer_is_all_steps_between_head_and_tail(plan, seed):
    made = check_lawful(TASK, plan, seed)
    assert all(count <= 2 for count in Counter(draft.step_index for draft in made).values())
    for draft in made:
        head, tail = plan.position(draft.step_index), plan.position(int(draft.variant.removeprefix("tail=")))
        assert 2 <= tail - head <= 4
        assert TASK.answer(draft.fields) == numbered([one_line(s.step_goal) for s in plan.steps[head + 1 : tail]])


def test_each_sample_has_its_own_stream():
    check_one_stream_a_sample(TASK, TEA)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"high_level_goal": "Brew coffee."}, ["fields.plan"]),
        ({"head_step_goal": GOALS[0]}, ["fields.plan"]),
        ({"tail_step_goal": GOALS[5]}, ["fields.plan"]),
        ({"tail_step_goal": "Go home."}, ["fields.plan"]),
        ({"middle_steps": GOALS[3:1:-1]}, ["fields.plan"]),
        ({"middle_steps": ["Drink.", GOALS[3]]}, ["fields.plan"]),
        ({"middle_steps": GOALS[2:3]}, ["fields.plan"]),
        ({"middle_steps": GOALS[2:5]}, ["fields.plan"]),
        ({"middle_steps": [GOALS[2], GOALS[2]]}, ["fields.plan"]),
        ({"middle_steps": []}, ["fields.plan"]),
        ({"middle_steps": [], "tail_step_goal": GOALS[2]}, ["fields.plan"]),
        ({"middle_steps": GOALS}, ["fields.plan"]),
        ({"middle_steps": GOALS[2]}, ["fields.type"]),
        ({"middle_steps": [GOALS[2], ""]}, ["fields.type"]),
        ({"middle_steps": [GOALS[2], 4]}, ["fields.type"]),
        ({"tail_step": 5}, ["fields.unknown"]),
    ],
)
def test_each_damage_of_a_field_is_told(changed, told):
    assert codes(TASK, TEA, 2, {**FIELDS, **changed}) == told


def test_each_missing_field_is_told():
    for name in FIELDS:
        left = {other: value for other, value in FIELDS.items() if other != name}
        assert codes(TASK, TEA, 2, left) == ["fields.missing"]


@pytest.mark.parametrize(
    ("step_index", "told"),
    [(1, {"fields.plan"}), (3, {"fields.plan"}), (5, {"fields.plan"}), (6, {"step.unknown"}), (8, {"step.unknown"})],
)
def test_another_step_than_the_fields_tell_of_is_told(step_index, told):
    assert set(codes(TASK, TEA, step_index, FIELDS)) == told


def test_files_made_elsewhere_may_leave_out_more_steps():
    fields = {**FIELDS, "head_step_goal": GOALS[0], "tail_step_goal": GOALS[6], "middle_steps": GOALS[1:6]}
    assert codes(TASK, TEA, 1, fields) == []
    assert TASK.wanted(TEA, 1, fields) == HeadTail(1, 7)


def test_goals_that_come_again_are_told_apart_by_where_they_stand():
    made = {draft.variant: draft.fields for draft in drafted(TASK, TWICE, seed=1) if draft.step_index == 4}
    assert made == {
        "tail=6": {
            "high_level_goal": "Do it all.",
            "head_step_goal": "Wait a minute",
            "tail_step_goal": "Close the box.",
            "middle_steps": ["stir the paint"],
        }
    }


def test_of_steps_that_are_not_there_nothing_can_be_shown():
    with pytest.raises(LookupError):
        TASK.wanted(TEA, 8, FIELDS)
    with pytest.raises(LookupError):
        TASK.wanted(TEA, 5, FIELDS)
    with pytest.raises(LookupError):
        TASK.anchor_steps(TEA, 7, FIELDS)
