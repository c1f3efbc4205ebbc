"""Facts: a plan's entries one by one, and their text there and back."""

from __future__ import annotations

import pytest

from operators.cot.plan import Affordance, CausalChain, Plan, Spatial, Step
from operators.cot.support.facts import (
    Fact,
    affordance_facts,
    conditions_of,
    effects_of,
    fact_of,
    spatial_fact,
    things_of,
)

STEP = Step(
    1,
    "Pour the tea.",
    causal_chain=CausalChain(
        patient="green_tea",
        causal_precondition_on_spatial=[
            Spatial("Above", ["pot spout", "cup"]),
            Spatial("covering", ["lid", "cup"], False),
            Spatial(" ", ["cup"]),
            Spatial("near", ["", " "]),
            Spatial("Above", ["pot spout", "cup"]),
        ],
        causal_precondition_on_affordance=[
            Affordance("pot", ["tiltable", "", "hot"]),
            Affordance("", ["hot"]),
            Affordance("cup", []),
        ],
        causal_effect_on_spatial=[Spatial("in\u2028side", ["tea", "", "cup\n"])],
        causal_effect_on_affordance=[Affordance("cup", ["drinkable"])],
    ),
)


def test_conditions_come_in_the_plans_order_each_once_and_without_what_has_no_name() -> None:
    assert conditions_of(STEP) == (
        Fact("spatial", "Above", ("pot spout", "cup")),
        Fact("spatial", "covering", ("lid", "cup"), False),
        Fact("affordance", "tiltable", ("pot",)),
        Fact("affordance", "hot", ("pot",)),
    )


def test_effects_are_told_on_one_line() -> None:
    assert [fact.text for fact in effects_of(STEP)] == ["in side(tea, cup) => True", "cup: drinkable"]


def test_the_text_keeps_the_plans_spelling() -> None:
    assert [fact.text for fact in conditions_of(STEP)] == [
        "Above(pot spout, cup) => True",
        "covering(lid, cup) => False",
        "pot: tiltable",
        "pot: hot",
    ]


def test_a_step_without_entries_has_no_facts() -> None:
    assert conditions_of(Step(2, "Rest.")) == effects_of(Step(2, "Rest.")) == ()
    assert spatial_fact(Spatial("", ["cup"])) is None
    assert affordance_facts(Affordance("cup", [" "])) == ()


def test_things_are_all_that_the_plan_names() -> None:
    assert things_of(Plan("Serve.", [STEP, Step(2, "Rest.")])) == {"pot spout", "cup", "lid", "pot", "tea", "green_tea"}


def test_steps_that_are_equal_but_not_the_same_have_equal_facts() -> None:
    again = Step(1, STEP.step_goal, causal_chain=STEP.causal_chain)
    assert conditions_of(again) == conditions_of(STEP)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("inside(tea, cup) => True", Fact("spatial", "inside", ("tea", "cup"))),
        ("inside( tea ,cup )  =>  False", Fact("spatial", "inside", ("tea", "cup"), False)),
        ("open(lid) => True", Fact("spatial", "open", ("lid",))),
        ("cup: drinkable", Fact("affordance", "drinkable", ("cup",))),
        ("杯子: 可用", Fact("affordance", "可用", ("杯子",))),
        ("inside(tea, cup)", None),
        ("inside(tea, cup) => maybe", None),
        ("inside(, ) => True", None),
        ("cup", None),
        ("", None),
    ],
)
def test_a_text_is_read_as_a_fact_or_as_none(text: str, fact: Fact | None) -> None:
    assert fact_of(text) == fact
