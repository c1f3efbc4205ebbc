"""Where planning stands: the room at one time of a chain, and what was done to it in later turns."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from operators.scene.chain import ASSET
from operators.scene.editing.odds import picked
from operators.scene.editing.room import Room, Thing
from operators.scene.geometry import Box, overlap_depth
from operators.scene.scene import Object


class Draft(NamedTuple):
    """A call without an id, and what it really puts if it puts something."""

    name: str
    arguments: dict[str, Any]
    retrieval: Object | None = None


@dataclass(slots=True)
class State:
    """The room before the calls that are planned already, as things by their ids.

    ``touched`` are ids that the present turn has a call about. ``edits`` counts, by roots, the calls that changed an
    object, and ``past`` keeps the values it has at other times of the chain, so that none comes back. At most
    ``most_of_kind`` calls of one tool are about one object, and ``most`` of all.
    """

    room: Room
    things: dict[str, Thing]
    used: set[str]
    touched: set[str] = field(default_factory=set)
    edits: dict[str, Counter[str]] = field(default_factory=dict)
    past: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    most_of_kind: Mapping[str, int] = field(default_factory=dict)
    most: int = 2

    @classmethod
    def at_end(cls, room: Room) -> State:
        """Nothing is planned yet: the finished room."""
        return cls(room, dict(room.things), set(room.things))

    def candidates(self, tool: str) -> list[tuple[str, Thing]]:
        """Ids and things that a call of this tool may be about in the present turn."""
        most, touched, edits = self.most_of_kind.get(tool, 1), self.touched, self.edits
        found = []
        for jid, each in self.things.items():
            if jid in touched or each.passing:
                continue
            done = edits.get(each.root)
            if done is None or (done[tool] < most and done.total() < self.most):
                found.append((jid, each))
        return found

    def chosen(
        self, rng: random.Random, tool: str, weight: Callable[[str, Thing], float], tries: int = 3
    ) -> list[tuple[str, Thing]]:
        """Some things that a call may be about, drawn by their weights; nothing is drawn twice."""
        left = self.candidates(tool)
        weights = [weight(jid, each) for jid, each in left]
        found = []
        while left and len(found) < tries and max(weights) > 0.0:
            place = picked(rng, weights)
            found.append(left.pop(place))
            weights.pop(place)
        return found

    def carries(self, jid: str) -> bool:
        """Whether something stands on this thing now."""
        uppers = self.room.carried.get(self.things[jid].root)
        return bool(uppers) and any(upper in self.things for upper in uppers)  # type: ignore[union-attr]

    def changed(self, jid: str, tool: str, key: str, value: list[float]) -> None:
        """The object was another before: a value under a key."""
        each = self.things[jid]
        self.past.setdefault((each.root, key), []).append(each.obj[key])
        self.things[jid] = each.changed(key, value, self.room.floor)
        self.counted(jid, each.root, tool)

    def counted(self, jid: str, root: str, tool: str) -> None:
        """A call of the present turn is about this object."""
        self.touched.add(jid)
        self.edits.setdefault(root, Counter())[tool] += 1

    def new_id(self, wanted: str) -> dict[str, str]:
        """``jid`` of something from a catalogue that is not in the chain yet, and its ``asset_jid`` if they differ."""
        if wanted not in self.used:
            self.used.add(wanted)
            return {"jid": wanted}
        number = 2
        while (jid := f"{wanted}__{number}") in self.used:
            number += 1
        self.used.add(jid)
        return {"jid": jid, ASSET: wanted}

    def crowding(self, box: Box, reach: float, besides: str = "") -> float:
        """The metres by which a box overlaps with the things that stand there, all together."""
        depth, x, z, low, high = 0.0, box.x, box.z, box.low, box.high
        for jid, each in self.things.items():
            other = each.box
            dx, dz, near = other.x - x, other.z - z, reach + each.reach
            if dx * dx + dz * dz < near * near and other.low < high and other.high > low and jid != besides:
                depth += overlap_depth(box, other)
        return depth
