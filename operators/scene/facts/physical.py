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


@dataclass(frozen=True)
class Overlap:
    """Two things in one place; ``depth`` in metres."""

    one: Thing
    other: Thing
    depth: float

    @property
    def things(self) -> Sequence[Thing]:
        """Both."""
        return self.one, self.other

    def __str__(self) -> str:
        return f"{self.one.name} overlaps {self.other.name} by {self.depth:.2f} m"


@dataclass(frozen=True)
class Outside:
    """A thing that leaves the floor: its share, and the wall that it goes through, if any, with the metres past it."""

    thing: Thing
    share: float
    wall: str
    past: float

    @property
    def things(self) -> Sequence[Thing]:
        """The one."""
        return (self.thing,)

    def __str__(self) -> str:
        through = f", {self.past:.2f} m past the {self.wall} wall" if self.wall else ""
        return f"{self.thing.name} is {self.share * 100:.0f} % outside the room{through}"


@dataclass(frozen=True)
class Lifted:
    """A thing that nothing holds, ``height`` metres above the floor; below it if negative."""

    thing: Thing
    height: float

    @property
    def things(self) -> Sequence[Thing]:
        """The one."""
        return (self.thing,)

    def __str__(self) -> str:
        if self.height < 0:
            return f"{self.thing.name} sinks {-self.height:.2f} m below the floor"
        return f"{self.thing.name} floats {self.height:.2f} m above the floor"


#: What is wrong with one thing, or with two.
Fault = Overlap | Outside | Lifted


def faults_of(room: Room) -> list[Fault]:
    """What overlaps, leaves the room, or floats or sinks."""
    return [*overlaps(room), *outsides(room), *lifted(room)]


def badness(faults: Sequence[Fault]) -> float:
    """Metres of overlap and of height, and shares outside, summed."""
    return sum(f.depth if isinstance(f, Overlap) else f.share if isinstance(f, Outside) else abs(f.height)
               for f in faults)  # fmt: skip


def without(faults: Sequence[Fault], given: Sequence[Fault]) -> list[Fault]:
    """The faults of a room that are not among others: those of the same kind and things."""
    known = {_about(fault) for fault in given}
    return [fault for fault in faults if _about(fault) not in known]


def _about(fault: Fault) -> tuple[str, Collection[str]]:
    return type(fault).__name__, frozenset(thing.jid for thing in fault.things)


def overlaps(room: Room, least: float = OVERLAP) -> list[Overlap]:
    """All pairs that overlap by so many metres and should not, the deepest first."""
    things = room.things
    found = []
    for i, one in enumerate(things):
        for other in things[i + 1 :]:
            depth = overlap(one, other)
            if depth and depth >= least - EXACT and not is_right(one, other):
                found.append(Overlap(one, other, depth))
    return sorted(found, key=lambda each: -each.depth)


def outsides(room: Room, least: float = OUTSIDE) -> list[Outside]:
    """All things of which such a share lies outside the floor, in the order of the room."""
    found = []
    for thing in room.things:
        share = room.outside(thing)
        if share and share >= least - EXACT:
            through = min(room.walls(thing), key=lambda each: each.gap, default=None)
            past = -through.gap if through and through.gap < 0 else 0.0
            found.append(Outside(thing, share, through.wall.name if through and past else "", past))
    return found


def lifted(room: Room) -> list[Lifted]:
    """All things that float, or sink into the floor."""
    found = []
    for thing in room.things:
        lift = room.lift(thing)
        if lift < -TOUCH - EXACT or (lift > TOUCH + EXACT and not _is_held(room, thing)):
            found.append(Lifted(thing, lift))
    return found


def is_right(one: Placed, other: Placed) -> bool:
    """Whether it is no problem if the two share a place: a chair under a table, a cushion on a sofa, all on a rug."""
    return _belongs(one, other) or _belongs(other, one)


def is_flat(thing: Placed) -> bool:
    """Whether others may stand in its place: a rug, and what is as low as one."""
    return thing.kind.family == "rug" or thing.box.high - thing.box.low <= FLAT + EXACT


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
    if is_flat(lower):
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
    colliding = {thing.jid for each in pairs for thing in (each.one, each.other)}
    return Clashes(len(room.things), len(pairs), len(colliding), len(outsides(room, outside_tolerance)))
