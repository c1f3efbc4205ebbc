"""TaskLimit: at most so many samples of each task."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns


class TaskLimit(Operator):
    """At most ``limit`` samples of each task over all items; the others are dropped rejects.

    Which ones stay rests on their ids, which are as good as random: not on their order, and spread over items.
    """

    rows: ClassVar[Any] = "filter"
    together = True
    inputs: ClassVar[Columns] = {"id": str, "task_name": str}

    limit: int = Field(ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Count each task's samples off in the order of their ids."""
        ids, tasks = table["id"].to_pylist(), table["task_name"].to_pylist()
        seen: Counter[str] = Counter()
        kept = []
        for i in sorted(range(table.num_rows), key=lambda i: (ids[i], i)):
            seen[tasks[i]] += 1
            if seen[tasks[i]] <= self.limit:
                kept.append(i)
        rows = sorted(kept)
        staying = set(rows)
        message = f"more than {self.limit} of the task"
        dropped = [Failure(i, message, "Dropped", kind="dropped") for i in range(table.num_rows) if i not in staying]
        return Made({}, rows, dropped)
