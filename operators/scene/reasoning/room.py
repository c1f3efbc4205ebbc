"""A room as a turn's writer sees it: where each object stands, and how it stands to walls and to others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from operators.scene.facts import physical
from operators.scene.facts.things import Room, Thing
from operators.scene.furniture.kinds import kind_of
from operators.scene.geometry import Box, WallGap, box_of, floor_of
from operators.scene.scene import Scene, objects_of

#: A gap up to this is "against the wall", metres.
AGAINST = 0.12
#: A gap below this is between a back and the wall behind it, metres.
BACKED = 0.15
#: How far an object may be from the one that it belongs to, metres.
_NEAR = 2.5
#: What belongs to what, by noun or by family, the best partner first.
_PARTNERS: Mapping[str, tuple[str, ...]] = {
    "nightstand": ("bed",),
    "coffee table": ("sofa",),
    "side table": ("sofa", "armchair", "bed"),
    "tv stand": ("sofa",),
    "office chair": ("desk", "table"),
    "dining chair": ("table",),
    "bar stool": (),
    "stool": ("table", "desk"),
    "ottoman": ("sofa", "armchair"),
    "bench": ("bed", "table"),
    "armchair": ("sofa", "coffee table"),
    "lounge chair": ("sofa", "coffee table"),
    "floor lamp": ("sofa", "armchair", "bed"),
    "table lamp": ("nightstand", "desk", "table"),
    "chair": ("desk", "table"),
    "rug": ("sofa", "bed", "table"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """How an object stands; ``wall`` is the one close to its back, else the nearest; ``gap`` the metres to it.

    A gap is negative inside of the wall; ``back`` is whether the back is turned to the wall.

    ``overlaps`` are the ids of others with metres of penetration, the deepest first; ``partner`` is the id of what it
    belongs to, with the metres between them; ``on`` the id of what it stands upon; ``ahead`` what it looks at.
    """

    thing: Thing
    wall: str
    gap: float
    back: bool
    overlaps: tuple[tuple[str, float], ...]
    outside: float
    partner: tuple[str, float] | None
    neighbour: tuple[str, float] | None
    on: str | None
    ahead: str | None
    straight: bool
    where: str

    @property
    def facing(self) -> str:
        """The compass direction of its front."""
        return self.thing.facing

    def depth_to(self, jid: str) -> float:
        """Metres of overlap with an object."""
        return next((depth for other, depth in self.overlaps if other == jid), 0.0)


class State:
    """A room before or after a turn, measured object by object when it is asked for."""

    def __init__(self, scene: Scene, names: Mapping[str, str]) -> None:
        things = [
            Thing(str(each["jid"]), names[str(each["jid"])], each, kind_of(str(each["desc"])), box_of(each))
            for each in objects_of(scene)
        ]
        room_type = str(scene.get("room_type") or "room").lower().replace(" ", "").replace("_", "")
        self.room = Room(scene, things, floor_of(scene), room_type)
        self.things = {thing.jid: thing for thing in things}
        self._places: dict[str, Place] = {}

    @cached_property
    def overlaps(self) -> list[physical.Overlap]:
        """All pairs that overlap and should not, the deepest first."""
        return physical.overlaps(self.room)

    @cached_property
    def outside(self) -> dict[str, physical.Outside]:
        """What leaves the floor, by its id."""
        return {each.thing.jid: each for each in physical.outsides(self.room)}

    @cached_property
    def lifted(self) -> dict[str, physical.Lifted]:
        """What nothing holds, by its id."""
        return {each.thing.jid: each for each in physical.lifted(self.room)}

    @property
    def called(self) -> str:
        """What the room is called: "bedroom", "living room", or "room"."""
        return _ROOMS.get(self.room.room_type, "room")

    @property
    def sides(self) -> tuple[float, float]:
        """Metres from west to east, and from north to south."""
        x0, z0, x1, z1 = self.room.floor.bounds
        return x1 - x0, z1 - z0

    def place(self, jid: str) -> Place:
        """How an object stands."""
        if jid not in self._places:
            self._places[jid] = self._measured(self.things[jid])
        return self._places[jid]

    def _measured(self, thing: Thing) -> Place:
        found = self._behind(thing) or self.room.nearest_wall(thing)
        wall, gap = (found.wall.name, found.gap) if found else ("", math.inf)
        out = found.wall.out if found else (0.0, 0.0)
        fx, fz = thing.box.front
        outside = self.outside.get(thing.jid)
        nearest = self.room.neighbours(thing, 1)
        return Place(
            thing=thing,
            wall=wall,
            gap=gap,
            back=fx * out[0] + fz * out[1] < -0.98,
            overlaps=tuple(
                (each.other.jid if each.one is thing else each.one.jid, each.depth)
                for each in self.overlaps
                if thing in (each.one, each.other)
            ),
            outside=outside.share if outside else 0.0,
            partner=self._partner(thing),
            neighbour=(nearest[0][0].jid, nearest[0][1]) if nearest else None,
            on=self._on(thing),
            ahead=self._ahead(thing) if thing.kind.faces else None,
            straight=min(abs(fx), abs(fz)) < 0.02,
            where=self.room.place(thing),
        )

    def _behind(self, thing: Thing) -> WallGap | None:
        """The wall that the back of a thing is close to: in a corner the nearest one may be at its narrow end."""
        fx, fz = thing.box.front
        found = [
            each
            for each in self.room.walls(thing)
            if -0.005 <= each.gap < BACKED and fx * each.wall.out[0] + fz * each.wall.out[1] < -0.98
        ]
        return min(found, key=lambda each: each.gap) if found else None

    def _partner(self, thing: Thing) -> tuple[str, float] | None:
        kind = thing.kind
        wanted = next((_PARTNERS[noun] for noun in (kind.noun, *kind.broader) if noun in _PARTNERS), ())
        for noun in wanted:
            found = [
                (self.room.gap(thing, other), other.jid)
                for other in self.room.things
                if other is not thing and (other.kind.is_a(noun) or other.kind.family == noun)
            ]
            if found and min(found)[0] <= _NEAR:
                gap, jid = min(found)
                return jid, gap
        return None

    def _on(self, thing: Thing) -> str | None:
        if self.room.lift(thing) < 0.1:
            return None
        found = [
            (abs(other.box.high - thing.box.low), other.jid)
            for other in self.room.things
            if other is not thing
            and abs(other.box.high - thing.box.low) <= 0.03
            and _covers(other.box, thing.box.x, thing.box.z)
        ]
        return min(found)[1] if found else None

    def _ahead(self, thing: Thing) -> str | None:
        """The nearest object on the line of sight, on the same level."""
        box, (fx, fz) = thing.box, thing.box.front
        found = []
        for other in self.room.things:
            its = other.box
            if other is thing or its.low >= box.high or its.high <= box.low + 0.1 or other.kind.family == "rug":
                continue
            dx, dz = its.x - box.x, its.z - box.z
            ahead, aside = dx * fx + dz * fz, abs(dx * fz - dz * fx)
            if ahead > box.deep and aside <= 0.18 * ahead:
                found.append((ahead, other.jid))
        return min(found)[1] if found else None


def _covers(box: Box, x: float, z: float) -> bool:
    dx, dz = x - box.x, z - box.z
    fx, fz = box.front
    return abs(dx * fx + dz * fz) <= box.deep + 0.01 and abs(dx * fz - dz * fx) <= box.wide + 0.01


_ROOMS = {
    "bedroom": "bedroom",
    "livingroom": "living room",
    "living room": "living room",
    "diningroom": "dining room",
    "dining room": "dining room",
    "office": "office",
    "kitchen": "kitchen",
    "bathroom": "bathroom",
    "hallway": "hallway",
    "kidsroom": "kids' room",
}
