"""AnchorWriter: the sentences that each sample's reasoning has to contain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.cot.anchors import anchors_of
from operators.cot.load import load_plan
from operators.cot.tasks import TASKS


class AnchorWriter(RowOperator):
    """The required sentences of each sample, in their order, word for word from the plan's annotations.

    ``plan_file`` is the item's plan, ``fields`` the sample's as JSON text. A plan without a kind of entry has
    no sentence of that kind; a sample may have none at all.
    """

    inputs: ClassVar[Columns] = {"plan_file": Path, "task_name": str, "step_index": int, "fields": str}
    outputs: ClassVar[Columns] = {"anchors": list[str]}

    def row(self, plan_file: Path, task_name: str, step_index: int, fields: str) -> Mapping[str, list[str]]:
        """Take the sentences from the steps that the task says."""
        steps = TASKS[task_name].anchor_steps(load_plan(plan_file), step_index, json.loads(fields))
        return {"anchors": anchors_of(steps)}
