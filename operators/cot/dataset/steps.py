"""Steps with labels of a data set, for process reward models: the marks of rules written again, each label proven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dataflow_ext.claims.marks import stripped
from dataflow_ext.claims.steps import labelled
from dataflow_ext.errors import RowError
from operators.cot.anchors import anchors_of
from operators.cot.claims.world import PlanWorld, world_of
from operators.cot.dataset.trainers import asked
from operators.cot.output.turn import reasoning_of as told_reasoning
from operators.cot.plan import Plan
from operators.cot.reasoning.closings import Answered
from operators.cot.reasoning.paths import conditions, effects
from operators.cot.reasoning.speaking import bare, state_of
from operators.cot.reasoning.writer import cut_of, reasoning_of
from operators.cot.sample import stream_of
from operators.cot.tasks import TASKS
from operators.cot.tasks.fields import form_problems


def step_rows(entry: Mapping[str, Any], plan: Plan, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Two rows for a sample that rules wrote: its proven steps, all true, and the same up to one that is made false.

    ``prompt``, ``completions`` and ``labels`` as TRL's stepwise format has them; ``marked`` are the steps with their
    marks, ``id`` says which sample they are of. A file holds no marks: they are those with which the rules write the
    same text again. A text that they do not write
    has no rows, nor has a sample that the plan does not bear out.
    """
    meta = entry["meta"]
    task, at, fields = TASKS[meta["task_name"]], meta["step_index"], meta["fields"]
    if any(form_problems(task, fields)):
        return
    try:
        anchors = anchors_of(task.anchor_steps(plan, at, fields))
        marked = reasoning_of(task, answered_of(entry, plan), anchors, entry["id"])
    except (LookupError, RowError):
        return
    if stripped(marked) != told_reasoning(entry["conversations"][1]["value"])[0]:
        return
    draw = stream_of(seed, meta["source_path"], entry["id"], at, "steps")
    for row in labelled(asked(entry), marked, step_world(entry, plan), draw, _called(plan)):
        yield {"id": entry["id"], **row}


def step_world(entry: Mapping[str, Any], plan: Plan) -> PlanWorld:
    """The world in which the steps of a sample are proven."""
    return world_of(plan, cut_of(answered_of(entry, plan)))


def answered_of(entry: Mapping[str, Any], plan: Plan) -> Answered:
    """A sample as its closing sees it."""
    meta = entry["meta"]
    task = TASKS[meta["task_name"]]
    return Answered(task.number, plan, meta["step_index"], meta["fields"], task.answer(meta["fields"]))


def _called(plan: Plan) -> dict[str, str]:
    """What a text calls the steps and facts of a plan, by their names in claims."""
    facts = (pair for step in plan.steps for pair in (*conditions(step), *effects(step)))
    goals = {str(step.step_id): bare(step.step_goal) for step in plan.steps}
    return goals | {name: state_of(fact) for name, fact in facts}
