"""The figures of a run: rows in and out of every step, time, and what the models were asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.rejects import REJECT, split


@dataclass(slots=True)
class StepReport:
    """One step: rows in and out, rejects it made by kind, seconds, and whether it was remembered."""

    step: int
    operator: str
    rows_in: int
    rows_out: int
    failed: int = 0
    dropped: int = 0
    empty: int = 0
    seconds: float = 0.0
    remembered: bool = False

    def note(self) -> str:
        """The step in a few words, for a line of progress."""
        parts = [f"{self.rows_in} → {self.rows_out} rows"]
        parts += [f"{n} {kind}" for kind, n in self.rejects().items() if n]
        parts.append("remembered" if self.remembered else f"{self.seconds:.1f} s")
        return ", ".join(parts)

    def rejects(self) -> dict[str, int]:
        """Rejects this step made, by kind."""
        return {"failed": self.failed, "dropped": self.dropped, "empty": self.empty}


@dataclass(slots=True)
class Report:
    """All steps of a run and the use of models; ``str(report)`` is a small table."""

    steps: list[StepReport] = field(default_factory=list)
    models: Mapping[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "steps": [asdict(s) for s in self.steps],
            "models": {k: dict(v) for k, v in self.models.items()},
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        lines = [f"{s.step}. {s.operator}: {s.note()}" for s in self.steps]
        for name, used in self.models.items():
            lines.append(f"{name}: " + ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in used.items() if v))
        return "\n".join(lines + [f"warning: {w}" for w in self.warnings])


def step_report(
    number: int, operator: str, before: pa.Table, after: pa.Table, seconds: float, remembered: bool
) -> StepReport:
    """The figures of one step, counted from its input and output."""
    counts = {"failed": 0, "dropped": 0, "empty": 0}
    alive, dead = split(after)
    if dead is not None:
        records = dead.column(REJECT)
        mine = pc.equal(pc.struct_field(records, "step"), number)
        kinds = pc.value_counts(pc.struct_field(records, "kind").filter(mine))
        counts.update({c["values"]: c["counts"] for c in kinds.to_pylist()})
    return StepReport(
        number, operator, split(before)[0].num_rows, alive.num_rows,
        **counts, seconds=round(seconds, 3), remembered=remembered,
    )  # fmt: skip
