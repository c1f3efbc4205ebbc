"""Which tools can be taken for which others."""

from __future__ import annotations

from operators.cot.flaws.ground import ground_of
from operators.cot.plan import Plan, Step
from tests.cot.flaws.plans import step


def swaps(own: Step, *others: Step) -> list[tuple[str, str, str]]:
    plan = Plan("", [own, *others])
    return [(each.need.tool, each.other, each.lacked.text) for each in ground_of(plan).tools.swaps(own)]


FILE = step(1, "Smooth the edge.", ["file: abrasive", "file: graspable"], tools=["file"])


def test_a_tool_that_lacks_what_the_step_needs_can_be_taken_for_its_own() -> None:
    assert swaps(FILE, step(2, "Oil it.", tools=["oil_can"])) == [("file", "oil_can", "file: abrasive")]


def test_held_tools_come_before_other_objects() -> None:
    bar = step(2, "Lift.", ["lamp: bright", "bar: straight"])
    assert swaps(FILE, bar) == [("file", "lamp", "file: abrasive"), ("file", "bar", "file: abrasive")]
    assert swaps(FILE, bar, step(3, "Oil it.", tools=["oil_can"])) == [("file", "oil_can", "file: abrasive")]


def test_a_tool_to_which_any_annotation_gives_it_in_whatever_words_will_do() -> None:
    assert swaps(FILE, step(2, "Sand.", ["block: abrasive"], tools=["block"])) == []
    assert swaps(FILE, step(2, "Sand.", tools=["block"]), step(3, "Rest.", (), ["block: abrasive"])) == []
    sharp = step(1, "Carve it.", ["chisel: sharp"], tools=["chisel"])
    assert swaps(sharp, step(2, "Grind.", (), ["axe: sharpened"]), step(3, "Chop.", tools=["axe"])) == []


def test_a_tool_that_lacks_two_things_breaks_two_conditions() -> None:
    own = step(1, "Smooth the edge.", ["file: abrasive", "file: narrow"], tools=["file"])
    assert swaps(own, step(2, "Oil it.", tools=["oil_can"])) == []
    assert swaps(own, step(2, "Oil.", ["oil_can: narrow"], tools=["oil_can"])) == [
        ("file", "oil_can", "file: abrasive")
    ]


def test_what_every_tool_lends_itself_to_is_not_lacking() -> None:
    assert swaps(step(1, "Lift it.", ["bar: graspable"], tools=["bar"]), step(2, "Oil it.", tools=["oil_can"])) == []


def test_hands_agents_fixtures_materials_and_what_has_a_part_in_the_step_are_no_other_tools() -> None:
    own = step(
        1, "Smooth the edge of the bar.", ["file: abrasive", "clamped(vise, edge)"], patient="edge", tools=["file"]
    )
    others = [
        step(2, "Wave.", tools=["right_hand", "kitchen_counter", "robot"], agent="robot"),
        step(3, "Turn.", tools=["vise"]),
        step(4, "Lift.", ["bar: straight", "carrot: cuttable", "water: clear"]),
    ]
    assert swaps(own, *others) == []


def test_tools_of_one_family_stand_in_for_each_other() -> None:
    stir = step(1, "Stir the soup.", ["wooden_spoon: stirring"], tools=["wooden_spoon"])
    assert swaps(stir, step(2, "Eat.", ["fork: pointed", "tea_spoon: small"], tools=["fork", "tea_spoon"])) == []


def test_the_thing_that_is_worked_on_is_no_tool_of_the_step() -> None:
    own = step(1, "Smooth it.", ["file: abrasive"], patient="file", tools=["file"])
    assert swaps(own, step(2, "Oil it.", tools=["oil_can"])) == []


def test_a_state_that_some_step_brings_about_or_undoes_makes_no_tool_the_right_one() -> None:
    dispense = step(2, "Dispense.", ["pipette: loaded"], tools=["pipette"])
    stirrer = step(3, "Stir.", tools=["glass_rod"])
    assert swaps(dispense, stirrer) == [("pipette", "glass_rod", "pipette: loaded")]
    assert swaps(dispense, stirrer, step(1, "Draw it in.", (), ["pipette: loaded"])) == []
    assert swaps(dispense, stirrer, step(1, "Draw it in.", (), ["loaded(pipette)"])) == []
    precise = step(2, "Dispense.", ["pipette: loaded", "pipette: precise"], tools=["pipette"])
    loaded = step(1, "Draw it in.", (), ["pipette: loaded"])
    assert swaps(precise, stirrer, loaded) == []
    also = step(3, "Stir.", ["glass_rod: loaded"], tools=["glass_rod"])
    assert swaps(precise, also, loaded) == [("pipette", "glass_rod", "pipette: precise")]
