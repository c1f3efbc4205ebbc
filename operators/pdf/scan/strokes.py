"""Level and upright strokes of a scanned page: bars of fractions, blanks with points behind them, rules of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.text_lines import BLANK
from operators.pdf.scan.ink_pieces import Piece, Pieces
from operators.pdf.scan.picture import PagePicture

#: Lengths in ems.
_TABLE_STROKE = 1.1
_THICK = 0.3
_OPERAND = 0.38
_NEAR_BAR = 0.5
_STACK = 1.15
_BLANK = 1.4
_SHORTEST = 0.55
_THIN = 0.2
_TALLEST = 3.2
_ROW = 1.7


def straight_strokes(drawn: NDArray[np.uint8], em: float) -> tuple[list[Box], list[Box]]:
    """The level and the upright strokes in a mask of drawn ink, in pixels; filled areas have none."""
    level, upright = _table_strokes(drawn, em), _table_strokes(np.ascontiguousarray(drawn.T), em)
    return level, [(y0, x0, y1, x1) for x0, y0, x1, y1 in upright]


def _table_strokes(drawn: NDArray[np.uint8], em: float) -> list[Box]:
    # A scan may leave holes in a stroke.
    whole = np.asarray(cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones((1, 3), np.uint8)), np.uint8)
    level = _level_runs(whole, _TABLE_STROKE * em)
    thick = cv2.morphologyEx(level, cv2.MORPH_OPEN, np.ones((max(int(_THICK * em) + 1, 3), 1), np.uint8))
    return _boxes(np.asarray(cv2.subtract(level, thick), np.uint8), _THICK * em)


def _level_runs(mask: NDArray[np.uint8], shortest: float) -> NDArray[np.uint8]:
    """The mask where it goes on to the left and right for some pixels."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, max(int(shortest), 5)), np.uint8)), np.uint8)


def _boxes(level: NDArray[np.uint8], thick: float) -> list[Box]:
    """The rectangles of level strokes; one that leans by a pixel every few ems is level."""
    found = []
    for outline in cv2.findContours(level, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        x, y, wide, high = cv2.boundingRect(outline)
        if high <= thick + 0.004 * wide:
            found.append((float(x), float(y), float(x + wide), float(y + high)))
    return found


def release_bars(pieces: Pieces, lines: Sequence[OCRLine], em: float) -> list[Box]:
    """The bars of fractions and the blanks to fill in, in pixels, taken out of the drawn pieces.

    A bar may touch letters above, below or before it: these become letters on their own.
    """
    rows = [line.box for line in lines if len(line.text) > 2]
    tall = [piece for piece in [*pieces.letters, *pieces.drawn] if piece.high >= _OPERAND * em]
    boxes = np.array([piece.box for piece in tall], float).reshape(-1, 4)
    found = [
        bar.box
        for bar in pieces.bars
        if _is_fraction(bar.box, boxes, em) or (_is_blank(bar.box, rows, em) and _is_open(bar.box, pieces, em))
    ]
    whole = {piece.number: piece for piece in [*pieces.letters, *pieces.drawn]}
    gone = set()
    for bar, number in _touching(pieces, whole, em):
        piece = whole[number]
        rest = _without(pieces.map, piece, bar)
        others = boxes[(boxes != piece.box).any(axis=1)]
        beside = np.array([one.box for one in rest if one.high >= _OPERAND * em], float).reshape(-1, 4)
        blank = piece.high <= _ROW * em and _is_blank(bar, rows, em) and _is_open(bar, pieces, em, piece.box[1])
        if blank or _is_fraction(bar, np.concatenate([others, beside]), em):
            found.append(bar)
            pieces.letters += rest
            gone.add(number)
    taken = set(found)
    pieces.letters = [
        piece for piece in pieces.letters if piece.number not in gone or piece.box != whole[piece.number].box
    ]
    pieces.drawn = [piece for piece in pieces.drawn if piece.number not in gone and piece.box not in taken]
    return found


def _touching(pieces: Pieces, whole: dict[int, Piece], em: float) -> list[tuple[Box, int]]:
    """Thin level strokes that are the widest part of a piece of text, with the piece's number."""
    bars = {piece.number for piece in pieces.bars}
    found = []
    ink = (pieces.map > 0).view(np.uint8)
    # The crossbars of letters end at their stems.
    stems = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((max(int(_THIN * em) + 1, 3), 1), np.uint8))
    level = _level_runs(np.asarray(cv2.subtract(ink, stems), np.uint8), _SHORTEST * em)
    for box in _boxes(level, _THIN * em):
        x0, y0, x1, y1 = (int(side) for side in box)
        numbers = pieces.map[y0:y1, (x0 + x1) // 2]
        number = int(numbers.max())
        piece = whole.get(number)
        if piece is None or piece.high > _TALLEST * em or number in bars:
            continue
        if x1 - x0 > min(0.85 * piece.wide, _BLANK * em):
            found.append((box, number))
    return found


def _without(numbers: NDArray[np.int32], piece: Piece, bar: Box) -> list[Piece]:
    """What is left of a piece without a bar in it."""
    left, top, right, bottom = (int(side) for side in piece.box)
    mask = (numbers[top:bottom, left:right] == piece.number).astype(np.uint8)
    x0, y0, x1, y1 = (int(side) for side in bar)
    mask[y0 - top : y1 - top, x0 - left : x1 - left] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [
        Piece((left + float(x), top + float(y), left + float(x + wide), top + float(y + high)), int(area), piece.number)
        for x, y, wide, high, area in stats[1:]
        if area > 3
    ]


def _is_fraction(bar: Box, boxes: NDArray[np.float64], em: float) -> bool:
    """Whether a bar has ink of the size of digits right above and right below it, no wider than it is."""
    x0, y0, x1, y1 = bar
    over = boxes[(boxes[:, 0] < x1) & (boxes[:, 2] > x0)]
    above = over[(over[:, 3] <= y0 + 0.15 * em) & (over[:, 3] >= y0 - _NEAR_BAR * em)]
    below = over[(over[:, 1] >= y1 - 0.15 * em) & (over[:, 1] <= y1 + _NEAR_BAR * em)]
    if not len(above) or not len(below):
        return False
    sides = np.concatenate([above, below])
    if (sides[:, 0] < x0 - 0.25 * em).any() or (sides[:, 2] > x1 + 0.25 * em).any():
        return False
    gaps = y0 - above[:, 3].max(), below[:, 1].min() - y1
    stack = below[:, 3].max() - above[:, 1].min()
    # A stroke of a character stands nearer to its own other strokes than to the next line.
    return bool(abs(gaps[0] - gaps[1]) <= 0.3 * em and stack >= _STACK * em)


def _is_blank(bar: Box, rows: Sequence[Box], em: float) -> bool:
    """Whether a bar stands at the foot of a line of text, beside its words or under them."""
    if bar[2] - bar[0] < _BLANK * em:
        return False
    return any(
        row[0] - 1.5 * em <= bar[2]
        and bar[0] <= row[2] + 1.5 * em
        and row[1] + 0.55 * (row[3] - row[1]) <= bar[1] <= row[3] + 0.3 * em
        for row in rows
    )


def _is_open(bar: Box, pieces: Pieces, em: float, top: float = 1e9) -> bool:
    """Whether there is paper above a bar, one letter high or up to ``top``: it is no underline and no letter's foot."""
    x0, y0, x1, _ = (int(side) for side in bar)
    above = pieces.map[max(int(min(y0 - 0.7 * em, top)), 0) : max(y0 - int(0.1 * em), 1), x0:x1]
    return bool((above > 0).any(axis=0).mean() < 0.3)


#: Distances in ems. A point stands no further behind the rule of its blank; further on comes the next word.
_REACH = 0.7
_SMALLEST, _LARGEST = 0.09, 0.28
_ABOVE, _BELOW = 0.25, 0.1
_GAP = 1.2


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
        if x1 - x0 < _GAP * em or not any(_is_filled_in(line.box, (x0, y0, x1, y1), em) for line in lines):
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
