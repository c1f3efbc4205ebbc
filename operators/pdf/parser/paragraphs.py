"""Lines of a page joined to paragraphs in reading order, as a textbook needs it: one block an item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise
from statistics import median

from operators.pdf.parser.boxes import union
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.columns import Region, split_columns
from operators.pdf.parser.looks import LEADERS, START
from operators.pdf.parser.runs import GOES_ON, Box, Run, is_cjk
from operators.pdf.parser.text_lines import Line, join_lines, make_lines, open_rules

_TERMINAL = ".。．!?！？：:;；"
#: What a text is worth stands behind its last sentence: "Why? (5 puntos)", "Find it. [3]".
_WORTH = re.compile(r"[.。．!?！？]\s*[\[(（][^\[\]()（）]{0,8}\d[^\[\]()（）]{0,10}[\])）]$")
_OPEN = "=＝+＋-－−×÷·(（,，、≈≤≥<>＜＞"
_NUMBER = re.compile(r"\d{1,3}")
_BARE_NUMBER = re.compile(r"\d{1,3}\s?[.．。、)）]$")
#: What stands before a number, its last numeral, and what stands behind it.
#: What a line begins with that heads its paragraph in any language: "Задача 4.", "Svolgimento. Si conta".
_RUN_IN = re.compile(
    r"(?=[^\W\d_])(?![a-zß-öø-ÿα-ωа-я])[^\W\d_]{2,15}(?:\s\d{1,3}(?:\.\d{1,3}){0,2}(?:[.:)]|$)|(?<=\w{4})[.:]\s+[^\W\d_a-zß-öø-ÿα-ωа-я])"
)
_DRESS = re.compile(r"([^\d\s]{0,14}\s?(?:\d{1,3}[.\-–])?)(\d{1,3})([^\w\s]*\s)")
#: The number of a section, behind which the words of its heading hang.
_SECTION = re.compile(r"(?:§\s?)?\d{1,2}(?:[.．]\d{1,2}){1,3}\s")
_FIRST_WORD = re.compile(r"\S+")
_OPTION = re.compile(r"(?:^|\s)[（(]?[A-H]\s?[.．、)）]")
#: What ends a proof, and its paragraph.
_QED = ("□", "■", "∎", "◻", "$\\square$", "$\\blacksquare$")
_LIST_SIGN = re.compile(r"[•●○■□▪►▶➢]\s")


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; ``centred`` if it stands in the middle of its column."""

    lines: list[Line] = field(default_factory=list)
    centred: bool = False

    @property
    def text(self) -> str:
        """The joined text."""
        return join_lines([line.text for line in self.lines])

    @property
    def box(self) -> Box:
        """The rectangle around all lines."""
        return union([line.box for line in self.lines])

    @property
    def size(self) -> float:
        """The size of its largest line."""
        return max(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        """Whether all of its lines are heavy."""
        return all(line.bold for line in self.lines)


@dataclass(slots=True)
class _Column:
    left: float
    right: float
    pitch: float
    figures: list[Figure]

    def right_at(self, line: Line) -> float:
        """Where a full line would end here: before a figure that stands to its right."""
        limits = [
            figure.box[0]
            for figure in self.figures
            if figure.box[0] >= line.x1 - 2 and figure.box[1] < line.bottom and figure.box[3] > line.top
        ]
        return min([self.right, *limits])


def page_parts(
    runs: Sequence[Run],
    figures: Sequence[Figure],
    rules: Sequence[Box],
    body: float,
    grids: Sequence[Sequence[Box]] = (),
) -> list[Paragraph | Figure]:
    """The paragraphs and figures of a page in reading order; ``body`` is its text size, ``grids`` are its cells."""
    parts: list[Paragraph | Figure] = []
    rules = open_rules(rules, runs)
    regions = split_columns([run for run in runs if not run.turned], figures, body, rules, grids)
    boxes = [union([run.box for run in region.runs]) for region in regions if region.runs]
    for region in regions:
        parts += _region_parts(region, _own_rules(region, boxes, rules) if len(boxes) > 1 else rules)
    return parts


def _own_rules(region: Region, boxes: Sequence[Box], rules: Sequence[Box]) -> list[Box]:
    """The rules that lie in the column of a region, or in none of those beside it, whose ``boxes`` these are."""
    if not region.runs:
        return []
    x0, y0, x1, y1 = union([run.box for run in region.runs])
    beside = [box for box in boxes if (box[2] <= x0 or box[0] >= x1) and box[1] < y1 and box[3] > y0]
    return [rule for rule in rules if not any(box[0] - 1 < (rule[0] + rule[2]) / 2 < box[2] + 1 for box in beside)]


def _region_parts(region: Region, rules: Sequence[Box]) -> list[Paragraph | Figure]:
    lines = make_lines(region.runs, rules)
    paragraphs = _paragraphs(lines, region.figures)
    parts: list[Paragraph | Figure] = list(paragraphs)
    for figure in sorted(region.figures, key=cmp_to_key(_before)):
        parts.insert(_place(figure, parts), figure)
    return parts


def _place(figure: Figure, parts: Sequence[Paragraph | Figure]) -> int:
    """Where a figure stands: after the item beside it whose top is nearest to its own, else by height."""
    top, bottom = figure.box[1], figure.box[3]
    beside = [
        (abs(part.box[1] - top), index)
        for index, part in enumerate(parts)
        if isinstance(part, Paragraph) and min(part.box[3], bottom) - max(part.box[1], top) > 0.4 * part.lines[0].size
    ]
    if beside:
        place = min(beside)[1] + 1
    else:
        middle = (top + bottom) / 2
        above = [
            index
            for index, part in enumerate(parts)
            if isinstance(part, Paragraph) and (part.box[1] + part.box[3]) / 2 <= middle
        ]
        place = max(above) + 1 if above else 0
    # Figures come sorted: this one goes behind those that stand there already.
    while place < len(parts) and isinstance(parts[place], Figure):
        place += 1
    return place


def _before(left: Figure, right: Figure) -> int:
    """The order of two figures: from left to right on one level, else from top to bottom."""
    one, two = left.box, right.box
    level = min(one[3], two[3]) - max(one[1], two[1]) > 0.5 * min(one[3] - one[1], two[3] - two[1])
    first, second = (one[0], two[0]) if level else (one[1], two[1])
    return (first > second) - (first < second)


def _paragraphs(lines: Sequence[Line], figures: list[Figure]) -> list[Paragraph]:
    if not lines:
        return []
    steps = sorted(round(two.base - one.base, 1) for one, two in pairwise(lines))
    usual = [step for step in steps if step > 0.8 * min(line.size for line in lines)]
    # Text is hardly ever set wider than this: with few lines, their distances are gaps.
    widest = 2.2 * max(line.size for line in lines)
    pitch = min(usual[len(usual) // 3], widest, *_steps_inside(lines)) if usual else widest
    column = _Column(min(line.x0 for line in lines), max(line.x1 for line in lines), pitch, figures)
    paragraphs: list[Paragraph] = []
    for line in lines:
        if not paragraphs or _starts(paragraphs[-1], line, column):
            paragraphs.append(Paragraph([line], _is_centred(line, column)))
        else:
            paragraphs[-1].lines.append(line)
    return paragraphs


def _steps_inside(lines: Sequence[Line]) -> list[float]:
    """The usual step between lines of one paragraph, if any surely are: where most have one line, others are wider."""
    inside = [
        two.base - one.base
        for one, two in pairwise(lines)
        if _goes_on(one, two) and two.base - one.base > 0.8 * max(one.size, two.size)
    ]
    return [median(inside)] if inside else []


def _is_centred(line: Line, column: _Column) -> bool:
    before, after = line.x0 - column.left, column.right - line.x1
    return before > 2 * line.size and abs(before - after) < max(0.15 * before, line.size)


def _starts(paragraph: Paragraph, line: Line, column: _Column) -> bool:
    """Whether a line opens a new paragraph after this one."""
    last = paragraph.lines[-1]
    step = line.base - last.base
    if last.text.endswith(GOES_ON + "$"):
        return False
    if line.text.startswith("$$") or last.text.startswith("$$") or last.text.endswith(_QED):
        return True
    if _LIST_SIGN.match(line.text) or LEADERS.search(last.text) or line.numbered:
        return True
    if START.match(line.text) and not (_runs_on(paragraph, line, column) or _ends_a_heading(last, line, column)):
        return True
    if len(_OPTION.findall(last.text)) > 2 and not _is_full(last, line, column):
        return True
    if last.text[-1:] in _TERMINAL and (_counts_on(paragraph.lines[0].text, line.text) or _RUN_IN.match(line.text)):
        return True
    if abs(line.size - last.size) > 0.08 * last.size or (line.bold != last.bold and _differs(last, line)):
        return True
    wider = 1.2 if _closes(last) else 1.35
    if step > wider * max(column.pitch, _own_pitch(paragraph, column)) and line.top - last.bottom > 0.55 * line.size:
        return True
    if any(last.bottom - 1 <= figure.box[1] and figure.box[3] <= line.top + 1 for figure in column.figures):
        return True
    if paragraph.centred and _is_centred(line, column):
        return False
    first = paragraph.lines[0]
    marked = START.match(first.text) or (first.bold and line.bold and _SECTION.match(first.text))
    hanging = line.x0 > first.x0 + 0.8 * line.size and marked is not None
    if hanging and line.x0 - first.x0 < 6 * line.size and last.text[-1] not in _TERMINAL:
        return len(paragraph.lines) > 1 and _indented(paragraph, line, column)
    return _indented(paragraph, line, column) or _ended(last, line, column)


def _counts_on(first: str, text: str) -> bool:
    """Whether a line has the next number in the dress in which its paragraph begins: "[4]" after "[3]", 7 after 6."""
    one, two = _DRESS.match(first), _DRESS.match(text)
    if one is None or two is None or one.group(1, 3) != two.group(1, 3):
        return False
    return int(two[2]) == int(one[2]) + 1


def _runs_on(paragraph: Paragraph, line: Line, column: _Column) -> bool:
    """Whether a number at the start of a line only happens to stand there: "… = / 19." """
    last = paragraph.lines[-1]
    number, before = _NUMBER.match(line.text), _NUMBER.match(paragraph.lines[0].text)
    if number is None or last.x1 - last.x0 < 15 * last.size or not _is_full(last, line, column):
        return False
    if before is not None and 0 < int(number.group()) - int(before.group()) <= 3:
        return False
    return last.text[-1] in _OPEN or (_BARE_NUMBER.match(line.text) is not None and last.text[-1] not in _TERMINAL)


def _ends_a_heading(last: Line, line: Line, column: _Column) -> bool:
    """Whether words without a number are the last of a heading that fills its line: Solutions to Selected / Exercises.

    Letters as high as the lines' usual distance are those of headings.
    """
    large = line.size > column.pitch and abs(line.size - last.size) <= 0.08 * last.size
    plain = not any(map(str.isdigit, line.text)) and last.text[-1] not in _TERMINAL
    return large and plain and _is_full(last, line, column)


def _differs(last: Line, line: Line) -> bool:
    """Whether a change of weight between two lines means two paragraphs: not for single short words."""
    return min(len(last.text), len(line.text)) > 1


def _own_pitch(paragraph: Paragraph, column: _Column) -> float:
    if len(paragraph.lines) < 2:
        return column.pitch
    return paragraph.lines[-1].base - paragraph.lines[-2].base


def _indented(paragraph: Paragraph, line: Line, column: _Column) -> bool:
    last = paragraph.lines[-1]
    shift = line.x0 - last.x0
    if abs(shift) < 0.8 * line.size:
        return False
    if len(paragraph.lines) > 1:
        # The second line of an indented first one, or a hanging one, has set the margin.
        return True
    if shift > 0:
        return START.match(last.text) is None or shift > 6 * line.size
    # Options side by side may reach the margin, and are no line that goes on.
    return len(_OPTION.findall(last.text)) > 1 or not _is_full(last, line, column)


def _ended(last: Line, line: Line, column: _Column) -> bool:
    """Whether the line before ends a paragraph: the next word would have fitted on it."""
    if _is_full(last, line, column) or _goes_on(last, line):
        return False
    room = column.right_at(last) - last.x1
    return _closes(last) or room > 0.25 * (column.right - column.left)


def _closes(last: Line) -> bool:
    """Whether a line ends with its sentence, or with what that is worth."""
    return last.text[-1:] in _TERMINAL or _WORTH.search(last.text) is not None


def _goes_on(last: Line, line: Line) -> bool:
    """Whether a small letter says that a sentence runs on, as beside a figure; lines of code do not count."""
    wide = last.x1 - last.x0 > 9 * last.size
    return wide and line.text[0].islower() and last.text[-1] not in _TERMINAL


def _is_full(last: Line, line: Line, column: _Column) -> bool:
    room = column.right_at(last) - last.x1
    if is_cjk(line.text[0]) or is_cjk(last.text[-1]):
        return room < 2.6 * line.size
    word = _FIRST_WORD.match(line.text)
    letters = len(word.group()) if word else 1
    average = (line.x1 - line.x0) / max(len(line.text), 1)
    return room < (letters + 1) * average + 1.2 * line.size
