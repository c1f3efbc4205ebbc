"""Objects as boxes: where they stand, how deep they overlap, how far they are out of the room or off its walls.

Metres; plans are in ``(x, z)``. Plain Python, as the editor asks thousands of times a second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from operators.scene.model.floor import Floor, Point, Wall
from operators.scene.model.scene import Object

#: Overlaps below this are rounding of floats.
_NOTHING = 1e-9


@dataclass(slots=True)
class Box:
    """An upright box: a rectangle on the plan, turned towards ``front``, from height ``low`` to ``high``.

    ``corners`` run round the rectangle: left and right of the front, then right and left of the back, as one sees it
    standing behind the object. ``x``, ``z`` is the middle of the footprint, ``wide`` its half width and ``deep`` its
    half depth, along ``front``.
    """

    corners: tuple[Point, Point, Point, Point]
    low: float
    high: float
    x: float
    z: float
    front: Point
    wide: float
    deep: float

    @property
    def volume(self) -> float:
        """Cubic metres."""
        return 4 * self.wide * self.deep * (self.high - self.low)


class WallGap(NamedTuple):
    """A wall, and the metres between it and a box: negative if the box goes through it."""

    wall: Wall
    gap: float


def box_of(obj: Object) -> Box:
    """The upright box around an object, which turns about the middle of its base, ``pos``.

    For an object that leans, the box is the smallest upright one around it that keeps the heading.

    >>> box = box_of({"pos": [1.0, 0.0, 2.0], "size": [2.0, 0.5, 1.0], "rot": [0.0, 0.70710678, 0.0, 0.70710678]})
    >>> [round(n, 6) + 0.0 for n in (box.x, box.z, box.low, box.high, *box.front)]
    [1.0, 2.0, 0.0, 0.5, 1.0, 0.0]
    >>> box.wide, box.deep
    (1.0, 0.5)
    """
    x, y, z = obj["pos"]
    width, height, depth = obj["size"]
    qx, qy, qz, qw = obj["rot"]
    wide, deep = abs(width) / 2, abs(depth) / 2
    if qx or qz:
        return _leaning(obj)
    norm = qy * qy + qw * qw
    fx, fz = (2 * qy * qw / norm, (qw * qw - qy * qy) / norm) if norm else (0.0, 1.0)
    return _box(x, z, y, y + abs(height), fx, fz, wide, deep)


def turned(rot: list[float] | tuple[float, ...], x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector turned by a quaternion ``[x, y, z, w]`` of any length; one of length 0 does not turn."""
    qx, qy, qz, qw = rot
    norm = math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
    if norm == 0.0:
        return x, y, z
    qx, qy, qz, qw = qx / norm, qy / norm, qz / norm, qw / norm
    tx, ty, tz = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
    return (
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    )


def turned_by(rot: Sequence[float], degrees: float) -> list[float]:
    """A rotation ``[x, y, z, w]`` followed by a turn about the world's y axis.

    >>> turned_by([0.0, 0.0, 0.0, 1.0], 180.0)[1]
    1.0
    """
    x, y, z, w = rot
    half = math.radians(degrees) / 2
    sin, cos = math.sin(half), math.cos(half)
    return [cos * x + sin * z, cos * y + sin * w, cos * z - sin * x, cos * w - sin * y]


def degrees_between(one: Sequence[float], other: Sequence[float]) -> float:
    """The angle between two rotations; 0 for a quaternion and its negative, and where one of them is none.

    >>> degrees_between([0.0, 0.70711, 0.0, 0.70711], [0.0, -0.70711, 0.0, -0.70711])
    0.0
    """
    length = math.sqrt(sum(n * n for n in one) * sum(n * n for n in other))
    if not length:
        return 0.0
    cosine = abs(sum(a * b for a, b in zip(one, other, strict=True))) / length
    return math.degrees(2 * math.acos(min(1.0, cosine)))


def yaw_of(obj: Object) -> float:
    """The degrees, from 0 to below 360, that an object is turned from +z towards +x.

    >>> yaw_of({"pos": [0, 0, 0], "size": [1, 1, 1], "rot": [0.0, 0.70711, 0.0, 0.70711]})
    90.0
    """
    fx, fz = box_of(obj).front
    return round(math.degrees(math.atan2(fx, fz)) % 360, 6) % 360


def overlap_depth(a: Box, b: Box) -> float:
    """The metres by which one of two boxes must be pushed to be clear of the other; 0 if they are.

    The least over height and the four directions of their sides on the plan (separating axes).

    >>> sofa = box_of({"pos": [0.0, 0.0, 0.0], "size": [2.0, 0.8, 1.0], "rot": [0.0, 0.0, 0.0, 1.0]})
    >>> table = box_of({"pos": [0.0, 0.0, 0.6], "size": [1.0, 0.5, 0.5], "rot": [0.0, 0.0, 0.0, 1.0]})
    >>> round(overlap_depth(sofa, table), 6)
    0.15
    """
    depth = a.high - b.low
    other = b.high - a.low
    if other < depth:
        depth = other
    if depth <= _NOTHING:
        return 0.0
    plan = _plan_depth(a, b)
    if plan < depth:
        depth = plan
    return depth if depth > _NOTHING else 0.0


def _plan_depth(a: Box, b: Box) -> float:
    """The least of the depths along the four directions of two footprints' sides; not above 0 if they are clear."""
    dx, dz = b.x - a.x, b.z - a.z
    (ax, az), (bx, bz) = a.front, b.front
    cos, sin = abs(ax * bx + az * bz), abs(ax * bz - az * bx)
    a_wide, a_deep, b_wide, b_deep = a.wide, a.deep, b.wide, b.deep
    return min(
        a_deep + b_deep * cos + b_wide * sin - abs(dx * ax + dz * az),
        a_wide + b_wide * cos + b_deep * sin - abs(dx * az - dz * ax),
        b_deep + a_deep * cos + a_wide * sin - abs(dx * bx + dz * bz),
        b_wide + a_wide * cos + a_deep * sin - abs(dx * bz - dz * bx),
    )


def is_over(lower: Box, x: float, z: float) -> bool:
    """Whether a point on the plan is within a footprint."""
    fx, fz = lower.front
    dx, dz = x - lower.x, z - lower.z
    return abs(dx * fx + dz * fz) <= lower.deep and abs(dx * fz - dz * fx) <= lower.wide


def plan_gap(a: Box, b: Box) -> float:
    """The metres between two footprints on the plan; 0 if they touch or overlap."""
    if _plan_depth(a, b) > 0.0:
        return 0.0
    return math.sqrt(min(_off_box(p, two) for one, two in ((a, b), (b, a)) for p in one.corners))


def outside_share(box: Box, floor: Floor) -> float:
    """The share, 0 to 1, of a box's footprint that lies outside the floor; height plays no part.

    A footprint without area is outside if its middle is.
    """
    xs, zs = [x for x, _ in box.corners], [z for _, z in box.corners]
    x0, z0, x1, z1 = min(xs), min(zs), max(xs), max(zs)
    for ax, az, bx, bz in floor.edges:
        if (
            (ax > x0 + _NOTHING or bx > x0 + _NOTHING)
            and (ax < x1 - _NOTHING or bx < x1 - _NOTHING)
            and (az > z0 + _NOTHING or bz > z0 + _NOTHING)
            and (az < z1 - _NOTHING or bz < z1 - _NOTHING)
        ):
            break
    else:
        return 0.0 if floor.contains(box.x, box.z) else 1.0
    area = 4 * box.wide * box.deep
    if area < _NOTHING:
        return 0.0 if floor.contains(box.x, box.z) else 1.0
    share = 1.0 - floor.covered(box.corners) / area
    return share if 1e-7 < share < 1.0 else 0.0 if share < 0.5 else 1.0


def wall_gaps(box: Box, floor: Floor) -> list[WallGap]:
    """The gap to each wall, in the order of the walls.

    Where the box stands before a wall, or in it, the gap is measured along the wall's normal; else it is the way to
    the wall's nearer end, or to a wall that the box is behind.
    """
    return [WallGap(wall, _wall_gap(box, wall)) for wall in floor.walls]


def nearest_wall(box: Box, floor: Floor) -> WallGap | None:
    """The wall with the least gap, of equal ones the longer; None if the floor has none."""
    found: WallGap | None = None
    middle, reach = (box.x, box.z), math.hypot(box.wide, box.deep)
    for square, i in sorted((_to_side(middle, w.start, w.end), i) for i, w in enumerate(floor.walls)):
        # A gap along the normal may be less than the way to the wall, whose end the middle is up to its reach beyond.
        least = math.sqrt(max(square - reach * reach, 0.0)) - reach
        if found and least > max(found.gap, 0.0) + 1e-4:
            break
        each = WallGap(floor.walls[i], _wall_gap(box, floor.walls[i]))
        if not found or (round(each.gap, 4), -each.wall.length) < (round(found.gap, 4), -found.wall.length):
            found = each
    return found


def _wall_gap(box: Box, wall: Wall) -> float:
    (sx, sz), (ox, oz) = wall.start, wall.out
    along, across = [], []
    for x, z in box.corners:
        x, z = x - sx, z - sz
        along.append(ox * z - oz * x)
        across.append(-ox * x - oz * z)
    nearest = min(across)
    before = min(along) < wall.length - _NOTHING and max(along) > _NOTHING and max(across) > _NOTHING
    if before and (nearest >= 0.0 or _crosses(box, wall)):
        return round(nearest, 9) + 0.0
    squares = [_to_side(corner, wall.start, wall.end) for corner in box.corners]
    ends = [_off_box(end, box) for end in (wall.start, wall.end)]
    return math.sqrt(min(squares + ends))


def _crosses(box: Box, wall: Wall) -> bool:
    """Whether a wall whose line runs through a footprint does so itself."""
    fx, fz = box.front
    ways = [(x - box.x, z - box.z) for x, z in (wall.start, wall.end)]
    ahead, aside = [x * fx + z * fz for x, z in ways], [x * fz - z * fx for x, z in ways]
    return (
        min(ahead) < box.deep - _NOTHING
        and max(ahead) > _NOTHING - box.deep
        and min(aside) < box.wide - _NOTHING
        and max(aside) > _NOTHING - box.wide
    )


def _to_side(p: Point, a: Point, b: Point) -> float:
    """The square of the way from a point to a line between two points."""
    dx, dz = b[0] - a[0], b[1] - a[1]
    px, pz = p[0] - a[0], p[1] - a[1]
    square = dx * dx + dz * dz
    t = min(1.0, max(0.0, (px * dx + pz * dz) / square)) if square else 0.0
    return (px - t * dx) ** 2 + (pz - t * dz) ** 2


def _off_box(p: Point, box: Box) -> float:
    """The square of the way from a point to a footprint; 0 within it."""
    fx, fz = box.front
    dx, dz = p[0] - box.x, p[1] - box.z
    ahead, aside = abs(dx * fx + dz * fz) - box.deep, abs(dx * fz - dz * fx) - box.wide
    return max(ahead, 0.0) ** 2 + max(aside, 0.0) ** 2


def _box(x: float, z: float, low: float, high: float, fx: float, fz: float, wide: float, deep: float) -> Box:
    # The right hand of one who looks along the front: a quarter turn on the plan.
    rx, rz = -fz * wide, fx * wide
    dx, dz = fx * deep, fz * deep
    corners = (
        (x + dx - rx, z + dz - rz),
        (x + dx + rx, z + dz + rz),
        (x - dx + rx, z - dz + rz),
        (x - dx - rx, z - dz - rz),
    )
    return Box(corners, low, high, x, z, (fx, fz), wide, deep)


def _leaning(obj: Object) -> Box:
    (x, y, z), (width, height, depth), rot = obj["pos"], obj["size"], obj["rot"]
    rx, _, rz = turned(rot, 1.0, 0.0, 0.0)
    fx, _, fz = turned(rot, 0.0, 0.0, 1.0)
    # What looks straight up or down has its heading from its right side.
    if math.hypot(fx, fz) < 1e-6:
        fx, fz = -rz, rx
    length = math.hypot(fx, fz) or 1.0
    fx, fz = fx / length, fz / length
    w, h, d = abs(width), abs(height), abs(depth)
    ways = [turned(rot, i * w, j * h, k * d) for i in (-0.5, 0.5) for j in (0.0, 1.0) for k in (-0.5, 0.5)]
    ahead = [px * fx + pz * fz for px, _, pz in ways]
    aside = [px * fz - pz * fx for px, _, pz in ways]
    heights = [py for _, py, _ in ways]
    a, s = (min(ahead) + max(ahead)) / 2, (min(aside) + max(aside)) / 2
    return _box(x + a * fx + s * fz, z + a * fz - s * fx, y + min(heights), y + max(heights), fx, fz,
                (max(aside) - min(aside)) / 2, (max(ahead) - min(ahead)) / 2)  # fmt: skip
