"""Which sizes of objects are due at which time: large ones at the beginning of a chain, small ones at its end."""

from __future__ import annotations

from collections.abc import Sequence

from operators.scene.limits import LARGE, SMALL

#: Where in a chain, from 0 (its end) to 1 (its beginning), middle and large objects are due.
PROGRESS = (0.3, 0.7)


def band_of(size: Sequence[float]) -> int:
    """0 for a small object, 1 for a middle one, 2 for a large one.

    >>> [band_of(size) for size in ([0.7, 0.7, 1.0], [1.0, 0.5, 1.0], [2.0, 1.0, 1.0])]
    [0, 1, 2]
    """
    volume = size[0] * size[1] * size[2]
    return (volume >= SMALL) + (volume >= LARGE)


def due_band(progress: float) -> int:
    """The band that is due at a time between 0, the end of the chain, and 1, its beginning.

    >>> [due_band(progress) for progress in (0.0, 0.29, 0.3, 0.7, 1.0)]
    [0, 0, 1, 2, 2]
    """
    return (progress >= PROGRESS[0]) + (progress >= PROGRESS[1])
