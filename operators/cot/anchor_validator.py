"""AnchorValidator: lets a sample pass if it breaks no rule."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded
from operators.cot.problems import Problem
from operators.cot.rules.entry import entry_problems
from operators.cot.sample import SAMPLE, AssistantGenerator, entry_of

#: The most broken rules that a reject names.
_NAMED = 8


class AnchorValidator(Operator):
    """The samples that break no rule; the others are rejects which name each broken rule by its code.

    Reads a finished sample's columns, and the plan and pictures below ``root`` themselves, so that fields that
    are not true to the plan are found. With ``strict``, warnings count as well. The rules are those by which
    files are checked (docs/cot_planning.md lists the codes).
    """

    rows: ClassVar[Any] = "filter"
    # It looks at files that are no columns: what it found of them in an earlier run may be true no more.
    remembered = False
    inputs: ClassVar[Columns] = {"root": str, **SAMPLE, "assistant_generator": AssistantGenerator}

    strict: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Judge each row by itself."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        exists = _seen_once()
        rows: list[int] = []
        for i in range(table.num_rows):
            if i in wrong:
                continue
            row = {name: values[i] for name, values in columns.items()}
            reason = self._reason(row, exists)
            if reason is None:
                rows.append(i)
            else:
                failures.append(Failure(i, reason, "RuleError"))
        return Made({}, rows, failures)

    def _reason(self, row: Mapping[str, Any], exists: Callable[[str], bool]) -> str | None:
        """The rules that a sample breaks, each with its code; None for a good one."""
        try:
            entry = entry_of(row)
        except (ValueError, RecursionError):
            return str(Problem("schema.type", "the column 'fields' holds no JSON"))
        try:
            found = entry_problems(entry, Path(row["root"]), exists=exists)
        except Exception as error:
            # What the rules cannot cope with is no good sample, and costs no other row its place.
            told = f"the rules cannot be applied to the sample ({type(error).__name__}: {error})"
            found = [Problem("schema.value", told)]
        counted = found if self.strict else [problem for problem in found if problem.level == "error"]
        more = [f"and {len(counted) - _NAMED} more"] if len(counted) > _NAMED else []
        return "; ".join([*map(str, counted[:_NAMED]), *more]) or None


def _seen_once() -> Callable[[str], bool]:
    """Whether a file exists, asked once a path: the samples of an item show the same files."""
    return lru_cache(maxsize=65536)(os.path.exists)
