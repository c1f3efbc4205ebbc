"""Task 28: samples written by hand, what is skipped and why, and fields that are not true."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from operators.cot.anchors import anchors_of
from operators.cot.evidence import KeyFrames
from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.tasks.dependency import InterStepDependency
from operators.cot.tasks.task import Draft, Skipped
from tests.cot.support.drawn import plans_with_facts
from tests.cot.tasks.laws import any_plan, check_lawful
from tests.cot.tasks.plans import CHINESE, LAMP, ONE, TEA, bare, codes, drafted, skipped, streams

TASK = InterStepDependency()


def step(
    step_id: int,
    goal: str,
    before: list[Spatial | Affordance],
    after: list[Spatial | Affordance],
    failure: Failure | None = None,
) -> Step:
    chain = CausalChain(
        causal_precondition_on_spatial=[each for each in before if isinstance(each, Spatial)],
        causal_precondition_on_affordance=[each for each in before if isinstance(each, Affordance)],
        causal_effect_on_spatial=[each for each in after if isinstance(each, Spatial)],
        causal_effect_on_affordance=[each for each in after if isinstance(each, Affordance)],
    )
    return Step(step_id, goal, causal_chain=chain, failure_reflecting=failure or Failure())


#: Each step's support is of another kind: synonym and plural, opposite and state, none, exact affordance beside a weaker relation.
SHELF = Plan(
    "Hang a shelf.",
    [
        step(3, "Lay the bracket\non the bench.", [], [Spatial("on_top_of", ["bracket", "bench"])]),
        step(
            5,
            "Open the case.",
            [Spatial("placed_on", ["brackets", "bench"])],
            [Spatial("open", ["tool_case"]), Affordance("screws", ["visible", "reachable"])],
        ),
        step(
            4,
            "Take a screw",
            [Spatial("closed", ["tool_case"], False), Affordance("screws", ["accessible"])],
            [Spatial("holding", ["right_hand", "screw"])],
            Failure("the screw falls.", "Pick it up."),
        ),
        step(6, "Mark the wall.", [Spatial("holding", ["left_hand", "pencil"])], [Spatial("near", ["hand", "wall"])]),
        step(7, "Rest.", [], [Spatial("in", ["hand", "glove"]), Affordance("hand", ["free"])]),
        step(8, "Wave.", [Spatial("inside", ["hand", "glove"]), Affordance("hand", ["free"])], []),
        step(9, "Bow.", [Spatial("on", ["hat", "head"])], []),
    ],
)

SAMPLES = {
    3: (
        {
            "high_level_goal": "Hang a shelf.",
            "step_n_goal": "Lay the bracket on the bench.",
            "step_next_goal": "Open the case.",
            "dependency_support": {
                "spatial": "placed_on(brackets, bench) => True",
                "affordance": "",
            },
        },
        'Completing "Lay the bracket on the bench." establishes placed_on(brackets, bench) => True, which directly'
        ' supports executing "Open the case." by satisfying its corresponding preconditions.',
    ),
    5: (
        {
            "high_level_goal": "Hang a shelf.",
            "step_n_goal": "Open the case.",
            "step_next_goal": "Take a screw",
            "dependency_support": {
                "spatial": "closed(tool_case) => False",
                "affordance": "screws: accessible",
            },
        },
        'Completing "Open the case." establishes closed(tool_case) => False, which directly supports executing'
        ' "Take a screw" by satisfying its corresponding preconditions.',
    ),
    7: (
        {
            "high_level_goal": "Hang a shelf.",
            "step_n_goal": "Rest.",
            "step_next_goal": "Wave.",
            "dependency_support": {
                "spatial": "inside(hand, glove) => True",
                "affordance": "hand: free",
            },
        },
        'Completing "Rest." establishes inside(hand, glove) => True, which directly supports executing "Wave." by satisfying its'
        " corresponding preconditions.",
    ),
}


def sample(step_id: int) -> dict[str, Any]:
    return dict(SAMPLES[step_id][0])


def told(step_id: int, **supports: object) -> dict[str, Any]:
    """The sample's fields with other supports."""
    return {**sample(step_id), "dependency_support": supports}


def test_a_plan_gives_a_sample_for_each_step_that_establishes_a_condition_of_the_next() -> None:
    made = list(TASK.drafts(SHELF, streams(TASK)))
    assert made == [
        Draft(3, SAMPLES[3][0]),
        Draft(5, SAMPLES[5][0]),
        Skipped(4, "no effect of the step establishes a condition of the next step"),
        Skipped(6, "the next step has no conditions"),
        Draft(7, SAMPLES[7][0]),
        Skipped(8, "the step has no effects"),
        Skipped(9, "no step follows"),
    ]


@pytest.mark.parametrize("step_id", SAMPLES)
def test_the_answer_names_the_surest_support_and_of_those_level_the_relation(step_id: int) -> None:
    fields, answer = SAMPLES[step_id]
    assert TASK.answer(fields) == answer
    assert TASK.question(fields) == (
        "How does the outcome of the previous step satisfy the preconditions for the next step?"
    )


def test_the_evidence_is_the_end_of_the_step_and_the_start_of_the_next() -> None:
    assert TASK.wanted(SHELF, 5, sample(5)) == KeyFrames(((5, "end"), (4, "start")))


def test_the_sentences_come_from_the_conditions_and_failure_of_the_next_step_and_the_effects_of_this_one() -> None:
    assert anchors_of(TASK.anchor_steps(SHELF, 5, sample(5))) == [
        "Spatially, the tool case must not be closed.",
        "Functionally, the screws must be accessible.",
        "After the action, spatially, the tool case will be open.",
        "After the action, functionally, the screws will be visible.",
        "A likely failure is that the screw falls.",
        "If that happens, Pick it up.",
    ]


@pytest.mark.parametrize("plan", [TEA, LAMP, SHELF], ids=["tea", "lamp", "shelf"])
def test_nothing_is_wrong_with_the_samples_that_a_plan_gives(plan: Plan) -> None:
    made = drafted(TASK, plan)
    assert made
    assert [codes(TASK, plan, draft.step_index, draft.fields) for draft in made] == [[]] * len(made)


def test_plans_that_support_nothing_are_skipped_step_by_step() -> None:
    assert skipped(TASK, ONE) == [Skipped(1, "no step follows")]
    assert skipped(TASK, bare("Go in.", "Sit down.")) == [
        Skipped(1, "the next step has no conditions"),
        Skipped(2, "no step follows"),
    ]
    assert [each.step_index for each in skipped(TASK, CHINESE)] == [1, 2, 3, 4, 5]


@settings(max_examples=30, deadline=None)
@given(any_plan())
def test_every_step_of_any_plan_is_a_sample_or_skipped(plan: Plan) -> None:
    assert [made.step_index for made in TASK.drafts(plan, streams(TASK))] == [each.step_id for each in plan.steps]


SAID = "placed_on(brackets, bench) => True"
WHOLE = {"effect": "on_top_of(bracket, bench) => True", "condition": SAID, "kind": "synonym", "strength": 0.9}


@pytest.mark.parametrize(
    "supports",
    [
        {"spatial": SAID, "affordance": ""},
        {"spatial": SAID, "affordance": None},
        {"spatial": [SAID]},
        {"spatial": [{"condition": SAID, "effect": WHOLE["effect"]}], "affordance": []},
        {"spatial": {"condition": SAID, "effect": "on_top_of(bracket, bench) => True"}},
        {"spatial": {**WHOLE, "condition": " placed_on(brackets,\n bench)  => True "}},
        {"spatial": WHOLE},
    ],
    ids=str,
)
def test_supports_that_others_wrote_in_another_shape_are_read(supports: dict[str, Any]) -> None:
    assert codes(TASK, SHELF, 3, told(3, **supports)) == []
    assert TASK.answer(told(3, **supports)) == SAMPLES[3][1]


def test_without_a_support_there_is_no_answer() -> None:
    with pytest.raises(LookupError):
        TASK.answer(told(3, spatial=None, affordance=""))


@pytest.mark.parametrize(
    "supports",
    [
        {"spatial": None, "affordance": None},
        {"spatial": "", "affordance": " "},
        {"spatial": [], "affordance": []},
        {},
        {"spatial": "placed_on(brackets, floor) => True"},
        {"spatial": "placed_on(brackets, bench) => False"},
        {"spatial": "placed_on(brackets, bench)"},
        {"spatial": "Placed_on(brackets, bench) => True"},
        {"spatial": "placed on(brackets, bench) => True"},
        {"spatial": {**WHOLE, "effect": "on_top_of(bracket, bench)"}},
        {"affordance": SAID},
        {"spatial": "on_top_of(bracket, bench) => True"},
        {"spatial": {**WHOLE, "effect": "on_top_of(bracket, table) => True"}},
        {"spatial": {**WHOLE, "kind": "same"}},
        {"spatial": {**WHOLE, "strength": 1.0}},
        {"spatial": {**WHOLE, "strength": 0.89}},
        {"spatial": [SAID, "placed_on(brackets, floor) => True"]},
        {"spatial": SAID, "affordance": "screws: reachable"},
    ],
    ids=str,
)
def test_a_support_that_the_plan_does_not_bear_out_is_told(supports: dict[str, Any]) -> None:
    assert codes(TASK, SHELF, 3, told(3, **supports)) == ["fields.support"]


def test_a_condition_of_the_next_step_that_no_effect_establishes_is_no_support() -> None:
    fields = {
        **sample(5),
        "step_n_goal": "Take a screw",
        "step_next_goal": "Mark the wall.",
        "dependency_support": {"spatial": "holding(left_hand, pencil) => True"},
    }
    assert codes(TASK, SHELF, 4, fields) == ["fields.support"]


@pytest.mark.parametrize(
    ("step_id", "changed", "code"),
    [
        (3, {"step_n_goal": "Open the case."}, "fields.plan"),
        (3, {"step_next_goal": "Take a nail"}, "fields.plan"),
        (3, {"step_next_goal": "Take a screw"}, "fields.support"),
        (3, {"high_level_goal": "Hang a lamp."}, "fields.plan"),
        (3, {"step_n_goal": 7}, "fields.type"),
        (3, {"step_next_goal": " "}, "fields.type"),
        (3, {"dependency_support": "inside(a, b) => True"}, "fields.type"),
        (3, {"dependency_support": {"spatial": 5}}, "fields.type"),
        (3, {"dependency_support": {"spatial": {**WHOLE, "strength": "0.9"}}}, "fields.type"),
        (3, {"dependency_support": {"spatial": {**WHOLE, "strength": True}}}, "fields.type"),
        (3, {"dependency_support": {"spatial": SAID, "temporal": SAID}}, "fields.unknown"),
        (3, {"dependency_support": None}, "fields.type"),
        (9, {}, "step.unknown"),
        (77, {}, "step.unknown"),
    ],
    ids=str,
)
def test_fields_that_are_not_true_are_told(step_id: int, changed: dict[str, Any], code: str) -> None:
    assert codes(TASK, SHELF, step_id, {**sample(3), **changed}) == [code]


WATER = Spatial("inside", ["water", "pot"])
#: What the first step leaves lasts until the third, and is undone before the last but one; the last has it anew.
STEW = Plan(
    "Make stew.",
    [
        step(1, "Fill the pot.", [], [WATER, Affordance("pot", ["heavy"])]),
        step(2, "Cut the leek.", [], [Affordance("leek", ["diced"])]),
        step(3, "Boil it.", [WATER, Affordance("leek", ["diced"])], [Affordance("water", ["hot"])]),
        step(4, "Empty the pot.", [], [Spatial("inside", ["water", "pot"], False)]),
        step(5, "Stir.", [WATER], [WATER]),
        step(6, "Taste it.", [], []),
        step(7, "Serve.", [WATER, Affordance("leek", ["diced"])], []),
    ],
)


def test_a_later_step_rests_on_the_last_that_left_its_condition_unless_one_undid_it() -> None:
    made = [(each.step_index, each.variant, each.fields["dependency_support"]) for each in drafted(TASK, STEW)]
    pot, leek = (
        {"spatial": "inside(water, pot) => True", "affordance": ""},
        {"spatial": "", "affordance": "leek: diced"},
    )
    assert made == [(1, "next=3", pot), (2, "", leek), (2, "next=7", leek), (5, "next=7", pot)]
    for draft in drafted(TASK, STEW):
        assert codes(TASK, STEW, draft.step_index, draft.fields) == []
    evidence = TASK.wanted(STEW, 1, drafted(TASK, STEW)[0].fields)
    assert evidence == KeyFrames(((1, "end"), (3, "start")))


@pytest.mark.parametrize(("at", "later"), [(1, "Stir."), (1, "Serve.")], ids=["undone", "left anew"])
def test_a_support_that_does_not_last_is_told(at: int, later: str) -> None:
    goals = {"step_n_goal": "Fill the pot.", "step_next_goal": later}
    support = {"spatial": "inside(water, pot) => True", "affordance": ""}
    fields = {"high_level_goal": "Make stew.", **goals, "dependency_support": support}
    assert codes(TASK, STEW, at, fields) == ["fields.support"]


def test_a_support_without_a_condition_is_told() -> None:
    fields = told(3, spatial={"effect": "on_top_of(bracket, bench) => True"})
    assert "fields.missing" in codes(TASK, SHELF, 3, fields)


@settings(max_examples=30, deadline=None)
@given(plans_with_facts())
def test_what_any_plan_gives_is_true_to_the_plan(plan: Plan) -> None:
    check_lawful(TASK, plan, 1)


@pytest.mark.parametrize("gone", ["high_level_goal", "step_n_goal", "step_next_goal", "dependency_support"])
def test_a_missing_field_is_told(gone: str) -> None:
    fields = {name: value for name, value in sample(3).items() if name != gone}
    assert codes(TASK, SHELF, 3, fields) == ["fields.missing"]
