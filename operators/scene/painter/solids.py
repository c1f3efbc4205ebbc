"""A room's objects as solid bodies, and the faces of them that a camera sees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from operators.scene.model.kinds import kind_of
from operators.scene.model.scene import Object, Scene, objects_of
from operators.scene.painter.camera import Camera, Point, Shell, Vector, numbers
from operators.scene.painter.canvas import Colour, Plane
from operators.scene.painter.parts import Part, colour_of, parts_of, shaded

#: What begins higher above the floor than this does not hide what is below it in the view from above.
_OVERHEAD = 1.4
#: The least extent that an object is drawn with, in metres.
_LEAST = 0.02
#: Faces seen at a flatter angle than this are left out.
_FLAT = 1e-3
#: Corners of a round part.
_CORNERS = 16
_RING = tuple((round(math.cos(i * math.tau / _CORNERS), 6), round(math.sin(i * math.tau / _CORNERS), 6))
              for i in range(_CORNERS))  # fmt: skip
#: Metres that a mark is above what it lies on.
ABOVE = 0.004
#: The light comes from above and over the viewer's left shoulder.
LIGHT = (-0.45, 0.75, 0.48)

Matrix = tuple[Vector, Vector, Vector]


class Face(NamedTuple):
    """A convex polygon on the picture, how near it is, its colour; faces of one number have no edge between them."""

    corners: tuple[Point, ...]
    plane: Plane
    colour: Colour
    number: int


@dataclass(frozen=True, slots=True)
class Body:
    """An object as it is drawn: where it is, its own axes as columns of a matrix, its size and its parts."""

    jid: str
    colour: Colour
    place: Vector
    axes: Matrix
    size: Vector
    parts: tuple[Part, ...]
    has_front: bool
    overhead: bool

    @property
    def ink(self) -> Colour:
        """The colour of its mark."""
        return (40, 38, 44) if sum(self.colour) > 330 else (250, 250, 250)

    def mark(self) -> list[Vector]:
        """An arrow on its first part, which points to its front; none on what is small, or lies on its side."""
        (x0, _, z0), (x1, y, z1) = self.parts[0].low, self.parts[0].high
        x, long = (x0 + x1) / 2, min(0.16, 0.3 * (z1 - z0), 0.5 * (x1 - x0))
        if not self.has_front or self.axes[1][1] < 0.5 or long < 0.03:
            return []
        tip = z1 - min(0.06, 0.08 * (z1 - z0))
        return [(x, y, tip), (x - long, y, tip - long), (x + long, y, tip - long)]

    def turned(self, x: float, y: float, z: float) -> Vector:
        """A direction of the object as one of the room."""
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z


def bodies_of(scene: Scene, shell: Shell) -> list[Body | None]:
    """A body for each object of a room, in their order; None for one that has no place or no size."""
    return [_body(each, shell) for each in objects_of(scene)]


def _body(each: Object, shell: Shell) -> Body | None:
    place, size = numbers(each.get("pos")), numbers(each.get("size"))
    if place is None or size is None:
        return None
    desc, jid = str(each.get("desc", "")), str(each.get("jid", ""))
    kind = kind_of(desc)
    (x, y, z), (width, height, depth) = place, (max(_LEAST, abs(v)) for v in size)
    whole = (width, height, depth)
    overhead = y - shell.low > _OVERHEAD or (kind.stands == "ceiling" and y - shell.low > _OVERHEAD / 2)
    parts = parts_of(desc, kind.family, kind.noun, kind.stands, kind.faces, whole)
    axes = _axes(numbers(each.get("rot"), 4) or (0.0, 0.0, 0.0, 1.0))
    return Body(jid, colour_of(jid), (x, y, z), axes, whole, parts, kind.faces, overhead)


@lru_cache(maxsize=4096)
def _axes(rot: tuple[float, ...]) -> Matrix:
    """The matrix of a quaternion [x, y, z, w] of any length; of none, no rotation."""
    norm = math.sqrt(sum(v * v for v in rot))
    if norm < 1e-6:
        return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    x, y, z, w = (v / norm for v in rot)
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def outline(body: Body, camera: Camera) -> list[Point]:
    """The convex hull of an object's box on the picture, as corners in order."""
    w, h, d = body.size
    corners = ((x, y, z) for x in (-w / 2, w / 2) for y in (0.0, h) for z in (-d / 2, d / 2))
    return _hull([_seen(body, camera, *corner)[:2] for corner in corners])


def ghost(body: Body, camera: Camera) -> list[Point]:
    """The outline of what an object looks like from far above: an ellipse if all its parts that count are round."""
    if not body.parts[0].round:
        return outline(body, camera)
    (x0, _, z0), (x1, y, z1) = body.parts[0].low, body.parts[0].high
    return [_seen(body, camera, (x0 + x1) / 2 + c * (x1 - x0) / 2, y, (z0 + z1) / 2 + s * (z1 - z0) / 2)[:2]
            for c, s in _RING]  # fmt: skip


def area(corners: Sequence[Point]) -> float:
    """The area of a polygon in square pixels."""
    return (
        abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True))) / 2
    )


def faces_of(body: Body, camera: Camera) -> Iterator[Face]:
    """The faces of an object that the camera may see; a mark on its front part tells where it looks."""
    seen = _Seen(body, camera)
    for number, part in enumerate(body.parts):
        yield from seen.pillar(part, 4 * number) if part.round else seen.box(part, 4 * number)
    yield from seen.mark()


def box_faces_of(body: Body, camera: Camera) -> Iterator[Face]:
    """The faces of an object's box that the camera may see."""
    w, h, d = body.size
    yield from _Seen(body, camera).box(Part((-w / 2, 0.0, -d / 2), (w / 2, h, d / 2)), 0)


class _Seen:
    """A body before a camera: points told from the middle of its base, along its own axes."""

    def __init__(self, body: Body, camera: Camera) -> None:
        self.body, self.camera = body, camera
        self.x, self.y, self.depth = camera.seen(*body.place)
        columns = [camera.turned(*column) for column in zip(*body.axes, strict=True)]
        self.across, self.up, self.near = zip(*columns, strict=True)

    def point(self, x: float, y: float, z: float) -> Vector:
        """Where a point is on the picture, and how near."""
        (a, b, c), (d, e, f), (g, h, i) = self.across, self.up, self.near
        scale = self.camera.scale
        return (
            self.x + scale * (a * x + b * y + c * z),
            self.y - scale * (d * x + e * y + f * z),
            self.depth + (g * x + h * y + i * z),
        )

    def face(self, normal: Vector, corners: Sequence[Vector], number: int, tone: float) -> Face | None:
        """The face with this normal, if it is turned to the viewer."""
        nx, ny, nz = normal
        near = self.near[0] * nx + self.near[1] * ny + self.near[2] * nz
        if near < _FLAT:
            return None
        across = self.across[0] * nx + self.across[1] * ny + self.across[2] * nz
        up = self.up[0] * nx + self.up[1] * ny + self.up[2] * nz
        seen = [self.point(*corner) for corner in corners]
        (x, y, depth), scale = seen[0], self.camera.scale
        aside, down = -across / (near * scale), up / (near * scale)
        plane = (depth - aside * x - down * y, aside, down)
        row = self.body.axes[1]
        upward = row[0] * nx + row[1] * ny + row[2] * nz
        # The light turns with the viewer, so that the two sides that one sees are never of one shade.
        light = LIGHT[0] * across + LIGHT[1] * upward + LIGHT[2] * (near - upward * self.camera.near[1])
        colour = shaded(self.body.colour, tone * (0.66 + 0.40 * max(-0.6, light)))
        return Face(tuple((x, y) for x, y, _ in seen), plane, colour, number)

    def box(self, part: Part, number: int) -> Iterator[Face]:
        """At most three of the six sides."""
        (x0, y0, z0), (x1, y1, z1) = part.low, part.high
        for axis in (0, 2) if part.leg else (0, 1, 2):
            front = self.near[axis] > 0
            sign = 1.0 if front else -1.0
            normal, at = (sign, 0.0, 0.0), x1 if front else x0
            corners = [(at, y0, z0), (at, y1, z0), (at, y1, z1), (at, y0, z1)]
            if axis == 1:
                normal, at = (0.0, sign, 0.0), y1 if front else y0
                corners = [(x0, at, z0), (x1, at, z0), (x1, at, z1), (x0, at, z1)]
            elif axis == 2:
                normal, at = (0.0, 0.0, sign), z1 if front else z0
                corners = [(x0, y0, at), (x1, y0, at), (x1, y1, at), (x0, y1, at)]
            if (face := self.face(normal, corners, number + axis, part.tone)) is not None:
                yield face

    def pillar(self, part: Part, number: int) -> Iterator[Face]:
        """Top or bottom, and the half of the side that one sees, which has no edges of its own."""
        (x0, y0, z0), (x1, y1, z1) = part.low, part.high
        hx, hz = (x1 - x0) / 2, (z1 - z0) / 2
        ring = [(x0 + hx + c * hx, z0 + hz + s * hz) for c, s in _RING]
        sign, at = (1.0, y1) if self.near[1] > 0 else (-1.0, y0)
        faces = [self.face((0.0, sign, 0.0), [(x, at, z) for x, z in ring], number, part.tone)]
        for i in range(_CORNERS):
            (xa, za), (xb, zb) = ring[i - 1], ring[i]
            nx, nz = zb - za, xa - xb
            norm = math.sqrt(nx * nx + nz * nz)
            corners = [(xa, y0, za), (xb, y0, zb), (xb, y1, zb), (xa, y1, za)]
            faces.append(self.face((nx / norm, 0.0, nz / norm), corners, number + 1, part.tone))
        yield from (face for face in faces if face is not None)

    def mark(self) -> Iterator[Face]:
        """The arrow that points to the front."""
        corners = self.body.mark()
        if corners and (face := self.face((0.0, 1.0, 0.0), corners, 3, 1.0)) is not None:
            start, aside, down = face.plane
            yield face._replace(plane=(start + ABOVE, aside, down), colour=self.body.ink)


def _seen(body: Body, camera: Camera, x: float, y: float, z: float) -> Vector:
    """A point of the object, told from the middle of its base, as the camera sees it."""
    (px, py, pz), (dx, dy, dz) = body.place, body.turned(x, y, z)
    return camera.seen(px + dx, py + dy, pz + dz)


def _hull(points: list[Point]) -> list[Point]:
    ordered = sorted(set(points))

    def half(points: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in points:
            while (
                len(chain) > 1
                and (
                    (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1])
                    - (chain[-1][1] - chain[-2][1]) * (x - chain[-2][0])
                )
                <= 0
            ):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return half(ordered) + half(ordered[::-1]) or ordered
