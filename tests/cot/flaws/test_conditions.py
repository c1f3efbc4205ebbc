"""Which conditions a sequence of steps breaks."""

from __future__ import annotations

import pytest

import operators.cot.flaws.ground
from operators.cot.flaws.ground import Act, Alteration, Broken, PlanConditions
from operators.cot.plan import Plan
from tests.cot.flaws.plans import BRACKET, JAR, TWOFOLD, step


def broken(plan: Plan, prefix: int, *order: int | Act) -> list[tuple[int, str, str, int]]:
    acts = [each if isinstance(each, Act) else Act(plan.steps[each].step_goal, each) for each in order]
    found = PlanConditions(plan).broken(prefix, acts)
    return [(each.step, each.condition, each.how, each.cause) for each in found]


AGAINST = "against(bracket, frame) => True"
OPEN = "open(jar) => True"


def test_the_plan_in_its_own_order_breaks_nothing() -> None:
    assert broken(BRACKET, 0, 1, 2, 3) == []
    assert broken(JAR, 0, 1, 2, 3) == []
    assert broken(TWOFOLD, 0, 1, 2, 3) == []


def test_a_condition_is_late_while_a_step_that_establishes_it_is_still_to_come() -> None:
    assert broken(BRACKET, 0, 1, 3, 2) == [(3, AGAINST, "late", 2)]
    assert broken(BRACKET, 1, 3, 2) == [(3, AGAINST, "late", 2)]


def test_every_condition_counts() -> None:
    assert broken(TWOFOLD, 0, 2, 1, 3) == [(2, "ra(aa) => True", "late", 1), (2, "rb(bb) => True", "late", 1)]


def test_a_condition_is_undone_by_the_last_step_that_concerns_it() -> None:
    assert broken(JAR, 0, 2, 1, 3) == [(1, OPEN, "undone", 2)]
    again = Plan("", [*JAR.steps, step(5, "Open the jar.", (), ["open(jar)"])])
    assert broken(again, 0, 2, 4, 1, 3) == []
    assert broken(again, 0, 4, 2, 1, 3) == [(1, OPEN, "undone", 2)]


def test_what_the_prefix_undid_is_late_if_gold_mends_it_before_the_step() -> None:
    steps = [step(1, "Close it.", (), ["not open(jar)"]), step(2, "Open it.", (), ["open(jar)"])]
    plan = Plan("", [*steps, step(3, "Look in.", ["open(jar)"]), step(4, "Go.")])
    assert broken(plan, 0, 2, 1, 3) == [(2, OPEN, "late", 1)]


def test_gold_is_not_spotless() -> None:
    steps = [step(1, "Close it.", (), ["not open(jar)"]), step(2, "Look in.", ["open(jar)"])]
    plan = Plan("", [*steps, step(3, "Shake it.", ["mixed(jam)"]), step(4, "Stir it.", (), ["mixed(jam)"])])
    assert broken(plan, 0, 1, 2, 3) == [(1, OPEN, "undone", 0), (2, "mixed(jam) => True", "late", 3)]


def test_a_step_that_is_left_out_comes_later() -> None:
    idle = Act("Hum a tune.", None, Alteration("purpose", "It serves something"))
    assert broken(BRACKET, 0, 1, idle, 3) == [(-1, "It serves something", "purpose", -1), (3, AGAINST, "late", 2)]
    assert broken(BRACKET, 0, idle, 1, 2) == [(-1, "It serves something", "purpose", -1)]


def test_an_altered_step_keeps_its_conditions_and_effects() -> None:
    altered = Act("Hold it with tongs.", 2, Alteration("object", "The plan knows the tongs"))
    assert broken(BRACKET, 0, 1, altered, 3) == [(2, "The plan knows the tongs", "object", -1)]
    assert broken(BRACKET, 0, 1, 3, altered) == [
        (3, AGAINST, "late", 2),
        (2, "The plan knows the tongs", "object", -1),
    ]


def test_conditions_are_met_in_other_words_and_the_match_is_told() -> None:
    steps = [step(1, "Start."), step(2, "Pour.", (), ["contains(jar, jam)"]), step(3, "Eat.", ["inside(jam, jar)"])]
    plan = Plan("", steps)
    acts = [Act("Eat.", 2), Act("Pour.", 1)]
    found = PlanConditions(plan).broken(0, acts)
    assert found == [Broken(2, "inside(jam, jar) => True", "late", 1, "order", 0.95)]


def test_of_the_steps_before_a_window_the_last_that_touches_a_condition_counts() -> None:
    turns = [step(i, f"Turn {i}.", (), ["not open(jar)" if i % 2 else "open(jar)"]) for i in range(1, 5)]
    plan = Plan("", [*turns, *(step(i, f"Look {i}.", ["open(jar)"]) for i in (5, 6, 7))])
    assert broken(plan, 3, 4, 5, 6) == []
    shut = Plan("", [*plan.steps[:3], *plan.steps[4:]])
    assert broken(shut, 2, 3, 4, 5) == [(i, OPEN, "undone", 2) for i in (3, 4, 5)]


def test_the_work_for_a_long_plan_grows_with_its_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    module = operators.cot.flaws.ground
    support_of = module.support_of
    monkeypatch.setattr(module, "support_of", lambda *args: looked_at.append(1) or support_of(*args))
    steps = [step(i, f"Turn {i}.", [f"on(cup, shelf{i})"], [f"on(cup, shelf{i + 1})"]) for i in range(200)]
    made = PlanConditions(Plan("", steps))
    for prefix in range(196):
        made.broken(prefix, [Act("", i) for i in range(prefix + 1, prefix + 4)])
    assert 0 < len(looked_at) <= 200 * 8
