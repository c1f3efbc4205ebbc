"""The floor of a room as polygons: what lies in it, how much of a footprint does, and its walls.

Points are ``(x, z)`` in metres. Only a floor whose outline crosses or touches itself needs shapely, which is imported
then; everything else is plain Python, as the editor asks thousands of times a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dataflow_ext.errors import DataflowError
from dataflow_ext.packages import install_hint
from operators.scene.model.scene import Scene, bounds_of

Point = tuple[float, float]

#: Names of directions on the plan, clockwise from +x (east), an eighth of a turn apart; z points down the plan.
COMPASS = ("east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast")


def direction_name(x: float, z: float) -> str:
    """The nearest of eight directions.

    >>> direction_name(0.0, -1.0), direction_name(0.9, 1.0)
    ('north', 'southeast')
    """
    return COMPASS[round(math.atan2(z, x) / (math.pi / 4)) % 8]


@dataclass(frozen=True, slots=True)
class Wall:
    """One side of the floor's outline; ``out`` is the unit vector that points out of the room, ``name`` its direction.

    A room that is no rectangle may have several walls of one name.
    """

    name: str
    start: Point
    end: Point
    out: Point
    length: float


@dataclass(frozen=True)
class Floor:
    """A floor of ``rings``: outlines that run one way round (positive area), and holes that run the other way.

    ``corners`` are as the room states them, ``level`` is the floor's y and ``height`` the ceiling's y above it, 0 if
    unknown. A floor without area contains nothing.
    """

    corners: tuple[Point, ...]
    level: float
    height: float
    rings: tuple[tuple[Point, ...], ...]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x, least z, greatest x, greatest z of the corners; zeros if there are none."""
        if not self.corners:
            return 0.0, 0.0, 0.0, 0.0
        xs, zs = [x for x, _ in self.corners], [z for _, z in self.corners]
        return min(xs), min(zs), max(xs), max(zs)

    @cached_property
    def area(self) -> float:
        """Square metres of the floor."""
        return sum(ring_area(ring) for ring in self.rings)

    @cached_property
    def is_rectangle(self) -> bool:
        """Whether the floor is its bounds."""
        x0, z0, x1, z1 = self.bounds
        return len(self.rings) == 1 and math.isclose(self.area, (x1 - x0) * (z1 - z0), rel_tol=1e-9)

    @cached_property
    def edges(self) -> tuple[tuple[float, float, float, float], ...]:
        """Start and end of each side, ring after ring."""
        return tuple((*a, *b) for ring in self.rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))

    @cached_property
    def walls(self) -> tuple[Wall, ...]:
        """The sides as walls; what lies in line is one wall."""
        return tuple(
            _wall(a, b)
            for ring in map(_without_straight, self.rings)
            for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
        )

    def contains(self, x: float, z: float) -> bool:
        """Whether the point lies in the floor; on its outline it does, up to a nanometre."""
        if self.is_rectangle:
            x0, z0, x1, z1 = self.bounds
            return x0 - 1e-9 <= x <= x1 + 1e-9 and z0 - 1e-9 <= z <= z1 + 1e-9
        return is_inside(x, z, self.edges) or any(_on_side(x, z, side) for side in self.edges)

    def covered(self, corners: Sequence[Point]) -> float:
        """Square metres of a convex outline that lie in the floor."""
        return abs(sum(ring_area(clipped(ring, corners)) for ring in self.rings))


def is_inside(x: float, z: float, sides: Iterable[tuple[float, float, float, float]]) -> bool:
    """Whether a point lies in what sides enclose, by the even-odd rule."""
    inside = False
    for ax, az, bx, bz in sides:
        if (az > z) != (bz > z) and x < ax + (z - az) * (bx - ax) / (bz - az):
            inside = not inside
    return inside


def floor_of(scene: Scene) -> Floor:
    """The floor of a room, remembered by its corners.

    >>> room = {"bounds_bottom": [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]], "bounds_top": [[0, 2.6, 0]]}
    >>> floor = floor_of(room)
    >>> floor.area, floor.height, floor.bounds, [wall.name for wall in floor.walls]
    (12.0, 2.6, (0.0, 0.0, 4.0, 3.0), ['north', 'east', 'south', 'west'])
    """
    bottom, top = bounds_of(scene)
    level = min((float(corner[1]) for corner in bottom), default=0.0)
    ceiling = max((float(corner[1]) for corner in top), default=level)
    return _floor(tuple((float(x), float(z)) for x, _, z in bottom), level, ceiling)


@lru_cache(maxsize=1024)
def _floor(corners: tuple[Point, ...], level: float, ceiling: float) -> Floor:
    ring = tuple(corner for i, corner in enumerate(corners) if corner != corners[i - 1])
    height = round(max(ceiling - level, 0.0), 9)
    if len(ring) < 3:
        return Floor(corners, level, height, ())
    rings = _untangled(ring) if _tangled(ring) else (ring if ring_area(ring) > 0 else ring[::-1],)
    return Floor(corners, level, height, tuple(each for each in rings if abs(ring_area(each)) > 1e-9))


def ring_area(ring: Sequence[Point]) -> float:
    """Half the sum of cross products: the area, negative if the ring runs the other way round.

    >>> ring_area([(0, 0), (2, 0), (2, 1), (0, 1)])
    2.0
    """
    total, (px, pz) = 0.0, ring[-1] if ring else (0.0, 0.0)
    for x, z in ring:
        total += px * z - x * pz
        px, pz = x, z
    return total / 2


def clipped(ring: Sequence[Point], convex: Sequence[Point]) -> list[Point]:
    """The part of a simple ring within a convex outline (Sutherland and Hodgman).

    Parts that lie apart are joined by sides that run there and back again, which have no area.
    """
    points = list(ring)
    sign = 1.0 if ring_area(convex) >= 0 else -1.0
    ax, az = convex[-1]
    for bx, bz in convex:
        ex, ez = (bx - ax) * sign, (bz - az) * sign
        offset = ex * az - ez * ax
        sides = [ex * z - ez * x - offset for x, z in points]
        if sides and min(sides) < 0.0:
            points = _half(points, sides)
        ax, az = bx, bz
    return points


def _half(points: list[Point], sides: list[float]) -> list[Point]:
    """The points on the positive side of a line, with those where the outline crosses it."""
    kept: list[Point] = []
    (px, pz), p = points[-1], sides[-1]
    for (x, z), side in zip(points, sides, strict=True):
        if (side < 0.0) != (p < 0.0):
            t = p / (p - side)
            kept.append((px + t * (x - px), pz + t * (z - pz)))
        if side >= 0.0:
            kept.append((x, z))
        px, pz, p = x, z, side
    return kept


def _wall(a: Point, b: Point) -> Wall:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    # The area is positive when the ring turns from +x to +z, so that outside is on this hand.
    out = ((b[1] - a[1]) / length, (a[0] - b[0]) / length)
    return Wall(direction_name(*out), a, b, out, length)


def _without_straight(ring: tuple[Point, ...]) -> tuple[Point, ...]:
    """The ring without corners at which it goes straight on."""
    kept = []
    for i, (x, z) in enumerate(ring):
        (ax, az), (bx, bz) = ring[i - 1], ring[(i + 1) % len(ring)]
        if abs((x - ax) * (bz - z) - (z - az) * (bx - x)) > 1e-9:
            kept.append((x, z))
    return tuple(kept)


def _on_side(x: float, z: float, side: tuple[float, float, float, float]) -> bool:
    ax, az, bx, bz = side
    length = math.hypot(bx - ax, bz - az)
    along = ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / length
    return abs((bx - ax) * (z - az) - (bz - az) * (x - ax)) / length <= 1e-9 and -1e-9 <= along <= length + 1e-9


def _tangled(ring: tuple[Point, ...]) -> bool:
    """Whether the ring crosses or touches itself somewhere."""
    if len(set(ring)) < len(ring):
        return True
    sides = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    n = len(sides)
    for i in range(n):
        for j in range(i + 1, n):
            neighbours = j == i + 1 or (i == 0 and j == n - 1)
            if _back(sides[i], sides[j]) if neighbours else _meet(*sides[i], *sides[j]):
                return True
    return False


def _back(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether one of two neighbouring sides runs back over the other."""
    first, second = (one, other) if one[1] == other[0] else (other, one)
    (a, b), (_, c) = first, second
    return _turn(a, b, c) == 0.0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0.0


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return _turn(a, b, c) * _turn(a, b, d) <= 0.0 and _turn(c, d, a) * _turn(c, d, b) <= 0.0


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _untangled(ring: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    """Outlines and holes that cover what a self-crossing ring winds around (even-odd)."""
    try:
        from shapely import make_valid
        from shapely.geometry import Polygon
        from shapely.geometry.polygon import orient
    except ImportError as error:
        hint = install_hint("scene", python="python")  # kept with the room's reject
        raise DataflowError(f"A floor that crosses itself needs shapely; install it with: {hint}") from error
    shape = make_valid(Polygon(ring))
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon"]
    found = (each for part in map(orient, parts) for each in (part.exterior, *part.interiors))
    return tuple(tuple((float(x), float(z)) for x, z in each.coords[:-1]) for each in found)
