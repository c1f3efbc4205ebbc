"""Backwards, a rotation finds how an object may have been turned before."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

from operators.scene.editing.draft import Draft
from operators.scene.editing.room import Room
from operators.scene.editing.state import State
from operators.scene.editing.thing import Thing
from operators.scene.scene import rounded

#: Most rotations are about a quarter turn, so many degrees more or less; the others are by any angle from the least on.
QUARTERS = 0.8
SPREAD = 15.0
LEAST = 15.0

#: Objects that are looked at, and angles for each of them.
_OBJECTS, _ANGLES = 6, 2


def reverse_rotate(state: State, rng: random.Random) -> Draft | None:
    """Turn one thing about the upright axis, and tell the call that turns it to its rotation."""
    found = state.best(rng, _options(state, rng))
    if found is None:
        return None
    jid, before = found
    call = Draft("rotate_object", {"jid": jid, "new_rotation": state.things[jid].obj["rot"]})
    state.changed(jid, "rotate_object", "rot", before)
    return call


def _options(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things as they may have been turned; those that have space to turn are likelier."""
    quarter = rng.random() < QUARTERS
    ease = state.room.ease or _eased(state.room)
    for jid, each in state.chosen(rng, "rotate_object", lambda each: ease[each.root], _OBJECTS):
        # It is turned by enough; only what it was turned to before may be too near.
        past = state.past.get((each.root, "rot"), ())
        for _ in range(_ANGLES):
            turned = rounded(turned_by(each.obj["rot"], _angle(rng, quarter)), "rot")
            if all(degrees_between(turned, rot) > LEAST - 0.01 for rot in past):
                yield jid, each.changed("rot", turned)


def _eased(room: Room) -> Mapping[str, float]:
    """By ids, 1 for what can be turned by a quarter in the finished room, next to 0 for what would hit something."""
    state = State.at_end(room)
    for jid, each in room.things.items():
        turned = each.changed("rot", turned_by(each.obj["rot"], 90.0))
        room.ease[jid] = 1.0 / (1.0 + (3.0 * state.misfit(turned, jid)) ** 2)
    return room.ease


def turned_by(rot: Sequence[float], degrees: float) -> list[float]:
    """A rotation ``[x, y, z, w]`` followed by a turn about the world's y axis.

    >>> turned_by([0.0, 0.0, 0.0, 1.0], 180.0)[1]
    1.0
    """
    x, y, z, w = rot
    half = math.radians(degrees) / 2
    sin, cos = math.sin(half), math.cos(half)
    return [cos * x + sin * z, cos * y + sin * w, cos * z - sin * x, cos * w - sin * y]


def degrees_between(one: Sequence[float], other: Sequence[float]) -> float:
    """The angle between two rotations; 0 for a quaternion and its negative, and where one of them is none.

    >>> degrees_between([0.0, 0.70711, 0.0, 0.70711], [0.0, -0.70711, 0.0, -0.70711])
    0.0
    """
    length = math.sqrt(sum(n * n for n in one) * sum(n * n for n in other))
    if not length:
        return 0.0
    cosine = abs(sum(a * b for a, b in zip(one, other, strict=True))) / length
    return math.degrees(2 * math.acos(min(1.0, cosine)))


def _angle(rng: random.Random, quarter: bool) -> float:
    """Degrees, either way."""
    if quarter:
        angle = rng.uniform(90 - SPREAD, 90 + SPREAD)
    else:
        low, high = 90 - SPREAD - LEAST, 180 - (90 + SPREAD)
        angle = LEAST + rng.random() * (low + high)
        if angle > 90 - SPREAD:
            angle += 2 * SPREAD
    return angle if rng.random() < 0.5 else -angle
