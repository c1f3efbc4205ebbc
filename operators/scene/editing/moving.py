"""Backwards, a move finds where an object may have stood before."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from operators.scene.editing.carrying import is_over
from operators.scene.editing.draft import Draft
from operators.scene.editing.state import State
from operators.scene.editing.thing import Thing
from operators.scene.geometry import Box, Floor

#: Metres, along x and along z each.
FARTHEST = 0.5
#: Metres on the plan that can be seen.
NEAREST = 0.1
#: Objects that are looked at, and places for each of them.
_OBJECTS, _PLACES = 6, 3


def reverse_move(state: State, rng: random.Random) -> Draft | None:
    """Put one thing elsewhere, up to half a metre along x and z, and tell the call that moves it to its place."""
    found = state.best(rng, _options(state, rng))
    if found is None:
        return None
    jid, before = found
    call = Draft("move_object", {"jid": jid, "new_position": state.things[jid].obj["pos"]})
    state.changed(jid, "move_object", "pos", before)
    return call


def _options(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things at places where they may have stood."""
    for jid, each in state.chosen(rng, "move_object", tries=_OBJECTS):
        y = each.obj["pos"][1]
        known = [each.obj["pos"], *state.past.get((each.root, "pos"), ())]
        below = [state.room.things[carrier].box for carrier in state.room.carriers.get(each.root, ())]
        for _ in range(_PLACES):
            x, z = _on_top(rng, each, below[0]) if below else _beside(rng, each, state.room.floor)
            place = [round(x, 2) + 0.0, y, round(z, 2) + 0.0]
            if (
                _is_possible(place, known)
                and state.room.floor.contains(place[0], place[2])
                and all(is_over(box, place[0], place[2]) for box in below)
            ):
                yield jid, each.changed("pos", place)


def _beside(rng: random.Random, each: Thing, floor: Floor) -> tuple[float, float]:
    """A place near its own: not into an outer wall, but off it."""
    x, _, z = each.obj["pos"]
    box, (fx, fz) = each.box, each.box.front
    if each.kind.stands == "wall":
        # Along its wall, which is behind it.
        way = rng.uniform(NEAREST, FARTHEST) * rng.choice((-1.0, 1.0))
        return x + way * fz, z - way * fx
    across, down = box.wide * abs(fz) + box.deep * abs(fx), box.wide * abs(fx) + box.deep * abs(fz)
    west, north, east, south = floor.bounds
    dx, dz = rng.uniform(-FARTHEST, FARTHEST), rng.uniform(-FARTHEST, FARTHEST)
    if box.x + dx + across > east or box.x + dx - across < west:
        dx = -dx
    if box.z + dz + down > south or box.z + dz - down < north:
        dz = -dz
    return x + dx, z + dz


def _on_top(rng: random.Random, each: Thing, below: Box) -> tuple[float, float]:
    """A place on what carries it, with no edge beyond the other's if there is space enough."""
    reach = max(each.box.wide, each.box.deep)
    fx, fz = below.front
    ahead, aside = (max(0.0, half - reach) * rng.uniform(-1.0, 1.0) for half in (below.deep, below.wide))
    # The thing turns about its pos, which is the middle of its footprint unless it leans.
    x, _, z = each.obj["pos"]
    return x - each.box.x + below.x + ahead * fx + aside * fz, z - each.box.z + below.z + ahead * fz - aside * fx


def _is_possible(place: list[float], known: list[list[float]]) -> bool:
    """Whether a place is not far from where the object stands, and far enough from where it stands at any time."""
    x, _, z = known[0]
    if abs(round(place[0] - x, 2)) > FARTHEST or abs(round(place[2] - z, 2)) > FARTHEST:
        return False
    return all(math.hypot(place[0] - px, place[2] - pz) >= NEAREST for px, _, pz in known)
