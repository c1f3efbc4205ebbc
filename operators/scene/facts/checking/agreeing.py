"""Whether a quantity agrees with true values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import permutations

from operators.scene.facts.checking import values
from operators.scene.facts.checking.quantities import Quantity
from operators.scene.facts.checking.words import ROOM
from operators.scene.facts.checking.world import World

#: Words of space between things, which is no size.
FREE = re.compile(
    r"\b(?:gap|aisle|passage|strip|corridor|walkway|path|clearance|opening|space|room for|free|empty|bare|open|"
    r"unused|void|clear)\b"
)


def any_near(quantity: Quantity, pool: Iterable[float], factor: float = 1.0, extra: float = 0.0) -> bool:
    """Whether one of the values is what a quantity tells, or, of "more than" and "less than", passes it."""
    value, slack = quantity.values[0], quantity.slack * factor + extra
    if quantity.compared:
        return any((abs(each) - value) * quantity.compared >= -slack for each in pool)
    return any(abs(abs(each) - value) <= slack or abs(each - value) <= slack for each in pool)


def any_point(quantity: Quantity, ids: Iterable[str], world: World) -> bool:
    """Whether a bracket holds one of the points of the things."""
    n, slack = len(quantity.values), quantity.slack
    return any(
        len(point) == n and all(abs(a - b) <= slack for a, b in zip(point, quantity.values, strict=True))
        for point in values.points(world, ids)
    )


def any_dims(quantity: Quantity, ids: Iterable[str], clause: str, world: World) -> bool:
    """Whether a text like "1.2 x 0.6 m" tells a size of the things, in any order, or of the room or its empty area."""
    n, slack = len(quantity.values), quantity.slack
    wanted: list[tuple[float, ...]] = [thing.size for jid in ids for _, thing in world.states(jid)]
    x0, z0, x1, z1 = world.before.floor.bounds
    if ROOM.search(clause) or FREE.search(clause):
        wanted += [(x1 - x0, z1 - z0), (x1 - x0, z1 - z0, world.before.floor.height)]
        empties = list(values.empties(world))
        wanted += [tuple(empties[i : i + 2]) for i in range(0, len(empties), 2)]
    return any(
        all(abs(a - b) <= slack for a, b in zip(some, quantity.values, strict=True))
        for dims in wanted
        for some in permutations(dims, n)
        if len(dims) >= n
    )
