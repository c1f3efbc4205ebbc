"""The figures of a run and of its steps, and what went into each step and out of it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.models.budget import Usage
from dataflow_ext.rejects import REJECT, split
from dataflow_ext.report.parts import Part, grid
from dataflow_ext.tracebacks import Trace

if TYPE_CHECKING:
    from dataflow_ext.models import Session
    from dataflow_ext.report.rejects import Traces
    from dataflow_ext.wiring import Names

#: A step: its name, rows ``in``, ``added`` by a split, ``out``, and the ``reasons`` of the others, counted.
Level: TypeAlias = Mapping[str, Any]


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


@dataclass(frozen=True, slots=True)
class Stop:
    """So many rows were not done because of this error, which may pass; the message is the first row's."""

    error: str
    rows: int
    message: str

    def __str__(self) -> str:
        return f"{self.rows} row{'s' if self.rows != 1 else ''}: {self.message}"


@dataclass(slots=True)
class Report:
    """All steps of a run and the use of models; ``str(report)`` is a small table.

    ``models`` has the figures of :class:`~dataflow_ext.models.Usage` for each model, ``calls`` those of each
    step and model. ``stopped`` counts, by error, the rows that were not done for a reason that may pass (a
    server that is down, a budget that is used up), with one message of each. ``tracebacks`` has the
    first of each kind of error in the steps that were done: the step, the error's type, its place in the code.
    ``details`` are figures that the pipeline itself adds, by name. ``wiring`` has the columns of each step. ``traces``
    gives the lives of rows by their ids, where the run still has its tables. ``unread`` counts the lines of the input
    that are rejects because they could not be read.
    """

    steps: list[StepReport] = field(default_factory=list)
    models: Mapping[str, Usage] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    calls: Mapping[tuple[str, str], Usage] = field(default_factory=dict)
    stopped: list[Stop] = field(default_factory=list)
    tracebacks: list[Trace] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    wiring: Sequence[Names] = ()
    traces: Traces | None = field(default=None, repr=False, compare=False)
    unread: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "steps": [asdict(s) for s in self.steps],
            "models": {name: used.as_dict() for name, used in self.models.items()},
            "calls": [{"step": s, "model": m, **used.as_dict()} for (s, m), used in self.calls.items()],
            "stopped": [asdict(s) for s in self.stopped],
            **({"unread": self.unread} if self.unread else {}),
            "warnings": list(self.warnings),
            "tracebacks": [asdict(t) for t in self.tracebacks],
            **self.details,
        }

    def __str__(self) -> str:
        lines = [f"0. input: {self.unread} line{'s' * (self.unread != 1)} could not be read"] if self.unread else []
        lines += [f"{s.step}. {s.operator}: {s.note()}" for s in self.steps]
        lines += [f"{name}: {used}" for name, used in self.models.items()]
        lines += [f"not done: {stop}" for stop in self.stopped]
        return "\n".join(lines + [f"warning: {w}" for w in self.warnings])


def keep_figures(report: Report, session: Session, table: pa.Table) -> None:
    """Put what the session counted, and what was not done of the run's last table, into the report."""
    report.models, report.calls, report.stopped = session.usage, session.ledger.entries(), stops(table)
    report.unread = unread_in(split(table)[1])


def unread_in(dead: pa.Table | None) -> int:
    """How many of these rejects are lines of the input."""
    return 0 if dead is None else pc.sum(pc.equal(pc.struct_field(dead[REJECT], "step"), 0)).as_py() or 0


def stops(table: pa.Table) -> list[Stop]:
    """Why rows of a run's last table were not done although they may be, most frequent first."""
    _, dead = split(table)
    if dead is None:
        return []
    records = dead.filter(pc.struct_field(dead[REJECT], "transient").fill_null(False))[REJECT]
    errors, messages = (pc.struct_field(records, name).to_pylist() for name in ("error", "message"))
    first = dict(zip(reversed(errors), reversed(messages), strict=True))
    return [Stop(error, count, first[error]) for error, count in Counter(errors).most_common()]


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


def values_of(table: pa.Table, name: str) -> Iterator[Any]:
    """A column's values, few of them in memory at a time; none of a column that is not there."""
    for chunk in table[name].chunks if name in table.column_names else ():
        for start in range(0, len(chunk), 1024):
            yield from chunk.slice(start, 1024).to_pylist()


def counts_of(values: Iterable[str]) -> dict[str, int]:
    """How often each value comes, by the alphabet.

    >>> counts_of("ABA")
    {'A': 2, 'B': 1}
    """
    return dict(sorted(Counter(values).items()))


def spread(values: Iterable[float]) -> dict[str, float] | None:
    """The smallest, the middle and the largest value; None of none.

    >>> spread([4, 8, 5])
    {'min': 4, 'median': 5, 'max': 8}
    """
    found = sorted(values)
    return {"min": found[0], "median": median(found), "max": found[-1]} if found else None


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


#: The standard normal's 97.5 % point.
_Z = 1.959964


def wilson(right: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % bounds of a share: Wilson (1927), the score interval without a correction.

    >>> [round(bound, 4) for bound in wilson(0, 10)]
    [0.0, 0.2775]
    """
    if not of:
        return 0.0, 1.0
    share, z2 = right / of, _Z * _Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    # The ends of nothing and everything are exact; rounding must not tell otherwise.
    return (0.0 if right == 0 else middle - half), (1.0 if right == of else middle + half)
