"""What a check of a data set found, for a terminal."""

from __future__ import annotations

from dataflow_ext.report.pages import printable
from operators.cot.dataset.summary import Found, Summary


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
