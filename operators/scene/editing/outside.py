"""The share of a footprint outside the floor, which is quickly found where it reaches one straight wall, or none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from operators.scene.model.geometry import Box, Floor, Point, outside_share

#: Square metres of a footprint that has none to speak of.
_NO_AREA = 1e-6


class Side(NamedTuple):
    """One side of a floor's outline: its bounds, where it begins, its length, its direction; inside is at its left."""

    west: float
    north: float
    east: float
    south: float
    x: float
    z: float
    length: float
    along: Point


def sides_of(floor: Floor) -> list[Side]:
    """The sides of a floor's outlines."""
    return [_side(*edge) for edge in floor.edges]


def _side(ax: float, az: float, bx: float, bz: float) -> Side:
    length = math.hypot(bx - ax, bz - az)
    return Side(
        min(ax, bx), min(az, bz), max(ax, bx), max(az, bz), ax, az, length, ((bx - ax) / length, (bz - az) / length)
    )


def share_outside(box: Box, reach: float, floor: Floor, sides: Sequence[Side]) -> float:
    """What :func:`~operators.scene.model.geometry.outside_share` gives; ``reach`` is the footprint's from its middle.

    >>> from operators.scene.model.geometry import box_of, floor_of
    >>> floor = floor_of({"bounds_bottom": [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]], "bounds_top": []})
    >>> box = box_of({"pos": [4.0, 0.0, 1.0], "size": [1.0, 1.0, 1.0], "rot": [0.0, 0.0, 0.0, 1.0]})
    >>> share_outside(box, 1.0, floor, sides_of(floor)), outside_share(box, floor)
    (0.5, 0.5)
    """
    area = 4 * box.wide * box.deep
    if area < _NO_AREA:
        return outside_share(box, floor)
    x, z = box.x, box.z
    west, north, east, south = x - reach, z - reach, x + reach, z + reach
    near = [each for each in sides if each[0] < east and each[1] < south and each[2] > west and each[3] > north]
    if not near:
        return 0.0 if floor.contains(x, z) else 1.0
    points: Sequence[Point] = box.corners
    if not floor.is_rectangle and not (len(near) == 1 and _crosses(near[0], x, z, reach)):
        return outside_share(box, floor)
    for side in near:
        ax, az, (dx, dz) = side.x, side.z, side.along
        points = _cut(points, [dx * (pz - az) - dz * (px - ax) for px, pz in points])
    return max(0.0, 1.0 - _area(points) / area) if points is not box.corners else 0.0


def _crosses(side: Side, x: float, z: float, reach: float) -> bool:
    """Whether a side runs through a circle from end to end, so that the floor in the circle ends at its line."""
    dx, dz = side.along
    along, off = dx * (x - side.x) + dz * (z - side.z), dx * (z - side.z) - dz * (x - side.x)
    return abs(off) < reach and along >= reach and side.length - along >= reach


def _cut(points: Sequence[Point], inside: Sequence[float]) -> Sequence[Point]:
    """The part of an outline on the inner side of a line; ``inside`` are the metres of its corners to that side."""
    if not inside or min(inside) >= 0.0:
        return points
    kept: list[Point] = []
    (px, pz), p = points[-1], inside[-1]
    for point, side in zip(points, inside, strict=True):
        x, z = point
        if (side < 0.0) != (p < 0.0):
            t = p / (p - side)
            kept.append((px + t * (x - px), pz + t * (z - pz)))
        if side >= 0.0:
            kept.append(point)
        px, pz, p = x, z, side
    return kept


def _area(points: Sequence[Point]) -> float:
    if not points:
        return 0.0
    total, (px, pz) = 0.0, points[-1]
    for x, z in points:
        total += px * z - x * pz
        px, pz = x, z
    return abs(total) / 2
