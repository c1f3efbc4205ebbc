"""Backwards, calls that change what stands there: it was elsewhere, turned, of another size, or another piece."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from operators.scene.editing.room import Room, Thing, thing
from operators.scene.editing.state import Draft, State, retrieved
from operators.scene.model.floor import Floor
from operators.scene.model.geometry import Box, degrees_between, is_over, turned_by
from operators.scene.model.kinds import kind_of
from operators.scene.model.scene import rounded
from operators.scene.model.simulator import CHANGED

#: Metres, along x and along z each.
FARTHEST = 0.5
#: Metres on the plan that can be seen.
NEAREST = 0.1
#: Objects that are looked at, and places for each of them.
_MOVED, _PLACES = 6, 3


def reverse_change(tool: str, state: State, rng: random.Random) -> Draft | None:
    """Put one thing elsewhere, turn it, or give it another size, and tell the call that puts that right.

    None if nothing can have been otherwise.
    """
    found = state.best(rng, _OPTIONS[tool](state, rng))
    if found is None:
        return None
    key, argument = CHANGED[tool]
    jid, before = found
    call = Draft(tool, {"jid": jid, argument: state.things[jid].obj[key]})
    state.changed(jid, tool, key, before)
    return call


def _moves(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things at places where they may have stood, up to half a metre away along x and z."""
    for jid, each in state.chosen(rng, "move_object", tries=_MOVED):
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


#: Most rotations are about a quarter turn, so many degrees more or less; the others are by any angle from the least on.
QUARTERS = 0.8
SPREAD = 15.0
LEAST_TURN = 15.0

#: Objects that are looked at, and angles for each of them.
_TURNED, _ANGLES = 6, 2


def _turns(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things as they may have been turned about the upright axis; those that have space to turn are likelier."""
    quarter = rng.random() < QUARTERS
    ease = state.room.ease or _eased(state.room)
    for jid, each in state.chosen(rng, "rotate_object", lambda each: ease[each.root], _TURNED):
        # It is turned by enough; only what it was turned to before may be too near.
        past = state.past.get((each.root, "rot"), ())
        for _ in range(_ANGLES):
            turned = rounded(turned_by(each.obj["rot"], _angle(rng, quarter)), "rot")
            if all(degrees_between(turned, rot) > LEAST_TURN - 0.01 for rot in past):
                yield jid, each.changed("rot", turned)


def _eased(room: Room) -> Mapping[str, float]:
    """By ids, 1 for what can be turned by a quarter in the finished room, next to 0 for what would hit something."""
    state = State.at_end(room)
    for jid, each in room.things.items():
        turned = each.changed("rot", turned_by(each.obj["rot"], 90.0))
        room.ease[jid] = 1.0 / (1.0 + (3.0 * state.misfit(turned, jid)) ** 2)
    return room.ease


def _angle(rng: random.Random, quarter: bool) -> float:
    """Degrees, either way."""
    if quarter:
        angle = rng.uniform(90 - SPREAD, 90 + SPREAD)
    else:
        low, high = 90 - SPREAD - LEAST_TURN, 180 - (90 + SPREAD)
        angle = LEAST_TURN + rng.random() * (low + high)
        if angle > 90 - SPREAD:
            angle += 2 * SPREAD
    return angle if rng.random() < 0.5 else -angle


#: By what factors an object is scaled, and the least change that is one.
FACTORS = (0.7, 1.3)
LEAST_SCALING = 0.05

#: Objects that are looked at, and sizes for each of them.
_RESIZED, _SIZES = 4, 3


def _resizes(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some things of another size, all sides alike."""

    def weigh(each: Thing) -> float:
        # The size of what is replaced later goes with it.
        return float((each.root, "desc") not in state.past)

    low, high = FACTORS
    for jid, each in state.chosen(rng, "scale_object", weigh, _RESIZED):
        known = [each.obj["size"], *state.past.get((each.root, "size"), ())]
        for _ in range(_SIZES):
            factor = rng.choice((rng.uniform(low, 1 - LEAST_SCALING), rng.uniform(1 + LEAST_SCALING, high)))
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
    return abs(a - b) >= LEAST_SCALING * min(a, b) and abs(a - b) >= 0.02


_OPTIONS: Mapping[str, Callable[[State, random.Random], Iterator[tuple[str, Thing]]]] = {
    "move_object": _moves, "rotate_object": _turns, "scale_object": _resizes,
}  # fmt: skip

#: Objects that are looked at, and pieces for each of them.
_REPLACED, _PIECES = 4, 2


def reverse_replace(state: State, rng: random.Random) -> Draft | None:
    """Put something like it in one thing's place, and tell the call that brings the thing itself."""
    found = state.best(rng, _replacements(state, rng))
    if found is None:
        return None
    jid, before = found
    after, root = state.things.pop(jid), before.root
    other = {**before.obj, **state.new_id(before.obj["jid"])}
    if "type" in after.obj:
        other["type"] = after.obj["type"]
    before.obj = other
    state.things[other["jid"]] = before
    state.past.setdefault((root, "desc"), []).append(after.obj["desc"])
    state.touched.add(jid)
    state.counted(other["jid"], root, "replace_object")
    arguments = {"jid_to_replace": other["jid"], "new_object_description": after.obj["desc"]}
    return Draft("replace_object", arguments, retrieved(after.obj))


def _replacements(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some pieces of the catalogue in the places of things that they are like."""
    likenesses = state.room.likenesses

    def weigh(each: Thing) -> float:
        return float(bool(likenesses.get(each.root)) and (each.root, "desc") not in state.past)

    for jid, each in state.chosen(rng, "replace_object", weigh, _REPLACED):
        obj, assets = each.obj, likenesses[each.root]
        for _ in range(_PIECES):
            asset = assets[int(rng.random() * len(assets))]
            other = {"desc": asset.desc, "size": rounded(asset.size, "size"), "pos": obj["pos"], "rot": obj["rot"],
                     "jid": asset.jid}  # fmt: skip
            yield jid, thing(other, kind_of(asset.desc), each.fit, each.group, each.root)
