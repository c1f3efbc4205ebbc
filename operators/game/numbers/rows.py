"""Rows of look-alike boxes of equal height and spacing, among any boxes in a picture."""

from __future__ import annotations

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
    """All rows of three that do not overlap."""
    ordered = sorted(items, key=lambda item: (middle(item.box), item.box))
    return [row for row in combinations(ordered, 3) if is_row([item.box for item in row])]


def is_row(boxes: Sequence[Box]) -> bool:
    """Whether three boxes, left to right, are a row."""
    apart = all(left[2] <= right[0] + _OVERLAP * (left[2] - left[0]) for left, right in pairwise(boxes))
    if not apart:
        return False
    even = evenness(boxes)
    return even.height <= _HEIGHT and even.level <= _LEVEL and even.spacing <= _SPACING
