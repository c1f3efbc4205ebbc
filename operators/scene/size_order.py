"""Law 9: the adds of a chain run from large to small, as a tendency that is measured."""

from __future__ import annotations

from operators.scene.chain import Chain
from operators.scene.editing.bands import band_of


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
