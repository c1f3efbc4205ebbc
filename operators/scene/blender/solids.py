"""A room as plain solids before two cameras: what a Blender program is asked to draw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from operators.scene.painter.backdrop import AIR, FLOOR
from operators.scene.painter.camera import Camera, Shell, Vector
from operators.scene.painter.canvas import Colour
from operators.scene.painter.colours import shaded
from operators.scene.painter.parts import Part
from operators.scene.painter.solids import ABOVE, LIGHT, Body

#: How much is seen of what hangs over the room from above.
_GHOST = 0.3
_WALL: Colour = (214, 219, 226)
#: Corners of a round part.
_CORNERS = 32
#: The sides of a box by its corners: -x, +x, bottom, top, -z, +z.
_BOX = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))

Solid = dict[str, Any]


def view_of(shell: Shell, bodies: Sequence[Body | None], camera: Camera, *, from_above: bool) -> dict[str, Any]:
    """What the worker draws as one view; what hangs high is see-through from above, which shows no walls."""
    solids = [_floor(shell), *(() if from_above else _far_walls(shell, camera))]
    for each in bodies:
        if each is not None:
            solids += _body(each, _GHOST if from_above and each.overhead else 1.0)
    told = {name: getattr(camera, name) for name in ("right", "up", "near", "scale", "x", "y")}
    # No farther away than need be, as Blender's numbers have seven digits.
    extent, (west, east, north, south) = _extent(shell), shell.bounds
    middle = ((west + east) / 2, (shell.low + shell.high) / 2, (north + south) / 2)
    told["away"] = sum(a * b for a, b in zip(camera.near, middle, strict=True)) + 2 * extent
    told["sight"] = 6 * extent
    return {"camera": told, "light": _light(camera), "air": AIR, "solids": solids}


def _extent(shell: Shell) -> float:
    """The metres across a room, and more than what stands far out of it needs."""
    west, east, north, south = shell.bounds
    return 2 * math.hypot(east - west, shell.high - shell.low, south - north)


def _light(camera: Camera) -> Vector:
    """The direction of the sun, which goes with the viewer."""
    east, _, south = camera.near
    length = math.hypot(east, south)
    # From straight above the viewer stands at the picture's lower side.
    ahead = (east / length, south / length) if length > 1e-6 else (-camera.up[0], -camera.up[2])
    left, up, near = LIGHT
    return camera.right[0] * left + ahead[0] * near, up, camera.right[2] * left + ahead[1] * near


def _solid(vertices: Sequence[Vector], faces: Sequence[Sequence[int]], colour: Colour, opacity: float = 1.0) -> Solid:
    return {
        "vertices": [[round(v, 6) for v in vertex] for vertex in vertices],
        "faces": [list(face) for face in faces],
        "colour": list(colour),
        "opacity": opacity,
    }


def _floor(shell: Shell) -> Solid:
    # A little below all that stands on it.
    corners = [(x, shell.low - 0.005, z) for x, z in shell.corners]
    return _solid(corners, [range(len(corners))], FLOOR)


def _far_walls(shell: Shell, camera: Camera) -> Iterator[Solid]:
    """The walls whose inner sides the viewer sees, set back so far that they never hide any of the room.

    Without perspective they are seen at the same place.
    """
    behind = _extent(shell)
    bx, by, bz = (-behind * v for v in camera.near)
    for (x0, z0), (x1, z1), (nx, nz) in shell.inner_edges():
        if camera.near[0] * nx + camera.near[2] * nz > 1e-9:
            low, high = shell.low - 0.005, shell.high
            corners = [(x0, low, z0), (x1, low, z1), (x1, high, z1), (x0, high, z0)]
            yield _solid([(x + bx, y + by, z + bz) for x, y, z in corners], [range(4)], _WALL)


def _body(body: Body, opacity: float) -> Iterator[Solid]:
    for part in body.parts:
        vertices, faces = _pillar(part) if part.round else _box(part)
        yield _solid(_placed(body, vertices), faces, shaded(body.colour, part.tone), opacity)
    if opacity == 1.0 and (mark := body.mark()):
        above = [(x, y + ABOVE, z) for x, y, z in mark]
        yield _solid(_placed(body, above), [range(3)], body.ink)


def _placed(body: Body, vertices: Sequence[Vector]) -> list[Vector]:
    px, py, pz = body.place
    turned = (body.turned(*vertex) for vertex in vertices)
    return [(px + x, py + y, pz + z) for x, y, z in turned]


def _box(part: Part) -> tuple[list[Vector], Sequence[Sequence[int]]]:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    return [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)], _BOX


def _pillar(part: Part) -> tuple[list[Vector], Sequence[Sequence[int]]]:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    turns = [i * math.tau / _CORNERS for i in range(_CORNERS)]
    ring = [(x0 + (1 + math.cos(t)) * (x1 - x0) / 2, z0 + (1 + math.sin(t)) * (z1 - z0) / 2) for t in turns]
    sides = [(i, _CORNERS + i, _CORNERS + (i + 1) % _CORNERS, (i + 1) % _CORNERS) for i in range(_CORNERS)]
    ends = [range(_CORNERS), range(2 * _CORNERS - 1, _CORNERS - 1, -1)]
    return [(x, y, z) for y in (y0, y1) for x, z in ring], [*sides, *ends]
