"""AnchorWriter: the sentences that each sample's reasoning has to contain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from dataflow_ext import RowError, RowOperator
from dataflow_ext.columns import Columns
from operators.cot.anchors import anchors_of
from operators.cot.load import load_plan
from operators.cot.tasks import TASKS
from operators.cot.tasks.fields import form_problems


class AnchorWriter(RowOperator):
    """The required sentences of each sample, in their order, word for word from the plan's annotations.

    ``plan_file`` is the item's plan, ``fields`` the sample's as JSON text. A plan without a kind of entry has
    no sentence of that kind; a sample may have none at all.
    """

    inputs: ClassVar[Columns] = {"plan_file": Path, "task_name": str, "step_index": int, "fields": str}
    outputs: ClassVar[Columns] = {"anchors": list[str]}

    def row(self, plan_file: Path, task_name: str, step_index: int, fields: str) -> Mapping[str, list[str]]:
        """Take the sentences from the steps that the task says."""
        task = TASKS.get(task_name)
        if task is None:
            raise RowError(f"There is no task {task_name!r}.")
        told = _read(fields)
        if wrong := next((each for each in form_problems(task, told) if each.level == "error"), None):
            raise RowError(f"The column 'fields' is not what {task_name} has: {wrong.message}")
        plan = load_plan(plan_file)
        try:
            return {"anchors": anchors_of(task.anchor_steps(plan, step_index, told))}
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
