"""Footnotes: small text below a rule at the foot of a page or a column, which opens with a raised mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.parser.boxes import union
from operators.pdf.parser.lines import join_lines, make_lines
from operators.pdf.parser.runs import Box, Run

_MARK = re.compile(r"[(（\[]?(?:\d{1,2}|[a-z]|[*∗†‡§¶]{1,3}|[①-⑳])[)）\]]?")
#: Shares of the body's size that footnotes are set in at most, and of the note's that a mark is.
_SMALL, _RAISED = 0.93, 0.85
#: Points of the shortest rule; TeX's takes four tenths of the column, so that the column ends before three rules.
_SHORTEST, _COLUMN = 40.0, 3.0
_OFF = 3.0


def part_footnotes(
    runs: Sequence[Run], rules: Sequence[Box], height: float, body: float
) -> tuple[list[Run], list[tuple[Box, str]]]:
    """A page's runs without those of its footnotes, and the footnotes, each with its place and text.

    >>> runs = [Run("A text.", 50, 90, 400, 10), Run("1", 51, 54, 546, 5.5), Run("A note.", 54, 90, 550, 8)]
    >>> part_footnotes(runs, [(50, 540, 150, 540.5)], 600, 10)[1][0][1]
    '^1A note.'
    """
    kept = list(runs)
    found: list[tuple[Box, str]] = []
    for rule in sorted(rules, key=lambda rule: (rule[1], rule[0])):
        below = _below(kept, rule)
        if rule[1] < 0.4 * height or not _is_note(below, body):
            continue
        found += _notes(below)
        gone = {id(run) for run in below}
        kept = [run for run in kept if id(run) not in gone]
    return kept, found


def _below(runs: Sequence[Run], rule: Box) -> list[Run]:
    """What stands below a rule in its column, if the rule can be one over footnotes."""
    wide = rule[2] - rule[0]
    if wide < _SHORTEST:
        return []
    left, right = rule[0] - _OFF, rule[0] + _COLUMN * wide
    return [run for run in runs if not run.turned and run.base > rule[3] and left <= run.x0 < right]


def _is_note(runs: Sequence[Run], body: float) -> bool:
    """Whether all of these runs are small and the first of them is a raised mark."""
    if not runs or any(run.size > _SMALL * body for run in runs):
        return False
    size = max(run.size for run in runs)
    first = min(runs, key=lambda run: (round(run.base / size), run.x0))
    return _marks(first, size)


def _marks(run: Run, size: float) -> bool:
    return run.size < _RAISED * size and _MARK.fullmatch(run.text.strip()) is not None


def _notes(runs: Sequence[Run]) -> list[tuple[Box, str]]:
    """The footnotes that these runs make: each begins with a mark on the left."""
    size, left = max(run.size for run in runs), min(run.x0 for run in runs)
    marks = sorted(run.base for run in runs if _marks(run, size) and run.x0 < left + 2 * size)
    notes: list[list[Run]] = [[] for _ in marks]
    for run in runs:
        # A mark is raised by less than the line that it stands in is high.
        notes[max(sum(base < run.base + 0.5 * size for base in marks) - 1, 0)].append(run)
    return [(union([run.box for run in note]), join_lines([line.text for line in make_lines(note)])) for note in notes]
