"""Runs of characters put together to lines of text, with raised and lowered letters marked.

A small raised run becomes ``x^2`` or ``x^{10}``, a small lowered one ``a_1`` or ``a_{n+1}``: this is
how LaTeX and models write them, and nothing is lost. A blank to fill in that is drawn as a rule
becomes ``____``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from operators.pdf.parser.runs import GOES_ON, SOFT_HYPHEN, Box, Run, is_cjk

#: The colour of numbers on coloured ground, and how far they are off their line at most, in ems.
_WHITE, _BADGE = 0xFFFFFF, 0.7
#: How a drawn blank is written.
BLANK = "____"

_SCRIPT_SIZE = 0.86
_RAISED = -0.16
_LOWERED = 0.07
#: Where the rule of a blank, or one that underlines, lies to the letters' foot, in ems.
_ABOVE, _BELOW = 0.2, 0.45
#: Rules whose ends and heights are so near, in points, are pieces of one.
_LEVEL = 0.2
#: Signs that TeX's fonts hang from their top: they belong to the line beside them.
_SIGNS = frozenset("√∑∏∫∮⋃⋂")
_UNSHIFTED = "°′″'’\"”℃"
_CJK = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LABEL = re.compile(r"\d{1,3}(?:[.．\-–]\d{1,3}){0,3}[.．)）:：]?")
_WIDE_SPACES = re.compile(r"[ \t\u3000]+")
_NO_SPACE_BEFORE = re.compile(rf" +(?=[，。、；：？！）】》”])|(?<=[（【《“，。；]) +(?=[{_CJK}])(?!）)")


@dataclass(slots=True)
class Line:
    """One line of text within a column; ``size`` and ``bold`` are those of most of its letters.

    ``numbered`` marks a line that opens with a heavy number, where the rest is not heavy; ``colour`` is that of its
    end.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    base: float
    size: float
    bold: bool = False
    numbered: bool = False
    colour: int = 0

    @property
    def box(self) -> Box:
        """The line's rectangle."""
        return (self.x0, self.top, self.x1, self.bottom)


def make_lines(runs: Iterable[Run], rules: Sequence[Box] = ()) -> list[Line]:
    """The lines of one column from top to bottom; ``rules`` are level rules that may be blanks to fill in.

    >>> make_lines([Run("x", 0, 6, 100, 12), Run("2", 6, 10, 95, 8), Run("+ 1", 12, 30, 100, 12)])[0].text
    'x^2 + 1'
    """
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: (-round(run.size), run.base)):
        row = _row_for(run, rows)
        if row is None:
            rows.append([run])
        else:
            row.append(run)
    lines = [_line(row, rules) for row in rows]
    lines.sort(key=lambda line: (line.base, line.x0))
    return lines


def _row_for(run: Run, rows: list[list[Run]]) -> list[Run] | None:
    best: list[Run] | None = None
    nearest = 1e9
    for row in rows:
        lead = row[0]
        shift = run.base - lead.base
        small = run.size < _SCRIPT_SIZE * lead.size
        level = abs(shift) < (0.1 * lead.size if small else 0.3 * run.size)
        script = small and -0.85 * lead.size < shift < 0.5 * lead.size and _touches(run, row)
        sign = run.text in _SIGNS and -1.1 * lead.size < shift < 0.6 * lead.size and _touches(run, row)
        badge = _is_badge(run) and abs(shift) < _BADGE * lead.size and all(one.x0 > run.x1 for one in row)
        if (level or script or sign or badge) and abs(shift) < nearest:
            best, nearest = row, abs(shift)
    return best


def _is_badge(run: Run) -> bool:
    """Whether a run is a number in white, on a ground of its own beside the line that it numbers."""
    return run.text.strip().isdecimal() and len(run.text.strip()) < 3 and run.colour == _WHITE


def _touches(run: Run, row: list[Run]) -> bool:
    reach = 0.4 * row[0].size
    return any(other.x0 - reach < run.x0 < other.x1 + reach for other in row)


def _line(row: list[Run], rules: Sequence[Box]) -> Line:
    lead = max(row, key=lambda run: (len(run.text), run.size))
    size, base = max(run.size for run in row if run.size >= _SCRIPT_SIZE * lead.size), row[0].base
    row.sort(key=lambda run: run.x0)
    blanks = _blanks(row, rules, base, size)
    parts: list[tuple[float, float, str, bool]] = [(x0, x1, BLANK, True) for x0, _, x1, _ in blanks]
    for run in row:
        text, script = (run.text, False) if _is_badge(run) else _scripted(run, base, size)
        parts.append((run.x0, run.x1, text, not script))
    parts.sort(key=lambda part: part[0])
    text, right = "", parts[0][0]
    for x0, x1, piece, spaced in parts:
        # A lowered or raised run hugs its base; after it, words keep their space.
        wide = x0 - right > (0.13 if spaced else 0.6) * size
        text += (" " if text and wide else "") + piece
        right = max(right, x1)
    letters = sum(len(run.text) for run in row)
    bold = sum(len(run.text) for run in row if run.bold) > 0.6 * letters
    return Line(
        text=tidy(text),
        x0=parts[0][0],
        x1=right,
        top=min(run.top for run in row),
        bottom=max(run.bottom for run in row),
        base=base,
        size=size,
        bold=bold,
        numbered=not bold and _LABEL.fullmatch(row[0].text[: row[0].lead].strip()) is not None,
        colour=row[-1].colour,
    )


def _scripted(run: Run, base: float, size: float) -> tuple[str, bool]:
    """The run's text, marked if it is raised or lowered, and whether it is."""
    text, shift = run.text, run.base - base
    if run.formula or run.size >= _SCRIPT_SIZE * size or text in _UNSHIFTED or any(is_cjk(char) for char in text):
        return text, False
    if _RAISED * size < shift < _LOWERED * size:
        return text, False
    mark = "^" if shift < 0 else "_"
    return (mark + text if len(text) == 1 else f"{mark}{{{text}}}"), True


def _blanks(row: list[Run], rules: Sequence[Box], base: float, size: float) -> list[Box]:
    """Rules at the foot of the line, of those with no letters above them: one that all letters stand on is no blank."""
    found = []
    left, right = row[0].x0, max(run.x1 for run in row)
    for rule in rules:
        x0, y0, x1, _ = rule
        if not -_ABOVE * size < y0 - base < _BELOW * size or x1 - x0 < 1.2 * size:
            continue
        if x0 > right + 3 * size or x1 < left - 3 * size:
            continue
        # Points at the end of a rule, "____ [2]", are no words that stand on it.
        if not (x0 <= left + size and right <= x1 and left - x0 <= x1 - right + size):
            found.append(rule)
    return found


def open_rules(rules: Sequence[Box], runs: Sequence[Run]) -> list[Box]:
    """The level rules of a page on which no words of it stand, in whatever column: they may be blanks to fill in.

    Those that are drawn in pieces, as underlines of Chinese are, are whole.

    >>> open_rules([(0, 101, 60, 102), (70, 101, 90, 102)], [Run("1 Powers", 0, 50, 100, 10)])
    [(70, 101, 90, 102)]
    >>> open_rules([(0, 101, 3, 102), (2, 101, 5, 102), (4, 101, 30, 102)], [])
    [(0, 101, 30, 102)]
    """
    found = []
    for rule, standing in with_lines(_joined(rules), runs):
        x0, _, x1, _ = rule
        if sum(max(0.0, min(run.x1, x1) - max(run.x0, x0)) for run in standing) < 0.2 * (x1 - x0):
            found.append(rule)
    return found


def with_lines(rules: Sequence[Box], runs: Sequence[Run]) -> Iterator[tuple[Box, list[Run]]]:
    """Each level rule with the runs at whose foot it lies, whether over, before or behind it."""
    by_base = sorted(runs, key=lambda run: run.base)
    bases = [run.base for run in by_base]
    largest = max((run.size for run in runs), default=0.0)
    for rule in rules:
        y0 = rule[1]
        near = by_base[bisect_left(bases, y0 - _BELOW * largest) : bisect_right(bases, y0 + _ABOVE * largest)]
        yield rule, [run for run in near if -_ABOVE * run.size < y0 - run.base < _BELOW * run.size]


def _joined(rules: Sequence[Box]) -> list[Box]:
    """The rules with those in one that go on at the same height."""
    found: list[Box] = []
    for rule in sorted(rules, key=lambda rule: (round(rule[1], 1), rule[0])):
        if found and abs(rule[1] - found[-1][1]) < _LEVEL and abs(rule[3] - found[-1][3]) < _LEVEL:
            x0, y0, x1, y1 = found[-1]
            if rule[0] < x1 + _LEVEL:
                found[-1] = (x0, y0, max(x1, rule[2]), y1)
                continue
        found.append(rule)
    return found


def tidy(text: str) -> str:
    """The text with single spaces, and none before closing or after opening full-width marks.

    >>> tidy("长度  为（ 5 ） 。")
    '长度 为（ 5 ）。'
    """
    text = _WIDE_SPACES.sub(" ", text).strip()
    return _NO_SPACE_BEFORE.sub(lambda found: found.group() if _open_pair(text, found) else "", text)


def _open_pair(text: str, found: re.Match[str]) -> bool:
    """Whether the space is the whole content of a pair of brackets: ``（ ）`` is a blank to fill in."""
    before, after = text[: found.start()], text[found.end() :]
    opening = before.rfind("（")
    inner = before[opening + 1 :] if opening >= 0 else ""
    return after.startswith("）") and opening >= 0 and "）" not in inner


def text_of(runs: Iterable[Run]) -> str:
    """The text of runs that make one paragraph."""
    return join_lines([line.text for line in make_lines(runs)])


def join_lines(lines: Sequence[str]) -> str:
    """A paragraph from its lines: CJK without spaces, words with one, hyphens at line ends mended.

    >>> join_lines(["求下列各数的平", "方根"]), join_lines(["the deri-", "vative of"])
    ('求下列各数的平方根', 'the derivative of')
    """
    text = ""
    for line in lines:
        if not line:
            continue
        if not text:
            text = line
        elif text.endswith(GOES_ON + "$") and line.startswith("$") and not line.startswith("$$"):
            text = f"{text[:-2]}{' ' if text[-3].isalpha() else ''}{line[1:]}"
        elif text[-1] in "-\u2010" + SOFT_HYPHEN and text[-2:-1].isalpha() and line[0].islower():
            text = text[:-1] + line
        elif is_cjk(text[-1]) or is_cjk(line[0]):
            text += line
        else:
            text += " " + line
    return text.replace(SOFT_HYPHEN, "-").replace(GOES_ON, "")
