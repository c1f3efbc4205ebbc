"""TopK: the best rows, in all or of each group."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.identity import ROW_ID
from operators.table.groups import groups_of, told


class TopK(Operator):
    """The ``best`` rows by their score, in all or of each group of rows that agree in ``by``.

    Of rows with the same score those with the smaller ids stay. Rows that stay keep their order.

    Reads:
        row_id: the rows' ids; the columns that ``by`` names, of any type, are read too.
        score: the higher the better; ``reads={"score": "points"}`` takes another column.

    Options:
        best: the most rows of a group.
        by: the columns that a group's rows agree in; without any, all rows are one group.

    Rejects:
        Dropped: a row that is not among the best.

    Example:
        >>> rows = [{"room": "a", "score": 0.3}, {"room": "a", "score": 0.9}, {"room": "b", "score": 0.1}]
        >>> TopK(best=1, by=["room"])(rows)["score"].to_pylist()
        [0.9, 0.1]
    """

    rows: ClassVar[Any] = "filter"
    together: ClassVar[bool] = True
    inputs: ClassVar[Columns] = {ROW_ID: str, "score": float}

    best: int = Field(default=1, ge=1)
    by: tuple[str, ...] = ()

    def needed_inputs(self) -> Columns:
        """The score, and the columns that ``by`` names."""
        return {**dict.fromkeys(self.by, Any), **self.inputs}

    def batch(self, table: pa.Table) -> Made:
        """Rank the rows of each group."""
        ids, scores = table[ROW_ID].to_pylist(), table["score"].to_pylist()
        failures = [Failure(row, f"the score {s} is no number") for row, s in enumerate(scores) if not math.isfinite(s)]
        odd = {failure.row for failure in failures}
        kept: list[int] = []
        for key, rows in groups_of(table, self.by).items():
            ranked = sorted((row for row in rows if row not in odd), key=lambda row: (-scores[row], ids[row]))
            kept += ranked[: self.best]
            for rank, row in enumerate(ranked[self.best :], self.best + 1):
                message = f"rank {rank} of {len(ranked)} {told(self.by, key)}: score {scores[row]:g}"
                failures.append(Failure(row, message, "Dropped", kind="dropped"))
        return Made({}, sorted(kept), failures)
