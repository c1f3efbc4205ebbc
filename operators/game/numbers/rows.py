"""Rows of look-alike boxes of equal height and spacing, among any boxes in a picture."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Protocol, TypeVar

from operators.game.rounds import Box

#: How far boxes of one row differ in height and stand off its level, as shares of their height.
_HEIGHT, _LEVEL = 0.25, 0.45
#: How far the distances between neighbours differ, as a share of their mean.
_SPACING = 0.15
#: How far neighbours overlap, as a share of their width; engines draw boxes wide.
_OVERLAP = 0.25


@dataclass(frozen=True, slots=True)
class Evenness:
    """How even a row is: what is off in height, level and spacing, each as a share of the height or the distance."""

    height: float
    level: float
    spacing: float

    @property
    def clean(self) -> bool:
        """Whether nobody would doubt that it is a row."""
        return self.height <= 0.2 and self.level <= 0.25 and self.spacing <= 0.08


class HasBox(Protocol):
    """Anything with a box."""

    @property
    def box(self) -> Box:
        """Its box in pixels."""


B = TypeVar("B", bound=HasBox)


def middle(box: Box) -> tuple[float, float]:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def inside(box: Box, outer: Box) -> bool:
    """Whether the middle of a box is in another."""
    x, y = middle(box)
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


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


def threes(items: Sequence[B]) -> list[tuple[B, B, B]]:
    """All rows of three that do not overlap.

    A third is looked for only where two make room for it, so that hundreds of boxes take no minutes.
    """
    ordered = sorted(items, key=lambda item: (middle(item.box), item.box))
    boxes = [item.box for item in ordered]
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
