"""Where planning stands: the room at one time of a chain, and what was done to it in later turns."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from operators.scene.chain import ASSET
from operators.scene.editing.fitness import CARRYING
from operators.scene.editing.odds import picked
from operators.scene.editing.room import Room, Thing
from operators.scene.geometry import Box, overlap_depth

#: Where calls of all tools are counted.
_ALL = ""


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
    edits: dict[str, dict[str, int]] = field(default_factory=dict)
    past: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    most_of_kind: int = 1
    most: int = 2

    @classmethod
    def at_end(cls, room: Room) -> State:
        """Nothing is planned yet: the finished room."""
        return cls(room, dict(room.things), set(room.things))

    def chosen(
        self, rng: random.Random, tool: str, may: Callable[[Thing], bool] | None = None, tries: int = 3
    ) -> Iterator[tuple[str, Thing]]:
        """Some things that a call of this tool may be about, the fitter the likelier, one after the other."""
        jids, weights = self._candidates(tool, may)
        for _ in range(min(tries, len(jids))):
            place = picked(rng, weights)
            weights[place] = 0.0
            yield jids[place], self.things[jids[place]]

    def _candidates(self, tool: str, may: Callable[[Thing], bool] | None) -> tuple[list[str], list[float]]:
        most, touched, edits, carried = self.most_of_kind, self.touched, self.edits, self.room.carried
        jids, weights = [], []
        for jid, each in self.things.items():
            if jid in touched or each.passing or (may is not None and not may(each)):
                continue
            root = each.root
            if (done := edits.get(root)) is not None and (done.get(tool, 0) >= most or done[_ALL] >= self.most):
                continue
            jids.append(jid)
            weights.append(each.fit[tool] * CARRYING[tool] if root in carried and self.carries(jid) else each.fit[tool])
        return jids, weights

    def carries(self, jid: str) -> bool:
        """Whether something stands on this thing now."""
        uppers = self.room.carried.get(self.things[jid].root)
        return bool(uppers) and any(upper in self.things for upper in uppers)  # type: ignore[union-attr]

    def changed(self, jid: str, tool: str, key: str, value: list[float]) -> None:
        """The object was otherwise before: a value under a key."""
        each = self.things[jid]
        self.past.setdefault((each.root, key), []).append(each.obj[key])
        self.things[jid] = each.changed(key, value)
        self.counted(jid, each.root, tool)

    def counted(self, jid: str, root: str, tool: str) -> None:
        """A call of the present turn is about this object."""
        self.touched.add(jid)
        done = self.edits.setdefault(root, {_ALL: 0})
        done[_ALL] += 1
        done[tool] = done.get(tool, 0) + 1

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

    def crowding(self, box: Box, reach: float, besides: str = "", limit: float = math.inf) -> float:
        """The metres by which a box overlaps with the things that stand there, all together, up to the limit."""
        depth, x, z, low, high = 0.0, box.x, box.z, box.low, box.high
        for jid, each in self.things.items():
            other = each.box
            dx, dz, near = other.x - x, other.z - z, reach + each.reach
            if dx * dx + dz * dz < near * near and other.low < high and other.high > low and jid != besides:
                depth += overlap_depth(box, other)
                if depth >= limit:
                    break
        return depth
