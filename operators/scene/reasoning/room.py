"""A room as a turn's writer sees it: where each object stands, and how it stands to walls and to others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from operators.scene.furniture.kinds import Kind, kind_of
from operators.scene.geometry import (
    Box,
    box_of,
    direction_name,
    floor_of,
    nearest_wall,
    outside_share,
    overlap_depth,
    plan_gap,
)
from operators.scene.scene import Object, Scene, objects_of

#: Overlaps below this are not worth a word; a gap up to this is "against the wall".
DEEP, AGAINST = 0.03, 0.12
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
    """How an object stands; ``wall`` is the nearest one, ``gap`` the metres to it, negative inside of it.

    ``overlaps`` are the ids of others with metres of penetration, the deepest first; ``partner`` is the id of what it
    belongs to, with the metres between them; ``on`` the id of what it stands upon; ``ahead`` what it looks at.
    """

    box: Box
    wall: str
    gap: float
    back: bool
    overlaps: tuple[tuple[str, float], ...]
    outside: float
    partner: tuple[str, float] | None
    neighbour: tuple[str, float] | None
    on: str | None
    ahead: str | None
    facing: str
    straight: bool

    def depth_to(self, jid: str) -> float:
        """Metres of overlap with an object."""
        return next((depth for other, depth in self.overlaps if other == jid), 0.0)


class Room:
    """A state of a room, measured object by object when it is asked for."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.objects: dict[str, Object] = {str(each["jid"]): each for each in objects_of(scene)}
        self._places: dict[str, Place] = {}

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The box of each object."""
        return {jid: box_of(each) for jid, each in self.objects.items()}

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each object."""
        return {jid: kind_of(str(each["desc"])) for jid, each in self.objects.items()}

    @cached_property
    def type(self) -> str:
        """What the room is called: "bedroom", "living room", or "room"."""
        name = str(self.scene.get("room_type") or "").strip().lower()
        return _ROOMS.get(name, "room")

    @cached_property
    def sides(self) -> tuple[float, float]:
        """Metres from west to east, and from north to south."""
        x0, z0, x1, z1 = floor_of(self.scene).bounds
        return round(x1 - x0, 2), round(z1 - z0, 2)

    def place(self, jid: str) -> Place:
        """How an object stands."""
        if jid not in self._places:
            self._places[jid] = self._measured(jid)
        return self._places[jid]

    def _measured(self, jid: str) -> Place:
        box, kind, floor = self.boxes[jid], self.kinds[jid], floor_of(self.scene)
        found = nearest_wall(box, floor)
        wall, gap = (found.wall.name, round(found.gap, 2) + 0.0) if found else ("", math.inf)
        out = found.wall.out if found else (0.0, 0.0)
        fx, fz = box.front
        return Place(
            box=box,
            wall=wall,
            gap=gap,
            back=fx * out[0] + fz * out[1] < -0.98,
            overlaps=self._overlaps(jid, box, kind),
            outside=round(outside_share(box, floor), 3),
            partner=self._partner(jid, box, kind),
            neighbour=self._neighbour(jid, box),
            on=self._on(jid, box),
            ahead=self._ahead(jid, box) if kind.faces else None,
            facing=direction_name(fx, fz),
            straight=min(abs(fx), abs(fz)) < 0.02,
        )

    def _overlaps(self, jid: str, box: Box, kind: Kind) -> tuple[tuple[str, float], ...]:
        found = []
        for other, its in self.boxes.items():
            if other == jid or "rug" in (kind.family, self.kinds[other].family):
                continue
            depth = round(overlap_depth(box, its), 2)
            if depth >= DEEP:
                found.append((other, depth))
        return tuple(sorted(found, key=lambda each: (-each[1], each[0])))

    def _partner(self, jid: str, box: Box, kind: Kind) -> tuple[str, float] | None:
        wanted = _PARTNERS.get(kind.noun) or next((_PARTNERS[n] for n in kind.broader if n in _PARTNERS), ())
        for noun in wanted:
            found = [
                (plan_gap(box, self.boxes[other]), other)
                for other, its in self.kinds.items()
                if other != jid and (its.is_a(noun) or its.family == noun) and self._middles(box, other) < 4.0
            ]
            if found and min(found)[0] <= _NEAR:
                gap, other = min(found)
                return other, round(gap, 2)
        return None

    def _middles(self, box: Box, other: str) -> float:
        its = self.boxes[other]
        return math.hypot(box.x - its.x, box.z - its.z)

    def _neighbour(self, jid: str, box: Box) -> tuple[str, float] | None:
        """The nearest object on the same level, and the gap."""
        found = [
            (round(plan_gap(box, its), 2), other)
            for other, its in self.boxes.items()
            if other != jid and its.low < box.high and box.low < its.high and self.kinds[other].family != "rug"
        ]
        return (min(found)[1], min(found)[0]) if found else None

    def _on(self, jid: str, box: Box) -> str | None:
        if box.low - floor_of(self.scene).level < 0.1:
            return None
        found = [
            (abs(its.high - box.low), other)
            for other, its in self.boxes.items()
            if other != jid and abs(its.high - box.low) <= 0.03 and _covers(its, box.x, box.z)
        ]
        return min(found)[1] if found else None

    def _ahead(self, jid: str, box: Box) -> str | None:
        """The nearest object on the line of sight, on the same level."""
        fx, fz = box.front
        found = []
        for other, its in self.boxes.items():
            if other == jid or its.low >= box.high or its.high <= box.low + 0.1 or self.kinds[other].family == "rug":
                continue
            dx, dz = its.x - box.x, its.z - box.z
            ahead, aside = dx * fx + dz * fz, abs(dx * fz - dz * fx)
            if ahead > box.deep and aside <= 0.18 * ahead:
                found.append((round(ahead, 3), other))
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
