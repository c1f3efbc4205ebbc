"""Recoveries of many trades, each with the label that a person gave it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from operators.cot.plan import Affordance, CausalChain, Failure, Spatial, Step
from operators.cot.plan_files import parse_plan
from operators.cot.support.facts import Fact, fact_of


def held_out() -> list[tuple[Step, Step, str]]:
    """The same of a set that another person labelled, whole steps as plans have them."""
    rows = json.loads(Path(__file__).with_name("held_out.json").read_text(encoding="utf-8"))
    return [(*_two_steps(row), row["label"]) for row in rows]


def _two_steps(row: dict[str, Any]) -> tuple[Step, Step]:
    following = {"step_id": 2, "step_goal": row["next_step_goal"]}
    first = {name: part for name, part in row["step"].items() if name != "critical_frames"}
    plan = parse_plan(json.dumps({"high_level_goal": "any", "steps": [first, following]}).encode())
    return plan.steps[0], plan.steps[1]


def labelled(of: str) -> list[tuple[Step, Step, str]]:
    """The step with its recovery, the next step, and the label, of one of the sets in the file."""
    rows = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return [(step_of(row), Step(2, row["next_goal"]), row["label"]) for row in rows if row["set"] == of]


def step_of(row: dict[str, Any]) -> Step:
    before, after = (list(map(fact, row[name])) for name in ("conditions", "effects"))
    chain = CausalChain("hands", row["action"], row["patient"], *apart(before), *apart(after))
    return Step(1, row["goal"], causal_chain=chain, failure_reflecting=Failure(row["reason"], row["recovery"]))


def fact(text: str) -> Fact:
    found = fact_of(text)
    assert found is not None, text
    return found


def apart(facts: list[Fact]) -> tuple[list[Spatial], list[Affordance]]:
    spatial = [Spatial(each.name, list(each.objects), each.truth) for each in facts if each.kind == "spatial"]
    return spatial, [Affordance(each.objects[0], [each.name]) for each in facts if each.kind == "affordance"]
