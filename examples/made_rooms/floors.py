"""Floor plans of synthetic rooms: rectangles, and rectangles without a corner."""

from __future__ import annotations

import random
from typing import Any

#: Least and greatest width and depth of a room, in metres.
_SIDES = {
    "bedroom": ((3.2, 5.0), (3.4, 4.8)),
    "livingroom": ((4.4, 6.6), (4.0, 6.0)),
    "diningroom": ((3.4, 4.8), (3.4, 4.6)),
    "office": ((3.0, 4.6), (3.0, 4.4)),
    "kitchen": ((3.4, 5.2), (3.2, 4.6)),
    "other": ((2.6, 4.4), (2.8, 4.2)),
}
_CEILINGS = (2.6, 2.7, 2.8, 2.9)


def bounds(room: str, rng: random.Random, *, roomy: float = 1.0) -> dict[str, Any]:
    """``bounds_top`` and ``bounds_bottom`` of a room of this type; three in ten floors lack a corner."""
    (least_w, most_w), (least_d, most_d) = _SIDES[room]
    wide = round(rng.uniform(least_w, most_w) * roomy, 1)
    deep = round(rng.uniform(least_d, most_d) * roomy, 1)
    height = rng.choice(_CEILINGS)
    x, z = round(wide / 2, 2), round(deep / 2, 2)
    corners = [(-x, z), (x, z), (x, -z), (-x, -z)]
    if rng.random() < 0.3:
        corners = _without_corner(corners, rng.randrange(4), rng)
    return {
        "bounds_top": [[px, height, pz] for px, pz in corners],
        "bounds_bottom": [[px, 0.0, pz] for px, pz in corners],
    }


def _without_corner(corners: list[tuple[float, float]], which: int, rng: random.Random) -> list[tuple[float, float]]:
    """The corners with one of them cut out as a rectangle."""
    x, z = corners[which]
    inner_x = round(x - x * rng.uniform(0.4, 0.75), 2)
    inner_z = round(z - z * rng.uniform(0.4, 0.75), 2)
    # Corners with an even number are reached along z, the others along x.
    before, after = ((x, inner_z), (inner_x, z)) if which % 2 == 0 else ((inner_x, z), (x, inner_z))
    return [*corners[:which], before, (inner_x, inner_z), after, *corners[which + 1 :]]
