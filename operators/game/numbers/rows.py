"""Boxes of the shapes in a screenshot that may be cards, and rows of those that look alike."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from operators.game.boxes import Place, once, smaller
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: Shapes are looked for at this many pixels of the longer side.
_SIDE = 960
#: Two pairs of bars for Canny's edges: plain ones, and faint ones such as a white card's on light grey.
_BARS = ((40, 100), (8, 24))
#: A card's sides, as shares of the picture's shorter side, and at most of its width, as in a column, and its height.
_LEAST, _WIDE, _HIGH = 0.05, 0.95, 0.5
#: How much of its box a shape fills at least; a disc fills 0.79, and the digits on a card are holes.
_FILLS_REGION, _FILLS_OUTLINE = 0.45, 0.7
#: Shapes that are told at most, the largest; a busy ground may have hundreds.
_KEPT = 160
#: Boxes that differ by less than this share of their size are the inside and the outside of one shape.
_SAME = 0.12

#: How far boxes of one row differ in height and stand off its level, as shares of their height.
_HEIGHT, _LEVEL = 0.25, 0.45
#: How far the distances between neighbours differ, as a share of their mean.
_SPACING = 0.15
#: How far neighbours overlap, as a share of their width; engines draw boxes wide.
_OVERLAP = 0.25


def shapes(pixels: Pixels) -> list[Box]:
    """The boxes of shapes that are neither tiny nor as high as half the picture, each once, outermost first."""
    small = cv2.GaussianBlur(smaller(pixels, _SIDE)[0], (3, 3), 0)
    high, wide = small.shape[:2]
    found: list[Place] = []
    for bars in _BARS:
        edges = np.zeros((high, wide), np.uint8)
        for channel in cv2.split(small):
            edges |= cv2.Canny(channel, *bars)
        broad: Any = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        found += _regions(broad) + _outlines(broad)
    least = _LEAST * min(high, wide)
    fit = [b for b in found if least <= min(b[2:]) and b[2] <= _WIDE * wide and b[3] <= _HIGH * high]
    shown = once(fit, lambda b: b[2] * b[3], lambda b: _SAME * min(b[2:]), _KEPT)
    back_x, back_y = pixels.shape[1] / wide, pixels.shape[0] / high
    return [(x * back_x, y * back_y, (x + w) * back_x, (y + h) * back_y) for x, y, w, h in shown]


def _regions(edges: Pixels) -> list[Place]:
    """Plain areas between edges, as x, y, width, height."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(255 - edges, connectivity=4)
    boxes = []
    for x, y, w, h, area in stats[1:count].tolist():
        if area >= _FILLS_REGION * w * h:
            # The widened edge took two pixels on each side.
            boxes.append((x - 2, y - 2, w + 4, h + 4))
    return boxes


def _outlines(edges: Pixels) -> list[Place]:
    """Closed lines, as x, y, width, height."""
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if min(w, h) > 8 and cv2.contourArea(cv2.convexHull(contour)) >= _FILLS_OUTLINE * w * h:
            boxes.append((x, y, w, h))
    return boxes


@dataclass(frozen=True, slots=True)
class Evenness:
    """How even a row is: what is off in height, level and spacing, each as a share of the height or the distance."""

    height: float
    level: float
    spacing: float


T = TypeVar("T")


def evenness(boxes: Sequence[Box]) -> Evenness:
    """How even three boxes, left to right, stand; their spacing by whatever is even, middles or left sides."""
    heights = [box[3] - box[1] for box in boxes]
    high = max(heights)
    xs, ys = zip(*map(middle, boxes), strict=True)
    lefts = [box[0] for box in boxes]
    off = min(_uneven(xs), _uneven(lefts))
    # Three on a slant are as even as three on a level.
    bend = abs(ys[0] - 2 * ys[1] + ys[2]) / 2
    slant = abs(ys[2] - ys[0]) / max(1.0, xs[2] - xs[0])
    level = min(max(ys) - min(ys), bend + slant * high)
    return Evenness((high - min(heights)) / high, level / high, off)


def _uneven(xs: Sequence[float]) -> float:
    first, second = xs[1] - xs[0], xs[2] - xs[1]
    return abs(first - second) / max(1e-6, (first + second) / 2) if min(first, second) > 0 else 9.0


def threes(items: Sequence[T], box_of: Callable[[T], Box]) -> list[tuple[T, T, T]]:
    """All rows of three that do not overlap; ``box_of`` tells an item's box.

    A third is looked for only where two make room for it, so that hundreds of boxes take no minutes.
    """
    ordered = sorted(items, key=lambda item: (middle(box_of(item)), box_of(item)))
    boxes = [box_of(item) for item in ordered]
    by_middle, by_left = _Places([middle(box)[0] for box in boxes]), _Places([box[0] for box in boxes])
    rows = []
    for i, j in combinations(range(len(boxes)), 2):
        if not _may_be_neighbours(boxes[i], boxes[j]):
            continue
        thirds = by_middle.after(i, j) | by_left.after(i, j)
        rows += [(i, j, k) for k in sorted(thirds) if k > j and is_row([boxes[i], boxes[j], boxes[k]])]
    return [(ordered[i], ordered[j], ordered[k]) for i, j, k in rows]


class _Places:
    """Where boxes stand from left to right, to find those at a distance."""

    def __init__(self, xs: Sequence[float]) -> None:
        self._xs = xs
        self._order = sorted(range(len(xs)), key=xs.__getitem__)
        self._sorted = [xs[place] for place in self._order]

    def after(self, i: int, j: int) -> set[int]:
        """Those as far behind box ``j`` as that is behind ``i``, give or take what a row's spacing may differ."""
        step = self._xs[j] - self._xs[i]
        if step <= 0:
            return set()
        # |step - other| <= s * (step + other) / 2, solved for the other step, and a little more for rounding.
        near, far = (2 - _SPACING) / (2 + _SPACING), (2 + _SPACING) / (2 - _SPACING)
        first = bisect_left(self._sorted, self._xs[j] + 0.999 * near * step)
        return set(self._order[first : bisect_right(self._sorted, self._xs[j] + 1.001 * far * step)])


def _may_be_neighbours(left: Box, right: Box) -> bool:
    """Whether two boxes may be the first two of a row: of like height, about level, and apart."""
    one, other = left[3] - left[1], right[3] - right[1]
    high = max(one, other)
    if high - min(one, other) > _HEIGHT * high or left[2] > right[0] + _OVERLAP * (left[2] - left[0]):
        return False
    (x0, y0), (x1, y1) = middle(left), middle(right)
    # On a slant they may stand off by it; the third, whose height is not known here, may be higher.
    return abs(y1 - y0) <= 1.5 * _LEVEL * (high + abs(x1 - x0))


def is_row(boxes: Sequence[Box]) -> bool:
    """Whether three boxes, left to right, are a row."""
    apart = all(left[2] <= right[0] + _OVERLAP * (left[2] - left[0]) for left, right in pairwise(boxes))
    if not apart:
        return False
    even = evenness(boxes)
    return even.height <= _HEIGHT and even.level <= _LEVEL and even.spacing <= _SPACING
