"""The room's shell and the two cameras: what is framed rests on the room's bounds alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from operators.scene.model.scene import Scene, bounds_of

#: Numbers beyond this many metres are drawn as if they were there.
FAR = 1e4
#: The room that is framed if a scene's bounds are of no use.
_DEFAULT = ((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0))
_HEIGHT = 2.6
#: Sine and cosine of the angle at which the diagonal view looks down.
_DOWN, _ALONG = 0.64, 0.7683749084919419

Vector = tuple[float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shell:
    """A room's floor as corners on the plan, and the heights of its floor and its ceiling."""

    corners: tuple[Point, ...]
    low: float
    high: float

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least and greatest x, then least and greatest z."""
        xs, zs = zip(*self.corners, strict=True)
        return min(xs), max(xs), min(zs), max(zs)

    def inner_edges(self) -> Iterator[tuple[Point, Point, Point]]:
        """Each side of the floor with its normal that points into the room; a polygon's sense tells which one does."""
        edges = list(zip(self.corners, [*self.corners[1:], self.corners[0]], strict=True))
        sense = 1 if sum(x0 * z1 - x1 * z0 for (x0, z0), (x1, z1) in edges) > 0 else -1
        for (x0, z0), (x1, z1) in edges:
            yield (x0, z0), (x1, z1), (sense * (z0 - z1), sense * (x1 - x0))


def shell_of(scene: Scene) -> Shell:
    """The room's shell; what of its bounds is of no use is replaced, so that anything can be framed.

    >>> shell_of({"bounds_bottom": [[0, 0, 0], [3, 0, 0], [3, 0, 2]], "bounds_top": [[0, 2.5, 0]], "objects": []})
    Shell(corners=((0.0, 0.0), (3.0, 0.0), (3.0, 2.0)), low=0.0, high=2.5)
    >>> shell_of({"objects": []}).bounds
    (-2.0, 2.0, -2.0, 2.0)
    """
    try:
        bottom, top = (list(corners) for corners in bounds_of(scene))
    except (KeyError, TypeError, ValueError):
        bottom, top = [], []
    floor = [p for p in map(numbers, bottom) if p is not None]
    corners = tuple(dict.fromkeys((x, z) for x, _, z in floor))
    low = min((y for _, y, _ in floor), default=0.0)
    high = max((y for p in map(numbers, top) if p is not None for y in p[1:2]), default=low + _HEIGHT)
    shell = Shell(corners or _DEFAULT, low, high)
    west, east, north, south = shell.bounds
    if len(corners) < 3 or east - west < 0.1 or south - north < 0.1:
        middle = ((west + east) / 2, (north + south) / 2)
        shell = Shell(tuple((middle[0] + x, middle[1] + z) for x, z in _DEFAULT), low, high)
    size = max(east - west, south - north, 4.0)
    return shell if 0.1 <= high - low <= 2 * size else Shell(shell.corners, low, low + _HEIGHT)


def numbers(value: object, count: int = 3) -> tuple[float, ...] | None:
    """So many finite numbers, none of them too large to be drawn; None if there are not so many.

    >>> numbers([1, 2.5, 1e300]), numbers([1, float("nan"), 2]), numbers("abc")
    ((1.0, 2.5, 10000.0), None, None)
    """
    if not isinstance(value, (list, tuple)) or len(value) != count:
        return None
    if not all(isinstance(v, (int, float)) and v == v for v in value):
        return None
    return tuple(float(max(-FAR, min(FAR, v))) for v in value)


@dataclass(frozen=True, slots=True)
class Camera:
    """A view without perspective: unit vectors to the right, up and to the viewer; pixels a metre; the origin's place.

    Plain arithmetic only, so that the same scene falls on the same pixels on every machine.
    """

    right: Vector
    up: Vector
    near: Vector
    scale: float
    x: float
    y: float

    def seen(self, x: float, y: float, z: float) -> Vector:
        """Where a point is on the picture, in pixels to the right and down, and how near, in metres."""
        (a, b, c), (d, e, f), (g, h, i) = self.right, self.up, self.near
        return (
            self.x + self.scale * (a * x + b * y + c * z),
            self.y - self.scale * (d * x + e * y + f * z),
            g * x + h * y + i * z,
        )

    def turned(self, x: float, y: float, z: float) -> Vector:
        """A direction as the viewer sees it: to the right, up, and to the viewer, in metres."""
        (a, b, c), (d, e, f), (g, h, i) = self.right, self.up, self.near
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z


def top_camera(shell: Shell, side: int, margin: float) -> Camera:
    """The view from above, north up, that has the whole floor in the middle of a square."""
    return _framed((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), shell, side, margin)


def diagonal_camera(shell: Shell, azimuth: int, side: int, margin: float) -> Camera:
    """The view from above and aside that has the whole room in the middle of a square.

    ``azimuth`` tells where the viewer stands, in degrees from north by east: 135 is to the south-east.
    """
    # Rounded, as the last digit of a sine is the machine's own.
    east, south = round(math.sin(math.radians(azimuth)), 9), -round(math.cos(math.radians(azimuth)), 9)
    near = (_ALONG * east, _DOWN, _ALONG * south)
    up = (-_DOWN * east, _ALONG, -_DOWN * south)
    return _framed((south, 0.0, -east), up, near, shell, side, margin)


def _framed(right: Vector, up: Vector, near: Vector, shell: Shell, side: int, margin: float) -> Camera:
    eye = Camera(right, up, near, 1.0, 0.0, 0.0)
    seen = [eye.seen(x, y, z) for x, z in shell.corners for y in (shell.low, shell.high)]
    xs, ys, _ = zip(*seen, strict=True)
    extent = max(max(xs) - min(xs), max(ys) - min(ys))
    scale = (side - 2 * margin) / extent
    x, y = (side - scale * (max(xs) + min(xs))) / 2, (side - scale * (max(ys) + min(ys))) / 2
    return Camera(right, up, near, scale, x, y)
