"""Where planning stands: what is due in each turn, the room at one time of a chain, and what was done to it later."""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from operators.scene.editing.room import Room, Thing
from operators.scene.facts.things import is_right
from operators.scene.model.chain import ASSET
from operators.scene.model.geometry import outside_share, overlap_depth
from operators.scene.model.limits import EXACT, OUTSIDE, OVERLAP
from operators.scene.model.scene import Object

#: The tools that edit, in the order in which odds are told.
EDITS = ("add_object", "move_object", "rotate_object", "scale_object", "replace_object", "remove_object")

#: Tool -> weight.
Odds = Mapping[str, float]

MULTI_TURN: Odds = MappingProxyType(dict(zip(EDITS, (0.35, 0.20, 0.20, 0.05, 0.10, 0.10), strict=True)))
SINGLE_TURN: Odds = MappingProxyType(dict(zip(EDITS, (0.30, 0.20, 0.20, 0.10, 0.10, 0.10), strict=True)))
#: Where adds are the rule.
MOSTLY_ADDS: Odds = MappingProxyType(dict(zip(EDITS, (0.85, 0.05, 0.05, 0.01, 0.02, 0.02), strict=True)))


def drawn(rng: random.Random, odds: Odds, count: int, without: Collection[str] = ()) -> list[str]:
    """So many tools by their odds; those that cannot be leave their share to the others.

    >>> drawn(random.Random(1), {"move_object": 1.0, "add_object": 0.0}, 2)
    ['move_object', 'move_object']
    """
    names = [name for name in EDITS if odds.get(name, 0.0) > 0.0 and name not in without]
    weights = [odds[name] for name in names]
    return rng.choices(names, weights, k=count) if names else []


def picked(rng: random.Random, weights: Sequence[float]) -> int:
    """The place of one of the weights, by chance; with no weight above 0, of any."""
    sums = list(accumulate(weights))
    if sums[-1] <= 0.0:
        return int(rng.random() * len(sums))
    return min(bisect(sums, rng.random() * sums[-1]), len(sums) - 1)


def free_calls(objects: int, turns: int) -> int:
    """The number of freely drawn calls of a multi-turn chain.

    >>> free_calls(5, 6), free_calls(27, 6)
    (6, 14)
    """
    return turns - 1 + objects // 3


def calls_of_a_turn(rng: random.Random, objects: int) -> int:
    """The number of calls of a single turn in a room of so many objects: more for more objects."""
    most = min(8, max(2, 1 + objects // 2))
    return min(rng.randint(min(3, most), most), max(1, objects))


def remaining(rng: random.Random, objects: int, turns: int, least: int = 0) -> list[int]:
    """The things that are in the room before each turn, from the last turn to the first: evenly fewer, to the least.

    Parts of things are rounded by chance, so that not all chains of a room have the same rhythm.

    >>> remaining(random.Random(1), 12, 4), remaining(random.Random(1), 1, 4)
    ([9, 6, 3, 0], [1, 1, 1, 0])
    """
    parts = [int(least + (objects - least) * (turns - i) / turns + rng.random()) for i in range(1, turns)]
    return [max(1, part) for part in parts] + [least]


def changes_of_turns(rng: random.Random, keeps: Sequence[int], objects: int, changes: int) -> list[int]:
    """The calls of each turn beside adds, from the last turn to the first, which has none if the room is empty then.

    A turn without adds has one at least; the others fall by chance, on turns with more things more often.
    """
    if not changes or len(keeps) < 2:
        return [0] * len(keeps)
    before, filled = [objects, *keeps], [keep for keep in keeps if keep]
    counts = [int(keep >= was) for keep, was in zip(filled, before, strict=False)]
    for turn in rng.choices(range(len(counts)), filled, k=max(0, changes - sum(counts))):
        # Where few things are there is not much to change.
        counts[turn if counts[turn] < keeps[turn] else 0] += 1
    return [*counts, *[0] * (len(keeps) - len(filled))]


@dataclass(slots=True)
class Draft:
    """A call without an id, and what it really puts if it puts something.

    ``level`` counts the things below one another on which an added one stands.
    """

    name: str
    arguments: dict[str, Any]
    retrieval: Object | None = None
    level: int = 0

    def call(self, id: str) -> dict[str, Any]:
        """The call."""
        return {"id": id, "name": self.name, "arguments": self.arguments}


def retrieved(obj: Object) -> dict[str, Any]:
    """What a retrieval tells of an object: all but where it stands.

    >>> retrieved({"desc": "chair", "size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0] * 4, "jid": "a"})
    {'desc': 'chair', 'size': [1.0, 1.0, 1.0], 'jid': 'a'}
    """
    return {key: value for key, value in obj.items() if key not in ("pos", "rot")}


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
