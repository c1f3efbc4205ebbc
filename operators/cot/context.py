"""What a model is told of a sample beside its question: of the plan as little as the reasoning can rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from operators.cot.anchors import spoken
from operators.cot.plan import Affordance, Plan, Step
from operators.cot.tasks.fields import normalised, one_line
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Task

#: Fields that the answer, the question or other parts of the context say already, or that are only for checks.
_LEFT_OUT = frozenset(("high_level_goal", "label", "label_set", "K", "prefix_end_step", "proof"))
#: Characters of a text, and entries of a list, that are told.
_MOST_LETTERS, _MOST_ENTRIES = 400, 10

Pair = tuple[str, str]


def context_of(
    task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any], answer: str, anchors: Sequence[str]
) -> list[Pair]:
    """Names and one-line texts: the goal, the steps that the reasoning is about, and the task's own fields.

    What the answer or a required sentence says is not said again, nor is anything else.
    """
    told = {normalised(text) for text in (answer, *answer.splitlines(), *anchors)}
    found: list[Pair] = []
    for name, text in _all(task, plan, step_index, fields):
        key = normalised(text)
        if key and key not in told:
            told.add(key)
            found.append((name, text if name == "Options" else _short(text)))
    return found


def _all(task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any]) -> Iterator[Pair]:
    yield "High-level goal", one_line(plan.high_level_goal)
    for name, value in fields.items():
        if name == "options" and isinstance(value, Sequence):
            yield "Options", "; ".join(f"{letter}: {_told(each)}" for letter, each in zip(LETTERS, value, strict=False))
        elif name not in _LEFT_OUT and (text := _told(value)):
            yield spoken(name).capitalize(), text
    for step in steps_of(task, plan, step_index, fields):
        yield "Step", one_line(step.step_goal)
        yield "Its rationale", one_line(step.rationale)
        yield "Its action", one_line(step.causal_chain.action)
        for each in (
            *step.causal_chain.causal_precondition_on_affordance[:1],
            *step.causal_chain.causal_effect_on_affordance[:1],
        ):
            yield _why(each), one_line(each.reasons)


def steps_of(task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any]) -> list[Step]:
    """The step that is asked about and those that the required sentences are of, each once, in the plan's order."""
    of = task.anchor_steps(plan, step_index, fields)
    wanted = {step_index, of.conditions.step_id, of.effects.step_id, of.failure.step_id}
    return [step for step in plan.steps if step.step_id in wanted]


def _why(affordance: Affordance) -> str:
    kinds = ", ".join(spoken(kind) for kind in affordance.affordance_types[:2])
    return f"Why the {spoken(affordance.object_name)} is {kinds}"


def _told(value: object) -> str:
    """A field as one line; numbers alone are left out, as a reasoning names no steps by number."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        return "; ".join(text for each in value.values() if (text := _told(each)))
    if isinstance(value, Sequence):
        return "; ".join(_short(text) for each in value[:_MOST_ENTRIES] if (text := _told(each)))
    return ""


def _short(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
