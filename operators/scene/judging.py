"""What is measured of a chain, and the points that it gets for that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from operators.scene.editing.room import band_of
from operators.scene.facts.things import Room, faults_of, without
from operators.scene.model.chain import Chain
from operators.scene.model.records import Scores
from operators.scene.model.scene import Scene, by_id


def size_order(chain: Chain) -> float | None:
    """Of the pairs of adds in different turns and bands, the share with the larger one first, less the others.

    1 if every larger object comes in an earlier turn, -1 if in a later one (Goodman and Kruskal's gamma); None if
    there is no such pair.
    """
    adds = [(turn, band_of(call["arguments"]["size"])) for turn, calls in enumerate(chain.turns) for call in calls
            if call["name"] == "add_object"]  # fmt: skip
    right = wrong = 0
    for i, (turn, size) in enumerate(adds):
        for later, other in adds[i + 1 :]:
            if turn != later and size != other:
                right += size > other
                wrong += size < other
    return (right - wrong) / (right + wrong) if right + wrong else None


@dataclass(frozen=True, slots=True)
class Measures:
    """Measured quantities of a chain.

    ``overlap`` are metres of overlap, summed over pairs of objects, that a room on the way has and neither the first
    nor the finished one, on average over the rooms after each turn; ``outside`` are objects out of the room, in the
    same way (a half object outside is 0.5). ``unclear`` is the share of those rooms that have any. ``order`` is
    how well adds run from large to small, 1 to -1, None where nothing can be compared. ``idle`` are the calls that a
    later turn undoes or changes, a turn; ``travel`` the metres that objects are moved, a turn; ``uneven`` the spread
    of the number of calls a turn around their mean, as a share of it.
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
        idle=len(chain.revised()) / turns,
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
    return ([sum(f.amount for f in faults if f.word == "overlap") for faults in made],
            [sum(f.amount for f in faults if f.word == "outside") for faults in made])  # fmt: skip


def _travel(chain: Chain, states: Sequence[Scene]) -> float:
    """The metres over the floor that calls move objects."""
    metres = 0.0
    for state, calls in zip(states, chain.turns[:-1], strict=False):
        moves = [call["arguments"] for call in calls if call["name"] == "move_object"]
        there = by_id(state) if moves else {}
        for move in moves:
            x, _, z = there[move["jid"]]["pos"] if move["jid"] in there else move["new_position"]
            metres += math.hypot(move["new_position"][0] - x, move["new_position"][2] - z)
    return metres


#: The most points of each dimension.
MOST = {"coherence": 40.0, "naturalness": 35.0, "instruction": 15.0, "visual": 10.0}

#: Points of the parts that a dimension has, and the measure at which half of a part's points are left.
_ORDER = 22.0
_IDLE = (18.0, 0.25)
_OVERLAP = (18.0, 0.15)
_OUTSIDE = (8.0, 0.10)
_TRAVEL = (9.0, 0.60)
_UNCLEAR = 5.0
_UNEVEN = (5.0, 1.0)


def points_of(measures: Measures, asked: int, missing: int) -> Scores:
    """The four scores of a chain, from what was measured of it and from what its instruction asks for.

    *Coherence* (40) is the order of sizes and the lack of idle edits; *naturalness* (35) the lack of overlaps, of
    objects outside and of long ways; *instruction* (15) the share of the furniture ``asked`` for that is not
    ``missing``; *visual* (10) rooms that can be shown as they are, and turns that change about as much each.

    >>> points_of(Measures(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), asked=4, missing=0)
    Scores(coherence=40.0, naturalness=35.0, instruction=15.0, visual=10.0)
    >>> points_of(Measures(0.15, 0.0, 0.5, 0.0, 0.25, 0.0, 1.0), asked=4, missing=1)
    Scores(coherence=20.0, naturalness=26.0, instruction=11.25, visual=5.0)
    """
    order = 1.0 if measures.order is None else measures.order
    kept = 1.0 if not asked else (asked - min(missing, asked)) / asked
    return Scores(
        coherence=round(_ORDER * (1 + order) / 2 + _left(_IDLE, measures.idle), 2),
        naturalness=round(
            _left(_OVERLAP, measures.overlap) + _left(_OUTSIDE, measures.outside) + _left(_TRAVEL, measures.travel), 2
        ),
        instruction=round(MOST["instruction"] * kept, 2),
        visual=round(_UNCLEAR * (1 - measures.unclear) + _left(_UNEVEN, measures.uneven), 2),
    )


def total(scores: Scores) -> float:
    """The sum of the four scores, at most 100.

    >>> total(Scores(40.0, 30.5, 15.0, 9.25))
    94.75
    """
    return round(scores.coherence + scores.naturalness + scores.instruction + scores.visual, 2)


def _left(part: tuple[float, float], measure: float) -> float:
    """What is left of a part's points: all of them at 0, half of them at its half measure, ever fewer."""
    most, half = part
    return most * half / (half + measure)
