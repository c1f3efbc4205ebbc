"""The fact sheet of a room: what is where, and what is wrong with it, computed from its numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text.nouns import plural
from operators.scene.facts.layout import Empty, halves, largest_empty, layout_of
from operators.scene.facts.physical import Fault, lifted, outsides, overlaps
from operators.scene.facts.things import Room, Thing
from operators.scene.furniture.kinds import kinds
from operators.scene.model.limits import ONE_SIDED
from operators.scene.model.scene import Scene, bounds_of, objects_of


@dataclass(frozen=True)
class FactSheet:
    """What is measured in a room: things and counts, its problems, and how its space is used.

    Problems are physical, ``overlaps``, ``outside`` and ``lifted``, or of the ``layout``. Space is no problem but a
    matter of taste: the largest ``empty`` area, and ``halves``, the shares of the footprints.
    """

    room: Room
    counts: dict[str, int]
    overlaps: list[Fault]
    outside: list[Fault]
    lifted: list[Fault]
    layout: list[Fault]
    empty: Empty | None
    halves: dict[str, float]

    def lines(self) -> list[str]:
        """The sheet as compact English for a prompt; metres with two decimals."""
        return [*self._room_lines(), *map(self._thing_line, self.room.things), *self.problem_lines()]

    def problem_lines(self) -> list[str]:
        """The classes of problems alone, each with "none" if there is none, and how the space is used."""
        return [
            "Physical problems: " + ("; ".join(map(str, self.physical)) or "none"),
            "Layout problems: " + ("; ".join(map(str, self.layout)) or "none"),
            "Space: " + ("; ".join(self._space()) or "no free floor"),
        ]

    @property
    def physical(self) -> list[Fault]:
        """What overlaps, leaves the room, floats or sinks."""
        return [*self.overlaps, *self.outside, *self.lifted]

    @property
    def problems(self) -> list[Fault]:
        """All that is wrong with the room."""
        return [*self.physical, *self.layout]

    @property
    def imbalance(self) -> tuple[str, float] | None:
        """The half that holds nearly all furniture, with its share; None if the room is balanced or nearly empty."""
        if not self.halves or sum(thing.on_floor for thing in self.room.things) < 3:
            return None
        half, share = max(self.halves.items(), key=lambda each: each[1])
        return (half, share) if share >= ONE_SIDED else None

    def _space(self) -> list[str]:
        found = []
        if self.empty:
            area = self.empty.width * self.empty.depth
            where = self.empty.place
            found.append(
                f"largest empty area {self.empty.width:.2f} x {self.empty.depth:.2f} m ({area:.2f} m2) in the {where}"
            )
        if self.imbalance:
            half, share = self.imbalance
            found.append(f"{share * 100:.0f} % of the furniture's footprint lies in the {half} half")
        return found

    def _room_lines(self) -> list[str]:
        floor = self.room.floor
        x0, z0, x1, z1 = floor.bounds
        kind = "rectangular" if floor.is_rectangle else f"{len(floor.corners)} corners"
        counts = ", ".join(f"{n} {noun if n == 1 else _plural(noun)}" for noun, n in self.counts.items()) or "none"
        return [
            f"Room: {self.room.room_type}, {x1 - x0:.2f} x {z1 - z0:.2f} m ({kind}, {floor.area:.2f} m2), ceiling "
            f"{floor.height:.2f} m; x from {x0:.2f} (west) to {x1:.2f} (east), z from {z0:.2f} (north) to "
            f"{z1:.2f} (south)",
            f"Objects: {len(self.room.things)}: {counts}",
        ]

    def _thing_line(self, thing: Thing) -> str:
        x, y, z = thing.pos
        w, h, d = thing.size
        parts = [f"{thing.name}: at ({x:.2f}, {y:.2f}, {z:.2f}), size {w:.2f} x {h:.2f} x {d:.2f} m"]
        nearest = self.room.nearest_wall(thing)
        if nearest:
            parts.append(f"{nearest.gap:.2f} m from the {nearest.wall.name} wall")
        parts.append(self.room.place(thing))
        if thing.kind.faces:
            parts.append(f"faces {thing.facing}")
        near = ", ".join(f"{other.name} {gap:.2f} m" for other, gap in self.room.neighbours(thing))
        return "; ".join(parts) + (f"; nearest: {near}" if near else "")


def _plural(noun: str) -> str:
    return kinds()[noun].plural if noun in kinds() else plural(noun)


def fact_sheet(scene: Scene) -> FactSheet:
    """The fact sheet of a room in either form, remembered by what the room holds."""
    return _sheet(_Held(scene))


def room_of(scene: Scene) -> Room:
    """The room of a scene with its things, remembered by what it holds."""
    return _room(_Held(scene))


class _Held:
    """A scene that is equal to another one if all that is measured is."""

    __slots__ = ("_hash", "key", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        bottom, top = bounds_of(scene)
        things = [(each["jid"], each["desc"], *each["pos"], *each["size"], *each["rot"]) for each in objects_of(scene)]
        corners = (*map(tuple, bottom), None, *map(tuple, top))
        self.key = (scene.get("room_type"), scene.get("room_id"), corners, *things)
        self._hash = hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.key == other.key


@lru_cache(maxsize=256)
def _room(held: _Held) -> Room:
    return Room.of(held.scene)


@lru_cache(maxsize=256)
def _sheet(held: _Held) -> FactSheet:
    room = _room(held)
    return FactSheet(
        room=room,
        counts=dict(Counter(thing.kind.noun for thing in room.things)),
        overlaps=overlaps(room),
        outside=outsides(room),
        lifted=lifted(room),
        layout=layout_of(room),
        empty=largest_empty(room),
        halves=halves(room),
    )
