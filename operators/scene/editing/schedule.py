"""How many calls each turn of a chain has, how often which tool is drawn, and a call that is planned."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Any

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
