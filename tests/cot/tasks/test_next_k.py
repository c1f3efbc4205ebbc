"""Tasks 33 and 34: the next K steps, to be picked and to be put in order."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.tasks.next_k import NextKOrder, NextKSteps
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Draft, Skipped, numbered
from operators.cot.texts import normalised
from tests.cot.tasks.laws import any_plan, check_lawful, check_one_stream_a_sample
from tests.cot.tasks.plans import LAMP, TEA, TWICE, bare, drafted, skipped, streams

PICK, ORDER = NextKSteps(), NextKOrder()
BOTH = [PICK, ORDER]
FIVE = bare("Open.", "Fill.", "Stir.", "Close.", "Shake.")
LONG = bare(
    *(
        f"{verb} the {thing}."
        for verb in ("Wash", "Dry", "Paint", "Move")
        for thing in ("cup", "box", "rod", "net", "hat")
    )
)

TOO_SHORT = "fewer than three steps follow"
REPEATED = "a goal comes twice among the next three steps"
FEW = "fewer than two other steps are distinct from the next three"


def test_each_prefix_that_three_steps_follow_has_steps_to_pick():
    """K is 3 or 4 after step 1, but with 4 there would be one distractor only."""
    assert list(PICK.drafts(FIVE, streams(PICK))) == [
        Draft(
            1,
            {
                "high_level_goal": "Do it all.",
                "prefix_end_step": 1,
                "K": 3,
                "options": ["Close.", "Shake.", "Fill.", "Stir.", "Open."],
                "label_set": "A,C,D",
                "gold_next_k_step_goals": ["Fill.", "Stir.", "Close."],
            },
        ),
        Draft(
            2,
            {
                "high_level_goal": "Do it all.",
                "prefix_end_step": 2,
                "K": 3,
                "options": ["Shake.", "Close.", "Open.", "Fill.", "Stir."],
                "label_set": "A,B,E",
                "gold_next_k_step_goals": ["Stir.", "Close.", "Shake."],
            },
        ),
        Skipped(3, TOO_SHORT),
        Skipped(4, TOO_SHORT),
        Skipped(5, TOO_SHORT),
    ]


def test_each_prefix_that_three_steps_follow_has_steps_to_put_in_order():
    assert list(ORDER.drafts(FIVE, streams(ORDER))) == [
        Draft(
            1,
            {
                "high_level_goal": "Do it all.",
                "prefix_end_step": 1,
                "K": 3,
                "presented_steps": ["Stir.", "Close.", "Fill."],
                "gold_next_k_step_goals": ["Fill.", "Stir.", "Close."],
                "label": ["Fill.", "Stir.", "Close."],
            },
        ),
        Draft(
            2,
            {
                "high_level_goal": "Do it all.",
                "prefix_end_step": 2,
                "K": 3,
                "presented_steps": ["Stir.", "Shake.", "Close."],
                "gold_next_k_step_goals": ["Stir.", "Close.", "Shake."],
                "label": ["Stir.", "Close.", "Shake."],
            },
        ),
        Skipped(3, TOO_SHORT),
        Skipped(4, TOO_SHORT),
        Skipped(5, TOO_SHORT),
    ]


@pytest.mark.parametrize("task", BOTH)
def test_too_short_a_plan_has_none(task):
    assert list(task.drafts(LAMP, streams(task))) == [Skipped(10, TOO_SHORT), Skipped(20, TOO_SHORT)]


def test_what_comes_twice_is_neither_asked_for_nor_offered():
    assert skipped(PICK, TWICE)[:3] == [Skipped(1, REPEATED), Skipped(2, REPEATED), Skipped(3, FEW)]
    assert [each.step_index for each in drafted(ORDER, TWICE)] == [3]
    assert skipped(ORDER, TWICE)[:2] == [Skipped(1, REPEATED), Skipped(2, REPEATED)]


def test_k_is_lowered_to_before_what_comes_twice():
    plan = bare("Open.", "Fill.", "Stir.", "Close.", "stir", "Shake.", "Wipe.")
    for seed in range(20):
        first = drafted(ORDER, plan, seed)[0]
        assert (first.step_index, first.fields["label"]) == (1, ["Fill.", "Stir.", "Close."])


def test_a_step_that_says_nearly_the_same_as_a_next_one_is_no_distractor():
    """After the first step the last one alone is left to be a second distractor."""
    rest = ["Stir hot soup!", "Chop leeks.", "Add salt.", "Serve."]
    assert drafted(PICK, bare("Wash the pot.", *rest))[0].step_index == 1
    assert skipped(PICK, bare("Stir the hot soup.", *rest))[0] == Skipped(1, FEW)


def test_of_a_long_plan_there_are_as_many_distractors_as_there_is_room_for():
    assert {len(draft.fields["options"]) for seed in range(5) for draft in drafted(PICK, LONG, seed)} == {8}


@pytest.mark.parametrize("task", BOTH)
def test_k_is_drawn_evenly_from_3_to_6(task):
    """Chi-square: with three degrees of freedom 16.27 is passed once in a thousand."""
    drawn = Counter(draft.fields["K"] for seed in range(60) for draft in drafted(task, LONG, seed)[:14])
    assert set(drawn) == {3, 4, 5, 6}
    assert sum((n - 210) ** 2 / 210 for n in drawn.values()) < 16.27


def test_each_letter_of_eight_is_right_as_often_as_another():
    """Chi-square over letters: with seven degrees of freedom 24.32 is passed once in a thousand."""
    drafts = [draft for seed in range(60) for draft in drafted(PICK, LONG, seed)]
    right = Counter(letter for draft in drafts for letter in draft.fields["label_set"].split(","))
    even = sum(right.values()) / 8
    assert set(right) == set("ABCDEFGH")
    assert sum((n - even) ** 2 / even for n in right.values()) < 24.32


@given(plan=any_plan(12), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_the_letters_are_those_of_the_next_steps(plan, seed):
    for draft in check_lawful(PICK, plan, seed):
        fields, after = draft.fields, plan.position(draft.step_index) + 1
        coming = {normalised(step.step_goal) for step in plan.steps[after : after + fields["K"]]}
        right = [letter for letter, goal in zip(LETTERS, fields["options"], strict=False) if normalised(goal) in coming]
        assert PICK.answer(fields) == ",".join(right)
        assert 3 <= len(right) == fields["K"] <= 6
        assert len(right) + 2 <= len(set(map(normalised, fields["options"]))) == len(fields["options"]) <= 8
        assert {normalised(goal) for goal in fields["options"]} <= {normalised(step.step_goal) for step in plan.steps}


@given(plan=any_plan(12), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_the_list_is_that_of_the_next_steps_and_was_in_another_order(plan, seed):
    for draft in check_lawful(ORDER, plan, seed):
        fields, after = draft.fields, plan.position(draft.step_index) + 1
        coming = [" ".join(step.step_goal.split()) for step in plan.steps[after : after + fields["K"]]]
        assert ORDER.answer(fields) == numbered(coming)
        assert sorted(fields["presented_steps"]) == sorted(coming)
        assert fields["presented_steps"] != coming
        assert 3 <= fields["K"] <= 6


@pytest.mark.parametrize("task", BOTH)
def test_each_sample_has_its_own_stream(task):
    check_one_stream_a_sample(task, TEA)
