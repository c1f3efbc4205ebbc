"""Laws of bad plans over generated plans, counted again by a checker that knows no more than equal names."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.flaws.bad_plans import FLAW_TYPES
from operators.cot.plan import Plan
from operators.cot.sample import stream_of
from operators.cot.tasks.flawed_plan import FlawPointing, PlanRepair
from operators.cot.tasks.task import Draft, Skipped
from tests.cot.flaws.plans import step

#: Relations and affordances as plain as can be: none of their words means anything, none shares one with another.
RELATIONS = [f"rel{letter}(obj{letter})" for letter in "kmpqvwz"]
TOOLS = ["trig", "drog", "plon"]
USES = ["zorty", "blenk"]


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Four to eight steps, each needing and bringing about some of the same relations, some of them with a tool."""
    steps = []
    for i in range(1, draw(st.integers(4, 8)) + 1):
        needs: list[str] = draw(st.lists(st.sampled_from(RELATIONS), max_size=2, unique=True))
        brought = draw(st.lists(st.sampled_from(RELATIONS), min_size=1, max_size=2, unique=True))
        brings = [("not " if draw(st.integers(0, 5)) == 0 else "") + each for each in brought]
        tool: str | None = draw(st.sampled_from([None, None, *TOOLS]))
        if tool is not None:
            needs = [*needs, f"{tool}: {draw(st.sampled_from(USES))}"]
        goal = f"Carry out part {'abcdefgh'[i - 1]}."
        steps.append(step(i, goal, needs, brings, patient="lamp", tools=[tool] if tool else []))
    return Plan("Get it done.", steps)


def spots(plan: Plan, prefix: int, order: list[int]) -> set[tuple[int, str]]:
    """The broken relations of an order of steps (-1 for a step that the plan does not have)."""
    window = range(prefix + 1, prefix + 1 + len(order))
    found = set()
    for place, own in enumerate(order):
        if own < 0:
            continue
        done = [*range(prefix + 1), *(each for each in order[:place] if each >= 0)]
        for need in plan.steps[own].causal_chain.causal_precondition_on_spatial:
            told = [truth for each in done for truth in says(plan, each, need.relation)]
            later = [truth for each in window if each not in (*done, own) for truth in says(plan, each, need.relation)]
            if (told and not told[-1]) or (not told and True in later):
                found.add((own, need.relation))
    return found


def says(plan: Plan, position: int, relation: str) -> list[bool]:
    effects = plan.steps[position].causal_chain.causal_effect_on_spatial
    return [each.truth for each in effects if each.relation == relation]


def gives(plan: Plan, tool: str) -> set[str]:
    entries = [entry for each in plan.steps for entry in each.causal_chain.causal_precondition_on_affordance]
    return {use for entry in entries if entry.object_name == tool for use in entry.affordance_types}


def check(plan: Plan, fields: Any) -> None:
    """The bad plan breaks one condition more than gold, of the stated type."""
    prefix, bad, gold = fields["prefix_end_step"] - 1, fields["bad_plan_steps"], fields["gold_plan_steps"]
    goals = [each.step_goal for each in plan.steps]
    assert gold == goals[prefix + 1 : prefix + 1 + len(bad)]
    assert 3 <= len(bad) <= 6
    place, flaw_type = fields["flaw_step"] - 1, fields["flaw_type"]
    strange = [i for i, text in enumerate(bad) if text not in goals]
    altered = flaw_type in ("tool_mismatch", "hallucinated_object")
    order = [
        goals.index(gold[i] if altered and i in strange else text) if text in goals or altered else -1
        for i, text in enumerate(bad)
    ]
    before, after = spots(plan, prefix, list(range(prefix + 1, prefix + 1 + len(bad)))), spots(plan, prefix, order)
    assert before <= after
    assert len(after) - len(before) + len(strange) == 1
    if strange:
        assert strange == [place]
        check_strange(plan, flaw_type, bad[place], gold[place], fields)
    else:
        ((own, relation),) = after - before
        check_order(plan, flaw_type, order, order[place], own, relation)


def check_strange(plan: Plan, flaw_type: str, bad: str, gold: str, fields: Any) -> None:
    named = [tool for tool in TOOLS if tool in bad]
    if flaw_type == "tool_mismatch":
        owner, use = fields["proof"]["condition"].split(": ")
        assert [bad] == [gold.replace(".", f" using the {tool}.") for tool in named]
        assert named != [owner]
        assert use not in gives(plan, named[0])
    elif flaw_type == "hallucinated_object":
        name = fields["proof"]["condition"].removeprefix("The plan knows the ")
        start = gold.rstrip(".")
        assert bad in (f"{start} using the {name}.", f"{start} with the help of the {name}.")
        assert named == []
    else:
        assert flaw_type == "goal_mismatch"
        assert not bad.startswith(gold.rstrip("."))


def check_order(plan: Plan, flaw_type: str, order: list[int], flawed: int, own: int, relation: str) -> None:
    late = any(True in says(plan, each, relation) for each in order[order.index(own) :] if each < own)
    gold = sorted(order)
    moved = [i for i, each in enumerate(order) if gold[i] != each]
    exchange = len(moved) == 2 and moved[1] - moved[0] == 1
    assert flaw_type == ("precondition_missing" if late and exchange else "order_violation")
    if late:
        assert flawed == own
    else:
        assert says(plan, flawed, relation)[-1] is False
        assert flawed > own


@settings(max_examples=20, deadline=None)
@given(plan=plans(), seed=st.integers(0, 3))
def test_every_bad_plan_breaks_one_condition_more_than_gold_of_the_stated_type(plan: Plan, seed: int) -> None:
    for task in (FlawPointing(), PlanRepair()):
        for made in task.drafts(plan, partial(stream_of, seed, "p", task.name)):
            if isinstance(made, Draft):
                assert made.variant == made.fields["flaw_type"]
                check(plan, made.fields)
                assert list(task.problems(plan, made.step_index, made.fields)) == []


@settings(max_examples=10, deadline=None)
@given(plan=plans())
def test_there_is_one_sample_or_one_reason_for_each_prefix_and_type(plan: Plan) -> None:
    made = list(FlawPointing().drafts(plan, partial(stream_of, 1, "p", "t")))
    counted = Counter(each.step_index for each in made)
    last = len(plan.steps) - 3
    assert counted == {each.step_id: 1 if each.step_id > last else len(FLAW_TYPES) for each in plan.steps}
    assert all(
        each.reason and not any(letter.isdigit() for letter in each.reason)
        for each in made
        if isinstance(each, Skipped)
    )


@settings(max_examples=10, deadline=None)
@given(plan=plans())
def test_where_a_move_breaks_one_condition_there_is_a_sample(plan: Plan) -> None:
    """What is skipped for want of an order is not skipped for want of looking."""
    skipped = [
        each for each in FlawPointing().drafts(plan, partial(stream_of, 1, "p", "t")) if isinstance(each, Skipped)
    ]
    for each in skipped:
        if not each.reason.startswith("no exchange"):
            continue
        prefix = each.step_index - 1
        for k in range(3, min(6, len(plan.steps) - prefix - 1) + 1):
            gold = list(range(prefix + 1, prefix + 1 + k))
            for i in range(k - 1):
                order = [*gold[:i], gold[i + 1], gold[i], *gold[i + 2 :]]
                before, after = spots(plan, prefix, gold), spots(plan, prefix, order)
                if before <= after and len(after - before) == 1:
                    ((own, relation),) = after - before
                    assert not any(
                        True in says(plan, step, relation) for step in order[order.index(own) :] if step < own
                    )
