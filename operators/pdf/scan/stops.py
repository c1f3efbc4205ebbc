"""Points behind blanks to fill in, which OCR passes over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.lines import BLANK
from operators.pdf.parser.runs import Box, Run
from operators.pdf.scan.picture import PagePicture

#: Distances in ems. A point stands no further behind the rule of its blank; further on comes the next word.
_REACH = 0.7
_SMALLEST, _LARGEST = 0.09, 0.28
_ABOVE, _BELOW = 0.25, 0.1
_BLANK = 1.2


@dataclass(frozen=True, slots=True)
class Stop:
    """A point behind the rule of a blank: the rule, and where the point ends; in points."""

    rule: Box
    end: float


def find_stops(picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box]) -> list[Stop]:
    """The points right behind rules that go on a line; ``lines`` in pixels, ``rules`` in points.

    Two marks behind a blank are noise, or more than a point.
    """
    if not lines:
        return []
    em = 0.85 * median(line.box[3] - line.box[1] for line in lines)
    grey = np.asarray(cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    found = []
    for rule in rules:
        x0, y0, x1, y1 = (edge * picture.scale for edge in rule)
        if x1 - x0 < _BLANK * em or not any(_is_filled_in(line.box, (x0, y0, x1, y1), em) for line in lines):
            continue
        ink = float(np.percentile(grey[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1], 25))
        left, top = int(x1) + 2, max(int(y0 - em), 0)
        marks = _marks(grey[top : int(y1 + 0.3 * em), left : left + int(_REACH * em)], ink, em)
        if len(marks) != 1:
            continue
        wide, high = marks[0][2] - marks[0][0], marks[0][3] - marks[0][1]
        box = (left + marks[0][0], top + marks[0][1], left + marks[0][2], top + marks[0][3])
        low = y0 - _ABOVE * em < box[3] < y1 + _BELOW * em
        if low and max(wide, high) <= _LARGEST * em and not any(_covers(line.box, box) for line in lines):
            found.append(Stop(rule, box[2] / picture.scale))
    return found


def add_stops(runs: Sequence[Run], stops: Sequence[Stop]) -> None:
    """Let the runs before blanks go on to the points behind them.

    A point on its own would be taken for a column, where several lines end in blanks.
    """
    for stop in stops:
        left, top, _, _ = stop.rule
        before = [
            run for run in runs if abs(run.x1 - left) < run.size and -0.2 * run.size < top - run.base < 0.5 * run.size
        ]
        if before:
            run = min(before, key=lambda run: abs(run.x1 - left))
            run.text, run.x1 = f"{run.text}{BLANK}.", stop.end


def _is_filled_in(line: Box, rule: Box, em: float) -> bool:
    """Whether a rule is a blank in a line: it lies at its foot, behind its end or below its words."""
    middle = (rule[1] + rule[3]) / 2
    return line[3] - 0.5 * em < middle < line[3] + 0.2 * em and line[0] < rule[0] < line[2] + em


def _covers(line: Box, mark: Box) -> bool:
    x, y = (mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2
    return line[0] < x < line[2] and line[1] < y < line[3]


def _marks(cut: NDArray[np.uint8], ink: float, em: float) -> list[Box]:
    """The marks of a piece of the page that are as dark as a rule and no grains."""
    if not cut.size:
        return []
    dark = np.asarray(cut < (float(np.median(cut)) + ink) / 2, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    boxes = [(float(x), float(y), float(x + wide), float(y + high)) for x, y, wide, high, _ in stats[1:]]
    return [box for box in boxes if max(box[2] - box[0], box[3] - box[1]) >= _SMALLEST * em]
