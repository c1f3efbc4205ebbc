"""What all states of a room have in common on a view: floor, grid, walls; drawn once a chain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.scene.painter.camera import Camera, Point, Shell
from operators.scene.painter.canvas import FINE, Canvas, Colour
from operators.scene.painter.parts import shaded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AIR: Colour = (246, 247, 249)
FLOOR: Colour = (233, 226, 213)
_GRID: Colour = (214, 206, 191)
_WALL: Colour = (203, 209, 217)
_LINE: Colour = (120, 122, 130)
#: Pixels of the finished picture that a grid's lines are apart at least.
_APART = 14
#: Pieces of a wall that are looked at by themselves.
_CUTS = 16


@lru_cache(maxsize=4)
def backdrop(shell: Shell, camera: Camera, side: int, walls: bool) -> NDArray[np.uint32]:
    """The room without objects; ``walls`` draws those at the far side, behind the floor, and never before it."""
    canvas = Canvas(side, AIR)
    if walls:
        _far_walls(canvas, shell, camera)
    floor = [_flat(camera, shell, x, z) for x, z in shell.corners]
    canvas.paint_floor(floor, FLOOR)
    _grid(canvas, shell, camera)
    for start, end in zip(floor, [*floor[1:], floor[0]], strict=True):
        canvas.line(start, end, _LINE)
    return canvas.colours


def grid_step(camera: Camera) -> int:
    """The metres between two lines of the floor's grid: 1, or more in a room so large that it would be too dense."""
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    return next((step for step in steps if step * camera.scale >= FINE * _APART), 5000)


def _flat(camera: Camera, shell: Shell, x: float, z: float) -> Point:
    return camera.seen(x, shell.low, z)[:2]


def _grid(canvas: Canvas, shell: Shell, camera: Camera) -> None:
    step = grid_step(camera)
    west, east, north, south = shell.bounds
    for k in range(int(west // step), int(east // step) + 1):
        canvas.line(_flat(camera, shell, k * step, north), _flat(camera, shell, k * step, south), _GRID, over=FLOOR)
    for k in range(int(north // step), int(south // step) + 1):
        canvas.line(_flat(camera, shell, west, k * step), _flat(camera, shell, east, k * step), _GRID, over=FLOOR)


def _far_walls(canvas: Canvas, shell: Shell, camera: Camera) -> None:
    """The walls whose inner side the viewer sees, from far to near."""
    walls = []
    for (x0, z0), (x1, z1), (nx, nz) in shell.inner_edges():
        across, _, near = camera.turned(nx, 0.0, nz)
        if near > 1e-9:
            light = 1.0 - 0.09 * across / max((nx * nx + nz * nz) ** 0.5, 1e-9)
            for start, end in _pieces(shell, camera, (x0, z0), (x1, z1)):
                depth = camera.seen((start[0] + end[0]) / 2, shell.low, (start[1] + end[1]) / 2)[2]
                walls.append((depth, light, start, end))
    for _, light, (x0, z0), (x1, z1) in sorted(walls):
        a, b = camera.seen(x0, shell.low, z0)[:2], camera.seen(x1, shell.low, z1)[:2]
        c, d = camera.seen(x1, shell.high, z1)[:2], camera.seen(x0, shell.high, z0)[:2]
        canvas.paint([a, b, c, d], shaded(_WALL, light))
        for start, end in ((b, c), (c, d), (d, a)):
            canvas.line(start, end, _LINE)


def _pieces(shell: Shell, camera: Camera, start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """What stays of a wall if it is cut away wherever it would hide floor that lies behind it."""
    (x0, z0), (x1, z1) = start, end

    def at(i: int) -> Point:
        return x0 + (x1 - x0) * i / _CUTS, z0 + (z1 - z0) * i / _CUTS

    kept = [not _hides_floor(shell, camera, *at(i), *at(i + 1)) for i in range(_CUTS)]
    first = 0
    for i in range(1, _CUTS + 1):
        if i == _CUTS or kept[i] != kept[first]:
            if kept[first]:
                yield at(first), at(i)
            first = i


def _hides_floor(shell: Shell, camera: Camera, x0: float, z0: float, x1: float, z1: float) -> bool:
    """Whether floor lies behind the middle of a piece of wall, so near that the wall would hide it."""
    along_x, down, along_z = camera.near
    step = (shell.high - shell.low) / down / 8
    x, z = (x0 + x1) / 2, (z0 + z1) / 2
    return any(_on_floor(shell, x - along_x * step * i, z - along_z * step * i) for i in range(1, 9))


def _on_floor(shell: Shell, x: float, z: float) -> bool:
    """Whether a point of the plan is inside the room, by the even-odd rule."""
    inside = False
    for (x0, z0), (x1, z1) in zip(shell.corners, [*shell.corners[1:], shell.corners[0]], strict=True):
        if (z0 > z) != (z1 > z) and x < x0 + (z - z0) * (x1 - x0) / (z1 - z0):
            inside = not inside
    return inside
