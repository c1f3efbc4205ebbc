"""AnchorWriter: the sentences that each sample's reasoning has to contain."""

from __future__ import annotations

from typing import ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.cot.anchors import anchors_of
from operators.cot.items import load_plan
from operators.cot.sample import columns, read_fields
from operators.cot.tasks import task_named
from operators.cot.tasks.task import form_problems

#: Rows that are Python objects at one time.
_SLICE = 4096


class AnchorWriter(Operator):
    """The required sentences of each sample, in their order, word for word from the plan's annotations.

    ``plan_file`` is the item's plan, ``fields`` the sample's as JSON text. A plan without a kind of entry has
    no sentence of that kind; a sample may have none at all.

    Rejects:
        RowError: no sample of a task, or of a step that the plan has.
        PlanError: a plan that cannot be read.

    Example:
        >>> import json
        >>> plan = "examples/causal_plans/bike_workshop_tube/causal_plan_with_keyframes.json"
        >>> row = {"plan_file": plan, "step_index": 1, "task_name": "Task_29_Next_Action_Prediction"}
        >>> told = {"high_level_goal": "Replace the tube.", "current_step_goal": "…", "next_step_goal": "…"}
        >>> AnchorWriter()([{**row, "fields": json.dumps(told)}])["anchors"].to_pylist()[0][0]
        'Spatially, the hands must be holding the tire lever.'
    """

    inputs: ClassVar[Columns] = columns("plan_file task_name step_index fields")
    outputs: ClassVar[Columns] = columns("anchors")

    def batch(self, table: pa.Table) -> Made:
        """Write the sentences of one sample after the other."""
        progress.expect(table.num_rows, "samples")
        return made_of_rows(self, table, lambda rows: map(_written, rows), _SLICE)


def _written(row: Record) -> Outcome:
    """The sentences of the steps that the task says; RowError for a row that is none of a sample."""
    try:
        task = task_named(row["task_name"])
        told, at = read_fields(row["fields"]), row["step_index"]
        if wrong := next((each for each in form_problems(task, told) if each.level == "error"), None):
            raise RowError(f"The column 'fields' is not what {row['task_name']} has: {wrong.message}")
        plan = load_plan(row["plan_file"])
        try:
            return {"anchors": anchors_of(task.anchor_steps(plan, at, told))}
        except LookupError as error:
            raise RowError(f"{row['task_name']} cannot be asked about step {at} of the plan: {error}") from None
    except Exception as error:
        return error
    finally:
        progress.advance()
