"""How fit an object is to have been otherwise: what a person would move, turn or scale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from operators.scene.furniture.kinds import Kind


@lru_cache(maxsize=4096)
def fitness(kind: Kind, raised: bool, carried: bool = False) -> Mapping[str, float]:
    """A weight for each tool that changes an object; ``raised`` ones stand over the floor, ``carried`` on something.

    >>> from operators.scene.furniture.kinds import kind_of
    >>> sofa, stool = (fitness(kind_of(noun), False)["rotate_object"] for noun in ("sofa", "stool"))
    >>> sofa > stool
    True
    """
    hangs = not carried and (raised or kind.stands in ("wall", "ceiling"))
    # What is held by nothing that is known stays; a picture or a lamp seldom is in another place.
    aloft = {"wall": 0.1, "ceiling": 0.2}.get(kind.stands, 0.002 if raised else 1.0)
    # Without a front one hardly sees that it was turned; and nothing on a wall is turned away from it.
    rotate = 0.002 if kind.stands == "wall" else (1.0 if kind.faces else 0.05) * (0.05 if hangs else 1.0)
    # A lamp would leave the ceiling, or go through it.
    scale = 0.05 if kind.stands == "ceiling" else 1.0
    return {
        "move_object": 0.5 if carried else aloft,
        "rotate_object": rotate,
        "scale_object": scale,
        "replace_object": 1.0,
    }
