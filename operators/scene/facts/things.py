"""A room as things with names, kinds and boxes; what can be measured between them, and what is physically wrong.

Distances are metres on the plan; a *gap* is between the nearest points of two footprints. What overlaps, leaves the
room or floats is wrong; what rightly stands on, hangs or lies under something is not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

from operators.scene.model.floor import Floor, direction_name, floor_of
from operators.scene.model.geometry import (
    Box,
    WallGap,
    box_of,
    is_over,
    nearest_wall,
    outside_share,
    overlap_depth,
    plan_gap,
    wall_gaps,
)
from operators.scene.model.kinds import Kind, kind_of, short_names
from operators.scene.model.limits import AT_WALL, EXACT, FLAT, OUTSIDE, OVERLAP, SAT_AT, TOUCH
from operators.scene.model.scene import Object, Scene, objects_of


@dataclass(eq=False)
class Thing:
    """An object of a room, by its name."""

    jid: str
    name: str
    obj: Object
    kind: Kind
    box: Box

    @property
    def size(self) -> tuple[float, float, float]:
        """Width, height and depth as stated."""
        w, h, d = self.obj["size"]
        return float(w), float(h), float(d)

    @property
    def pos(self) -> tuple[float, float, float]:
        """The middle of the base as stated."""
        x, y, z = self.obj["pos"]
        return float(x), float(y), float(z)

    @property
    def facing(self) -> str:
        """The compass direction of the front."""
        return direction_name(*self.box.front)

    @property
    def yaw(self) -> float:
        """Degrees from +z towards +x, -180 (excluded) to 180."""
        fx, fz = self.box.front
        degrees = round(math.degrees(math.atan2(fx, fz)), 2)
        return 180.0 if degrees == -180.0 else degrees + 0.0

    @property
    def on_floor(self) -> bool:
        """Whether its kind stands on the floor and takes room there."""
        return self.kind.stands == "floor" and self.kind.family != "rug"


@dataclass
class Room:
    """The things of a room and its floor; measures are taken when they are asked for and kept."""

    scene: Scene
    things: Sequence[Thing]
    floor: Floor
    room_type: str
    _gaps: dict[tuple[int, int], float] = field(default_factory=dict)
    _walls: dict[int, list[WallGap]] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> Room:
        """The room of a scene in either form."""
        names = short_names(scene)
        things = [
            Thing(
                str(each["jid"]), names.get(str(each["jid"]), "object"), each, kind_of(str(each["desc"])), box_of(each)
            )
            for each in objects_of(scene)
        ]
        room_type = str(scene.get("room_type") or "room").lower().replace(" ", "").replace("_", "")
        return cls(scene, things, floor_of(scene), room_type)

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """The things by their ids."""
        return {thing.jid: thing for thing in self.things}

    def gap(self, a: Thing, b: Thing) -> float:
        """Metres between two footprints, 0 if they meet on the plan."""
        key = (id(a), id(b)) if id(a) < id(b) else (id(b), id(a))
        if key not in self._gaps:
            self._gaps[key] = plan_gap(a.box, b.box)
        return self._gaps[key]

    def walls(self, thing: Thing) -> list[WallGap]:
        """The gap to each wall."""
        if id(thing) not in self._walls:
            self._walls[id(thing)] = wall_gaps(thing.box, self.floor)
        return self._walls[id(thing)]

    def nearest_wall(self, thing: Thing) -> WallGap | None:
        """The wall with the least gap; None if the room has none."""
        return nearest_wall(thing.box, self.floor)

    def wall_ahead(self, thing: Thing) -> WallGap | None:
        """The wall straight before the middle of a front, with the metres to it; None if there is none."""
        (fx, fz), box = thing.box.front, thing.box
        x, z = box.x + fx * box.deep, box.z + fz * box.deep
        found = []
        for wall in self.floor.walls:
            (sx, sz), (ox, oz) = wall.start, wall.out
            if (towards := fx * ox + fz * oz) >= EXACT:
                far = ((sx - x) * ox + (sz - z) * oz) / towards
                along = (z + fz * far - sz) * ox - (x + fx * far - sx) * oz
                if far >= -EXACT and -EXACT <= along <= wall.length + EXACT:
                    found.append(WallGap(wall, max(far, 0.0)))
        return min(found, key=lambda each: each.gap, default=None)

    def outside(self, thing: Thing) -> float:
        """The share of the footprint outside the floor."""
        return outside_share(thing.box, self.floor)

    def lift(self, thing: Thing) -> float:
        """Metres from the floor to its lowest point."""
        return thing.box.low - self.floor.level

    def neighbours(self, thing: Thing, n: int = 3) -> list[tuple[Thing, float]]:
        """The ``n`` nearest things with their gaps; what hangs from the ceiling is no neighbour of what does not.

        What is further than the n-th by the circle around it is not measured.
        """
        found = []
        for other in self.things:
            if other is not thing and (other.kind.stands == "ceiling") <= (thing.kind.stands == "ceiling"):
                far = math.hypot(other.box.x - thing.box.x, other.box.z - thing.box.z)
                reach = math.hypot(other.box.wide, other.box.deep) + math.hypot(thing.box.wide, thing.box.deep)
                found.append((far - reach, other))
        found.sort(key=lambda each: each[0])
        nearest: list[tuple[Thing, float]] = []
        for least, other in found:
            if len(nearest) >= n and least > nearest[n - 1][1]:
                break
            nearest.append((other, self.gap(thing, other)))
            nearest.sort(key=lambda each: each[1])
        return nearest[:n]

    def place(self, thing: Thing) -> str:
        """Where in the room it stands."""
        return self.place_at(thing.box.x, thing.box.z)

    def place_at(self, x: float, z: float) -> str:
        """A point by thirds of the floor's bounds: "northwest corner", "south side", "centre".

        One outside the bounds is named by its nearest third.
        """
        across, down = self.share_of(x, z)
        names = ("north", "", "south")[_third(down)] + ("west", "", "east")[_third(across)]
        if not names:
            return "centre"
        return f"{names} corner" if len(names) > 5 else f"{names} side"

    def share_of(self, x: float, z: float) -> tuple[float, float]:
        """A point as shares of the floor's bounds, 0 at west and north, 1 at east and south."""
        x0, z0, x1, z1 = self.floor.bounds
        return (x - x0) / (x1 - x0) if x1 > x0 else 0.5, (z - z0) / (z1 - z0) if z1 > z0 else 0.5


def overlap(a: Thing, b: Thing) -> float:
    """Metres of penetration, 0 if clear."""
    return overlap_depth(a.box, b.box)


def centre_distance(a: Thing, b: Thing) -> float:
    """Metres between the middles on the plan."""
    return math.hypot(a.box.x - b.box.x, a.box.z - b.box.z)


def angle_to(thing: Thing, x: float, z: float) -> float:
    """Degrees, 0 to 180, between a thing's front and the way from its middle to a point; 0 at the point itself."""
    dx, dz = x - thing.box.x, z - thing.box.z
    length = math.hypot(dx, dz)
    if length < 1e-9:
        return 0.0
    cos = (thing.box.front[0] * dx + thing.box.front[1] * dz) / length
    return math.degrees(math.acos(max(-1.0, min(1.0, cos))))


def _third(share: float) -> int:
    return 0 if share < 1 / 3 else 1 if share <= 2 / 3 else 2


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
