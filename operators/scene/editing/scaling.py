"""Backwards, a scaling finds what size an object may have had before."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from operators.scene.editing.draft import Draft
from operators.scene.editing.state import State
from operators.scene.editing.thing import Thing
from operators.scene.scene import rounded

#: By what factors an object is scaled, and the least change that is one.
FACTORS = (0.7, 1.3)
LEAST = 0.05

#: Objects that are looked at, and sizes for each of them.
_OBJECTS, _SIZES = 4, 3


def reverse_scale(state: State, rng: random.Random) -> Draft | None:
    """Give one thing another size, all sides alike, and tell the call that scales it to its own."""
    found = state.best(rng, _options(state, rng))
    if found is None:
        return None
    jid, before = found
    call = Draft("scale_object", {"jid": jid, "new_size": state.things[jid].obj["size"]})
    state.changed(jid, "scale_object", "size", before)
    return call


def _options(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things of another size."""

    def weigh(each: Thing) -> float:
        # The size of what is replaced later goes with it.
        return float((each.root, "desc") not in state.past)

    low, high = FACTORS
    for jid, each in state.chosen(rng, "scale_object", weigh, _OBJECTS):
        known = [each.obj["size"], *state.past.get((each.root, "size"), ())]
        for _ in range(_SIZES):
            factor = rng.choice((rng.uniform(low, 1 - LEAST), rng.uniform(1 + LEAST, high)))
            size = rounded([side / factor for side in each.obj["size"]], "size")
            if _is_scaling(size, known[0]) and all(_differs(size, other) for other in known):
                yield jid, each.changed("size", size)


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
