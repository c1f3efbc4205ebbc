"""Tasks 39 and 40: what to do when a step fails, in words and among options."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import KeyFrames
from operators.cot.plan import Failure
from operators.cot.tasks.challenges import FailureRecovery, RecoveryChoice
from operators.cot.tasks.options import GIVEN_AWAY, LETTERS
from operators.cot.tasks.task import Draft, Skipped
from tests.cot.tasks.challenged import CAKE, any_challenged_plan
from tests.cot.tasks.laws import check_lawful, check_one_stream_a_sample
from tests.cot.tasks.plans import CHINESE, codes, drafted, skipped, streams

FREE, CHOICE = FailureRecovery(), RecoveryChoice()
GOAL = {"high_level_goal": "Bake a cake and serve it."}
FEW = "fewer than three recoveries of other steps are wrong here"


def failing(step_id, reason, recovery):
    """The plan with another failure of one step."""
    steps = [replace(each, failure_reflecting=Failure(reason, recovery)) if each.step_id == step_id else each for each in CAKE.steps]  # fmt: skip
    return replace(CAKE, steps=steps)


def test_each_failure_asks_for_its_recovery():
    plan = replace(CAKE, steps=CAKE.steps[:2])
    assert list(FREE.drafts(plan, streams(FREE))) == [
        Draft(
            11,
            {
                **GOAL,
                "step_goal": "Pour the batter into the tin.",
                "reason": "Some of it sticks to the bowl.",
                "recovery_strategy": "Scrape the batter into the tin with a spatula.",
            },
        ),
        Draft(
            12,
            {
                **GOAL,
                "step_goal": "Carry the tin to the oven.",
                "reason": "they are wet and let the heat through",
                "recovery_strategy": "Dry the mitts on the rack and take another pair",
            },
        ),
    ]


def test_recoveries_of_other_steps_stand_beside_the_right_one():
    draft = drafted(CHOICE, CAKE)[0]
    fields = dict(draft.fields)
    options, label = fields.pop("options"), fields.pop("label")
    assert draft.step_index == 11
    assert fields == {
        **GOAL,
        "step_goal": "Pour the batter into the tin.",
        "failure_reason": "Some of it sticks to the bowl.",
        "gold_recovery_strategy": "Scrape the batter into the tin with a spatula.",
    }
    assert options[LETTERS.index(label)] == "Scrape the batter into the tin with a spatula."
    assert {*options} - {"Scrape the batter into the tin with a spatula."} == {
        "Dry the mitts on the rack and take another pair",
        "Press the sugar through the sieve, then go on to cut the cake.",
        "Set the slice upright with the server and wipe the plates.",
    }


def test_a_recovery_that_names_nothing_of_its_own_step_may_help_everywhere_and_is_no_wrong_option():
    """The fourth step's "Cut." names no thing either, so that only two are left where no clauses can be exchanged."""
    assert [draft.step_index for draft in drafted(CHOICE, CAKE)] == [11, 12, 13, 14, 15]
    plan = failing(12, "it is hot", "Stop, wipe it with a cloth, and try again.")
    assert skipped(CHOICE, plan) == [Skipped(i, FEW) for i in (11, 14)]


def test_clauses_of_another_recovery_stand_in_the_place_of_the_right_ones_own():
    plan = failing(12, "it is hot", "Stop, wipe it with a cloth, and try again.")
    options = drafted(CHOICE, plan)[1].fields["options"]
    assert sorted(options) == [
        "Press the sugar through the sieve and wipe the plates.",
        "Press the sugar through the sieve, then go on to cut the cake.",
        "Set the slice upright with the server and wipe the plates.",
        "Set the slice upright with the server, then go on to cut the cake.",
    ]


def test_a_recovery_that_shares_more_with_the_failure_than_others_is_not_asked_for():
    plan = failing(12, "the mitts are wet", "Dry the wet mitts on the rack.")
    assert Skipped(12, GIVEN_AWAY) in skipped(CHOICE, plan)
    assert 12 not in [draft.step_index for draft in drafted(CHOICE, plan)]


def test_question_answer_evidence_and_anchors():
    free, choice = drafted(FREE, CAKE)[2], drafted(CHOICE, CAKE)[2]
    asked = "If the step fails because It has drawn damp, what is a plausible recovery strategy?"
    assert FREE.question(free.fields) == asked
    assert FREE.answer(free.fields) == "Press the sugar through the sieve, then go on to cut the cake."
    asked = "Which recovery strategy best resolves the failure where It has drawn damp?"
    assert CHOICE.question(choice.fields) == asked
    assert CHOICE.answer(choice.fields) == choice.fields["label"]
    for task, draft in ((FREE, free), (CHOICE, choice)):
        assert task.wanted(CAKE, 13, draft.fields) == KeyFrames(((13, "start"),))
        assert task.anchor_steps(CAKE, 13, draft.fields) == AnchorSteps.of(CAKE.steps[2])


def test_a_question_has_one_stop_in_any_script():
    assert FREE.question(drafted(FREE, CHINESE)[0].fields) == (
        "If the step fails because 水溢出来, what is a plausible recovery strategy?"
    )


def test_what_a_step_lacks_is_told():
    steps = [
        replace(CAKE.steps[0], failure_reflecting=Failure("", "Stir.")),
        replace(CAKE.steps[1], failure_reflecting=Failure("It burns.", " ")),
        replace(CAKE.steps[2], failure_reflecting=Failure("...", "Stir.")),
    ]
    assert skipped(FREE, replace(CAKE, steps=steps)) == [
        Skipped(11, "the step has no failure reason"),
        Skipped(12, "the step has no recovery strategy"),
        Skipped(13, "the step has no failure reason"),
    ]
    assert skipped(CHOICE, replace(CAKE, steps=CAKE.steps[:3])) == [Skipped(i, FEW) for i in (11, 12, 13)]


@given(plan=any_challenged_plan(), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_all_drafts_are_in_order(plan, seed):
    for task in (FREE, CHOICE):
        check_lawful(task, plan, seed)
        check_one_stream_a_sample(task, plan)


def test_no_letter_is_right_more_often_than_another():
    letters = [draft.fields["label"] for seed in range(80) for draft in drafted(CHOICE, CAKE, seed)]
    counts = [letters.count(letter) for letter in "ABCD"]
    mean = len(letters) / 4
    assert sum((count - mean) ** 2 / mean for count in counts) < 11.3  # chi-square, 3 degrees, 1 in 100


RIGHT = "Scrape the batter into the tin with a spatula."


@pytest.mark.parametrize(
    ("task", "damage", "found"),
    [
        (FREE, {"step_goal": "Eat."}, ["fields.plan"]),
        (FREE, {"reason": "It is late."}, ["fields.plan"]),
        (FREE, {"recovery_strategy": "Sleep."}, ["fields.plan"]),
        (FREE, {"recovery_strategy": 3}, ["fields.type"]),
        (CHOICE, {"step_goal": "Eat."}, ["fields.plan"]),
        (CHOICE, {"failure_reason": "It is late."}, ["fields.plan"]),
        (CHOICE, {"gold_recovery_strategy": "Sleep."}, ["fields.plan", "fields.options"]),
        (CHOICE, {"label": "E"}, ["fields.label"]),
        (CHOICE, {"options": [RIGHT, "B", "C", "D", "E"]}, ["fields.options"]),
        (CHOICE, {"options": [RIGHT, "B", "B!", "D"]}, ["fields.options"]),
        (CHOICE, {"options": [RIGHT, "B", RIGHT, "D"]}, ["fields.options"]),
        (CHOICE, {"options": ["A", "B", "C", "D"]}, ["fields.options"]),
        (CHOICE, {"options": [RIGHT, "B", "C", " "]}, ["fields.type"]),
    ],
)
def test_damages_are_found(task, damage, found):
    fields = {**drafted(task, CAKE)[0].fields, **damage}
    if "options" in damage:
        fields["label"] = "A"
    assert codes(task, CAKE, 11, fields) == found


def test_another_letter_than_that_of_the_right_recovery_is_found():
    draft = drafted(CHOICE, CAKE)[0]
    for letter in {*"ABCD"} - {draft.fields["label"]}:
        assert codes(CHOICE, CAKE, 11, {**draft.fields, "label": letter}) == ["fields.label"]


@pytest.mark.parametrize("task", [FREE, CHOICE])
def test_a_step_that_is_not_there_cannot_be_asked_about(task):
    assert "step.unknown" in codes(task, CAKE, 99, drafted(task, CAKE)[0].fields)
