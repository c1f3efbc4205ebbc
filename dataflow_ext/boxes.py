"""Upright rectangles, given as x0, y0, x1 and y1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Side = TypeVar("Side", int, float)


def union(boxes: Iterable[tuple[Side, Side, Side, Side]]) -> tuple[Side, Side, Side, Side]:
    """The smallest rectangle around some (at least one).

    >>> union([(0, 0, 1, 1), (2, 2, 3, 3)])
    (0, 0, 3, 3)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def middle(box: tuple[float, float, float, float]) -> tuple[float, float]:
    """The middle of a rectangle."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
