"""What a model is told of a sample beside its question: of the plan as little as the reasoning can rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from operators.cot.anchors import spoken
from operators.cot.plan import Affordance, Plan, Step
from operators.cot.reasoning.paths import conditions, effects
from operators.cot.tasks.fields import normalised, one_line
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Task

#: Fields that the answer, the question or other parts of the context say already, or that are only for checks.
_LEFT_OUT = frozenset(("high_level_goal", "label", "label_set", "K", "prefix_end_step", "proof"))
#: Characters of a text, and entries of a list, that are told.
_MOST_LETTERS, _MOST_ENTRIES = 400, 12

_STEP, _OPTIONS, _MARKS = "Step", "Options", "Names for marks"

Pair = tuple[str, str]


def context_of(
    task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any], besides: Sequence[str]
) -> list[Pair]:
    """Names and one-line texts: the goal, the task's own fields, the steps that the reasoning is about, their facts.

    What is part of what is told ``besides`` (question, answer, required sentences), or already, is not told again.
    """
    told = [normalised(text) for text in besides]
    found: list[Pair] = []
    for name, text in _all(task, plan, step_index, fields):
        key = normalised(text)
        # A step is always named, as what follows is about it.
        if key and (name == _STEP or not any(key in each for each in told)):
            told.append(key)
            found.append(
                (name, text if name in (_OPTIONS, _MARKS) or len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…")
            )
    return found


def _all(task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any]) -> Iterator[Pair]:
    yield "High-level goal", one_line(plan.high_level_goal)
    if isinstance(options := fields.get("options"), Sequence):
        yield _OPTIONS, "; ".join(f"{letter}: {_told(each)}" for letter, each in zip(LETTERS, options, strict=False))
    for name, value in fields.items():
        if name not in _LEFT_OUT and name != "options":
            yield spoken(name).capitalize(), _told(value)
    of = task.anchor_steps(plan, step_index, fields)
    for step in plan.steps:
        if step is of.conditions:
            yield from _needs(step)
        elif step is of.effects or step is of.failure:
            yield _STEP, one_line(step.step_goal)
        if step is of.effects:
            yield from _whys(step.causal_chain.causal_effect_on_affordance)
    steps = {step.step_id: step for step in (of.conditions, of.effects)}.values()
    facts = (f"{name} {fact.text}" for step in steps for name, fact in (*conditions(step), *effects(step)))
    yield _MARKS, "; ".join(facts)


def _needs(step: Step) -> Iterator[Pair]:
    yield _STEP, one_line(step.step_goal)
    yield "Its rationale", one_line(step.rationale)
    yield "Its action", one_line(step.causal_chain.action)
    yield from _whys(step.causal_chain.causal_precondition_on_affordance)


def _whys(affordances: Sequence[Affordance]) -> Iterator[Pair]:
    """Why an object is what a required sentence says of it."""
    for each in affordances[:1]:
        kinds = ", ".join(spoken(kind) for kind in each.affordance_types[:2])
        yield f"Why the {spoken(each.object_name)} is {kinds}", one_line(each.reasons)


def _told(value: object) -> str:
    """A field as one line; numbers alone are left out, as a reasoning names no steps by number."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        # Of an effect that establishes a condition, the condition is what the answer names.
        return _told([value["condition"]] if "condition" in value else list(value.values()))
    if isinstance(value, Sequence):
        return "; ".join(dict.fromkeys(text for each in value[:_MOST_ENTRIES] if (text := _told(each))))
    return ""
