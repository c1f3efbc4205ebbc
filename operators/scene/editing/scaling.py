"""Backwards, a scaling finds what size an object may have had before."""

from __future__ import annotations

import random
from collections.abc import Sequence

from operators.scene.editing.draft import Draft
from operators.scene.editing.room import Thing
from operators.scene.editing.state import State
from operators.scene.scene import rounded

#: By what factors an object is scaled, and the least change that is one.
FACTORS = (0.7, 1.3)
LEAST = 0.05

_TRIES = 4


def reverse_scale(state: State, rng: random.Random) -> Draft | None:
    """Give one thing another size, all sides alike, and tell the call that scales it to its own."""

    def may(each: Thing) -> bool:
        # The size of what is replaced later goes with it.
        return (each.root, "desc") not in state.past

    for jid, each in state.chosen(rng, "scale_object", may):
        known = [each.obj["size"], *state.past.get((each.root, "size"), ())]
        for _ in range(_TRIES):
            low, high = FACTORS
            factor = rng.choice((rng.uniform(low, 1 - LEAST), rng.uniform(1 + LEAST, high)))
            size = rounded([side / factor for side in each.obj["size"]], "size")
            if _is_scaling(size, known[0]) and all(_differs(size, other) for other in known):
                call = Draft("scale_object", {"jid": jid, "new_size": each.obj["size"]})
                state.changed(jid, "scale_object", "size", size)
                return call
    return None


def _is_scaling(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether every side was there before, and its factor still is one after rounding, as far as a side is thick."""
    low, high = FACTORS
    return all(
        old > 0.0 and (low <= new / old <= high or max(old, new) < 0.1) for old, new in zip(before, after, strict=True)
    )


def _differs(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the greatest side is another, so that it can be seen."""
    a, b = max(one), max(other)
    return abs(a - b) >= LEAST * min(a, b) and abs(a - b) >= 0.02
