"""Runs of part markers in a text: (1) (2), ① ②, (a) (b), (i) (ii), 1) 2), Part A, each where a part begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from operators.curate.model import Span
from operators.curate.rules.tables import rows_of

_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_HAN = {letter: n for n, letter in enumerate("一二三四五六七八九十", 1)}
_PATTERNS = [(style, re.compile(rf"(?:\*\*)?{pattern}(?:\*\*)?")) for style, pattern in rows_of("markers.tsv")]
#: What stands before a number that names a part, an equation or a case, and begins none.
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:parts?|equations?|eqs?\.?|cases?|steps?|in|from|of|by|to|and|or|see|with|results?|answers?|using|question|"
    r"statement|statements|conditions?|formula|figure|fig\.?|inequality|sub-?part|both|into)|[由在据从见式把将对与和及问题中代入即得])\s*$",
    re.IGNORECASE,
)
#: What stands behind one.
_NAMED_BEHIND = re.compile(
    r"\s*(?:中(?![国华央学间午世心文])|式(?!子)|知(?![识道])|可(?![以能])|得(?!到)|[的所和与或及]|问的|、[(（①-⑳]"
    r"|above\b|below\b|we\b|gives?\b|shows?\b|implies\b|and\b|or\b|is\b|to get\b)"
)
_BEGINS = re.compile(
    r"(?:\A|[\n。．.;；:：?？!！,，)）】\]>】]|\b(?:[Ff]ind|[Ee]valuate|[Cc]alculate|[Cc]ompute|[Ss]olve|[Ss]implify"
    r"|[Dd]etermine|[Ff]actor|[Dd]ifferentiate|[Ii]ntegrate|[Ss]tate|[Ww]rite)\s|求|计算|化简)[ \t\u3000]*\Z"
)
_MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_LONGEST = 60_000
#: Markers of one style that are looked at: no question has more parts, no solution more steps.
_MOST = 400


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that begins a part: its number in its run, and how it is printed."""

    number: int
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Run:
    """Markers that follow each other from the first one on, all in one style."""

    style: str
    markers: tuple[Marker, ...]

    def parts(self, length: int) -> list[Span]:
        """The text behind each marker, up to the next one."""
        ends = [*(marker.start for marker in self.markers[1:]), length]
        return [Span(marker.end, end) for marker, end in zip(self.markers, ends, strict=True)]


def runs_in(text: str) -> list[Run]:
    """The runs of two or more markers, those that begin first before the others.

    >>> [[m.label for m in run.markers] for run in runs_in("已知 x=3. (1) 求 y; (2) 由(1)求 z.")]
    [['1', '2']]
    >>> runs_in("Solve the system x + y = 3 (1) and x - y = 1 (2).")
    []
    """
    text = text[:_LONGEST]
    maths = [found.span() for found in _MATHS.finditer(text)]
    runs = [
        Run(name, tuple(markers))
        for name, pattern in _PATTERNS
        for markers in _runs(list(islice(_found(text, name, pattern, maths), _MOST)))
    ]
    return sorted(runs, key=lambda run: (run.markers[0].start, -len(run.markers)))


def _found(
    text: str, style: str, pattern: re.Pattern[str], maths: Sequence[tuple[int, int]]
) -> Iterator[tuple[Marker, bool]]:
    """The markers of a style, and whether each stands where a sentence or a line begins."""
    for found in pattern.finditer(text):
        groups = found.groupdict()
        label = groups.get("n") or groups.get("m") or ""
        number = _number(style, label)
        start, end = found.span()
        start += len(found[0]) - len(found[0].lstrip())
        formula = next(((a, b) for a, b in maths if a < start and end < b), None)
        if formula and text[slice(*formula)].strip("$ ") == found[0].strip():  # a marker that was read as a formula
            (start, end), formula = formula, None
        if number is None or formula or _is_named(text, start, end, style):
            continue
        begins = _BEGINS.search(text, max(0, start - 16), start) is not None or start == 0
        if start == 0 or text[start - 1].isspace():  # one space between two words is enough
            end += len(text[end:]) - len(text[end:].lstrip(" \t\u3000"))
        if begins or text[start - 1].isspace() or _ends_han(text, start):
            yield Marker(number, start, end, _plain(style, label)), begins


def _ends_han(text: str, start: int) -> bool:
    return "一" <= text[start - 1] <= "鿿" or text[start - 1] in '$}”"'


def _is_named(text: str, start: int, end: int, style: str) -> bool:
    """Whether a number is spoken of, rather than at the head of a part."""
    if style in ("asked", "stop", "letter stop", "part"):
        return _NAMED_BEFORE.search(text, max(0, start - 16), start) is not None and style == "part"
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - 16) : start]
    return _NAMED_BEFORE.search(before) is not None or _NAMED_BEHIND.match(text, end) is not None


def _runs(found: Sequence[tuple[Marker, bool]]) -> Iterator[list[Marker]]:
    """Runs from a first marker on, which has to begin something; each goes on as far as the numbers do."""
    taken = -1
    for place, (first, begins) in enumerate(found):
        if first.number != 1 or not begins or first.start <= taken:
            continue
        run = [first]
        for marker, _ in found[place + 1 :]:
            if marker.number == run[-1].number + 1:
                run.append(marker)
        if len(run) > 1:
            taken = run[-1].start
            yield run


def _number(style: str, label: str) -> int | None:
    if style.startswith("roman"):
        return _ROMAN.get(label)
    if style.startswith("letter"):
        return ord(label) - ord("a") + 1
    if label in _HAN:
        return _HAN[label]
    if "Ⅰ" <= label <= "Ⅻ":
        return ord(label) - ord("Ⅰ") + 1
    if "①" <= label <= "⑳":
        return ord(label) - ord("①") + 1
    if "⑴" <= label <= "⒇":
        return ord(label) - ord("⑴") + 1
    if label.isdecimal():
        return int(label)
    return _ROMAN.get(label.lower()) or (ord(label.lower()) - ord("a") + 1 if len(label) == 1 else None)


def _plain(style: str, label: str) -> str:
    number = _number(style, label)
    return str(number) if "①" <= label <= "⒇" or label in _HAN else label
