"""AnchorValidator: lets a sample pass if it breaks no rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows
from operators.cot.items import is_there, load_item
from operators.cot.problems import Problem
from operators.cot.rules.entry import entry_problems
from operators.cot.sample import GENERATOR, SAMPLE, columns, entry_of

#: The most broken rules that a reject names.
_NAMED = 8
#: Rows that are Python objects at one time.
_SLICE = 4096


class AnchorValidator(Operator):
    """The samples that break no rule; the others are rejects which name each broken rule by its code.

    Reads a finished sample's columns, and the plan and pictures below ``root`` themselves, so that fields that
    are not true to the plan are found. With ``strict``, warnings count as well. The rules are those by which
    files are checked (docs/cot_planning.md lists the codes).

    Options:
        strict: let warnings count, too.

    Rejects:
        RuleError: the sample breaks rules, each told by its code.

    Example:
        >>> from operators import AnchorWriter, CoTGenerator, CoTPlanReader, CoTSampleBuilder
        >>> from operators.cot.items import items
        >>> table = items(Path("examples/causal_plans"))
        >>> for step in (CoTPlanReader(), CoTSampleBuilder(tasks=(31,)), AnchorWriter(), CoTGenerator()):
        ...     table = step(table)
        >>> AnchorValidator()(table).num_rows == table.num_rows
        True
    """

    rows: ClassVar[Any] = "filter"
    # It looks at files that are no columns: what it found of them in an earlier run may be true no more.
    remembered = False
    inputs: ClassVar[Columns] = {**columns("root"), **SAMPLE, "assistant_generator": GENERATOR}

    strict: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Judge each row by itself."""
        # Asked once about the same: the samples of an item have one plan and show the same files.
        exists, item = lru_cache(1 << 16)(is_there), lru_cache(1 << 10)(load_item)
        judge = partial(entry_problems, exists=exists, items=item)
        return made_of_rows(self, table, lambda rows: (self._judged(row, judge) for row in rows), _SLICE)

    def _judged(self, row: Record, judge: Callable[[object, Path], list[Problem]]) -> Record | Failure:
        """An empty record for a good sample, else the rules that it breaks, each with its code."""
        try:
            found = judge(entry_of(row), Path(row["root"]))
        except (ValueError, RecursionError):
            found = [Problem("schema.type", "the column 'fields' holds no JSON")]
        counted = found if self.strict else [problem for problem in found if problem.level == "error"]
        more = [f"and {len(counted) - _NAMED} more"] if len(counted) > _NAMED else []
        return Failure(0, "; ".join([*map(str, counted[:_NAMED]), *more]), "RuleError") if counted else {}
