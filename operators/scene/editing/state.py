"""Where planning stands: the room at one time of a chain, and what was done to it in later turns."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from operators.scene.editing.room import Room
from operators.scene.editing.schedule import picked
from operators.scene.editing.thing import Thing
from operators.scene.facts.physical import is_right
from operators.scene.model.chain import ASSET
from operators.scene.model.geometry import outside_share, overlap_depth
from operators.scene.model.limits import EXACT, OUTSIDE, OVERLAP

#: Where calls of all tools are counted.
_ALL = ""
#: The most that is drawn as a mistake: the share of a footprint outside, and metres of overlap.
_MOST_OUTSIDE, _MOST_OVERLAP = 0.1, 0.15
#: The misfit of what is just bearable, that of what stands well, and how often the first will do at once.
BEARABLE, WELL = 1.0, 0.05
_CARELESS = 0.3
#: How often what is untidy from the start is a fault.
_UNTIDY = 0.5
#: By how much more misfit will do after each that was too bad.
_RESIGNED = 0.1
#: Turns that something passing stays at least.
_STAY = 2


@dataclass(slots=True)
class State:
    """The room before the calls that are planned already, as things by their ids.

    ``turn`` counts turns from the end of the chain, and ``touched`` are ids that the present one has a call about.
    ``load`` counts, by roots, the things that stand on others now. ``edits`` counts, by roots, the calls that changed
    an object, and ``past`` keeps the values it has at other times of the chain, so that none comes back. At most
    ``most_of_kind`` calls of one tool are about one object, and ``most`` of all. ``leaves`` tells in which turn a
    passing thing goes; unless ``hasty``, it came two turns before at least. Without ``slips`` what is otherwise than
    in the finished room is so from the start: no call of the chain put it there.
    """

    room: Room
    things: dict[str, Thing]
    used: set[str]
    load: dict[str, int]
    turn: int = 0
    touched: set[str] = field(default_factory=set)
    edits: dict[str, dict[str, int]] = field(default_factory=dict)
    past: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)
    most_of_kind: int = 1
    most: int = 2
    hasty: bool = False
    slips: bool = True

    @classmethod
    def at_end(cls, room: Room) -> State:
        """Nothing is planned yet: the finished room."""
        return cls(room, dict(room.things), set(room.things), dict(room.load))

    def chosen(
        self, rng: random.Random, tool: str, weigh: Callable[[Thing], float] | None = None, tries: int = 3
    ) -> Iterator[tuple[str, Thing]]:
        """Some things that a call of this tool may be about, the fitter the likelier, one after the other.

        ``weigh`` gives a factor for each, 0 for what is not to be chosen.
        """
        jids, weights = self._candidates(tool, weigh)
        for _ in range(min(tries, len(jids))):
            place = picked(rng, weights)
            weights[place] = 0.0
            yield jids[place], self.things[jids[place]]

    def _candidates(self, tool: str, weigh: Callable[[Thing], float] | None) -> tuple[list[str], list[float]]:
        most, most_of_all, touched, edits, load = self.most_of_kind, self.most, self.touched, self.edits, self.load
        jids, weights = [], []
        for jid, each in self.things.items():
            root = each.root
            # What carries something stays as it is: the other would hang in the air.
            if root in load or jid in touched or each.passing:
                continue
            if root in edits and (edits[root][_ALL] >= most_of_all or edits[root].get(tool, 0) >= most):
                continue
            weight = each.fit[tool] if weigh is None else each.fit[tool] * weigh(each)
            if weight:
                jids.append(jid)
                weights.append(weight)
        return jids, weights

    def best(self, rng: random.Random, options: Iterable[tuple[str, Thing]]) -> tuple[str, Thing] | None:
        """Of things as they may have been before, by their ids, the first that stands well, or else the best.

        Now and then one that stands bearably is taken at once, a mistake that the chain mends; and the longer it
        takes, the less well will do. In a room that is untidy from the start every second one is the worst that is
        bearable: there is something to mend.
        """
        if not self.slips and rng.random() < _UNTIDY:
            ranked = sorted(((self.misfit(each, jid), jid, each) for jid, each in options), key=lambda each: each[0])
            bearable = [each for each in ranked if each[0] <= BEARABLE]
            return (bearable[-1] if bearable else ranked[0])[1:] if ranked else None
        enough = BEARABLE if rng.random() < _CARELESS else WELL
        found, least = None, math.inf
        for jid, each in options:
            misfit = self.misfit(each, jid, least)
            if misfit < least:
                found, least = (jid, each), misfit
                if misfit <= enough:
                    break
            enough += _RESIGNED
        return found

    def misfit(self, each: Thing, jid: str, limit: float = math.inf) -> float:
        """How badly a thing stands outside, or in others, where it does not in the finished room, up to the limit.

        0 for what is no fault, and 1 for the greatest mistake; it takes the place of what has the id.
        """
        room, box, root = self.room, each.box, each.root
        reach, x, z, misfit = each.reach, box.x, box.z, 0.0
        share = outside_share(box, room.floor)
        if share >= OUTSIDE - EXACT and root not in room.outside:
            misfit = share / _MOST_OUTSIDE
        if misfit >= limit or each.flat:
            return misfit
        meets = room.meets.get(root, ())
        low, high = box.low + OVERLAP - EXACT, box.high - OVERLAP + EXACT
        for other_jid, other in self.things.items():
            there = other.box
            dx, near = there.x - x, reach + other.reach
            # Most things are far on one axis already.
            if (
                -near < dx < near
                and -near < (dz := there.z - z) < near
                and there.low <= high
                and there.high >= low
                and dx * dx + dz * dz < near * near
                and other_jid != jid
            ):
                depth = overlap_depth(box, there)
                if depth >= OVERLAP - EXACT and other.root not in meets and not is_right(each, other):
                    misfit += depth / _MOST_OVERLAP
                    if misfit >= limit:
                        break
        return misfit

    def taken(self, jid: str) -> Thing:
        """Take a thing out of the room, with the call of the present turn that adds it."""
        gone = self.things.pop(jid)
        self.leaves.pop(jid, None)
        self.touched.add(jid)
        for carrier in self.room.carriers.get(gone.root, ()):
            self.load[carrier] -= 1
            if not self.load[carrier]:
                del self.load[carrier]
        return gone

    def stays(self, jid: str) -> bool:
        """Whether a passing thing is to be there one turn more."""
        return not self.slips or (not self.hasty and self.turn - self.leaves.get(jid, self.turn) < _STAY)

    def may_come(self, jid: str, each: Thing) -> bool:
        """Whether a call may put a thing as it is now: without slips only as it ends, and clear of what is untidy."""
        return self.slips or (each.root not in self.edits and self.misfit(each, jid, WELL) < WELL)

    def changed(self, jid: str, tool: str, key: str, before: Thing) -> None:
        """The object was otherwise before, under a key."""
        each = self.things[jid]
        self.past.setdefault((each.root, key), []).append(each.obj[key])
        self.things[jid] = before
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
