"""Three equal shapes in a row or a column of which one is unlike the others: the lit lamp, whatever its colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.numbers.rows import evenness, middle, threes
from operators.game.rounds import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from operators.game.light.planes import Planes

#: Levels of grey at which outlines are looked for.
_LEVELS = range(12, 252, 12)
#: A lamp's size, as shares of the picture's shorter side, its longer by its shorter side at most, and the share of its
#: hull that it fills at least.
_LEAST, _MOST, _LONG, _FULL = 0.018, 0.3, 2.5, 0.9
#: How far sides and spacing of the three differ, as shares, and from where to where their middles are apart, in their
#: own widths: letters of a word stand closer.
_ALIKE, _EVEN, _NEAR, _FAR = 0.18, 0.1, 1.06, 6.0
#: The share of a shape's middle that is of one level of grey, within so many levels: cards have digits there.
_PLAIN, _WITHIN = 0.75, 32
#: How much the lit one differs from the others, in levels of 255, and these from each other at most.
_LIT, _OFF = 40.0, 16.0
#: The lamps are above this share of the picture's height, or beside the cards.
_LOW = 0.9
#: Outlines are told at most, the largest.
_KEPT = 200


@dataclass(frozen=True, slots=True)
class Trio:
    """Three shapes by their boxes in pixels of the picture, left to right or from the top, and which one differs."""

    boxes: tuple[Box, Box, Box]
    lit: int
    down: bool

    @property
    def step(self) -> float:
        """How far neighbours are apart, in pixels."""
        along = 1 if self.down else 0
        return (middle(self.boxes[2])[along] - middle(self.boxes[0])[along]) / 2

    @property
    def around(self) -> Box:
        """The shapes with as much around them as their labels may take."""
        (x0, y0, *_), (*_, x1, y1) = self.boxes[0], self.boxes[2]
        more = 2.5 * self.step if self.down else self.step
        return x0 - more, y0 - self.step, x1 + more, y1 + self.step


@dataclass(frozen=True, slots=True)
class _Shape:
    box: Box
    inside: float


def trio_in(planes: Planes) -> Trio | None:
    """The largest three equal shapes of which one differs inside."""
    shapes = _shapes(planes)
    found: list[tuple[float, Trio]] = []
    for down in (False, True):
        turned = [_Shape(_turned(shape.box) if down else shape.box, shape.inside) for shape in shapes]
        for three in threes(turned):
            lit = _lit(three, turned)
            if lit is None:
                continue
            boxes = [_turned(shape.box) if down else shape.box for shape in three]
            size = min((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
            one, two, last = (_placed(planes, box) for box in boxes)
            found.append((size, Trio((one, two, last), lit, down)))
    return max(found, key=lambda each: each[0])[1] if found else None


def _lit(three: tuple[_Shape, _Shape, _Shape], shapes: Sequence[_Shape]) -> int | None:
    """Which of three shapes differs from the others, if they stand as lamps do."""
    boxes = [shape.box for shape in three]
    wide, high = [x1 - x0 for x0, _, x1, _ in boxes], [y1 - y0 for _, y0, _, y1 in boxes]
    step = (middle(boxes[2])[0] - middle(boxes[0])[0]) / 2
    alike = max(wide) <= (1 + _ALIKE) * min(wide) and max(high) <= (1 + _ALIKE) * min(high)
    even = evenness(boxes)
    if not alike or max(even.spacing, even.level) > _EVEN or not _NEAR * max(wide) <= step <= _FAR * max(wide):
        return None
    if any(_goes_on(boxes, step, shape.box) for shape in shapes):
        return None
    insides = [shape.inside for shape in three]
    for lit in range(3):
        one, other = (insides[i] for i in range(3) if i != lit)
        if abs(one - other) <= _OFF and min(abs(insides[lit] - one), abs(insides[lit] - other)) >= _LIT:
            return lit
    return None


def _goes_on(boxes: Sequence[Box], step: float, other: Box) -> bool:
    """Whether a shape of the same size is a fourth one of the row."""
    x, y = middle(other)
    high = boxes[1][3] - boxes[1][1]
    for at, away in ((boxes[0], -step), (boxes[2], step)):
        near = abs(x - middle(at)[0] - away) < 0.15 * step and abs(y - middle(at)[1]) < 0.3 * high
        if near and abs(other[3] - other[1] - high) < _ALIKE * high:
            return True
    return False


def _shapes(planes: Planes) -> list[_Shape]:
    """Shapes without dents that are plain inside, each once."""
    found = {box for level in _LEVELS for box in _outlines(planes, level)}
    kept: list[tuple[int, int, int, int]] = []
    for x, y, w, h in sorted(found, key=lambda box: (-box[2] * box[3], box)):
        near = 0.12 * min(w, h) + 1
        if not any(max(abs(x - u), abs(y - v), abs(x + w - u - s), abs(y + h - v - t)) <= near for u, v, s, t in kept):
            kept.append((x, y, w, h))
            if len(kept) == _KEPT:
                break
    insides = [_inside(planes, box) for box in kept]
    return [
        _Shape((x, y, x + w, y + h), inside) for (x, y, w, h), inside in zip(kept, insides, strict=True)
        if inside is not None
    ]  # fmt: skip


def _outlines(planes: Planes, level: int) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of what is lighter, or darker, than a level of grey, and of a lamp's size."""
    least, most = _LEAST * planes.short, _MOST * planes.short
    _, mask = cv2.threshold(planes.grey, level, 255, cv2.THRESH_BINARY)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if not least <= min(w, h) or max(w, h) > min(most, _LONG * min(w, h)) or y > _LOW * planes.whole[0]:
            continue
        hull = cv2.contourArea(cv2.convexHull(contour))
        if hull >= 0.7 * (w - 1) * (h - 1) and cv2.contourArea(contour) >= _FULL * hull:
            yield x, y, w, h


def _inside(planes: Planes, box: tuple[int, int, int, int]) -> float | None:
    """The usual level of grey in the middle of a shape; None if that is not plain."""
    x, y, w, h = box
    part: NDArray[np.uint8] = planes.grey[y + h // 4 : y + h - h // 4, x + w // 4 : x + w - w // 4]
    if not part.size:
        return None
    usual = float(np.median(part))
    return usual if float((np.abs(part - usual) <= _WITHIN).mean()) >= _PLAIN else None


def _turned(box: Box) -> Box:
    x0, y0, x1, y1 = box
    return y0, x0, y1, x1


def _placed(planes: Planes, box: Box) -> Box:
    """A box here as one in the picture."""
    x0, y0, x1, y1 = (side / planes.scale for side in box)
    return planes.corner[0] + x0, planes.corner[1] + y0, planes.corner[0] + x1, planes.corner[1] + y1
