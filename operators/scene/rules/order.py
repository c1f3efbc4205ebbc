"""Law 9: the adds of a chain run from large to small, as a tendency that is measured."""

from __future__ import annotations

from operators.scene.chain import Chain

#: Volumes, in cubic metres, between which small, middle and large lie.
BANDS = (0.5, 2.0)


def band(size: list[float]) -> int:
    """0 for a small object, 1 for a middle one, 2 for a large one.

    >>> band([1.0, 0.4, 1.0]), band([1.0, 0.5, 1.0]), band([2.0, 1.0, 1.0])
    (0, 1, 2)
    """
    volume = size[0] * size[1] * size[2]
    return sum(volume >= limit for limit in BANDS)


def size_order(chain: Chain) -> float | None:
    """Of the pairs of adds in different turns and bands, the share with the larger one first, less the others.

    1 if every larger object comes in an earlier turn, -1 if in a later one (Goodman and Kruskal's gamma); None if
    there is no such pair.
    """
    adds = [(turn, band(call["arguments"]["size"])) for turn, calls in enumerate(chain.turns) for call in calls
            if call["name"] == "add_object"]  # fmt: skip
    right = wrong = 0
    for i, (turn, size) in enumerate(adds):
        for later, other in adds[i + 1 :]:
            if turn != later and size != other:
                right += size > other
                wrong += size < other
    return (right - wrong) / (right + wrong) if right + wrong else None
