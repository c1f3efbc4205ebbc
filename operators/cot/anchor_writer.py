"""AnchorWriter: the sentences that each sample's reasoning has to contain."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded, encoded
from operators.cot.anchors import anchors_of
from operators.cot.load import load_plan
from operators.cot.plan import Plan
from operators.cot.sample import columns
from operators.cot.tasks import TASKS
from operators.cot.tasks.fields import form_problems

#: Rows that are Python objects at one time, and plans that are at hand.
_SLICE, _PLANS = 4096, 1024


class AnchorWriter(Operator):
    """The required sentences of each sample, in their order, word for word from the plan's annotations.

    ``plan_file`` is the item's plan, ``fields`` the sample's as JSON text. A plan without a kind of entry has
    no sentence of that kind; a sample may have none at all.

    Rejects:
        RowError: no sample of a task, or of a step that the plan has.
        PlanError: a plan that cannot be read.

    Example:
        >>> plan = "examples/causal_plans/bike_workshop_tube/causal_plan_with_keyframes.json"
        >>> row = {"plan_file": plan, "step_index": 1, "task_name": "Task_29_Next_Action_Prediction"}
        >>> told = {"high_level_goal": "Replace the tube.", "current_step_goal": "…", "next_step_goal": "…"}
        >>> AnchorWriter()([{**row, "fields": json.dumps(told)}])["anchors"].to_pylist()[0][0]
        'Spatially, the hands must be holding the tire lever.'
    """

    inputs: ClassVar[Columns] = columns("plan_file task_name step_index fields")
    outputs: ClassVar[Columns] = columns("anchors")

    def batch(self, table: pa.Table) -> Made:
        """Write the sentences of one sample after the other; each plan is looked up once."""
        sentences: list[list[str]] = []
        rows: list[int] = []
        failures: list[Failure] = []
        plan_of = lru_cache(_PLANS)(load_plan)
        for start in range(0, table.num_rows, _SLICE):
            columns, wrong = decoded(table.slice(start, _SLICE), self.inputs)
            for i, values in enumerate(zip(*columns.values(), strict=True), start):
                try:
                    if error := wrong.get(i - start):
                        raise error
                    sentences.append(_sentences(plan_of, *values))
                    rows.append(i)
                except Exception as error:
                    failures.append(Failure.of(i, error))
                progress.advance()
        return Made(encoded([{"anchors": each} for each in sentences], self.outputs), rows, failures)


def _sentences(
    plan_of: Callable[[Path], Plan], plan_file: Path, task_name: str, step_index: int, fields: str
) -> list[str]:
    """Those of the steps that the task says; RowError for a row that is none of a sample."""
    task = TASKS.get(task_name)
    if task is None:
        raise RowError(f"There is no task {task_name!r}.")
    told = _read(fields)
    if wrong := next((each for each in form_problems(task, told) if each.level == "error"), None):
        raise RowError(f"The column 'fields' is not what {task_name} has: {wrong.message}")
    try:
        return anchors_of(task.anchor_steps(plan_of(plan_file), step_index, told))
    except LookupError as error:
        raise RowError(f"{task_name} cannot be asked about step {step_index} of the plan: {error}") from None


def _read(fields: str) -> Mapping[str, Any]:
    try:
        told = json.loads(fields)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, Mapping):
        raise RowError("The column 'fields' holds no JSON object.")
    return told
