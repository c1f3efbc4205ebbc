"""What is wrong with a room's layout and with its use of space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

from operators.scene.facts.things import Room, Thing, angle_to
from operators.scene.furniture.kinds import kinds
from operators.scene.model.floor import Floor, clipped, ring_area
from operators.scene.model.limits import ALOFT, AWAY, BLOCKED, CLUSTER, EXACT, FACING, NEAR, OFF_WALL

_AT_WALL = ("bed", "sofa", "storage", "shelf")


def off_wall(room: Room) -> list[tuple[Thing, float]]:
    """Beds, sofas, wardrobes, cabinets and shelves that stand free, with their gap to the nearest wall."""
    found = []
    for thing in room.things:
        if thing.kind.family in _AT_WALL and thing.on_floor and thing.box.volume > 0.05:
            nearest = room.nearest_wall(thing)
            if nearest and nearest.gap > OFF_WALL + EXACT:
                found.append((thing, nearest.gap))
    return found


def missing(room: Room) -> list[str]:
    """Nouns of the furniture that a room of this type needs and does not have."""
    present = {noun for thing in room.things for noun in (thing.kind.noun, *thing.kind.broader)}
    return [noun for noun in needed(room.room_type) if noun not in present]


def misturned(room: Room) -> list[str]:
    """What faces a wall at arm's length, or away from what it belongs to, each as a sentence without a full stop."""
    found = []
    for thing in room.things:
        if not (thing.kind.faces and thing.on_floor):
            continue
        partner = _partner(room, thing)
        if partner:
            if angle_to(thing, partner.box.x, partner.box.z) >= AWAY:
                found.append(f"{thing.name} faces away from {partner.name}")
        elif thing.kind.family in ("sofa", "seat", "storage", "shelf"):
            wall = _wall_ahead(room, thing)
            if wall:
                found.append(f"{thing.name} faces the {wall[0]} wall, {wall[1]:.2f} m before it")
    return found


def astray(room: Room) -> list[str]:
    """What stands far from what it serves."""
    beds = [thing for thing in room.things if thing.kind.family == "bed"]
    found = []
    for thing in room.things:
        if thing.kind.noun == "nightstand" and beds:
            bed = min(beds, key=lambda each: room.gap(thing, each))
            if room.gap(thing, bed) > NEAR + EXACT:
                found.append(f"{thing.name} is {room.gap(thing, bed):.2f} m away from {bed.name}")
    return found


@cache
def needed(room_type: str) -> tuple[str, ...]:
    """The nouns of what a type of room needs; sorts of a noun that is needed are left out."""
    core = [noun for noun, kind in kinds().items() if room_type in kind.core]
    return tuple(noun for noun in core if not any(other in core for other in kinds()[noun].broader))


def _partner(room: Room, thing: Thing) -> Thing | None:
    """The table of a chair, or the television of a sofa: what a seat near it is turned to."""
    if thing.kind.family == "seat":
        near = [o for o in room.things if o.kind.family in ("table", "desk") and room.gap(thing, o) <= NEAR + EXACT]
        return min(near, key=lambda each: room.gap(thing, each), default=None)
    if thing.kind.family == "sofa":
        screens = [o for o in room.things if o.kind.noun in ("tv", "tv stand")]
        return min(screens, key=lambda each: room.gap(thing, each), default=None)
    return None


def _wall_ahead(room: Room, thing: Thing) -> tuple[str, float] | None:
    """The wall straight before a front with its metres, if it is too near to use the front."""
    fx, fz = thing.box.front
    ahead = (thing.box.x + fx * thing.box.deep, thing.box.z + fz * thing.box.deep)
    best: tuple[str, float] | None = None
    for wall in room.floor.walls:
        towards = fx * wall.out[0] + fz * wall.out[1]
        if towards < math.cos(math.radians(FACING)):
            continue
        far = ((wall.start[0] - ahead[0]) * wall.out[0] + (wall.start[1] - ahead[1]) * wall.out[1]) / towards
        hit = (ahead[0] + fx * far, ahead[1] + fz * far)
        along = (hit[0] - wall.start[0]) * -wall.out[1] + (hit[1] - wall.start[1]) * wall.out[0]
        if 0 <= far < BLOCKED and 0 <= along <= wall.length and (best is None or far < best[1]):
            best = (wall.name, far)
    return best


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
    return Empty((i1 - i0) * cell, (j1 - j0) * cell, x, z, room.place_at(x, z))


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


def _spread(group: list[Thing]) -> float:
    """The area of the rectangle along the axes around a group."""
    xs = [x for thing in group for x, _ in thing.box.corners]
    zs = [z for thing in group for _, z in thing.box.corners]
    return (max(xs) - min(xs)) * (max(zs) - min(zs))
