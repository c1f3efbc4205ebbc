"""parse_plan: what a plan is read as, and every way in which it may be none."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from operators.cot.plan import (
    Affordance,
    CausalChain,
    Failure,
    Hotspot,
    Interaction,
    KeyFrame,
    Plan,
    Spatial,
    Step,
)
from operators.cot.plan_files import PlanError, cleaned, parse_plan
from tests.cot.plans_on_disk import a_plan, a_step


def parsed(value: object) -> Plan:
    return parse_plan(value if isinstance(value, bytes) else json.dumps(value).encode())


def why(value: object) -> str:
    with pytest.raises(PlanError) as caught:
        parsed(value)
    return str(caught.value)


def with_step(**more: Any) -> dict[str, Any]:
    return a_plan({"step_id": 1, "step_goal": "Boil water.", **more})


def with_chain(**more: Any) -> dict[str, Any]:
    return with_step(causal_chain=more)


def test_every_part_of_a_plan_is_read():
    chain = {
        "agent": "hand",
        "action": "heat",
        "patient": "water",
        "causal_precondition_on_spatial": [{"relation": "in", "objects": ["water", "pot"], "truth": False}],
        "causal_precondition_on_affordance": [
            {"object_name": "pot", "affordance_types": ["firm", "dry"], "reasons": "Steel."}
        ],
        "causal_effect_on_spatial": [{"relation": "above", "objects": ["steam", "pot"]}],
        "causal_effect_on_affordance": [{"object_name": "water", "affordance_types": ["hot"]}],
    }
    spot = {"description": "The knob.", "affordance_type": "turnable", "mechanism": "It opens the gas."}
    frame = {
        "frame_index": 3,
        "action_state_change_description": "It bubbles.",
        "causal_chain": chain,
        "interaction": {"tools": ["hand"], "materials": ["water"], "hotspot": spot},
    }
    step = {
        "step_id": 7,
        "step_goal": "Boil water.",
        "rationale": "Tea needs heat.",
        "causal_chain": chain,
        "counterfactual_challenge_question": "What if it is cold?",
        "expected_challenge_outcome": "No tea.",
        "failure_reflecting": {"reason": "The gas is out.", "recovery_strategy": "Light it."},
        "critical_frames": [frame, {"frame_index": 9}],
        "notes": {"of": ["the annotator"]},
    }
    its_chain = CausalChain(
        "hand",
        "heat",
        "water",
        [Spatial("in", ["water", "pot"], False)],
        [Affordance("pot", ["firm", "dry"], "Steel.")],
        [Spatial("above", ["steam", "pot"], True)],
        [Affordance("water", ["hot"], "")],
    )
    its_spot = Hotspot("The knob.", "turnable", "It opens the gas.")
    first = KeyFrame(3, "It bubbles.", its_chain, Interaction(["hand"], ["water"], its_spot))
    assert parsed({"high_level_goal": "Have tea.", "version": 2, "steps": [step]}) == Plan(
        "Have tea.",
        [
            Step(
                7,
                "Boil water.",
                "Tea needs heat.",
                its_chain,
                "What if it is cold?",
                "No tea.",
                Failure("The gas is out.", "Light it."),
                [first, KeyFrame(9)],
            )
        ],
    )


def test_what_is_optional_may_be_missing_or_null():
    bare = Plan("Have tea.", [Step(1, "Boil water.")])
    nothing = dict.fromkeys(
        ("rationale", "causal_chain", "counterfactual_challenge_question", "failure_reflecting", "critical_frames")
    )
    assert parsed(with_step()) == bare
    assert parsed(with_step(**nothing)) == bare
    assert parsed(with_chain(agent=None, causal_effect_on_spatial=None)) == bare


def test_entries_without_a_name_are_dropped_and_empty_names_too():
    relations = [
        {"relation": "in", "objects": ["", " water ", "\u200b"]},
        {"relation": " ", "objects": ["pot"]},
        {"relation": "in", "objects": [""]},
        {"relation": "in"},
        {},
    ]
    affordances = [
        {"object_name": "pot", "affordance_types": ["", "firm"]},
        {"object_name": "", "affordance_types": ["firm"]},
        {"object_name": "pot", "affordance_types": []},
    ]
    chain = with_chain(causal_precondition_on_spatial=relations, causal_effect_on_affordance=affordances)
    assert parsed(chain).steps[0].causal_chain == CausalChain(
        causal_precondition_on_spatial=[Spatial("in", ["water"])],
        causal_effect_on_affordance=[Affordance("pot", ["firm"])],
    )


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  the \t red\r\n\n cup ", "the red cup"),
        ("a\u2028b\u2029c\x85d\x0be\x1cf\u3000g\u00a0h", "a b c d e f g h"),
        ("re\u200bd\ufeff c\u00adup\x00\x1b[31m\u202e", "red cup[31m"),
        ("a \u200b b \u3164 c", "a b c"),
        ("把水倒入杯子。", "把水倒入杯子。"),
        ("naïve 🍵", "naïve 🍵"),
    ],
)
def test_texts_are_one_line_without_what_cannot_be_seen(text, clean):
    assert cleaned(text) == clean
    assert parsed(with_step(rationale=text)).steps[0].rationale == clean


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"\xff\xfe{}", "not UTF-8 (byte 0); save it as UTF-8."),
        (b"", "not JSON (Expecting value: line 1 column 1 (char 0))."),
        (b'{"high_level_goal": NaN}', "not JSON (NaN is no number in JSON)."),
        (b'{"x": -Infinity}', "not JSON (-Infinity is no number in JSON)."),
        (b"[" * 100_000, "not JSON that can be read: it is nested too deep."),
        (b'{"a":' * 100_000, "not JSON that can be read: it is nested too deep."),
        ([], "$: an object is wanted, this is a list."),
        ({}, "$.high_level_goal: it is missing; $.steps: it is missing."),
        ({"high_level_goal": " ", "steps": []}, "$.high_level_goal: it is empty; $.steps: it is empty."),
        (
            {"high_level_goal": 1, "steps": {}},
            "$.high_level_goal: a text is wanted, this is 1; $.steps: a list of objects is wanted, this is an object.",
        ),
        (a_plan(3), "$.steps[0]: an object is wanted, this is 3."),  # type: ignore[arg-type]
        (a_plan(*[a_step(n, "Go on.") for n in range(1, 1002)]), "$.steps: 1,001 steps are no plan; the most is 1,000."),
        (
            a_plan({"step_goal": "\u200b"}),
            "$.steps[0].step_id: it is missing; $.steps[0].step_goal: it is empty.",
        ),
        (
            a_plan(a_step(3, "A."), a_step(4, "B."), a_step(3, "C.")),
            "$.steps[2].step_id: 3 is used already by $.steps[0].",
        ),
        (with_step(rationale=["x"]), "$.steps[0].rationale: a text is wanted, this is a list."),
        (with_step(failure_reflecting="x"), '$.steps[0].failure_reflecting: an object is wanted, this is "x".'),
        (with_step(failure_reflecting={"reason": 1.5}), "$.steps[0].failure_reflecting.reason: a text is wanted, this is 1.5."),
        (with_step(causal_chain=[]), "$.steps[0].causal_chain: an object is wanted, this is a list."),
        (with_chain(action={}), "$.steps[0].causal_chain.action: a text is wanted, this is an object."),
        (
            with_chain(causal_effect_on_spatial={"relation": "in"}),
            "$.steps[0].causal_chain.causal_effect_on_spatial: a list of objects is wanted, this is an object.",
        ),
        (
            with_chain(causal_effect_on_spatial=[{"relation": "in", "objects": "cup", "truth": "no"}]),
            '$.steps[0].causal_chain.causal_effect_on_spatial[0].objects: a list of texts is wanted, this is "cup"; '
            '$.steps[0].causal_chain.causal_effect_on_spatial[0].truth: true or false is wanted, this is "no".',
        ),
        (
            with_chain(causal_precondition_on_affordance=[{"affordance_types": ["firm", None]}]),
            "$.steps[0].causal_chain.causal_precondition_on_affordance[0].affordance_types[1]: "
            "a text is wanted, this is null.",
        ),
        (
            with_step(critical_frames=[{"frame_index": 1}]),
            "$.steps[0].critical_frames: two frames are wanted, start and end, these are 1.",
        ),
        (with_step(critical_frames=[]), "$.steps[0].critical_frames: two frames are wanted, start and end, these are 0."),
        (
            with_step(critical_frames=[{"frame_index": 0}, {"frame_index": 2.0}]),
            "$.steps[0].critical_frames[0].frame_index: a whole number from 1 is wanted, this is 0; "
            "$.steps[0].critical_frames[1].frame_index: a whole number from 1 is wanted, this is 2.0.",
        ),
        (
            with_step(critical_frames=[{"frame_index": 1, "interaction": {"tools": [1], "hotspot": 2}}, 3]),
            "$.steps[0].critical_frames[0].interaction.hotspot: an object is wanted, this is 2; "
            "$.steps[0].critical_frames[0].interaction.tools[0]: a text is wanted, this is 1; "
            "$.steps[0].critical_frames[1]: an object is wanted, this is 3.",
        ),
        (
            with_step(rationale="a\ud800b"),
            "$.steps[0].rationale: it holds half of a surrogate pair, which is no character.",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_plan_is_told_by_json_path(value, message):
    assert why(value) == message


@pytest.mark.parametrize(
    ("given", "shown"),
    [(True, "true"), (0, "0"), (-1, "-1"), (1.0, "1.0"), ("1", '"1"'), (2**63, "9223372036854775808"), (10**400, "a huge number")],
)  # fmt: skip
def test_a_step_id_is_a_whole_number_from_1_that_a_column_can_hold(given, shown):
    told = f"$.steps[0].step_id: a whole number from 1 is wanted, this is {shown}."
    assert why(a_plan({"step_id": given, "step_goal": "Go on."})) == told


def test_the_largest_step_id_is_read():
    assert parsed(a_plan({"step_id": 2**63 - 1, "step_goal": "Go on."})).steps[0].step_id == 2**63 - 1


def test_a_message_names_five_problems_and_counts_the_rest():
    steps = [{"step_id": 0, "step_goal": ""} for _ in range(4)]
    message = why(a_plan(*steps))
    assert message.count("$.") == 5
    assert message.endswith("; and 3 more.")


def test_a_byte_order_mark_is_no_problem():
    assert parse_plan(b"\xef\xbb\xbf" + json.dumps(with_step()).encode()).high_level_goal == "Have tea."


KEYS = [
    "high_level_goal", "steps", "step_id", "step_goal", "causal_chain", "critical_frames", "frame_index", "interaction",
    "causal_effect_on_spatial", "causal_effect_on_affordance", "relation", "objects", "truth", "affordance_types", "hotspot",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(JSON, JSON)
@example({"step_id": {}}, [])
def test_a_plan_is_read_or_refused_and_never_anything_else(step, steps):
    for value in (a_plan(step), {"high_level_goal": "x", "steps": steps}, steps):
        try:
            plan = parsed(value)
        except PlanError as error:
            assert str(error).endswith(".")
        else:
            assert all(each.step_id > 0 and each.step_goal == cleaned(each.step_goal) != "" for each in plan.steps)
