"""Backwards, a removal finds what may have stood in the room that does not belong there."""

from __future__ import annotations

import random

from operators.scene.editing.draft import Draft
from operators.scene.editing.room import Thing, thing
from operators.scene.editing.state import State
from operators.scene.furniture.catalogue import Asset
from operators.scene.furniture.kinds import kind_of
from operators.scene.geometry import outside_share
from operators.scene.scene import rounded

_ASSETS, _PLACES = 4, 8
#: The quarters of a whole turn about the upright axis.
_QUARTERS = ((0.0, 0.0, 0.0, 1.0), (0.0, 0.70711, 0.0, 0.70711), (0.0, 1.0, 0.0, 0.0), (0.0, -0.70711, 0.0, 0.70711))
#: Metres of overlap with other things, at most.
_BEARABLE = 0.25
#: Metres of height of what one can stand something on, as on a rug.
_FLAT = 0.05
#: Share of the footprint that may lie outside of the floor.
_OUTSIDE = 0.01


def reverse_remove(state: State, rng: random.Random) -> Draft | None:
    """Put something from the catalogue on the floor, and tell the call that takes it away; None if nothing fits."""
    room = state.room
    for _ in range(_ASSETS if room.distractors else 0):
        asset = room.distractors[int(rng.random() * len(room.distractors))]
        for _ in range(_PLACES):
            each = _placed(state, rng, asset)
            if (
                each is not None
                and outside_share(each.box, room.floor) < _OUTSIDE
                and state.crowding(each.box, each.reach, limit=_BEARABLE) < _BEARABLE
            ):
                return _put(state, each)
    return None


def _placed(state: State, rng: random.Random, asset: Asset) -> Thing | None:
    """A piece somewhere within the bounds of the floor, along its sides; None if something stands there."""
    turn = int(rng.random() * 4)
    width, height, depth = asset.size
    wide, deep = (depth / 2, width / 2) if turn % 2 else (width / 2, depth / 2)
    floor = state.room.floor
    x0, z0, x1, z1 = floor.bounds
    x, z = rng.uniform(x0 + wide, x1 - wide), rng.uniform(z0 + deep, z1 - deep)
    if x1 - x0 < 2 * wide or z1 - z0 < 2 * deep or _is_taken(state, x, z, wide, deep, floor.level + height):
        return None
    obj = {"desc": asset.desc, "size": rounded(asset.size, "size"), "pos": rounded((x, floor.level, z), "pos"),
           "rot": list(_QUARTERS[turn]), "jid": asset.jid}  # fmt: skip
    return thing(obj, kind_of(asset.desc), floor, None, asset.jid, passing=True)


def _is_taken(state: State, x: float, z: float, wide: float, deep: float, high: float) -> bool:
    """Whether something that is no rug stands there: a quick look before the exact one."""
    least = state.room.floor.level + _FLAT
    for each in state.things.values():
        box = each.box
        inner = box.wide if box.wide < box.deep else box.deep
        if abs(box.x - x) < wide + inner and abs(box.z - z) < deep + inner and box.low < high and box.high > least:
            return True
    return False


def _put(state: State, each: Thing) -> Draft:
    obj = {**each.obj, **state.new_id(each.obj["jid"])}
    jid = obj["jid"]
    if any("type" in other.obj for other in state.things.values()):
        obj["type"] = "minor"
    each.obj, each.root, each.group = obj, jid, _group_near(state, each)
    state.things[jid] = each
    state.touched.add(jid)
    return Draft("remove_object", {"jid": jid})


def _group_near(state: State, each: Thing) -> str | None:
    """The group of the nearest thing; None in a room without groups."""
    if not state.room.group_types:
        return None
    near = min(
        state.things.values(),
        key=lambda other: (other.box.x - each.box.x) ** 2 + (other.box.z - each.box.z) ** 2,
        default=None,
    )
    return near.group if near is not None else next(iter(state.room.group_types))
