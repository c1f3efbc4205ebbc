"""The digits on a card by their ink: found as shapes on the card's ground, counted, and read in black on white."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from operators.game.numbers.digits import number_of
from operators.game.rounds import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

#: What is cut out reaches beyond the card by this share of its sides, as outlines are often seen too small; a card is
#: looked at with this shorter side in pixels.
_BEYOND, _SIDE = 0.08, 150
#: What is off the ground by less is no ink.
_FAINT = 28
#: A digit is at least so high as a share of the card's shorter side, and as a share of the tallest digit; that much of
#: it is on the line of the tallest. It fills that much of its box at least, unlike a frame, and is no hair line.
_LEAST, _TALL, _LEVEL, _FILLED, _HAIR = 0.1, 0.72, 0.7, 0.14, 0.07
#: What stands in a digit, such as the dot of a zero, is less high than this share of it.
_LESS = 0.3
#: How far the line's middle is off the card's at most, in heights of its digits: further off a digit is missing.
_ASIDE = 0.22
#: The wider window's share of the card's width on each side; the blank that there is beside a whole number, and what
#: lies between two digits of one at most (a space between thousands), both in heights of its digits.
_WIDER, _BLANK, _APART = 0.4, 0.12, 0.55
#: The share of a card's width at its sides that may hold its outline.
_INSET = 0.06
#: A digit is so wide at most as a share of its height; wider shapes are digits that touch, each at least so wide.
_WIDE, _NARROW = 0.92, 0.36
#: A cell of the sheet that is read: its sides, the digits' height in it, and what lies between cells and copies.
_CELL_WIDE, _CELL_HIGH, _DIGITS, _BETWEEN, _GAP = 300, 76, 44, 90, 26


#: A shape's number, left and upper side, width and height.
_Shape = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Ink:
    """The line of digits on a card in black on white, and the widths of its shapes as shares of their height.

    ``cut`` says that a digit may be missing: the line reaches the edge of what was looked at, or is off its middle.
    """

    picture: NDArray[np.uint8]
    widths: tuple[float, ...]
    cut: bool

    def may_be(self, number: int) -> bool:
        """Whether a number has as many digits as there are shapes, counting those that may be two or more."""
        most = sum(1 if width <= _WIDE else int(width / _NARROW) for width in self.widths)
        return len(self.widths) <= len(str(number)) <= most


def ink_on(pixels: Pixels, box: Box) -> Ink | None:
    """The digits' ink on a card; None if nothing on it looks like digits.

    What is not whole within the card is looked for in a wider window, as the card may lie a little aside.
    """
    ink = _ink_in(pixels, box, _BEYOND)
    if ink is not None and ink.cut:
        wider = _ink_in(pixels, box, _WIDER)
        return wider if wider is not None and not wider.cut else ink
    return ink


def _ink_in(pixels: Pixels, box: Box, beyond: float) -> Ink | None:
    """The digits' ink in a window that reaches so far beyond a card left and right."""
    part = _cut_out(pixels, box, beyond)
    if part is None:
        return None
    off = _off_ground(part, beyond)
    core = _core(off, beyond)
    bar = max(_FAINT, int(cv2.threshold(np.ascontiguousarray(core), 0, 255, cv2.THRESH_OTSU)[0]))
    ink = (off > bar).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    level, line = _line(stats[1:count].tolist(), off.shape, beyond)
    if not line:
        return None
    mask = np.isin(labels, [shape[0] + 1 for shape in line]).astype(np.uint8)
    boxes = stats[[shape[0] + 1 for shape in line]]
    x0, y0 = int(boxes[:, 0].min()), int(boxes[:, 1].min())
    x1, y1 = int((boxes[:, 0] + boxes[:, 2]).max()), int((boxes[:, 1] + boxes[:, 3]).max())
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    black = 255 - np.clip(off.astype(np.float32) * near * (255 / max(1, 2 * bar)), 0, 255).astype(np.uint8)
    aside = beyond == _BEYOND and abs((x0 + x1) / 2 - _middle(pixels, box, off.shape[1])) > _ASIDE * (y1 - y0)
    wide = off.shape[1] * beyond / (1 + 2 * beyond)
    lost = any(shape not in line and wide < shape[1] + shape[3] / 2 < off.shape[1] - wide for shape in level)
    inside = round(wide + _INSET * (off.shape[1] - 2 * wide))
    cut = aside or lost or not _alone(ink, (x0, y0, x1, y1), inside)
    return Ink(black[y0:y1, x0:x1], tuple(float(w / h) for _, _, w, h, _ in boxes.tolist()), cut)


def _alone(ink: NDArray[np.uint8], line: tuple[int, int, int, int], inside: int) -> bool:
    """Whether there is blank ground on the card left and right of a line of digits, so that none of them is missing.

    ``inside`` is how far from the window's sides the card begins.
    """
    x0, y0, x1, y1 = line
    tall, wide = y1 - y0, ink.shape[1]
    band = ink[y0 + tall // 5 : y1 - tall // 5]
    gap = max(2, round(_BLANK * tall))
    if x0 < gap or x1 > wide - gap:
        return False
    left, right = min(x0 - gap, inside), max(x1 + gap, wide - inside)
    return not band[:, left:x0].any() and not band[:, x1:right].any()


def read_inks(inks: Sequence[Ink | None], engine: OCREngine) -> list[int | None]:
    """The number in each line of ink, all read as one sheet; None where there is no ink, or none that is whole."""
    inks = [None if ink is None or ink.cut else ink for ink in inks]
    if not any(ink is not None for ink in inks):
        return [None] * len(inks)
    sheet = np.full((-(-len(inks) // 2) * _CELL_HIGH + 40, 2 * _CELL_WIDE + _BETWEEN + 40), 255, np.uint8)
    copies = []
    for place, ink in enumerate(inks):
        row, copied = _copied(ink)
        copies.append(copied)
        x, y = _corner(place)
        sheet[y : y + row.shape[0], x : x + row.shape[1]] = row
    [lines] = read_pictures(engine, [np.ascontiguousarray(np.repeat(sheet[:, :, None], 3, axis=2))])
    return [_number([line for line in lines if _in_cell(line, place)], many) for place, many in enumerate(copies)]


def _cut_out(pixels: Pixels, box: Box, beyond: float) -> Any:
    """A card with a little around it, of one size; None for a card of no size."""
    height, width = pixels.shape[:2]
    more_x, more_y = beyond * (box[2] - box[0]), _BEYOND * (box[3] - box[1])
    x0, x1 = max(0, round(box[0] - more_x)), min(width, round(box[2] + more_x))
    y0, y1 = max(0, round(box[1] - more_y)), min(height, round(box[3] + more_y))
    if x1 - x0 < 8 or y1 - y0 < 8:
        return None
    part = pixels[y0:y1, x0:x1]
    scale = _SIDE / min(box[2] - box[0], box[3] - box[1])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(part, (round(part.shape[1] * scale), round(part.shape[0] * scale)), interpolation=way)


def _middle(pixels: Pixels, box: Box, wide: int) -> float:
    """Where the card's middle is in what was cut out, that may end at the picture's edge."""
    more = _BEYOND * (box[2] - box[0])
    left, right = max(0.0, box[0] - more), min(float(pixels.shape[1]), box[2] + more)
    return wide * ((box[0] + box[2]) / 2 - left) / max(1.0, right - left)


def _core(part: NDArray[np.uint8], beyond: float) -> NDArray[np.uint8]:
    """The part of a window that is surely on the card."""
    high, wide = part.shape[:2]
    left = round(wide * (beyond + 0.05) / (1 + 2 * beyond))
    return part[high // 6 : high - high // 6, left : wide - left]


def _off_ground(part: Pixels, beyond: float) -> NDArray[np.uint8]:
    """How far each pixel is from the colour that fills the middle of a card."""
    core = _core(part, beyond).reshape(-1, 3)
    steps = (core >> 4).astype(np.int32)
    kinds = steps[:, 0] * 256 + steps[:, 1] * 16 + steps[:, 2]
    ground = np.median(core[kinds == np.bincount(kinds).argmax()], axis=0)
    return np.asarray(np.abs(part.astype(np.int16) - ground.astype(np.int16)).max(axis=2), np.uint8)


def _line(stats: Sequence[Sequence[int]], shape: tuple[int, ...], beyond: float) -> tuple[list[_Shape], list[_Shape]]:
    """The shapes that may be digits, left to right: all that are level with the tallest one near the middle, and those
    of its number, which in a wider window ends at a wide gap."""
    high, wide = shape
    digits: list[_Shape] = []
    for i, (x, y, w, h, area) in enumerate(stats):
        inside = y > 0 and y + h < high
        if h >= _LEAST * _SIDE and area >= _FILLED * w * h and w >= _HAIR * h and inside:
            digits.append((i, x, y, w, h))
    digits = [one for one in digits if not any(_around(one, other) for other in digits)]
    central = [each for each in digits if abs(each[2] + each[4] / 2 - high / 2) < 0.3 * high
               and 0.2 * wide < each[1] + each[3] / 2 < 0.8 * wide]  # fmt: skip
    if not central:
        return [], []
    first = max(central, key=lambda each: (each[4], -each[0]))
    _, _, top, _, tall = first
    level = [(i, x, y, w, h) for i, x, y, w, h in digits
             if h >= _TALL * tall and min(y + h, top + tall) - max(y, top) >= _LEVEL * tall]  # fmt: skip
    level.sort(key=lambda each: each[1])
    return level, level if beyond == _BEYOND else _run(level, first)


def _around(one: _Shape, other: _Shape) -> bool:
    """Whether a shape is a frame around another that may be a digit."""
    _, x, y, w, h = one
    _, u, v, s, t = other
    return t >= _LESS * h and x < u and y < v and u + s < x + w and v + t < y + h


def _run(level: list[_Shape], first: _Shape) -> list[_Shape]:
    """The shapes of one number: those around the first one without a wide gap between."""
    at = level.index(first)
    start = end = at
    while start > 0 and level[start][1] - (level[start - 1][1] + level[start - 1][3]) <= _APART * first[4]:
        start -= 1
    while end + 1 < len(level) and level[end + 1][1] - (level[end][1] + level[end][3]) <= _APART * first[4]:
        end += 1
    return level[start : end + 1]


def _copied(ink: Ink | None) -> tuple[NDArray[np.uint8], int]:
    """A cell's content, and how many copies of the number are in it: lone digits are overlooked, three are not."""
    if ink is None:
        return np.full((1, 1), 255, np.uint8), 0
    high, wide = ink.picture.shape
    size = (max(1, min(_CELL_WIDE, round(wide * _DIGITS / high))), _DIGITS)
    number = np.asarray(cv2.resize(ink.picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    copies = {1: 3, 2: 2}.get(len(ink.widths), 1)
    if copies * (size[0] + _GAP) > _CELL_WIDE:
        return number, 1
    gap = np.full((_DIGITS, _GAP), 255, np.uint8)
    return np.concatenate([number, *[gap, number] * (copies - 1)], axis=1), copies


def _corner(place: int) -> tuple[int, int]:
    return 20 + (place % 2) * (_CELL_WIDE + _BETWEEN), 20 + (place // 2) * _CELL_HIGH + (_CELL_HIGH - _DIGITS) // 2


def _in_cell(line: OCRLine, place: int) -> bool:
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    left, top = _corner(place)
    return left - 20 <= x <= left + _CELL_WIDE + 20 and abs(y - top - _DIGITS / 2) < _CELL_HIGH / 2


def _number(lines: Sequence[OCRLine], copies: int) -> int | None:
    """The number that the lines of a cell give, each copy the same."""
    text = "".join("".join(line.text.split()) for line in sorted(lines, key=lambda line: line.box[0]))
    one = text[: len(text) // copies] if copies else ""
    return number_of(one) if one and text == one * copies else None
