"""Tasks 37 and 38: what comes of a challenge, in words and among options."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import KeyFrames
from operators.cot.plan import Plan, Step
from operators.cot.tasks.challenges import CounterfactualOutcome, CounterfactualPrediction, condition_of
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Draft, Skipped
from operators.cot.texts import normalised
from tests.cot.tasks.challenged import CAKE, any_challenged_plan
from tests.cot.tasks.laws import check_lawful, check_one_stream_a_sample
from tests.cot.tasks.plans import TEA, codes, drafted, skipped, streams

FREE, CHOICE = CounterfactualPrediction(), CounterfactualOutcome()
GOAL = {"high_level_goal": "Bake a cake and serve it."}
BOWL = {
    **GOAL,
    "step_goal": "Pour the batter into the tin.",
    "counterfactual_challenge_question": "What if the bowl were frozen?",
    "expected_challenge_outcome": "The batter would not run.",
}


def test_each_challenge_asks_for_its_outcome():
    plan = replace(CAKE, steps=CAKE.steps[:2])
    assert list(FREE.drafts(plan, streams(FREE))) == [
        Draft(11, BOWL),
        Draft(
            12,
            {
                **GOAL,
                "step_goal": "Carry the tin to the oven.",
                "counterfactual_challenge_question": "If the door were jammed, would the cake get done?",
                "expected_challenge_outcome": "The oven would stay empty.",
            },
        ),
    ]


def test_outcomes_of_other_steps_stand_beside_the_expected_one():
    made = drafted(CHOICE, CAKE)
    assert [draft.step_index for draft in made] == [11, 12, 13, 14, 15]
    fields = dict(made[0].fields)
    options, label = fields.pop("options"), fields.pop("label")
    assert fields == BOWL
    assert options[LETTERS.index(label)] == "The batter would not run."
    others = {step.expected_challenge_outcome for step in CAKE.steps[1:]}
    assert len({*options} & others) == 3


def test_question_answer_evidence_and_anchors():
    free, choice = drafted(FREE, CAKE)[1], drafted(CHOICE, CAKE)[1]
    assert FREE.question(free.fields) == "If the door were jammed, would the cake get done?"
    assert FREE.answer(free.fields) == "The oven would stay empty."
    assert CHOICE.question(choice.fields) == "What is the most likely outcome if the door were jammed?"
    assert CHOICE.answer(choice.fields) == choice.fields["label"]
    for task, draft in ((FREE, free), (CHOICE, choice)):
        assert task.wanted(CAKE, 12, draft.fields) == KeyFrames(((12, "start"),))
        assert task.anchor_steps(CAKE, 12, draft.fields) == AnchorSteps.of(CAKE.steps[1])


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("What if the tap were shut?", "the tap were shut"),
        ("What if the pump, once on, leaks?", "the pump, once on, leaks"),
        ("What if you skip it, what would happen?", "you skip it"),
        ("What would happen if the tap\nwas broken?", "the tap was broken"),
        ("If the lid, which is loose, fell off, would it spill, or not?", "the lid, which is loose, fell off"),
        ("If the knife were dull, how would the chopping be affected?", "the knife were dull"),
        ("Would the dough rise if the yeast were dead?", "the yeast were dead"),
        ("Suppose the oven is cold. What would happen?", "the oven is cold"),
        ("如果水壶没有水会怎样？", "水壶没有水"),
        ("假如火灭了，会怎么样？", "火灭了"),
        ("Would it rise if it were cold?", None),
        ("What if it rains? And then?", None),
        ("Why is the pot hot?", None),
        ("What if ?", None),
        ("", None),
    ],
)
def test_a_condition_is_found_where_it_is_one_clause_of_the_question(question, condition):
    assert condition_of(question) == condition


def test_what_a_step_lacks_is_told():
    steps = [
        replace(CAKE.steps[0], counterfactual_challenge_question=" "),
        replace(CAKE.steps[1], expected_challenge_outcome=""),
        replace(CAKE.steps[2], counterfactual_challenge_question="Why?"),
        *CAKE.steps[3:],
    ]
    plan = replace(CAKE, steps=steps)
    lacks = [Skipped(11, "the step has no challenge question"), Skipped(12, "the step has no expected outcome")]
    assert skipped(FREE, plan) == lacks
    assert skipped(CHOICE, plan) == [*lacks, Skipped(13, "the challenge question does not tell its condition")]
    few = "fewer than three outcomes of other steps are wrong here"
    assert skipped(CHOICE, replace(CAKE, steps=CAKE.steps[:3])) == [Skipped(i, few) for i in (11, 12, 13)]


@pytest.mark.parametrize("said", ["No, the oven would stay empty.", "Yes - it would.", "不会，烤箱是空的。"])
def test_an_outcome_that_answers_yes_or_no_is_no_option(said):
    step = replace(CAKE.steps[1], expected_challenge_outcome=said)
    plan = replace(CAKE, steps=[CAKE.steps[0], step, *CAKE.steps[2:]])
    assert Skipped(12, "the expected outcome answers yes or no, not what comes") in skipped(CHOICE, plan)
    assert all(said not in draft.fields["options"] for draft in drafted(CHOICE, plan))
    assert FREE.answer(drafted(FREE, plan)[1].fields) == said


def test_an_outcome_that_would_fit_as_well_is_no_wrong_option():
    """The second step's outcome names nothing of its own; the third one's says nearly what the first one's says."""
    outcomes = ["The batter would not run.", "It would take longer.", "The batter would hardly run in the sieve."]
    rest = [step.expected_challenge_outcome for step in CAKE.steps[3:]]
    steps = [replace(step, expected_challenge_outcome=each) for step, each in zip(CAKE.steps, [*outcomes, *rest], strict=True)]  # fmt: skip
    assert Skipped(11, "fewer than three outcomes of other steps are wrong here") in skipped(
        CHOICE, Plan("Bake.", steps)
    )


def test_options_do_not_repeat_the_same_outcome():
    twice = [replace(step, step_id=step.step_id + 10) for step in CAKE.steps]
    for draft in drafted(CHOICE, replace(CAKE, steps=[*CAKE.steps, *twice])):
        assert len({normalised(option) for option in draft.fields["options"]}) == 4


@given(plan=any_challenged_plan(), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_all_drafts_are_in_order(plan, seed):
    for task in (FREE, CHOICE):
        for draft in check_lawful(task, plan, seed):
            if task is CHOICE:
                assert "?" not in condition_of(draft.fields["counterfactual_challenge_question"])
        check_one_stream_a_sample(task, plan)


def test_no_letter_is_right_more_often_than_another():
    letters = [draft.fields["label"] for seed in range(60) for draft in drafted(CHOICE, TEA, seed)]
    counts = [letters.count(letter) for letter in "ABCD"]
    mean = len(letters) / 4
    assert sum((count - mean) ** 2 / mean for count in counts) < 11.3  # chi-square, 3 degrees, 1 in 100


@pytest.mark.parametrize(
    ("task", "damage", "found"),
    [
        (FREE, {"step_goal": "Eat."}, ["fields.plan"]),
        (FREE, {"counterfactual_challenge_question": "What if not?"}, ["fields.plan"]),
        (FREE, {"expected_challenge_outcome": "Nothing."}, ["fields.plan"]),
        (FREE, {"expected_challenge_outcome": ""}, ["fields.type"]),
        (FREE, {"high_level_goal": "Sleep."}, ["fields.plan"]),
        (CHOICE, {"label": "E"}, ["fields.label"]),
        (CHOICE, {"label": "a"}, ["fields.label"]),
        (CHOICE, {"options": ["The batter would not run.", "B", "C"]}, ["fields.options"]),
        (CHOICE, {"options": ["The batter would not run.", "B", "C", "b."]}, ["fields.options"]),
        (CHOICE, {"options": ["The batter would not run.", "A batter would not be run.", "C", "D"]}, ["fields.options"]),
        (CHOICE, {"options": ["A", "B", "C", "D"]}, ["fields.options"]),
        (CHOICE, {"expected_challenge_outcome": "Nothing."}, ["fields.plan", "fields.options"]),
    ],
)  # fmt: skip
def test_damages_are_found(task, damage, found):
    fields = {**drafted(task, CAKE)[0].fields, **damage}
    if "options" in damage:
        fields["label"] = "A"
    assert codes(task, CAKE, 11, fields) == found


def test_another_letter_than_that_of_the_outcome_is_found():
    draft = drafted(CHOICE, CAKE)[0]
    for letter in {*"ABCD"} - {draft.fields["label"]}:
        assert codes(CHOICE, CAKE, 11, {**draft.fields, "label": letter}) == ["fields.label"]


@pytest.mark.parametrize("task", [FREE, CHOICE])
def test_a_step_that_is_not_there_cannot_be_asked_about(task):
    assert "step.unknown" in codes(task, CAKE, 99, drafted(task, CAKE)[0].fields)


def test_a_challenge_without_a_condition_made_elsewhere_is_warned_of():
    plan = Plan("Bake.", [Step(1, "Stir.", "", CAKE.steps[0].causal_chain, "Why stir?", "It clots.")])
    fields = {"high_level_goal": "Bake.", "step_goal": "Stir.", "counterfactual_challenge_question": "Why stir?", "expected_challenge_outcome": "It clots.", "options": ["It clots.", "It burns.", "It melts.", "It rises."], "label": "A"}  # fmt: skip
    assert [(each.code, each.level) for each in CHOICE.problems(plan, 1, fields)] == [("fields.plan", "warning")]
    assert CHOICE.question(fields) == "Why stir?"
