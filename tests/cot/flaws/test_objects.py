"""Objects that a plan does not know, and steps that serve nothing."""

from __future__ import annotations

from random import Random

import pytest

from operators.cot.flaws.ground import Ground, ground_of
from operators.cot.flaws.idle import Idle, forms, idle_in, idle_steps
from operators.cot.flaws.objects import ROLES, domains, object_in
from operators.cot.plan import Plan, Step
from operators.cot.texts import normalised
from tests.cot.flaws.plans import BRACKET, step


def ground(goal: str, *steps: Step) -> Ground:
    return ground_of(Plan(goal, [*steps] or [step(1, "Go.")]))


def filled(one: Step, name: str = "kite") -> list[str]:
    return [slot.filled(name) for slot in ground("", one).slots(0)]


def test_there_are_many_objects_of_many_places_and_none_is_listed_twice() -> None:
    names = [each.name for domain in domains() for each in domain.objects]
    assert len(names) == len(set(names)) >= 60
    assert len(domains()) >= 10
    assert {each.role for domain in domains() for each in domain.objects} == set(ROLES)


def test_objects_are_of_places_that_no_word_of_the_plan_tells_of() -> None:
    known = [each.name for role in ROLES for each in ground("Rake the lawn, then tune the violin.").unknown[role]]
    assert not {"rake", "wheelbarrow", "lawn mower", "violin bow", "piano"} & set(known)
    assert {"suitcase", "tennis racket", "stretcher"} <= set(known)


def test_objects_of_which_the_plan_has_a_word_anywhere_are_left_out() -> None:
    known = [each.name for each in ground("Put the case on the bench.").unknown["into"]]
    assert "accordion case" not in known
    assert "suitcase" in known


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (step(1, "Put the tube into the tire.", (), ["inside(tube, tire)"], patient="tube"), ["Put the tube into the kite."]),
        (step(1, "Fetch the sieve and place in kitchen sink", (), ["inside(sieve, kitchen_sink)"], patient="sieve"), ["Fetch the sieve and place in the kite"]),
        (step(1, "Pry it off with two levers.", ["tire_lever: stiff"], patient="bead"), ["Pry it off with the kite."]),
        (step(1, "Press the valve core in.", ["on(valve, hub)"], patient="core"), ["Press the valve core in using the kite.", "Press the valve core in with the help of the kite."]),
        (step(1, "Swirl the cup until it is even.", patient="cup"), ["Swirl the cup using the kite until it is even.", "Swirl the cup with the help of the kite until it is even."]),
        (step(1, "Pour it into the jar of jam.", (), ["inside(milk, jar)"]), ["Pour it into the jar of jam using the kite.", "Pour it into the jar of jam with the help of the kite."]),
        (step(1, "Dust the lamp with care.", patient="lamp"), []),
        (step(1, "把水倒进水壶。", patient="水"), []),
    ],
)  # fmt: skip
def test_an_object_is_put_in_place_of_a_thing_other_than_the_patient_or_else_behind(
    one: Step, expected: list[str]
) -> None:
    assert filled(one) == expected


def test_what_a_thing_is_put_into_and_what_it_is_done_with_are_of_different_kinds() -> None:
    one = step(1, "Move it from the box to the tray with the tongs.", ["tongs: firm"], ["in(it, box)", "on(it, tray)"])
    assert [slot.role for slot in ground("", one).slots(0)] == ["tool", "into", "onto"]
    fastened = step(1, "Attach the tip to the pen.", (), ["on(tip, pen)"], patient="tip")
    assert [slot.role for slot in ground("", fastened).slots(0)] == ["tool"]


def test_what_is_put_in_is_found_again_and_only_that() -> None:
    of = ground_of(BRACKET)
    slots = of.slots(2)
    for slot in slots:
        for each in of.unknown[slot.role]:
            assert object_in(slot.filled(each.name), slots, of.unknown) == each.name
            assert object_in(slot.filled(each.name).upper(), slots, of.unknown) is None
            assert object_in(slot.filled(each.name).upper(), slots, of.unknown, normalised) == each.name
    assert object_in("Hold the bracket against the brush.", slots, of.unknown) is None
    assert object_in("Hold the bracket against the.", slots, of.unknown) is None
    assert object_in("Hold the bracket against the suitcase.", slots, of.unknown) is None


def idle_of(plan: Plan) -> dict[str, list[str]]:
    return {form.text: things for form, things in idle_steps(ground_of(plan).words, -1, len(plan.steps))}


def test_things_are_neither_hands_nor_agents_nor_stuff_nor_lists() -> None:
    one = step(
        1,
        "Go.",
        ["holding(left_hand, red_cup)", "near(robot, red_cup)"],
        ["on(cup_and_saucer, tray)", "inside(hot_water, red_cup)", "flowing(water_stream)"],
        agent="robot",
    )
    made = idle_of(Plan("", [one]))
    assert made["Check the {} for a price tag"] == ["red cup", "tray"]
    assert made["Carry the {} to another room and back"] == ["red cup"]
    assert not any("Open" in text for text in made)


def test_only_what_is_picked_up_and_not_fixed_to_something_is_carried_about() -> None:
    steps = [
        step(1, "Go.", ["holding(hands, tube)", "lamp: graspable", "on(bowl, table)"], ["inside(tube, tire)"]),
        step(2, "Open the door.", ["open(fridge_door)"]),
    ]
    made = idle_of(Plan("", steps))
    assert made["Carry the {} to another room and back"] == ["lamp"]
    assert made["Open and close the {} once more and leave {it} as before"] == ["fridge door"]


@pytest.mark.parametrize("goal", ["Sell the lamp.", "Find what it will cost."])
def test_a_step_that_might_serve_the_plan_is_not_made(goal: str) -> None:
    plan = Plan(goal, [step(1, "Dust the lamp.", patient="lamp")])
    words = ground_of(plan).words
    made = idle_of(plan)
    assert "Check the {} for a price tag" not in made
    assert "Count the scratches on the {}" in made
    assert idle_in("Check the lamp for a price tag", words) is None
    assert idle_in("Count the scratches on the moon", words) is None


def test_every_form_is_read_as_itself_and_speaks_of_several_things_rightly() -> None:
    one = step(1, "Go.", ["holding(hands, gears)", "holding(hands, cog)", "shut(locker)", "shut(lockers)"])
    words = ground("", one).words
    for form in forms():
        for thing in ["locker"] if form.kind == "opened" else ["gears", "cog"]:
            idle = Idle(form, thing)
            assert idle_in(f"{idle.text}.", words) == idle
            assert thing in idle.reason
    texts = {Idle(form, "gears").text for form in forms()}
    assert "Pick up the gears and place them back on the same spot" in texts
    assert "finds out how wide the gears are" in Idle(forms()[3], "gears").reason


def test_forms_are_drawn_evenly() -> None:
    from operators.cot.flaws.bad_plans import BadPlan, drawn_flaw

    steps = [step(i, f"Do part {'abcd'[i - 1]}.", ["holding(hands, cog)"], patient="cog") for i in (1, 2, 3, 4)]
    plan = Plan("Get it done.", steps)
    drawn = [drawn_flaw(plan, 0, "goal_mismatch", Random(seed)) for seed in range(440)]
    bad = [each.bad[each.proof.flaw_step - 1] for each in drawn if isinstance(each, BadPlan)]
    counts = [bad.count(text) for text in set(bad)]
    expected = 440 / len(counts)
    assert len(counts) == sum(form.kind != "opened" for form in forms())
    assert sum((count - expected) ** 2 / expected for count in counts) < 45  # chi-square, 21 degrees, p about 0.002
