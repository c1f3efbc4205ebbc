"""Samples of tasks 35 and 36 with one field damaged: each damage is told by its code."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from operators.cot.tasks.task import Draft
from tests.cot.flaws.plans import BRACKET
from tests.cot.tasks.test_flawed_plan import (
    CLEAN,
    FASTEN,
    GOLD,
    HOLD,
    POINTING,
    REPAIR,
    UNPACK,
    pointing,
    problems,
    repair,
)

# What is wrong with fields, and the code by which it is told.
Damage = Callable[[dict[str, Any]], Any]


def reason(text: str) -> Damage:
    return lambda f: f.update(label=f["label"].partition("Reason=")[0] + "Reason=" + text)


POINTING_DAMAGES: dict[str, tuple[str, str, Damage]] = {
    "another prefix end": ("goal_mismatch", "fields.plan", lambda f: f.update(prefix_end_step=20)),
    "another goal": ("goal_mismatch", "fields.plan", lambda f: f.update(high_level_goal="Rest.")),
    "no goal": ("goal_mismatch", "fields.missing", lambda f: f.pop("high_level_goal")),
    "no label": ("goal_mismatch", "fields.missing", lambda f: f.pop("label")),
    "K as text": ("goal_mismatch", "fields.type", lambda f: f.update(K="3")),
    "K too great": ("goal_mismatch", "fields.k", lambda f: f.update(K=4)),
    "K too small": ("goal_mismatch", "fields.k", lambda f: f.update(K=2)),
    "K huge": ("goal_mismatch", "fields.k", lambda f: f.update(K=10**400)),
    "gold reworded": ("tool_mismatch", "fields.plan", lambda f: f["gold_plan_steps"].__setitem__(1, "Hold it.")),
    "gold in another order": ("tool_mismatch", "fields.plan", lambda f: f["gold_plan_steps"].reverse()),
    "gold too short": ("tool_mismatch", "fields.k", lambda f: f["gold_plan_steps"].pop()),
    "bad too long": ("tool_mismatch", "fields.k", lambda f: f["bad_plan_steps"].append(UNPACK)),
    "bad is gold": ("tool_mismatch", "fields.proof", lambda f: f.update(bad_plan_steps=list(GOLD))),
    "bad has a step twice": ("order_violation", "fields.proof", lambda f: f["bad_plan_steps"].__setitem__(1, FASTEN)),
    "bad harmless": ("order_violation", "fields.proof", lambda f: f.update(bad_plan_steps=[HOLD, CLEAN, FASTEN])),
    "bad with a step of the prefix": ("goal_mismatch", "fields.proof", lambda f: f["bad_plan_steps"].__setitem__(0, UNPACK)),
    "two strange steps": ("goal_mismatch", "fields.proof", lambda f: f["bad_plan_steps"].__setitem__(1, "Hum a tune.")),
    "strange step and wrong order": ("goal_mismatch", "fields.proof", lambda f: f["bad_plan_steps"].reverse()),
    "object that the plan knows": (
        "hallucinated_object",
        "fields.proof",
        lambda f: f["bad_plan_steps"].__setitem__(0, "Clean the frame with the bracket."),
    ),
    "tool that belongs there": (
        "tool_mismatch",
        "fields.proof",
        lambda f: f["bad_plan_steps"].__setitem__(0, "Clean the frame with the small brush."),
    ),
    "flaw step": ("precondition_missing", "fields.proof", lambda f: f.update(flaw_step=3)),
    "flaw step in fields and label": (
        "precondition_missing",
        "fields.proof",
        lambda f: f.update(flaw_step=3, label=f["label"].replace("FlawStep=2", "FlawStep=3")),
    ),
    "flaw step in the label": (
        "precondition_missing",
        "fields.label",
        lambda f: f.update(label=f["label"].replace("FlawStep=2", "FlawStep=3")),
    ),
    "flaw type": ("precondition_missing", "fields.proof", lambda f: f.update(flaw_type="order_violation")),
    "flaw type in fields and label": (
        "goal_mismatch",
        "fields.proof",
        lambda f: f.update(
            flaw_type="hallucinated_object", label=f["label"].replace("goal_mismatch", "hallucinated_object")
        ),
    ),
    "flaw type that there is not": ("tool_mismatch", "fields.proof", lambda f: f.update(flaw_type="mismatch")),
    "flaw type in the label": (
        "order_violation",
        "fields.label",
        lambda f: f.update(label=f["label"].replace("order_violation", "goal_mismatch")),
    ),
    "reason": ("precondition_missing", "fields.label", reason("It comes too early.")),
    "reason of another condition": (
        "precondition_missing",
        "fields.label",
        reason('It requires "wrench: sturdy" as a causal precondition, but this bad plan only establishes it later.'),
    ),
    "reason of another object": ("hallucinated_object", "fields.label", reason("It needs the ladder.")),
    "reason on two lines": ("goal_mismatch", "fields.label", reason("It serves nothing.\nReally.")),
    "no reason": ("goal_mismatch", "fields.label", reason("")),
    "label without its parts": ("goal_mismatch", "fields.label", lambda f: f.update(label="goal_mismatch")),
    "proof of another condition": (
        "precondition_missing",
        "fields.proof",
        lambda f: f["proof"].update(condition="wrench: sturdy"),
    ),
    "proof of another step": ("precondition_missing", "fields.proof", lambda f: f["proof"].update(step=30)),
    "proof of another prerequisite": ("order_violation", "fields.proof", lambda f: f["proof"].update(prerequisite=20)),
    "proof by another match": ("order_violation", "fields.proof", lambda f: f["proof"].update(match="synonym")),
    "proof of another strength": ("order_violation", "fields.proof", lambda f: f["proof"].update(strength=0.9)),
    "proof without a part": ("order_violation", "fields.missing", lambda f: f["proof"].pop("match")),
    "proof as text": ("order_violation", "fields.type", lambda f: f.update(proof="yes")),
}  # fmt: skip


@pytest.mark.parametrize("name", POINTING_DAMAGES)
def test_a_damaged_field_of_task_35_is_told_by_its_code(name: str) -> None:
    flaw_type, code, damage = POINTING_DAMAGES[name]
    fields = json.loads(json.dumps(pointing(flaw_type).fields))
    damage(fields)
    found = problems(POINTING, BRACKET, Draft(10, fields, flaw_type))
    assert code in {each.code for each in found if each.level == "error"}, found


REPAIR_DAMAGES: dict[str, tuple[str, Damage]] = {
    "label in another order": ("fields.label", lambda f: f["label"].reverse()),
    "label too short": ("fields.label", lambda f: f["label"].pop()),
    "label as text": ("fields.type", lambda f: f.update(label="\n".join(f["label"]))),
    "K wrong": ("fields.k", lambda f: f.update(K=4)),
    "bad is gold": ("fields.proof", lambda f: f.update(bad_plan_steps=list(GOLD))),
    "flaw type": ("fields.proof", lambda f: f.update(flaw_type="tool_mismatch")),
    "flaw step": ("fields.proof", lambda f: f.update(flaw_step=1)),
    "gold and label reworded": (
        "fields.plan",
        lambda f: (f["gold_plan_steps"].__setitem__(0, "Sing."), f["label"].__setitem__(0, "Sing.")),
    ),
}


@pytest.mark.parametrize("name", REPAIR_DAMAGES)
def test_a_damaged_field_of_task_36_is_told_by_its_code(name: str) -> None:
    code, damage = REPAIR_DAMAGES[name]
    fields = json.loads(json.dumps(repair("precondition_missing").fields))
    damage(fields)
    found = problems(REPAIR, BRACKET, Draft(10, fields))
    assert code in {each.code for each in found if each.level == "error"}, found
