"""Physical faults: what overlaps, leaves the room, or floats. What rightly stands on, hangs or lies under is none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from operators.scene.facts.things import Room, Thing, overlap
from operators.scene.furniture.kinds import Kind
from operators.scene.model.geometry import Box, is_over
from operators.scene.model.limits import AT_WALL, EXACT, FLAT, OUTSIDE, OVERLAP, SAT_AT, TOUCH
from operators.scene.model.scene import Scene


class Placed(Protocol):
    """A thing of a known kind in its place."""

    kind: Kind
    box: Box


#: What is wrong with a room: overlaps, things outside and in the air, and, of the layout, a piece off its wall, turned
#: or standing away from what it belongs to, or not there.
Word = Literal["overlap", "outside", "lifted", "off_wall", "misturned", "astray", "missing"]


@dataclass(frozen=True)
class Fault:
    """What is wrong with some things of a room, in a sentence without a full stop.

    ``amount`` is the metres of an overlap, the share outside, or the metres above the floor (below it if negative).
    """

    word: Word
    things: Sequence[Thing]
    said: str
    amount: float = 0.0

    @property
    def ids(self) -> Collection[str]:
        """The ids of the things."""
        return frozenset(thing.jid for thing in self.things)

    @property
    def about(self) -> tuple[str, Collection[str]]:
        """What is wrong with which things, however much."""
        return self.word, self.ids

    def __str__(self) -> str:
        return self.said


def faults_of(room: Room) -> list[Fault]:
    """What overlaps, leaves the room, or floats or sinks."""
    return [*overlaps(room), *outsides(room), *lifted(room)]


def badness(faults: Sequence[Fault]) -> float:
    """Metres of overlap and of height, and shares outside, summed."""
    return sum(abs(fault.amount) for fault in faults)


def without(faults: Sequence[Fault], given: Sequence[Fault]) -> list[Fault]:
    """The faults of a room that are not among others: those of the same kind and things."""
    known = {fault.about for fault in given}
    return [fault for fault in faults if fault.about not in known]


def overlaps(room: Room, least: float = OVERLAP) -> list[Fault]:
    """All pairs that overlap by so many metres and should not, the deepest first."""
    things = room.things
    found = []
    for i, one in enumerate(things):
        for other in things[i + 1 :]:
            depth = overlap(one, other)
            if depth and depth >= least - EXACT and not is_right(one, other):
                said = f"{one.name} overlaps {other.name} by {depth:.2f} m"
                found.append(Fault("overlap", (one, other), said, depth))
    return sorted(found, key=lambda each: -each.amount)


def outsides(room: Room, least: float = OUTSIDE) -> list[Fault]:
    """All things of which such a share lies outside the floor, in the order of the room."""
    found = []
    for thing in room.things:
        share = room.outside(thing)
        if share and share >= least - EXACT:
            through = min(room.walls(thing), key=lambda each: each.gap, default=None)
            said = f"{thing.name} is {share * 100:.0f} % outside the room"
            if through and through.gap < 0:
                said += f", {-through.gap:.2f} m past the {through.wall.name} wall"
            found.append(Fault("outside", (thing,), said, share))
    return found


def lifted(room: Room) -> list[Fault]:
    """All things that float, or sink into the floor."""
    found = []
    for thing in room.things:
        lift = room.lift(thing)
        if lift < -TOUCH - EXACT or (lift > TOUCH + EXACT and not _is_held(room, thing)):
            told = f"sinks {-lift:.2f} m below" if lift < 0 else f"floats {lift:.2f} m above"
            found.append(Fault("lifted", (thing,), f"{thing.name} {told} the floor", lift))
    return found


def is_right(one: Placed, other: Placed) -> bool:
    """Whether it is no problem if the two share a place: a chair under a table, a cushion on a sofa, all on a rug."""
    return _belongs(one, other) or _belongs(other, one)


def is_flat(kind: Kind, box: Box) -> bool:
    """Whether others may stand in the place of a thing: a rug, and what is as low as one."""
    return kind.family == "rug" or box.high - box.low <= FLAT + EXACT


def is_pushed_under(one: Placed, other: Placed) -> bool:
    """Whether the first is pushed under the second: a chair, under a table of a height that one sits at."""
    return one.kind.family == "seat" and is_sat_at(other)


def is_sat_at(thing: Placed) -> bool:
    """Whether one sits at it: a table or desk, no coffee table."""
    return thing.kind.family in ("table", "desk") and thing.box.high - thing.box.low >= SAT_AT - EXACT


def supports(lower: Thing, upper: Thing) -> bool:
    """Whether the second stands on the first: on its top, or in it if that is soft."""
    over = is_over(lower.box, upper.box.x, upper.box.z)
    on_top = abs(upper.box.low - lower.box.high) <= TOUCH + EXACT
    in_it = lower.box.low + 0.1 <= upper.box.low <= lower.box.high and _belongs(lower, upper)
    return over and (on_top or in_it)


def _belongs(lower: Placed, upper: Placed) -> bool:
    """Whether it is right that the second stands on, or is pushed under or into, the first."""
    if is_flat(lower.kind, lower.box):
        return True
    if is_pushed_under(upper, lower):
        return True
    small = upper.kind.stands == "top" or upper.kind.family == "decor"
    return small and upper.box.low >= lower.box.low + 0.1 and upper.box.volume < lower.box.volume


def _is_held(room: Room, thing: Thing) -> bool:
    if thing.kind.stands == "ceiling":
        return True
    top = room.floor.height + room.floor.level
    if room.floor.height and thing.kind.family in ("lamp", "appliance") and thing.box.high > top - 2 * TOUCH:
        return True
    nearest = room.nearest_wall(thing)
    if nearest and nearest.gap <= AT_WALL + EXACT and thing.kind.stands in ("wall", "top"):
        return True
    low = thing.box.low
    return any(
        other is not thing and other.box.low < low <= other.box.high + 2 * TOUCH and room.gap(thing, other) == 0.0
        for other in room.things
    )


#: What a collision rate is a share of.
Metric = Literal["objects", "pairs"]


@dataclass(frozen=True, slots=True)
class Clashes:
    """The objects of a room, the pairs that collide, the objects in any of them, and the objects out of bounds."""

    objects: int
    pairs: int
    colliding: int
    outside: int

    def collision_rate(self, metric: Metric) -> float:
        """The share of objects that collide with another, or of pairs that do."""
        if metric == "objects":
            return self.colliding / self.objects if self.objects else 0.0
        return self.pairs / (self.objects * (self.objects - 1) / 2) if self.objects > 1 else 0.0

    @property
    def oob_rate(self) -> float:
        """The share of objects out of bounds."""
        return self.outside / self.objects if self.objects else 0.0


def clashes(scene: Scene, *, tolerance: float = OVERLAP, outside_tolerance: float = OUTSIDE) -> Clashes:
    """What collides in a room, and what is out of bounds, as the fact sheet tells it.

    Two objects collide if one must be pushed ``tolerance`` metres or more, in any direction, to be clear of the other,
    and does not rightly stand there, as a chair under a table or a lamp on it does. An object is out of bounds if the
    share ``outside_tolerance`` of its footprint, or more, is.

    >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
    >>> def cube(x): return {"desc": "cube", "jid": str(x), "pos": [x, 0, 1], "size": [1, 1, 1], "rot": [0, 0, 0, 1]}
    >>> room = {"bounds_bottom": corners, "bounds_top": corners, "objects": [cube(0.25), cube(1.0), cube(3.0)]}
    >>> clashes(room)
    Clashes(objects=3, pairs=1, colliding=2, outside=1)
    """
    room = Room.of(scene)
    pairs = overlaps(room, tolerance)
    colliding = set[str]().union(*(each.ids for each in pairs))
    return Clashes(len(room.things), len(pairs), len(colliding), len(outsides(room, outside_tolerance)))
