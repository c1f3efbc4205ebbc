"""What went into each step of a run and out of it, and why the rest did not go on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from dataflow_ext.report.figures import StepReport
from dataflow_ext.report.parts import Part, grid

#: A step: its name, rows ``in``, ``added`` by a split, ``out``, and the ``reasons`` of the others, counted.
Level: TypeAlias = Mapping[str, Any]


def funnel(steps: Iterable[StepReport], rejects: pa.Table) -> list[dict[str, Any]]:
    """The levels of a run. What came in and what was added is what went out, and what was rejected with a reason."""
    reasons: dict[int, Counter[str]] = defaultdict(Counter)
    for reject in rejects.select(["step", "error"]).to_pylist():
        reasons[reject["step"]][reject["error"]] += 1
    return [
        {
            "step": step.operator,
            "in": step.rows_in,
            "added": step.rows_out + reasons[step.step].total() - step.rows_in,
            "out": step.rows_out,
            "reasons": dict(sorted(reasons[step.step].items())),
        }
        for step in steps
    ]


def counted(reasons: Mapping[str, int]) -> str:
    """Counted reasons as words.

    >>> counted({"NoAnswer": 3, "LostPicture": 1})
    '3 NoAnswer, 1 LostPicture'
    """
    return ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())


def funnel_part(levels: Sequence[Level]) -> Part:
    """The levels as a table of a page; what was added is told where anything was."""
    names = [name for name in ("in", "added", "out") if any(level.get(name) for level in levels)]
    rows = [(level["step"], counted(level["reasons"]), *(level.get(name) for name in names)) for level in levels]
    return grid(("step", "why not", *names), rows, left=2)
