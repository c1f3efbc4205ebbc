"""What can be measured of a room's things, for claims: numbers in metres, degrees and shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from operators.scene.facts.sheet import fact_sheet
from operators.scene.facts.things import Room, Thing, angle_to, centre_distance, overlap
from operators.scene.model.limits import ALOFT


@dataclass(frozen=True, slots=True)
class Act:
    """What a call does: its id, its tool, and the ids of the objects that it is about."""

    call: str
    tool: str
    jids: frozenset[str]


@dataclass(frozen=True)
class View:
    """The room in a state, the rooms before and after the turn, and what the turn does."""

    room: Room
    before: Room
    after: Room
    acts: Sequence[Act]
    ends: bool

    def thing(self, jid: str) -> Thing:
        """The thing of an id, in this state if it is there, else in the other one."""
        return self.room.by_id.get(jid) or self.before.by_id.get(jid) or self.after.by_id[jid]

    def both(self, jid: str) -> tuple[Thing, Thing] | None:
        """A thing before and after the turn; None if one of them has it not."""
        old, new = self.before.by_id.get(jid), self.after.by_id.get(jid)
        return (old, new) if old and new else None

    def does(self, tool: str, jid: str, call: str | None) -> bool:
        """Whether a call of that tool, or that very call, is about a thing."""
        return any(a.tool == tool and jid in a.jids and call in (None, a.call) for a in self.acts)


def wall_gap(view: View, jid: str, direction: str | None = None) -> float | None:
    """The gap to the nearest wall, or to the nearest of the walls of a name; None if there is none."""
    gaps = [gap for wall, gap in view.room.walls(view.thing(jid)) if direction in (None, wall.name)]
    return min(gaps, default=None)


def ahead(view: View, jid: str) -> float | None:
    """The free metres before a front, as wide as the thing, up to the next thing or wall."""
    thing = view.thing(jid)
    others = [other for other in view.room.things if other is not thing and in_the_way(view.room, other)]
    ways = [free_before(thing, other) for other in others]
    wall = view.room.wall_ahead(thing)
    return min([*(way for way in ways if way is not None), *([wall.gap] if wall else [])], default=None)


def turned(view: View, jid: str) -> float | None:
    """The degrees, 0 to 180, that a thing is turned between the two states."""
    found = view.both(jid)
    if found is None:
        return None
    degrees = abs(found[1].yaw - found[0].yaw) % 360
    return min(degrees, 360 - degrees)


def moved(view: View, jid: str) -> float | None:
    """The metres on the plan between a thing's places in the two states."""
    found = view.both(jid)
    return None if found is None else math.hypot(found[1].box.x - found[0].box.x, found[1].box.z - found[0].box.z)


def scaled(view: View, jid: str) -> float | None:
    """How many times as wide as before a thing is after the turn."""
    found = view.both(jid)
    return None if found is None or not found[0].size[0] else found[1].size[0] / found[0].size[0]


def bearing(view: View, jid: str) -> float:
    """The front as a compass bearing: 0 north, 90 east."""
    return (180.0 - view.thing(jid).yaw) % 360


def count(view: View, noun: str | None = None) -> int:
    """How many things there are, of a kind or at all."""
    return sum(noun is None or thing.kind.is_a(noun) for thing in view.room.things)


def share(view: View, direction: str) -> float | None:
    """The share of all footprints that lies in a half of the room."""
    return fact_sheet(view.room.scene).halves.get(direction)


def _size(i: int) -> Callable[[View, str], float]:
    return lambda view, jid: view.thing(jid).size[i]


def _pos(i: int) -> Callable[[View, str], float]:
    return lambda view, jid: view.thing(jid).pos[i]


def _bounds(i: int) -> Callable[[View], float]:
    return lambda view: view.room.floor.bounds[i + 2] - view.room.floor.bounds[i]


def _empty(side: str) -> Callable[[View], float | None]:
    def measure(view: View) -> float | None:
        empty = fact_sheet(view.room.scene).empty
        if empty is None:
            return None
        return empty.width * empty.depth if side == "area" else float(getattr(empty, side))

    return measure


def in_the_way(room: Room, other: Thing) -> bool:
    """Whether a thing can stand in somebody's way: no rug, and nothing that hangs high."""
    return other.kind.family != "rug" and other.box.low - room.floor.level < ALOFT


def free_before(thing: Thing, other: Thing) -> float | None:
    """The metres from a front to another thing that is straight before it; None if it is not."""
    (fx, fz), box = thing.box.front, thing.box
    ways = [((x - box.x) * fx + (z - box.z) * fz, (x - box.x) * fz - (z - box.z) * fx) for x, z in other.box.corners]
    far, aside = [a for a, _ in ways], [s for _, s in ways]
    if max(far) <= box.deep or min(aside) >= box.wide or max(aside) <= -box.wide:
        return None
    return max(0.0, min(far) - box.deep)


#: How each measure of ``data/terms.tsv`` is taken.
MEASURES: Mapping[str, Callable[..., float | None]] = {
    **{each.__name__: each for each in (wall_gap, ahead, bearing, turned, moved, scaled, count, share)},
    "width": _size(0),
    "height": _size(1),
    "depth": _size(2),
    "footprint": lambda view, jid: 4 * view.thing(jid).box.wide * view.thing(jid).box.deep,
    "volume": lambda view, jid: view.thing(jid).box.volume,
    "x": _pos(0),
    "z": _pos(2),
    "lift": lambda view, jid: view.room.lift(view.thing(jid)),
    "top": lambda view, jid: view.thing(jid).box.high - view.room.floor.level,
    "gap": lambda view, a, b: view.room.gap(view.thing(a), view.thing(b)),
    "distance": lambda view, a, b: centre_distance(view.thing(a), view.thing(b)),
    "overlap": lambda view, a, b: overlap(view.thing(a), view.thing(b)),
    "outside": lambda view, jid: view.room.outside(view.thing(jid)),
    "angle": lambda view, a, b: angle_to(view.thing(a), view.thing(b).box.x, view.thing(b).box.z),
    "room_width": _bounds(0),
    "room_depth": _bounds(1),
    "room_height": lambda view: view.room.floor.height or None,
    "room_area": lambda view: view.room.floor.area,
    "free_width": _empty("width"),
    "free_depth": _empty("depth"),
    "free_area": _empty("area"),
}
