"""The true values that a number of a text may tell: of things, of pairs of them, of calls, of the room."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from operators.scene.facts.checking.world import Action, World, bearing, step
from operators.scene.facts.sheet import fact_sheet
from operators.scene.facts.things import Room, Thing, centre_distance, overlap

Ids = Iterable[str]


def sizes(world: World, ids: Ids, which: Sequence[int] = (0, 1, 2)) -> Iterator[float]:
    """Some of width, height and depth, before and after, and their differences."""
    for jid in ids:
        found = [[thing.size[i] for i in which] for _, thing in world.states(jid)]
        yield from chain.from_iterable(found)
        if len(found) == 2:
            yield from (abs(a - b) for a, b in zip(*found, strict=True) if abs(a - b) > 1e-6)


def heights(world: World, ids: Ids) -> Iterator[float]:
    """Lowest and highest points above the floor, and the room above them."""
    for jid in ids:
        for room, thing in world.states(jid):
            yield from (room.lift(thing), -room.lift(thing), thing.box.high - room.floor.level)
            yield room.floor.height + room.floor.level - thing.box.high


def lifts(world: World, ids: Ids) -> Iterator[float]:
    """Lowest and highest points above the floor."""
    for jid in ids:
        for room, thing in world.states(jid):
            yield from (room.lift(thing), -room.lift(thing), thing.box.high - room.floor.level)


def size_differences(world: World, ones: Ids, others: Ids) -> Iterator[float]:
    """By how much two things differ in width, height or depth."""
    others = list(others)
    for one in ones:
        for other in others:
            for _, a in world.states(one):
                for _, b in world.states(other):
                    yield from (abs(p - q) for p, q in zip(a.size, b.size, strict=True) if one != other)


def walls(world: World, ids: Ids, way: tuple[int, int] | None, *, centre: bool, change: bool) -> Iterator[float]:
    """Gaps to the walls of one direction, or to the two nearest of different directions, and their change."""
    for jid in ids:
        gaps: list[list[float]] = []
        for room, thing in world.states(jid):
            found = [gap for wall, gap in room.walls(thing) if way and _is_of(wall.out, way)]
            if way is None:
                found = list(_nearest_of_each(room, thing))[:2]
            elif found:
                found.append(_to_bounds(room, thing, way, edge=True))
            gaps.append(found)
            for gap in found:
                yield gap
                if gap < 0:
                    yield 0.0
            if centre and way:
                yield _to_bounds(room, thing, way, edge=False)
        if change and len(gaps) == 2:
            yield from (abs(a - b) for a, b in zip(*gaps, strict=False))


def past(world: World, ids: Ids) -> Iterator[float]:
    """Metres past any wall."""
    for jid in ids:
        for room, thing in world.states(jid):
            for wall, gap in room.walls(thing):
                if gap < 0:
                    yield -gap
                elif room.outside(thing) > 0.0:
                    yield abs(_to_bounds(room, thing, (round(wall.out[0]), round(wall.out[1])), edge=True))


def pairs(world: World, ones: Ids, others: Ids, *, change: bool, middles: bool = True) -> Iterator[float]:
    """Gaps between two things in either room, how the gap changes, and, with ``middles``, between their middles."""
    others = list(others)
    for one in ones:
        for other in others:
            if one == other:
                continue
            gaps = []
            for room in (world.before, world.after):
                a, b = room.by_id.get(one), room.by_id.get(other)
                if a and b:
                    gaps.append(room.gap(a, b))
                    yield gaps[-1]
                    if middles:
                        yield centre_distance(a, b)
                    if gaps[-1] == 0.0:
                        yield from _vertical(a, b)
            if change and len(gaps) == 2:
                yield abs(gaps[0] - gaps[1])


def along(world: World, ones: Ids, others: Ids) -> Iterator[float]:
    """Distances of the middles along x and along z."""
    others = list(others)
    for one in ones:
        for other in others:
            for room in (world.before, world.after):
                a, b = room.by_id.get(one), room.by_id.get(other)
                if a and b and one != other:
                    yield abs(a.box.x - b.box.x)
                    yield abs(a.box.z - b.box.z)


def depths(world: World, ones: Ids, others: Ids) -> Iterator[float]:
    """Depths of overlaps between two things in either room."""
    others = list(others)
    for one in ones:
        for other in others:
            for room in (world.before, world.after):
                a, b = room.by_id.get(one), room.by_id.get(other)
                if a and b and one != other:
                    yield overlap(a, b)


def moves(world: World, ids: Ids) -> Iterator[float]:
    """How far the calls move things: on the plan, and along each axis."""
    for action in actions_on(world, ids):
        x, y, z = action.shift
        if x or y or z:
            yield step(x, z)
            yield from (abs(each) for each in (x, y, z) if abs(each) > 1e-6)
            yield math.sqrt(x * x + y * y + z * z)


def angles(world: World, ids: Ids) -> Iterator[float]:
    """Headings before and after, in both usual countings, and the angles by which calls turn things."""
    ids = list(ids)
    for jid in ids:
        for _, thing in world.states(jid):
            yaw = thing.yaw % 360
            yield from (yaw, -yaw, 360 - yaw, bearing(thing), -bearing(thing), thing.yaw, -thing.yaw)
            if abs(yaw % 90) > 1e-6:
                yield yaw % 90
                yield 90 - yaw % 90
    yield from turns(world, ids)
    for one in ids:
        for other in ids:
            for room in (world.before, world.after):
                a, b = room.by_id.get(one), room.by_id.get(other)
                if a and b and one < other:
                    between = abs(a.yaw - b.yaw) % 360
                    yield min(between, 360 - between)


def around(world: World, ids: Ids) -> Iterator[float]:
    """The way to the wall on each side."""
    for jid in ids:
        for room, thing in world.states(jid):
            yield from (gap for _, gap in room.walls(thing))


def turns(world: World, ids: Ids) -> Iterator[float]:
    """The angles by which calls turn things."""
    for action in actions_on(world, ids):
        if action.turn:
            yield from (abs(action.turn), 360 - abs(action.turn))


def factors(world: World, ids: Ids) -> Iterator[float]:
    """New sizes through old ones."""
    for action in actions_on(world, ids):
        yield from action.ratios
        yield from (1 / ratio for ratio in action.ratios if ratio)
        yield math.prod(action.ratios)


def room_lengths(world: World) -> Iterator[float]:
    """Lengths, height and walls of the room, and the lengths of its largest empty areas."""
    floor = world.before.floor
    x0, z0, x1, z1 = floor.bounds
    yield from (x1 - x0, z1 - z0, floor.height, *(wall.length for wall in floor.walls))
    yield from empties(world)


def empties(world: World) -> Iterator[float]:
    """Lengths of the largest empty areas."""
    for room in (world.before, world.after):
        empty = fact_sheet(room.scene).empty
        if empty:
            yield from (empty.width, empty.depth)


def points(world: World, ids: Ids) -> Iterator[tuple[float, ...]]:
    """What brackets may hold: positions, sizes, rotations and shifts of things, corners of the room."""
    ids = list(ids)
    for jid in ids:
        for _, thing in world.states(jid):
            yield from (thing.pos, thing.size, tuple(map(float, thing.obj["rot"])), (thing.pos[0], thing.pos[2]))
            yield (thing.size[0], thing.size[2])
            yield thing.box.front
            yield (thing.box.front[0], 0.0, thing.box.front[1])
    for action in actions_on(world, ids):
        yield from (action.shift, (action.shift[0], action.shift[2]), action.ratios)
    for room in (world.before, world.after):
        empty = fact_sheet(room.scene).empty
        if empty:
            yield from ((empty.x, empty.z), (empty.x, room.floor.level, empty.z))
    floor = world.before.floor
    x0, z0, x1, z1 = floor.bounds
    yield from ((x0, x1), (z0, z1), (x0, z0), (x1, z1), ((x0 + x1) / 2, (z0 + z1) / 2), *floor.corners)


def coordinates(world: World, ids: Ids, axis: str, text: str) -> Iterator[float]:
    """Values on one axis: of things, of the bounds, and of moves."""
    i = "xyz".index(axis)
    for jid in ids:
        for _, thing in world.states(jid):
            yield thing.pos[i]
            if i == 1:
                yield from (thing.box.low, thing.box.high)
            elif re.search(r"\b(?:edges?|corners?|reach\w*|extend\w*|from|ends?|spans?|between)\b", text):
                yield from (corner[i // 2] for corner in thing.box.corners)
    x0, z0, x1, z1 = world.before.floor.bounds
    yield from {"x": (x0, x1), "y": (0.0, world.before.floor.height), "z": (z0, z1)}[axis]


def actions_on(world: World, ids: Ids) -> list[Action]:
    """The actions about any of the objects; all if no objects are given."""
    wanted = set(ids)
    return [action for action in world.actions if not wanted or action.jids & wanted]


def _is_of(out: tuple[float, float], way: tuple[int, int]) -> bool:
    """Whether a wall that faces ``out`` may be called by a direction."""
    return (out[0] * way[0] + out[1] * way[1]) / math.hypot(*way) > 0.8


def _nearest_of_each(room: Room, thing: Thing) -> list[float]:
    least: dict[str, float] = {}
    for wall, gap in room.walls(thing):
        least[wall.name] = min(gap, least.get(wall.name, gap))
    return sorted(least.values())


def _to_bounds(room: Room, thing: Thing, way: tuple[int, int], *, edge: bool) -> float:
    """The way to a side of the floor's bounds, from the footprint's edge or from its middle."""
    x0, z0, x1, z1 = room.floor.bounds
    points = thing.box.corners if edge else ((thing.box.x, thing.box.z),)
    gaps = []
    if way[0]:
        gaps.append(min(x - x0 if way[0] < 0 else x1 - x for x, _ in points))
    if way[1]:
        gaps.append(min(z - z0 if way[1] < 0 else z1 - z for _, z in points))
    return min(gaps, default=0.0)


def _vertical(a: Thing, b: Thing) -> Iterator[float]:
    yield from (abs(a.box.low - b.box.high), abs(b.box.low - a.box.high))
