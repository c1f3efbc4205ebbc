"""What can be measured of a room's things, in metres, degrees and shares, and what can be stated of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from operators.scene.facts import fact_sheet, missing, needed
from operators.scene.facts.things import (
    Fault,
    Room,
    Thing,
    Word,
    angle_to,
    centre_distance,
    is_pushed_under,
    overlap,
    supports,
)
from operators.scene.model import limits
from operators.scene.model.floor import COMPASS
from operators.scene.model.limits import ALOFT, EXACT


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
    return None if found is None else centre_distance(*found)


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


def _about(faults: Iterable[Fault], *jids: str | None) -> list[Fault]:
    """The faults in which all these things have a part; None stands for anything."""
    return [each for each in faults if all(jid is None or jid in each.ids for jid in jids)]


def _faults(view: View, word: Word, *jids: str | None) -> list[Fault]:
    """What of one kind is physically wrong with all these things."""
    return _about((each for each in fact_sheet(view.room.scene).physical if each.word == word), *jids)


def exists(view: View, what: str) -> bool:
    """Whether a thing, or one of a kind, is there."""
    return what in view.room.by_id or any(thing.kind.is_a(what) for thing in view.room.things)


def at_wall(view: View, jid: str, direction: str | None = None) -> bool:
    """Whether a side is at a wall."""
    gap = wall_gap(view, jid, direction)
    return gap is not None and -limits.OVERLAP < gap <= limits.AT_WALL + EXACT


def off_wall(view: View, jid: str) -> bool:
    """Whether a thing stands free."""
    gap = wall_gap(view, jid)
    return gap is not None and gap > limits.OFF_WALL + EXACT


def back_to_wall(view: View, jid: str, direction: str | None = None) -> bool:
    """Whether a back is at a wall, and turned to it."""
    fx, fz = view.thing(jid).box.front
    most = -math.cos(math.radians(limits.SQUARE))
    return any(
        -limits.OVERLAP < gap <= limits.AT_WALL + EXACT and fx * wall.out[0] + fz * wall.out[1] <= most + EXACT
        for wall, gap in view.room.walls(view.thing(jid))
        if direction in (None, wall.name)
    )


def place_is(view: View, jid: str, direction: str | None, wanted: str) -> bool:
    """Whether a thing stands in a "corner", or on a "side", by thirds of the floor's bounds."""
    name, _, what = view.room.place(view.thing(jid)).rpartition(" ")
    return what == wanted and direction in (None, name)


def in_part(view: View, jid: str, direction: str) -> bool:
    """Whether a thing is in a half of the room, or in a quarter of it."""
    across, down = view.room.share_of(view.thing(jid).box.x, view.thing(jid).box.z)
    parts = {"north": down <= 0.5, "south": down >= 0.5, "west": across <= 0.5, "east": across >= 0.5}
    return all(is_so for word, is_so in parts.items() if word in direction)


def overlaps(view: View, a: str, b: str | None = None) -> bool:
    """Whether two things overlap that should not, or one and any other."""
    return a != b and bool(_faults(view, "overlap", a, b))


def leaves_room(view: View, jid: str | None = None) -> bool:
    """Whether a thing, or any, leaves the floor."""
    return bool(_faults(view, "outside", jid))


def floats(view: View, jid: str | None = None) -> bool:
    """Whether nothing holds a thing, or any."""
    return any(each.amount > 0 for each in _faults(view, "lifted", jid))


def sound(view: View, jid: str | None = None) -> bool:
    """Whether a thing, or all, overlaps nothing wrongly, stays in the room and is held."""
    return not _about(fact_sheet(view.room.scene).physical, jid)


def on(view: View, a: str, b: str) -> bool:
    """Whether one thing stands on another."""
    return a != b and supports(view.thing(b), view.thing(a))


def under(view: View, a: str, b: str) -> bool:
    """Whether the footprint of one is, at least in part, below the other, and its lower side is."""
    one, other = view.thing(a), view.thing(b)
    return a != b and view.room.gap(one, other) == 0.0 and one.box.low < other.box.low + limits.TOUCH and (
        one.box.high <= other.box.low + limits.TOUCH or is_pushed_under(one, other))  # fmt: skip


def between(view: View, a: str, b: str, c: str) -> bool:
    """Whether the middle of one is in the strip between the middles of two others, no further off than it is wide."""
    one, two, three = (view.thing(each).box for each in (a, b, c))
    dx, dz = three.x - two.x, three.z - two.z
    length = math.hypot(dx, dz)
    if length < EXACT or len({a, b, c}) < 3:
        return False
    along = ((one.x - two.x) * dx + (one.z - two.z) * dz) / length
    aside = abs((one.x - two.x) * dz - (one.z - two.z) * dx) / length
    return 0 < along < length and aside <= max(min(two.wide, two.deep), min(three.wide, three.deep), one.wide)


def faces(view: View, jid: str, what: str) -> bool:
    """Whether a front looks to a thing or in a direction."""
    thing = view.thing(jid)
    if what in COMPASS:
        turn = math.radians(COMPASS.index(what) * 45)
        return angle_to(thing, thing.box.x + math.cos(turn), thing.box.z + math.sin(turn)) <= limits.FACING + EXACT
    other = view.thing(what)
    return what != jid and angle_to(thing, other.box.x, other.box.z) <= limits.FACING + EXACT


def faces_away(view: View, jid: str, what: str) -> bool:
    """Whether a front looks away from a thing."""
    other = view.thing(what)
    return what != jid and angle_to(view.thing(jid), other.box.x, other.box.z) >= limits.AWAY - EXACT


def side_of(view: View, a: str, b: str, direction: str) -> bool:
    """Whether the middle of one lies in a direction from that of another, to an eighth of a turn each way."""
    one, two = view.thing(a).box, view.thing(b).box
    dx, dz = one.x - two.x, one.z - two.z
    turn = math.radians(COMPASS.index(direction) * 45)
    length = math.hypot(dx, dz)
    return length > EXACT and (dx * math.cos(turn) + dz * math.sin(turn)) / length >= math.cos(math.pi / 4) - EXACT


def blocked(view: View, jid: str) -> bool:
    """Whether there is too little room before a front."""
    free = ahead(view, jid)
    return view.thing(jid).kind.faces and free is not None and free < limits.BLOCKED - EXACT


def blocks(view: View, a: str, b: str) -> bool:
    """Whether one thing is what blocks the front of another."""
    free = free_before(view.thing(b), view.thing(a)) if in_the_way(view.room, view.thing(a)) else None
    return a != b and view.thing(b).kind.faces and free is not None and free < limits.BLOCKED - EXACT


def one_sided(view: View, direction: str | None = None) -> bool:
    """Whether nearly all furniture lies in one half."""
    found = fact_sheet(view.room.scene).imbalance
    return found is not None and direction in (None, found[0])


def misplaced(view: View, jid: str | None = None) -> bool:
    """Whether the layout is wrong with a thing, or with anything."""
    return bool(_about(fact_sheet(view.room.scene).layout, jid))


def act(tool: str) -> Callable[..., bool]:
    """Whether a call of a tool is about a thing."""

    def does(view: View, jid: str, call: str | None = None) -> bool:
        return view.does(tool, jid, call)

    return does


_PLAIN = (exists, at_wall, back_to_wall, off_wall, in_part, side_of, on, under, between, faces, faces_away, blocked,
          blocks, overlaps, leaves_room, floats, sound, misplaced, one_sided)  # fmt: skip
_ACTS = {"adds": "add_object", "removes": "remove_object", "moves": "move_object", "turns": "rotate_object",
         "resizes": "scale_object", "replaces": "replace_object"}  # fmt: skip
#: How each predicate of ``data/terms.tsv`` is told.
PREDICATES: Mapping[str, Callable[..., bool]] = {
    **{each.__name__: each for each in _PLAIN},
    "needed": lambda view, noun: noun in needed(view.room.room_type),
    "missing": lambda view, noun: noun in missing(view.room),
    "is_a": lambda view, jid, noun: view.thing(jid).kind.is_a(noun),
    "in_corner": lambda view, jid, way=None: place_is(view, jid, way, "corner"),
    "on_side": lambda view, jid, way=None: place_is(view, jid, way, "side"),
    "in_centre": lambda view, jid: view.room.place(view.thing(jid)) == "centre",
    "near": lambda view, a, b: a != b and view.room.gap(view.thing(a), view.thing(b)) <= limits.NEAR + EXACT,
    "far": lambda view, a, b: view.room.gap(view.thing(a), view.thing(b)) >= limits.FAR - EXACT,
    "small": lambda view, jid: view.thing(jid).box.volume < limits.SMALL - EXACT,
    "large": lambda view, jid: view.thing(jid).box.volume >= limits.LARGE - EXACT,
    "largest": lambda view, jid: all(view.thing(jid).box.volume >= t.box.volume - EXACT for t in view.room.things),
    **{statement: act(tool) for statement, tool in _ACTS.items()},
    "ends": lambda view: view.ends,
}
