"""Backwards, a move finds where an object may have stood before."""

from __future__ import annotations

import math
import random

from operators.scene.editing.draft import Draft
from operators.scene.editing.room import Thing
from operators.scene.editing.state import State
from operators.scene.geometry import box_of

#: Metres, along x and along z each.
FARTHEST = 0.5
#: Metres on the plan that can be seen.
NEAREST = 0.1
#: Places that are looked at for one object.
_TRIES = 5
#: Metres of overlap beyond what the object has in its true place: little enough at once, and at most.
_CLEAR, _BEARABLE = 0.05, 0.3


def reverse_move(state: State, rng: random.Random) -> Draft | None:
    """Put one thing elsewhere, up to half a metre along x and z, and tell the call that moves it to its place."""

    for jid, each in state.chosen(rng, "move_object"):
        place = _place(state, rng, jid, each)
        if place is not None:
            call = Draft("move_object", {"jid": jid, "new_position": each.obj["pos"]})
            state.changed(jid, "move_object", "pos", place)
            return call
    return None


def _place(state: State, rng: random.Random, jid: str, each: Thing) -> list[float] | None:
    """Of some places the one with least overlap; None if all of them are bad."""
    x, y, z = each.obj["pos"]
    known = [each.obj["pos"], *state.past.get((each.root, "pos"), ())]
    crowd = state.crowding(each.box, each.reach, jid)
    best, least = None, crowd + _BEARABLE
    for _ in range(_TRIES):
        dx, dz = _shift(rng, each)
        place = [round(x + dx, 2) + 0.0, y, round(z + dz, 2) + 0.0]
        if not _is_possible(place, known) or not state.room.floor.contains(place[0], place[2]):
            continue
        box = box_of({**each.obj, "pos": place})
        overlap = state.crowding(box, each.reach, jid, least)
        if overlap < least:
            best, least = place, overlap
            if overlap <= crowd + _CLEAR:
                break
    return best


def _shift(rng: random.Random, each: Thing) -> tuple[float, float]:
    if each.kind.stands == "wall":
        # Along its wall, which is behind it.
        way = rng.uniform(-FARTHEST, FARTHEST)
        fx, fz = each.box.front
        return way * fz, -way * fx
    return rng.uniform(-FARTHEST, FARTHEST), rng.uniform(-FARTHEST, FARTHEST)


def _is_possible(place: list[float], known: list[list[float]]) -> bool:
    """Whether a place is not far from where the object stands, and far enough from where it stands at any time."""
    x, _, z = known[0]
    if abs(round(place[0] - x, 2)) > FARTHEST or abs(round(place[2] - z, 2)) > FARTHEST:
        return False
    return all(math.hypot(place[0] - px, place[2] - pz) >= NEAREST for px, _, pz in known)
