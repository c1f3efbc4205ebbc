"""Spatial problems: clusters, the largest empty area, and a room that is full on one side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from operators.scene.facts.things import Room, Thing
from operators.scene.floor import Floor, clipped, ring_area
from operators.scene.limits import ALOFT, CLUSTER

#: Cells along the longer side of a room, on which empty areas are measured.
_CELLS = 24


@dataclass(frozen=True)
class Empty:
    """The largest rectangle along the axes with no furniture in it: its lengths in metres, its middle and its place."""

    width: float
    depth: float
    x: float
    z: float
    place: str


def largest_empty(room: Room) -> Empty | None:
    """The largest empty area of the floor, on a grid of 24 cells along its longer side; None without a floor."""
    floor = room.floor
    if floor.area < 1e-6:
        return None
    x0, z0, _, _ = floor.bounds
    cell, free = _cells(floor)
    rows = [list(row) for row in free]
    columns = len(rows[0])
    for thing in room.things:
        if thing.kind.family == "rug" or thing.box.low - floor.level >= ALOFT:
            continue
        xs, zs = [x for x, _ in thing.box.corners], [z for _, z in thing.box.corners]
        left, right = max(0, math.floor((min(xs) - x0) / cell)), min(columns, math.ceil((max(xs) - x0) / cell))
        for j in range(max(0, math.floor((min(zs) - z0) / cell)), min(len(rows), math.ceil((max(zs) - z0) / cell))):
            if right > left:
                rows[j][left:right] = [False] * (right - left)
    area, i0, j0, i1, j1 = _largest(rows)
    if not area:
        return None
    x, z = x0 + (i0 + i1) / 2 * cell, z0 + (j0 + j1) / 2 * cell
    return Empty((i1 - i0) * cell, (j1 - j0) * cell, x, z, _place(room, x, z))


def clusters(room: Room) -> list[list[Thing]]:
    """Groups of four or more things on the floor that almost touch, on less than a third of it."""
    things = [thing for thing in room.things if thing.on_floor]
    left, groups = list(things), []
    while left:
        group, fresh = [], [left.pop(0)]
        while fresh:
            group += fresh
            fresh = [other for other in left if any(room.gap(other, each) < CLUSTER for each in fresh)]
            left = [other for other in left if other not in fresh]
        if len(group) >= 4 and len(group) < len(things) and _spread(group) < room.floor.area / 3:
            groups.append([thing for thing in things if thing in group])
    return groups


def halves(room: Room) -> dict[str, float]:
    """The share of all footprints on the floor that lies in each half of the floor's bounds; empty without any."""
    x0, z0, x1, z1 = room.floor.bounds
    x, z, far = (x0 + x1) / 2, (z0 + z1) / 2, 1e4
    west = [(-far, -far), (x, -far), (x, far), (-far, far)]
    north = [(-far, -far), (far, -far), (far, z), (-far, z)]
    total = in_west = in_north = 0.0
    for thing in room.things:
        if thing.on_floor:
            total += 4 * thing.box.wide * thing.box.deep
            in_west += abs(ring_area(clipped(thing.box.corners, west)))
            in_north += abs(ring_area(clipped(thing.box.corners, north)))
    if total < 1e-9:
        return {}
    w, n = in_west / total, in_north / total
    return {"west": w, "east": 1 - w, "north": n, "south": 1 - n}


@lru_cache(maxsize=256)
def _cells(floor: Floor) -> tuple[float, tuple[tuple[bool, ...], ...]]:
    """The length of a cell, and for each row from north to south which of its cells have their middle in the floor."""
    x0, z0, x1, z1 = floor.bounds
    cell = max(x1 - x0, z1 - z0) / _CELLS
    columns, rows = max(1, round((x1 - x0) / cell)), max(1, round((z1 - z0) / cell))
    return cell, tuple(
        tuple(floor.contains(x0 + (i + 0.5) * cell, z0 + (j + 0.5) * cell) for i in range(columns)) for j in range(rows)
    )


def _largest(rows: list[list[bool]]) -> tuple[int, int, int, int, int]:
    """The largest rectangle of true cells: cells, first and last column, first and last row (last ones excluded)."""
    best = (0, 0, 0, 0, 0)
    heights = [0] * len(rows[0])
    for j, row in enumerate(rows):
        heights = [height + 1 if free else 0 for height, free in zip(heights, row, strict=True)]
        stack: list[tuple[int, int]] = []
        for i, height in enumerate([*heights, 0]):
            start = i
            while stack and stack[-1][1] >= height:
                start, tall = stack.pop()
                if tall * (i - start) > best[0]:
                    best = (tall * (i - start), start, j + 1 - tall, i, j + 1)
            if height:
                stack.append((start, height))
    return best


def _place(room: Room, x: float, z: float) -> str:
    across, down = room.share_of(x, z)
    names = ("north", "", "south")[min(2, int(down * 3))] + ("west", "", "east")[min(2, int(across * 3))]
    return f"{names} corner" if len(names) > 5 else f"{names} side" if names else "centre"


def _spread(group: list[Thing]) -> float:
    """The area of the rectangle along the axes around a group."""
    xs = [x for thing in group for x, _ in thing.box.corners]
    zs = [z for thing in group for _, z in thing.box.corners]
    return (max(xs) - min(xs)) * (max(zs) - min(zs))
