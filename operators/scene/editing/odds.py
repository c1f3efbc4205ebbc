"""How often which tool is drawn where the choice is free."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

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
