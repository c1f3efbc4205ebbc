"""Notes beside the text, not in it: points, marks of difficulty, line numbers in the margins, and footnotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from operators.pdf.parser.boxes import union
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.text_lines import text_of

_UNIT = r"\s?(?:marks?|points?|pts?\.?|分)"
_NOTE = (
    rf"(?:[\[(（【〔]\s?(?:\d{{1,3}}{_UNIT}|(?P<number>\d{{1,3}}))\s?[\])）】〕]|\d{{1,3}}{_UNIT}|[★☆⋆✩✭]{{1,5}}"
    r"|(?P<line>\d{0,3}[05]))"
)
_ALONE = re.compile(_NOTE, re.IGNORECASE)
_BEFORE = re.compile(rf"{_NOTE}\s+(?=\S)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=\S)\s+{_NOTE}$", re.IGNORECASE)
#: Notes at one place that make it a margin: two may be chance.
_RECURS = 3
#: Points between notes of one place, or lines of one edge.
_OFF = 2.5
#: Ems between a note and the text: more than between two words.
_GAP = 0.4
#: Ems that the signs of a note are wide, brackets and digits.
_SIGN = 0.45
#: Line numbers count in steps of this.
_STEP = 5


@dataclass(slots=True, frozen=True)
class _Note:
    """A run that is a note by its form, or begins (in the right margin: ends) with one.

    Places are measured from the side of the page that it is on, so that both sides are read alike.
    """

    page: int
    run: Run
    found: re.Match[str]
    left: bool

    @property
    def alone(self) -> bool:
        return len(self.found[0]) == len(self.run.text)

    @property
    def outer(self) -> float:
        return self.run.x0 if self.left else -self.run.x1

    @property
    def inner(self) -> float:
        """Where it ends towards the text."""
        if self.alone:
            return self.run.x1 if self.left else -self.run.x0
        return self.outer + _SIGN * self.run.size * len(self.found[0].strip())

    @property
    def gap(self) -> float:
        """What is wanted between it and the text; one that has run into a line may hang over into it."""
        return _GAP * self.run.size if self.alone else 0.0

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """Notes of several widths are set flush with the text, or else on the outside: ``[4]`` and ``[10]``."""
        return ("inner", round(self.inner / _OFF)), ("outer", round(self.outer / _OFF))


def margin_notes(pages: Sequence[Sequence[Run]]) -> list[tuple[list[Run], list[Run]]]:
    """Each page's runs, parted into those of the text and the notes beside it.

    A note stands outside the edge at which the lines of its page begin or end, apart from them by a gap, and
    others stand at the same place. Numbers that count as labels do are none.

    >>> runs = [Run("[4]", 50, 60, 100, 10), Run("1. Why?", 72, 110, 100, 10), Run("Tell how.", 72, 120, 112, 10)]
    >>> text, notes = margin_notes([runs] * 3)[0]
    >>> [run.text for run in text], [run.text for run in notes]
    (['1. Why?', 'Tell how.'], ['[4]'])
    """
    found = {id(note.run): note for left in (True, False) for note in _notes(pages, left)}
    parted: list[tuple[list[Run], list[Run]]] = []
    for runs in pages:
        parted.append(([], []))
        for run in runs:
            note = found.get(id(run))
            if note is None:
                parted[-1][0].append(run)
                continue
            text, apart = _cut(note)
            parted[-1][0].extend(text)
            parted[-1][1].append(apart)
    return parted


def _notes(pages: Sequence[Sequence[Run]], left: bool) -> list[_Note]:
    """The notes in the margins on one side of the pages."""
    notes = [note for number, runs in enumerate(pages) for note in _outside(number, runs, left)]
    seen = Counter(place for note in notes if note.alone for place in note.places)
    recur = {(end, at) for end, at in seen if sum(seen[end, at + step] for step in (-1, 0, 1)) >= _RECURS}
    if not recur:
        return []
    margin = [note for note in notes if not note.alone or not recur.isdisjoint(note.places)]
    lines = [note for note in margin if note.found["line"]]
    others = [note for note in margin if not note.found["line"]]
    if _is_count(_steps(others, "number")):
        others = [note for note in others if not note.found["number"]]
    return others + (lines if 2 * _steps(lines, "line")[_STEP] >= len(lines) else [])


def _outside(number: int, runs: Sequence[Run], left: bool) -> list[_Note]:
    """What stands outside the text of a page and has the form of a note."""
    merged = _BEFORE.match if left else _BEHIND.search
    notes: list[_Note] = []
    texts: list[Run] = []
    for run in runs:
        found = None if run.turned else _ALONE.fullmatch(run.text) or merged(run.text)
        if found:
            notes.append(_Note(number, run, found, left))
        elif not run.turned:
            texts.append(run)
    edge = _edge(texts, left)
    kept = [note for note in notes if edge is not None and note.inner + note.gap <= edge]
    return sorted(kept, key=lambda note: note.run.base)


def _edge(runs: Sequence[Run], left: bool) -> float | None:
    """The outermost place at which two lines of text begin (or end): one line may stick out."""
    ends = sorted(run.x0 if left else -run.x1 for run in runs)
    return next((one for one, two in pairwise(ends) if two - one <= _OFF), None)


def _steps(notes: Sequence[_Note], group: str) -> Counter[int]:
    """How often numbers follow each other by which step."""
    numbers = [int(note.found[group]) for note in notes if note.found[group]]
    return Counter(two - one for one, two in pairwise(numbers))


def _is_count(steps: Counter[int]) -> bool:
    """Whether most steps are one and the same upwards: labels, in one column or in several."""
    upwards = max((often for step, often in steps.items() if step > 0), default=0)
    return 2 * upwards > steps.total()


def _cut(note: _Note) -> tuple[list[Run], Run]:
    """The rest of a note's run, if there is one, and the note."""
    run = note.run
    if note.alone:
        return [], run
    width = note.inner - note.outer
    if note.left:
        end = note.found.end()
        rest = replace(run, text=run.text[end:], x0=run.x0 + width + _GAP * run.size, lead=max(0, run.lead - end))
        return [rest], replace(run, text=note.found[0].strip(), x1=run.x0 + width)
    rest = replace(run, text=run.text[: note.found.start()], x1=run.x1 - width - _GAP * run.size)
    return [rest], replace(run, text=note.found[0].strip(), x0=run.x1 - width)


_MARK = re.compile(r"[(（\[]?(?:\d{1,2}|[a-z]|[*∗†‡§¶]{1,3}|[①-⑳])[)）\]]?")
#: Shares of the body's size that footnotes are set in at most, and of the note's that a mark is.
_SMALL, _RAISED = 0.93, 0.85
#: Points of the shortest rule; TeX's takes four tenths of the column, so that the column ends before three rules.
_SHORTEST, _COLUMN = 40.0, 3.0
_ABOVE = 3.0
#: Lines of a page at least, beside which there may be notes; a run of so few signs may be in any size.
_LINES, _LONE = 5, 2
#: What a question, an answer or an option begins with, and a note does not.
_LABEL = re.compile(
    r"[（(\[【]?\s?(?:[^\W\d_]{1,12}\.?\s?\d{1,3}(?!\d|[.,/]\d)|\d{1,3}\s?[.．、)）\]】]|[A-Ha-h][.．、)）])"
)


def part_side_notes(runs: Sequence[Run], body: float) -> tuple[list[Run], list[tuple[Box, str]]]:
    """A page's runs without those of the notes beside its text, and these notes, each with its place and text.

    They are small, stand outside all that is not, and none of them begins with a label.

    >>> text = [Run("A line of text.", 50, 250, 100 + 12 * n, 10) for n in range(6)]
    >>> part_side_notes([*text, Run("Think", 262, 290, 112, 8), Run("first.", 262, 280, 121, 8)], 10)[1]
    [((262, 105.6, 290, 122.6), 'Think first.')]
    """
    large = [run for run in runs if not run.turned and run.size > _SMALL * body and len(run.text) > _LONE]
    if len({round(run.base) for run in large}) < _LINES:
        return list(runs), []
    left, right = min(run.x0 for run in large), max(run.x1 for run in large)
    straight = [run for run in runs if not run.turned]
    beside = [run for run in straight if run.x0 > right + _GAP * body or run.x1 < left - _GAP * body]
    notes: list[list[Run]] = []
    for run in sorted(beside, key=lambda run: (run.x0 > right, run.base)):
        last = notes[-1][-1] if notes else None
        same = last is not None and (last.x0 > right) == (run.x0 > right) and run.base - last.base < 2 * run.size
        notes[-1].append(run) if same else notes.append([run])
    words = [run for run in beside if run.size <= _SMALL * body and not run.formula and len(run.text) > _LONE]
    if not words or any(_LABEL.match(note[0].text) for note in notes):
        return list(runs), []
    gone = set(map(id, beside))
    return [run for run in runs if id(run) not in gone], list(map(_told, notes))


def _told(note: Sequence[Run]) -> tuple[Box, str]:
    return union([run.box for run in note]), text_of(note)


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
        found += _numbered_notes(below)
        gone = {id(run) for run in below}
        kept = [run for run in kept if id(run) not in gone]
    return kept, found


def _below(runs: Sequence[Run], rule: Box) -> list[Run]:
    """What stands below a rule in its column, if the rule can be one over footnotes."""
    wide = rule[2] - rule[0]
    if wide < _SHORTEST:
        return []
    left, right = rule[0] - _ABOVE, rule[0] + _COLUMN * wide
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


def _numbered_notes(runs: Sequence[Run]) -> list[tuple[Box, str]]:
    """The footnotes that these runs make: each begins with a mark on the left."""
    size, left = max(run.size for run in runs), min(run.x0 for run in runs)
    marks = sorted(run.base for run in runs if _marks(run, size) and run.x0 < left + 2 * size)
    notes: list[list[Run]] = [[] for _ in marks]
    for run in runs:
        # A mark is raised by less than the line that it stands in is high.
        notes[max(sum(base < run.base + 0.5 * size for base in marks) - 1, 0)].append(run)
    return list(map(_told, notes))
