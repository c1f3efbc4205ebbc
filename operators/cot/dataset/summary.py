"""What a check of a data set found: all of it counted, the first of each kind kept, and told on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from dataflow_ext.report.parts import printable
from operators.cot.problems import Problem

#: Problems of one code that are kept one by one.
KEPT = 20


@dataclass(frozen=True, slots=True)
class Found:
    """A problem and its place: the file relative to the data set, the line from 1, the sample's id ("" without one).

    ``line`` is None for a problem of a folder or a whole file.
    """

    file: str
    line: int | None
    id: str
    code: str
    level: Literal["error", "warning"]
    message: str


@dataclass(slots=True)
class Summary:
    """The counts of a check. ``samples`` are the lines that hold an object, ``by_task`` goes by folder.

    ``problems`` has the first of each code, in the order of files and lines.
    """

    strict: bool = False
    on_problem: Callable[[Found], None] | None = None
    lines: int = 0
    samples: int = 0
    errors: int = 0
    warnings: int = 0
    by_code: Counter[str] = field(default_factory=Counter)
    by_task: dict[str, Counter[str]] = field(default_factory=dict)
    problems: list[Found] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether the data set has an error, or, if the check is strict, a warning."""
        return bool(self.errors or (self.strict and self.warnings))

    @property
    def truncated(self) -> bool:
        """Whether there are more problems than ``problems`` has."""
        return len(self.problems) < self.errors + self.warnings

    def note(self, problem: Problem, task: str, file: str, line: int | None = None, sample_id: object = "") -> None:
        """Count a problem, and keep it if it is one of the first of its code."""
        if problem.level == "error":
            self.errors += 1
        else:
            self.warnings += 1
        self.by_code[problem.code] += 1
        self.by_task.setdefault(task, Counter())[problem.level] += 1
        if self.by_code[problem.code] > KEPT and self.on_problem is None:
            return
        named = sample_id[:100] if isinstance(sample_id, str) else ""
        found = Found(file, line, named, problem.code, problem.level, problem.message[:1000])
        if self.by_code[problem.code] <= KEPT:
            self.problems.append(found)
        if self.on_problem is not None:
            self.on_problem(found)


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary for machines::

        {"ok": bool, "strict": bool, "lines": int, "samples": int, "errors": int, "warnings": int,
         "by_code": {CODE: int},
         "by_task": {FOLDER: {"samples": int, "errors": int, "warnings": int}},
         "problems": [{"file": str, "line": int | null, "id": str, "code": str, "level": "error" | "warning",
                       "message": str}],
         "truncated": bool}

    ``ok`` is what the exit code says. Counts are of all problems; the list has the first 20 of each code, and
    ``truncated`` tells whether there are more.
    """
    return {
        "ok": not summary.failed,
        "strict": summary.strict,
        "lines": summary.lines,
        "samples": summary.samples,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "by_code": dict(sorted(summary.by_code.items())),
        "by_task": {
            task: {"samples": counts["samples"], "errors": counts["error"], "warnings": counts["warning"]}
            for task, counts in sorted(summary.by_task.items())
        },
        "problems": [
            {
                "file": found.file,
                "line": found.line,
                "id": found.id,
                "code": found.code,
                "level": found.level,
                "message": found.message,
            }
            for found in summary.problems
        ],
        "truncated": summary.truncated,
    }


def told(summary: Summary) -> str:
    """The problems one a line, then how many there are of each code, then the totals.

    >>> from operators.cot.problems import Problem
    >>> summary = Summary(samples=2)
    >>> summary.note(Problem("think.empty", "there is no reasoning"), "Task_29", "Task_29/data.jsonl", 2)
    >>> print(told(summary))
    Task_29/data.jsonl:2: think.empty: there is no reasoning
    1 × think.empty
    2 samples, 1 error, 0 warnings
    """
    lines = [_line(found) for found in summary.problems]
    if summary.truncated:
        lines.append(f"… and {summary.errors + summary.warnings - len(summary.problems):,} more")
    lines += [f"{count:,} × {code}" for code, count in sorted(summary.by_code.items(), key=lambda c: (-c[1], c[0]))]
    strict = ", which count as errors" if summary.strict and summary.warnings else ""
    counts = {"sample": summary.samples, "error": summary.errors, "warning": summary.warnings}
    totals = ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
    return "\n".join([*lines, totals + strict])


def _line(found: Found) -> str:
    place = printable(found.file) if found.line is None else f"{printable(found.file)}:{found.line}"
    weight = "" if found.level == "error" else f" ({found.level})"
    return f"{place}: {found.code}{weight}: {printable(found.message)}"
