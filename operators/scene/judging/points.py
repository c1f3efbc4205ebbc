"""From measures to points: each dimension is a sum of parts, each of which only falls as its measure grows."""

from __future__ import annotations

from operators.scene.judging.measures import Measures
from operators.scene.model.records import Scores

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
