"""Limit: at most so many rows, in all or of each group."""

from __future__ import annotations

from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.identity import ROW_ID
from operators.table.groups import groups_of, told


class Limit(Operator):
    """At most ``limit`` rows, in all or of each group of rows that agree in ``by``.

    Which ones stay rests on ``order``, by default the rows' ids, which are as good as random: not on where they
    stand. Those that stay keep their order.

    Reads:
        row_id: the rows' ids; the columns that ``by`` and ``order`` name, of any type, are read too.

    Options:
        limit: the most rows of a group.
        by: the columns that a group's rows agree in; without any, all rows are one group.
        order: the column of texts or numbers whose smallest values stay.

    Rejects:
        Dropped: a row beyond the limit.

    Example:
        >>> rows = [{"kind": "a", "n": 3}, {"kind": "a", "n": 1}, {"kind": "b", "n": 2}]
        >>> Limit(limit=1, by=["kind"], order="n")(rows)["n"].to_pylist()
        [1, 2]
    """

    rows: ClassVar[Any] = "filter"
    together: ClassVar[bool] = True
    inputs: ClassVar[Columns] = {ROW_ID: str}

    limit: int = Field(ge=1)
    by: tuple[str, ...] = ()
    order: str = ROW_ID

    def needed_inputs(self) -> Columns:
        """The columns that ``by`` and ``order`` name."""
        return {**dict.fromkeys((*self.by, self.order), Any), **self.inputs}

    def batch(self, table: pa.Table) -> Made:
        """Count each group's rows off in their order."""
        values = table[self.order].to_pylist()
        kept: list[int] = []
        failures: list[Failure] = []
        for key, rows in groups_of(table, self.by).items():
            ranked = sorted(rows, key=lambda row: (values[row] is None, values[row], row))
            kept += ranked[: self.limit]
            message = f"more than {self.limit} {told(self.by, key)}"
            failures += [Failure(row, message, "Dropped", kind="dropped") for row in ranked[self.limit :]]
        return Made({}, sorted(kept), failures)
