"""What is measured of a chain: how its rooms look on the way, and how its edits follow each other.

Only what the chain itself brings about is measured. The finished room may have overlaps of its own, and the room
that a chain begins with is given: neither counts against the chain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from operators.scene.chain import Chain
from operators.scene.facts.physical import Outside, Overlap, faults_of, without
from operators.scene.facts.things import Room
from operators.scene.judging.idle import idle_steps
from operators.scene.scene import Scene, objects_of
from operators.scene.size_order import size_order


@dataclass(frozen=True, slots=True)
class Measures:
    """Measured quantities of a chain.

    ``overlap`` are metres of overlap, summed over pairs of objects, that a room on the way has and neither the first
    nor the finished one, on average over the rooms after each turn; ``outside`` are objects out of the room, in the
    same way (a half object outside is 0.5). ``unclear`` is the share of those rooms that have any. ``order`` is
    how well adds run from large to small, 1 to -1, None where nothing can be compared. ``idle`` are the edits that
    bring the room no further, a turn; ``travel`` the metres that objects are moved, a turn; ``uneven`` the spread of
    the number of calls a turn around their mean, as a share of it.
    """

    overlap: float
    outside: float
    unclear: float
    order: float | None
    idle: float
    travel: float
    uneven: float

    def note(self) -> dict[str, float | None]:
        """The measures with as many digits as a person reads."""
        return {name: None if (value := getattr(self, name)) is None else round(value, 3) for name in self.__slots__}


def measured(chain: Chain, states: Sequence[Scene]) -> Measures:
    """What is measured of a chain whose rooms are ``states``, the one before each turn."""
    turns = max(1, chain.edits)
    counts = [len(calls) for calls in chain.turns[:-1]] or [1]
    overlaps, outsides = _on_the_way(states)
    unclear = sum(a + b > 0 for a, b in zip(overlaps, outsides, strict=True))
    return Measures(
        overlap=sum(overlaps) / turns,
        outside=sum(outsides) / turns,
        unclear=unclear / turns,
        order=size_order(chain),
        idle=idle_steps(chain, states) / turns,
        travel=_travel(chain, states) / turns,
        uneven=_spread(counts),
    )


def _spread(counts: Sequence[int]) -> float:
    """The standard deviation of some numbers as a share of their mean; 0 where that is 0."""
    mean = sum(counts) / len(counts)
    return math.sqrt(sum((count - mean) ** 2 for count in counts) / len(counts)) / mean if mean else 0.0


def _on_the_way(states: Sequence[Scene]) -> tuple[list[float], list[float]]:
    """Metres of overlap and objects outside after each turn, beyond those of the first and of the finished room."""
    found = [faults_of(Room.of(state)) for state in states]
    made = [without(faults, [*found[0], *found[-1]]) for faults in found[1:]]
    return ([sum(f.depth for f in faults if isinstance(f, Overlap)) for faults in made],
            [sum(f.share for f in faults if isinstance(f, Outside)) for faults in made])  # fmt: skip


def _travel(chain: Chain, states: Sequence[Scene]) -> float:
    """The metres over the floor that calls move objects."""
    metres = 0.0
    for state, calls in zip(states, chain.turns[:-1], strict=False):
        moves = [call["arguments"] for call in calls if call["name"] == "move_object"]
        places = {each["jid"]: each["pos"] for each in objects_of(state)} if moves else {}
        for move in moves:
            x, _, z = places.get(move["jid"], move["new_position"])
            metres += math.hypot(move["new_position"][0] - x, move["new_position"][2] - z)
    return metres
