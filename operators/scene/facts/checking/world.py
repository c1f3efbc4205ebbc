"""What a text of a turn may speak of: the room before and after, and what each call does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from operators.scene.facts.sheet import room_of
from operators.scene.facts.things import Room, Thing
from operators.scene.furniture.names import short_names
from operators.scene.scene import Object, Scene, objects_of
from operators.scene.simulator import Call, target_of


@dataclass(eq=False)
class Action:
    """What a call does: its tool, and its object before and after; one of them is None for an add or a removal."""

    name: str
    old: Thing | None
    new: Thing | None

    @property
    def jids(self) -> set[str]:
        """The ids of the objects that it is about."""
        return {thing.jid for thing in (self.old, self.new) if thing}

    @property
    def shift(self) -> tuple[float, float, float]:
        """How far the object moves, as x, y and z."""
        if not (self.old and self.new):
            return 0.0, 0.0, 0.0
        (ax, ay, az), (bx, by, bz) = self.old.pos, self.new.pos
        return bx - ax, by - ay, bz - az

    @property
    def turn(self) -> float:
        """The degrees that it turns, from -180 (excluded) to 180; positive from south over east."""
        if not (self.old and self.new):
            return 0.0
        degrees = (self.new.yaw - self.old.yaw) % 360
        return degrees - 360 if degrees > 180 else degrees

    @property
    def ratios(self) -> tuple[float, ...]:
        """The new size through the old one."""
        if not (self.old and self.new):
            return ()
        return tuple(b / a for a, b in zip(self.old.size, self.new.size, strict=True) if a)


@dataclass
class World:
    """Both rooms of a turn and its actions; ``names`` has the ids that each full name may mean."""

    before: Room
    after: Room
    actions: Sequence[Action]
    ends: bool
    extra: str = ""
    names: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, before: Scene, calls: Sequence[Call], after: Scene, retrievals: Mapping[str, Object]) -> World:
        """The world of a turn."""
        one, two = room_of(before), room_of(after)
        world = cls(one, two, [], any(call["name"] == "terminate" for call in calls))
        world.actions = [found for call in calls if (found := _action(call, one, two, retrievals))]
        world.extra = " ".join(_texts(calls)).lower()
        union = {
            **_flat(before),
            "objects": [*objects_of(before), *(t.obj for t in two.things if t.jid not in one.by_id)],
        }
        for names in (short_names(union), *({t.jid: t.name for t in room.things} for room in (one, two))):
            for jid, name in names.items():
                world.names.setdefault(name.lower(), set()).add(jid)
        return world

    @cached_property
    def things(self) -> dict[str, Thing]:
        """Every object of either room by its id, as it is before if it is there then."""
        return {**self.after.by_id, **self.before.by_id}

    @cached_property
    def stems(self) -> set[str]:
        """Names without their numbers."""
        return {name.rstrip("0123456789 ") for name in self.names}

    @cached_property
    def starts(self) -> set[str]:
        """The first words of names."""
        return {name.split(" ", 1)[0] for name in self.names}

    def states(self, jid: str) -> list[tuple[Room, Thing]]:
        """An object in each room that has it, before first."""
        return [(room, room.by_id[jid]) for room in (self.before, self.after) if jid in room.by_id]

    @cached_property
    def called(self) -> set[str]:
        """The ids of all objects that the calls are about."""
        return {jid for action in self.actions for jid in action.jids}


def bearing(thing: Thing) -> float:
    """The front as a compass bearing: 0 is north, 90 east."""
    return (180.0 - thing.yaw) % 360


def step(x: float, z: float) -> float:
    """The length of a way on the plan."""
    return math.hypot(x, z)


def _action(call: Call, before: Room, after: Room, retrievals: Mapping[str, Object]) -> Action | None:
    name, put = call["name"], call.get("retrieval") or retrievals.get(call["id"]) or {}
    if name == "terminate":
        return None
    old = before.by_id.get(str(target_of(call))) if name != "add_object" else None
    if name == "remove_object":
        new = None
    elif name in ("add_object", "replace_object"):
        new = after.by_id.get(str(put.get("jid")))
    else:
        new = after.by_id.get(str(target_of(call)))
    return Action(name, old, new)


def _texts(calls: Sequence[Call]) -> list[str]:
    return [str(value) for call in calls for value in _arguments(call).values() if isinstance(value, str)]


def _arguments(call: Call) -> Mapping[str, Any]:
    arguments = call["arguments"]
    return arguments if isinstance(arguments, Mapping) else {}


def _flat(scene: Scene) -> dict[str, Any]:
    return {key: value for key, value in scene.items() if key != "groups"}
