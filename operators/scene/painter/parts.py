"""Colours, simple solids, and what all states of a room have in common on a view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dataflow_ext.text import rows
from operators.scene.model.floor import is_inside
from operators.scene.model.scene import digest
from operators.scene.painter.camera import Camera, Point, Shell, Vector
from operators.scene.painter.canvas import FINE, Canvas, Colour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROUND = re.compile(r"\b(round|circular|cylindrical|cylinder|spherical|drum|globe|disc)\b", re.IGNORECASE)
#: How unlike width and depth of something round may be.
_ROUNDISH = 0.75

#: Colours chosen one after the other, each as far as could be from those before it and from floor and walls.
_PALETTE = [rgb for (rgb,) in rows("operators.scene", "data/palette.tsv")]


class Part(NamedTuple):
    """A box, or a pillar with an elliptic base, from ``low`` to ``high``; metres from the middle of the object's base.

    ``tone`` is how light it is beside the object's other parts; of a ``leg`` only the sides are seen.
    """

    low: Vector
    high: Vector
    round: bool = False
    tone: float = 1.0
    leg: bool = False


@lru_cache(maxsize=4096)
def parts_of(desc: str, family: str, noun: str, stands: str, faces: bool, size: Vector) -> tuple[Part, ...]:
    """The parts of an object of this kind and size; what shows its front stands first.

    >>> len(parts_of("gray sofa", "sofa", "sofa", "floor", True, (2.0, 0.8, 0.9)))
    4
    """
    width, height, depth = size
    roundish = min(width, depth) > _ROUNDISH * max(width, depth) and bool(_ROUND.search(desc))
    if height < 0.1 or max(size) < 0.35:
        return (_block(size, round_too=roundish and not faces),)
    if family == "lamp":
        return _lamp(size, stands)
    if family in ("seat", "sofa") and not faces:
        return _stool(size, roundish) if family == "seat" else (_block(size, round_too=roundish),)
    if family in ("table", "desk"):
        return _table(size, roundish) if height < 1.3 else (_block(size),)
    make = _MAKERS.get(family)
    return (_block(size, round_too=roundish and not faces),) if make is None else make(size)


def _block(size: Vector, *, round_too: bool = False) -> Part:
    return _part(size, (-1, 1), (0, 1), (-1, 1), round_too=round_too)


def _part(
    size: Vector, x: tuple[float, float], y: tuple[float, float], z: tuple[float, float],
    *, round_too: bool = False, tone: float = 1.0,
) -> Part:  # fmt: skip
    """A part by its share of the box: x and z from -1 to 1, y from 0 to 1."""
    width, height, depth = size
    low = (x[0] * width / 2, y[0] * height, z[0] * depth / 2)
    return Part(low, (x[1] * width / 2, y[1] * height, z[1] * depth / 2), round_too, tone)


def _legs(size: Vector, top: float, thick: float = 0.05) -> list[Part]:
    """Four legs in the corners, up to a share of the height."""
    width, _, depth = size
    wide, deep = min(0.3, 2 * thick / max(width, thick)), min(0.3, 2 * thick / max(depth, thick))
    sides = ((-1.0, -1.0 + wide), (1.0 - wide, 1.0)), ((-1.0, -1.0 + deep), (1.0 - deep, 1.0))
    return [_part(size, x, (0, top), z, tone=0.8)._replace(leg=True) for x in sides[0] for z in sides[1]]


def _seat(size: Vector) -> tuple[Part, ...]:
    sit = min(0.55, 0.5 / size[1])
    back = _part(size, (-1, 1), (sit, 1), (-1, -0.78), tone=0.9)
    return (_part(size, (-1, 1), (sit - 0.12, sit), (-1, 1)), back, *_legs(size, sit - 0.12, 0.04))


def _stool(size: Vector, roundish: bool) -> tuple[Part, ...]:
    if size[1] < 0.6:
        return (_block(size, round_too=roundish),)
    return (_part(size, (-1, 1), (0.88, 1), (-1, 1), round_too=roundish), *_legs(size, 0.88, 0.04))


def _sofa(size: Vector) -> tuple[Part, ...]:
    sit, arm = min(0.55, 0.45 / size[1]), min(0.75, 0.62 / size[1])
    side = min(0.3, 0.3 / size[0])
    return (
        _part(size, (side - 1, 1 - side), (0, sit), (-0.5, 1)),
        _part(size, (-1, 1), (0, 1), (-1, -0.5), tone=0.88),
        _part(size, (-1, side - 1), (0, arm), (-0.5, 1), tone=0.94),
        _part(size, (1 - side, 1), (0, arm), (-0.5, 1), tone=0.94),
    )


def _bed(size: Vector) -> tuple[Part, ...]:
    width, height, depth = size
    lie = min(0.6, 0.5 / height)
    head = min(0.1, 0.2 / depth)
    pillows = ((-0.85, -0.08), (0.08, 0.85)) if width > 1.3 else ((-0.7, 0.7),)
    above = min(1.0, lie + 0.1 / height)
    return (
        _part(size, (-1, 1), (0, lie), (head - 1, 1)),
        _part(size, (-1, 1), (0, 1), (-1, head - 1), tone=0.8),
        *(_part(size, x, (lie, above), (head - 0.96, head - 0.62), tone=1.6) for x in pillows),
        # A four-poster: what holds up its canopy.
        *(_legs(size, 1.0, 0.03) if height > 1.7 else ()),
    )


def _table(size: Vector, roundish: bool) -> tuple[Part, ...]:
    top = 1 - min(0.2, 0.05 / size[1])
    if roundish:
        foot = _part(size, (-0.5, 0.5), (0, 0.06), (-0.5, 0.5), round_too=True, tone=0.8)
        stem = _part(size, (-0.15, 0.15), (0.06, top), (-0.15, 0.15), round_too=True, tone=0.8)
        return _part(size, (-1, 1), (top, 1), (-1, 1), round_too=True), stem, foot
    return (_part(size, (-1, 1), (top, 1), (-1, 1)), *_legs(size, top))


def _shelf(size: Vector) -> tuple[Part, ...]:
    height = size[1]
    boards = max(2, min(6, round(height / 0.4) + 1))
    thick, side = 0.03 / height, min(0.2, 0.06 / size[0])
    levels = [i / (boards - 1) * (1 - thick) for i in range(boards)]
    return (
        _part(size, (-1, 1), (levels[-1], 1), (-1, 1)),
        _part(size, (-1, 1), (0, levels[-1]), (-1, -0.85), tone=0.75),
        _part(size, (-1, side - 1), (0, levels[-1]), (-0.85, 1)),
        _part(size, (1 - side, 1), (0, levels[-1]), (-0.85, 1)),
        *(_part(size, (side - 1, 1 - side), (y, y + thick), (-0.85, 1)) for y in levels[:-1]),
    )


def _lamp(size: Vector, stands: str) -> tuple[Part, ...]:
    if size[1] < 0.2:
        return (_block(size, round_too=True),)
    foot = _part(size, (-0.6, 0.6), (0, 0.03), (-0.6, 0.6), round_too=True, tone=0.7)
    shade, pole, feet = ((0.68, 1.0), (0.03, 0.68), [foot])
    if stands == "ceiling":
        shade, pole, feet = ((0.0, 0.6), (0.6, 1.0), [])
    thin = min(0.2, 0.04 / max(size[0], 0.04)), min(0.2, 0.04 / max(size[2], 0.04))
    stem = _part(size, (-thin[0], thin[0]), pole, (-thin[1], thin[1]), tone=0.7)
    return (_part(size, (-1, 1), shade, (-1, 1), round_too=True, tone=1.25), stem, *feet)


def _plant(size: Vector) -> tuple[Part, ...]:
    pot = min(0.35, 0.4 / size[1])
    return (
        _part(size, (-0.75, 0.75), (0.8, 1), (-0.75, 0.75), round_too=True, tone=1.1),
        _part(size, (-1, 1), (pot + 0.08, 0.8), (-1, 1), round_too=True),
        _part(size, (-0.5, 0.5), (0, pot + 0.08), (-0.5, 0.5), round_too=True, tone=0.7),
    )


_MAKERS: dict[str, Callable[[Vector], tuple[Part, ...]]] = {
    "seat": _seat, "sofa": _sofa, "bed": _bed, "shelf": _shelf, "plant": _plant,
}  # fmt: skip


def colour_of(jid: str) -> Colour:
    """The colour of the object with this id.

    >>> colour_of("chair-1") == colour_of("chair-1") != colour_of("chair-2")
    True
    """
    return rgb(_PALETTE[digest("colour", jid) % len(_PALETTE)])


def rgb(text: str) -> Colour:
    """A colour from its six hexadecimal digits.

    >>> rgb("ff8000")
    (255, 128, 0)
    """
    red, green, blue = bytes.fromhex(text)
    return red, green, blue


def shaded(colour: Colour, light: float) -> Colour:
    """A colour in more or less light: below 1 it becomes darker, above 1 it goes towards white, at 2 it is white.

    >>> shaded((100, 200, 0), 0.5), shaded((100, 200, 0), 1.5)
    ((50, 100, 0), (177, 227, 127))
    """
    if light <= 1.0:
        red, green, blue = (int(c * max(0.0, light)) for c in colour)
    else:
        red, green, blue = (int(c + (255 - c) * min(1.0, light - 1.0)) for c in colour)
    return red, green, blue


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
    sides = [(*a, *b) for a, b in zip(shell.corners, [*shell.corners[1:], shell.corners[0]], strict=True)]
    return any(is_inside(x - along_x * step * i, z - along_z * step * i, sides) for i in range(1, 9))
