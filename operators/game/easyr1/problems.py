"""What is wrong with a data set: problems by code, and how they are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from dataflow_ext.report.parts import printable
from dataflow_ext.text import rows

Severity: TypeAlias = Literal["error", "warning", "note"]

#: Every code with its severity. With an error EasyR1 fails, or trains or measures on what is wrong.
CODES: Mapping[str, Severity] = {code: cast(Severity, severity) for _, code, severity in rows(__package__, "codes.tsv")}

#: Problems of one code in one file that are kept one by one; the others are only counted.
_MOST = 1000
#: Problems of one code that are shown.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in which file, in which row (or line, from 1), by which rule.

    ``count`` is more than 1 in the one that stands for all further problems of its code and file.
    """

    file: str
    row: int | None
    code: str
    severity: Severity
    message: str
    count: int = 1


class Findings:
    """Problems as they are found; many of one kind are kept as a number."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, code: str, message: str, file: str, row: int | None = None) -> None:
        """Note a problem; its severity is that of its code."""
        self._counts[file, code] += 1
        if self._counts[file, code] <= _MOST:
            self._problems.append(Problem(file, row, code, CODES[code], message))

    def extend(self, other: Findings) -> None:
        """Take over what was found elsewhere."""
        self._problems += other._problems
        self._counts.update(other._counts)

    def problems(self) -> list[Problem]:
        """All problems, by file, row and code."""
        more = [
            Problem(file, None, code, CODES[code], f"{count - _MOST:,} more of these in this file", count - _MOST)
            for (file, code), count in self._counts.items()
            if count > _MOST
        ]
        return sorted(self._problems, key=_place) + sorted(more, key=_place)


def _place(problem: Problem) -> tuple[str, int, str, str]:
    return problem.file, problem.row or 0, problem.code, problem.message


def has_errors(problems: Sequence[Problem]) -> bool:
    """Whether EasyR1 would fail, or train or measure on what is wrong."""
    return any(problem.severity == "error" for problem in problems)


def told(problems: Sequence[Problem]) -> str:
    """The problems for a terminal: how many of each severity, then by code how many and the first few.

    >>> print(told([Problem("data/test.jsonl", 3, "answer-integer", "error", "`answer` is the integer 1")]))
    1 error, 0 warnings, 0 notes
    error answer-integer: 1
      data/test.jsonl, row 3: `answer` is the integer 1
    >>> print(told([]))
    0 errors, 0 warnings, 0 notes
    """
    by_severity: Counter[str] = Counter()
    by_code: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        by_severity[problem.severity] += problem.count
        by_code.setdefault((problem.severity, problem.code), []).append(problem)
    order = ("error", "warning", "note")
    lines = [", ".join(_number(by_severity[severity], severity) for severity in order)]
    for severity, code in sorted(by_code, key=lambda key: (order.index(key[0]), key[1])):
        found = by_code[severity, code]
        total = sum(problem.count for problem in found)
        lines.append(f"{severity} {code}: {total:,}")
        lines += [f"  {_where(p)}: {printable(p.message)}" for p in found[:_SHOWN]]
        if total > sum(problem.count for problem in found[:_SHOWN]):
            lines.append("  …")
    return "\n".join(lines)


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _where(problem: Problem) -> str:
    file = printable(problem.file) or "."
    return file if problem.row is None else f"{file}, row {problem.row:,}"
