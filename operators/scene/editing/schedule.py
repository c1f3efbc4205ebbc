"""How many calls each turn of a chain has: from the number of objects and of turns."""

from __future__ import annotations

import random
from collections.abc import Sequence


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
