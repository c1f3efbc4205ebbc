"""Boxes in a picture, and pictures made smaller, or put into tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: x, y, width and height in whole pixels, as OpenCV gives them.
Place: TypeAlias = tuple[int, int, int, int]


def inside(box: Box, outer: Box) -> bool:
    """Whether the middle of a box is in another."""
    x, y = middle(box)
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def touch(one: Box, other: Box) -> bool:
    """Whether two boxes share a place."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    """How far the numbers of two are from each other at most: the sides of boxes, or what pixels look like."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def box_of(place: Place) -> Place:
    """A place as x0, y0, x1, y1."""
    x, y, wide, high = place
    return x, y, x + wide, y + high


def once(
    places: Iterable[Place], size: Callable[[Place], float], near: Callable[[Place], float], most: int
) -> list[Place]:
    """So many places at most, the largest first, without those whose sides are all near those of a larger one."""
    kept: list[Place] = []
    for place in sorted(set(places), key=lambda place: (-size(place), place)):
        if not any(apart(box_of(place), box_of(other)) <= near(place) for other in kept):
            kept.append(place)
            if len(kept) == most:
                break
    return kept


def in_picture(places: Iterable[Place], small: Any, pixels: Pixels) -> list[Box]:
    """Places that were found in a picture made smaller, as boxes in the picture itself."""
    x, y = pixels.shape[1] / small.shape[1], pixels.shape[0] / small.shape[0]
    return [(left * x, top * y, (left + wide) * x, (top + high) * y) for left, top, wide, high in places]


def smaller(pixels: Pixels, longest: float, shortest: float = inf) -> tuple[Pixels, float]:
    """A picture whose longer and shorter side have so many pixels at most, and by how much it is scaled down."""
    high, wide = pixels.shape[:2]
    scale = min(1.0, longest / max(high, wide), shortest / min(high, wide))
    if scale == 1.0:
        return pixels, scale
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)), scale


def fitted(part: Pixels, wide: float, high: float) -> Pixels:
    """A part of a picture, as large as fits into so many pixels."""
    scale = min(wide / part.shape[1], high / part.shape[0])
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC))


def tile_with(part: Pixels, wide: int, high: int, ground: Any) -> Pixels:
    """A tile of that size in one colour, with a part of a picture in its middle."""
    tile = np.empty((high, wide, 3), np.uint8)
    tile[:] = ground
    top, left = (high - part.shape[0]) // 2, (wide - part.shape[1]) // 2
    tile[top : top + part.shape[0], left : left + part.shape[1]] = part
    return tile


def usual_colour(part: Any) -> Any:
    """The most frequent colour of a part of a picture, in any three channels."""
    flat = part.reshape(-1, 3)
    kinds = (flat >> 4) @ np.array([256, 16, 1])
    return np.median(flat[kinds == np.bincount(kinds).argmax()], axis=0)


def is_rim(place: Place, centre: tuple[float, float], wide: int, high: int) -> bool:
    """Whether a shape comes in from a side of a part of that size, such as a card's edge, or is a frame around it all.

    ``centre`` is its centre of mass: what is near the middle of the part is no edge.
    """
    x, y, w, h = place
    touches = x == 0 or y == 0 or x + w == wide or y + h == high
    central = abs(centre[0] / wide - 0.5) < _CENTRAL and abs(centre[1] / high - 0.5) < _CENTRAL
    return touches and (not central or (w > _FRAME * wide and h > _FRAME * high))


#: How near the middle of a card a digit's middle is, as a share of it; what share of the card's sides a frame has.
_CENTRAL, _FRAME = 0.25, 0.9
