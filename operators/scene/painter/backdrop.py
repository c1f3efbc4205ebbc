"""What all states of a room have in common on a view: floor, grid, walls; drawn once a chain."""

from __future__ import annotations

from functools import lru_cache

from operators.scene.painter.camera import Camera, Point, Shell
from operators.scene.painter.canvas import FINE, Canvas, Colour
from operators.scene.painter.colours import shaded

AIR: Colour = (246, 247, 249)
FLOOR: Colour = (233, 226, 213)
_GRID: Colour = (214, 206, 191)
_WALL: Colour = (203, 209, 217)
_LINE: Colour = (120, 122, 130)
#: Pixels of the finished picture that a grid's lines are apart at least.
_APART = 14


@lru_cache(maxsize=6)
def backdrop(shell: Shell, camera: Camera, side: int, walls: bool) -> Canvas:
    """The room without objects; ``walls`` draws those at the far side, behind the floor, and never before it."""
    canvas = Canvas(side, AIR)
    if walls:
        _far_walls(canvas, shell, camera)
    floor = [_flat(camera, shell, x, z) for x, z in shell.corners]
    canvas.paint_floor(floor, FLOOR)
    _grid(canvas, shell, camera)
    for start, end in zip(floor, [*floor[1:], floor[0]], strict=True):
        canvas.line(start, end, _LINE)
    return canvas


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
    """The walls whose inner side the viewer sees, from far to near; a polygon's sense tells which side that is."""
    edges = list(zip(shell.corners, [*shell.corners[1:], shell.corners[0]], strict=True))
    sense = sum(x0 * z1 - x1 * z0 for (x0, z0), (x1, z1) in edges)
    walls = []
    for (x0, z0), (x1, z1) in edges:
        # The inner normal: to the left of an edge of a polygon that runs counterclockwise in x and z.
        nx, nz = (z0 - z1, x1 - x0) if sense > 0 else (z1 - z0, x0 - x1)
        across, _, near = camera.turned(nx, 0.0, nz)
        if near > 1e-9 and not _hides_floor(shell, camera, (x0, z0), (x1, z1)):
            middle = camera.seen((x0 + x1) / 2, shell.low, (z0 + z1) / 2)[2]
            light = 1.0 - 0.09 * across / max((nx * nx + nz * nz) ** 0.5, 1e-9)
            walls.append((middle, light, (x0, z0), (x1, z1)))
    for _, light, (x0, z0), (x1, z1) in sorted(walls):
        a, b = camera.seen(x0, shell.low, z0)[:2], camera.seen(x1, shell.low, z1)[:2]
        c, d = camera.seen(x1, shell.high, z1)[:2], camera.seen(x0, shell.high, z0)[:2]
        canvas.paint([a, b, c, d], shaded(_WALL, light))
        for start, end in ((b, c), (c, d), (d, a)):
            canvas.line(start, end, _LINE)


def _hides_floor(shell: Shell, camera: Camera, start: Point, end: Point) -> bool:
    """Whether floor lies behind a wall, so near that the wall would hide it: then it is cut away."""
    along_x, down, along_z = camera.near
    reach = (shell.high - shell.low) / down
    for share in (0.1, 0.5, 0.9):
        x, z = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        if any(_on_floor(shell, x - along_x * reach * i / 8, z - along_z * reach * i / 8) for i in range(1, 9)):
            return True
    return False


def _on_floor(shell: Shell, x: float, z: float) -> bool:
    """Whether a point of the plan is inside the room, by the even-odd rule."""
    inside = False
    for (x0, z0), (x1, z1) in zip(shell.corners, [*shell.corners[1:], shell.corners[0]], strict=True):
        if (z0 > z) != (z1 > z) and x < x0 + (z - z0) * (x1 - x0) / (z1 - z0):
            inside = not inside
    return inside
