"""Layout problems: core furniture off the wall, missing furniture, and what faces the wrong way."""

from __future__ import annotations

import math
from functools import cache

from operators.scene.facts.things import Room, Thing, angle_to
from operators.scene.furniture.kinds import kinds
from operators.scene.limits import AWAY, BLOCKED, EXACT, FACING, NEAR, OFF_WALL

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
