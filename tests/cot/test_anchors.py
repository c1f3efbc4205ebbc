"""Required sentences against those that a person wrote from the format's page."""

from collections.abc import Sequence
from typing import Any

import pytest

from operators.cot.anchors import AnchorSteps, anchors_of
from operators.cot.plan import Affordance, CausalChain, Failure, Spatial, Step
from operators.cot.texts import spoken


def step(reason: str = "", recovery: str = "", **chain: Sequence[Any]) -> Step:
    entries = {name: list(value) for name, value in chain.items()}
    return Step(1, "Do it.", causal_chain=CausalChain(**entries), failure_reflecting=Failure(reason, recovery))


def of(made: Step) -> list[str]:
    return anchors_of(AnchorSteps.of(made))


SPATIAL = [
    (Spatial("flat", ["tire"]), "the tire {} be flat."),
    (Spatial("flat", ["tire"], truth=False), "the tire {} not be flat."),
    (Spatial("inside", ["tube", "tire"]), "the tube {} be inside the tire."),
    (Spatial("inside", ["tube", "tire"], truth=False), "the tube {} not be inside the tire."),
    (Spatial("between", ["cup", "pot", "tin"]), "the relation between {} hold among the cup, the pot, the tin."),
    (
        Spatial("in_a_row", ["left_cup", "pot", "tin", "jar"], truth=False),
        "the relation in a row {} not hold among the left cup, the pot, the tin, the jar.",
    ),
    (Spatial("on_top_of", ["tea_cup", "kitchen_table"]), "the tea cup {} be on top of the kitchen table."),
    (Spatial(" on__top_of_ ", [" tea_cup", "table "]), "the tea cup {} be on top of the table."),
    (Spatial("里面", ["水", "水壶"]), "the 水 {} be 里面 the 水壶."),
    (Spatial("inside", ["tube", " ", "tire"]), "the tube {} be inside the tire."),
    (Spatial("inside", ["", "tire"]), "the tire {} be inside."),
]


@pytest.mark.parametrize(("entry", "wanted"), SPATIAL)
def test_a_relation_is_said_by_its_number_of_objects_and_its_truth(entry: Spatial, wanted: str) -> None:
    before, after = step(causal_precondition_on_spatial=[entry]), step(causal_effect_on_spatial=[entry])
    assert of(before) == [f"Spatially, {wanted.format('must')}"]
    assert of(after) == [f"After the action, spatially, {wanted.format('will')}"]


AFFORDANCES = [
    (Affordance("tire_lever", ["rigid", "graspable"]), "the tire lever {} be rigid."),
    (Affordance("pump", ["able_to_pump", "rigid"]), "the pump {} be able to pump."),
    (Affordance("pump", ["", "_", "rigid"]), "the pump {} be rigid."),
    (Affordance("水壶", ["可盛装"]), "the 水壶 {} be 可盛装."),
]


@pytest.mark.parametrize(("entry", "wanted"), AFFORDANCES)
def test_of_several_types_the_first_usable_is_said(entry: Affordance, wanted: str) -> None:
    before, after = step(causal_precondition_on_affordance=[entry]), step(causal_effect_on_affordance=[entry])
    assert of(before) == [f"Functionally, {wanted.format('must')}"]
    assert of(after) == [f"After the action, functionally, {wanted.format('will')}"]


FAILURES = [
    ("the cup slips", "the cup slips"),
    ("The cup slips.", "The cup slips"),
    ("the cup slips...", "the cup slips"),
    ("the cup slips!? ", "the cup slips"),
    (" the cup slips . ", "the cup slips"),
    ("the cup (2.5 l) slips.", "the cup (2.5 l) slips"),
    ("the_lever slips.", "the_lever slips"),
    ("水溢出来", "水溢出来"),
    ("水溢出来。", "水溢出来。"),  # the format drops . ! ? alone
]


@pytest.mark.parametrize(("text", "bare"), FAILURES)
def test_a_failure_and_a_recovery_are_said_without_the_stop_at_their_end(text: str, bare: str) -> None:
    assert of(step(reason=text)) == [f"A likely failure is that {bare}."]
    assert of(step(recovery=text)) == [f"If that happens, {bare}."]


def test_all_six_come_in_their_order_each_from_its_own_step() -> None:
    conditions = step(
        causal_precondition_on_spatial=[Spatial("in", ["tube", "tire"])],
        causal_precondition_on_affordance=[Affordance("lever", ["rigid"])],
        causal_effect_on_spatial=[Spatial("never", ["said"])],
        reason="never said",
    )
    effects = step(
        causal_precondition_on_affordance=[Affordance("never", ["said"])],
        causal_effect_on_spatial=[Spatial("outside", ["tube", "tire"])],
        causal_effect_on_affordance=[Affordance("tire", ["open"])],
        recovery="never said",
    )
    assert anchors_of(AnchorSteps(conditions, effects, step("the lever bends", "Take another one."))) == [
        "Spatially, the tube must be in the tire.",
        "Functionally, the lever must be rigid.",
        "After the action, spatially, the tube will be outside the tire.",
        "After the action, functionally, the tire will be open.",
        "A likely failure is that the lever bends.",
        "If that happens, Take another one.",
    ]


def test_what_a_plan_does_not_say_has_no_sentence() -> None:
    assert of(step()) == []
    assert of(step(reason=" . ", recovery="?!")) == []
    assert of(
        step(
            causal_precondition_on_spatial=[Spatial("", ["cup"]), Spatial("_", ["cup"]), Spatial("on", ["", "_"])],
            causal_precondition_on_affordance=[Affordance("", ["rigid"]), Affordance("cup", []), Affordance("cup", [""])],
        )
    ) == []  # fmt: skip


def test_the_first_usable_entry_counts() -> None:
    made = step(
        causal_precondition_on_spatial=[Spatial("on", []), Spatial("on", ["cup", "tray"]), Spatial("in", ["tea", "cup"])],
        causal_effect_on_affordance=[Affordance("cup", []), Affordance("tea", ["warm"]), Affordance("cup", ["full"])],
    )  # fmt: skip
    assert of(made) == [
        "Spatially, the cup must be on the tray.",
        "After the action, functionally, the tea will be warm.",
    ]


def test_a_sentence_is_one_line_whatever_the_plan_has() -> None:
    made = step(
        "the cup\nslips", "lift\u2028it\r\nagain.", causal_precondition_on_spatial=[Spatial("on\ntop", ["cup\tof tea"])]
    )
    assert of(made) == [
        "Spatially, the cup of tea must be on top.",
        "A likely failure is that the cup slips.",
        "If that happens, lift it again.",
    ]


def test_names_and_texts_are_made_ready_for_a_sentence() -> None:
    assert spoken("  tire__lever_ ") == "tire lever"
    assert of(step(" Is it dry?! ")) == ["A likely failure is that Is it dry."]
