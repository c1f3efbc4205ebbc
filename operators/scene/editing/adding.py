"""Backwards, calls that bring things take them away, and calls that take things away bring them."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from operators.scene.editing.catalogue import Asset
from operators.scene.editing.room import Thing, fitness, thing
from operators.scene.editing.state import BEARABLE, Draft, State, retrieved
from operators.scene.model.floor import Floor
from operators.scene.model.kinds import Kind, kind_of
from operators.scene.model.limits import FLAT
from operators.scene.model.scene import rounded

#: Where in a chain, from 0 (its end) to 1 (its beginning), middle and large objects are due.
_PROGRESS = (0.3, 0.7)
#: How often something that was due already goes first, where there is something that is due now.
_OVERDUE_FIRST = 0.75
#: With so few things in the room it is seen after each of them which may be the next.
_FEW = 5


def due_band(progress: float) -> int:
    """The band that is due at a time between 0, the end of the chain, and 1, its beginning.

    >>> [due_band(progress) for progress in (0.0, 0.29, 0.3, 0.7, 1.0)]
    [0, 0, 1, 2, 2]
    """
    return (progress >= _PROGRESS[0]) + (progress >= _PROGRESS[1])


def reverse_adds(state: State, rng: random.Random, count: int, progress: float) -> list[Draft]:
    """Take so many things out of the room, if there are so many, and tell the calls that add them.

    ``progress`` is 0 at the end of the chain and 1 at its beginning: things go that are of the size that is due then,
    or else of the nearest. What carries other things stays as long as they do.
    """
    calls: list[Draft] = []
    due = due_band(progress)
    bands = _by_bands(state)
    while len(calls) < count and (jids := _due(bands, rng, due)):
        jid = jids.pop(int(rng.random() * len(jids)))
        carriers = len(state.load)
        calls.append(_taken(state, jid))
        if len(state.load) < carriers or len(state.things) < _FEW:
            bands = _by_bands(state)
    return calls


def all_added(state: State) -> list[Draft]:
    """Take everything out of the room, and tell the calls that add it."""
    return [_taken(state, jid) for jid in list(state.things)]


def _taken(state: State, jid: str) -> Draft:
    gone = state.taken(jid)
    obj = gone.obj
    arguments = {"object_description": obj["desc"], "position": obj["pos"], "rotation": obj["rot"], "size": obj["size"]}
    retrieval = retrieved(obj)
    if gone.group is not None:
        arguments["group_name"] = gone.group
        retrieval["group_type"] = state.room.group_types[gone.group]
    return Draft("add_object", arguments, retrieval, state.room.levels.get(gone.root, 0))


def _by_bands(state: State) -> list[list[str]]:
    """The ids of what can go now, by its size; the last thing that stays in the end goes after those that do not."""
    load, touched = state.load, state.touched
    bands: list[list[str]] = [[], [], []]
    lasting = 0
    for jid, each in state.things.items():
        lasting += not each.passing
        if jid in touched or each.root in load or not each.obj["desc"] or (each.passing and state.stays(jid)):
            continue
        if not state.may_come(jid, each):
            continue
        bands[each.band].append(jid)
    if lasting < 2 < 1 + sum(map(len, bands)):
        bands = [[jid for jid in band if state.things[jid].passing] for band in bands]
    return bands


def _due(bands: list[list[str]], rng: random.Random, due: int) -> list[str]:
    """Those of the band that is due, or of the one nearest to it; a smaller one was due before."""
    overdue = next((bands[band] for band in range(due) if bands[band]), None)
    if bands[due]:
        return overdue if overdue and rng.random() < _OVERDUE_FIRST else bands[due]
    return overdue or next((bands[band] for band in range(due + 1, 3) if bands[band]), [])


#: Fronts along the sides of the plan.
_SIDES = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
#: Pieces that are looked at, and places for each of them.
_ASSETS, _PLACES = 5, 8
#: The misfit that is next to none.
_CLEAR = 0.15
#: Families of kinds that stand with their backs to a wall, and the metres between.
_BACKED, _GAP = frozenset(("appliance", "bed", "desk", "shelf", "sofa", "storage")), 0.02


def reverse_remove(state: State, rng: random.Random) -> Draft | None:
    """Put something from the catalogue on the floor, and tell the call that takes it away; None if nothing fits."""
    room = state.room
    found, least = None, BEARABLE
    for _ in range(_ASSETS if room.distractors else 0):
        asset = room.distractors[int(rng.random() * len(room.distractors))]
        kind = kind_of(asset.desc)
        for _ in range(_PLACES):
            place = _at_wall(room.floor, rng, asset) if kind.family in _BACKED else _anywhere(room.floor, rng, asset)
            if place is None or _is_taken(state, place, asset):
                continue
            each = _placed(state, asset, kind, place)
            misfit = state.misfit(each, "", least)
            if misfit < least:
                found, least = each, misfit
                if misfit < _CLEAR:
                    return _put(state, each)
    return _put(state, found) if found is not None else None


class _Place(NamedTuple):
    """A middle and a front on the plan."""

    x: float
    z: float
    fx: float
    fz: float


def _at_wall(floor: Floor, rng: random.Random, asset: Asset) -> _Place | None:
    """A place with the back to one of the walls; None if it is too short, or there is none."""
    width, _, depth = asset.size
    if not floor.walls:
        return None
    wall = floor.walls[int(rng.random() * len(floor.walls))]
    if wall.length < width:
        return None
    (sx, sz), (ex, ez), (ox, oz) = wall.start, wall.end, wall.out
    along = (width / 2 + rng.random() * (wall.length - width)) / wall.length
    off = depth / 2 + _GAP
    return _Place(sx + along * (ex - sx) - off * ox, sz + along * (ez - sz) - off * oz, -ox, -oz)


def _anywhere(floor: Floor, rng: random.Random, asset: Asset) -> _Place | None:
    """A place within the bounds of the floor, along its sides; None if it is too large."""
    fx, fz = _SIDES[int(rng.random() * 4)]
    wide, deep = (asset.size[2] / 2, asset.size[0] / 2) if fx else (asset.size[0] / 2, asset.size[2] / 2)
    x0, z0, x1, z1 = floor.bounds
    if x1 - x0 < 2 * wide or z1 - z0 < 2 * deep:
        return None
    x, z = rng.uniform(x0 + wide, x1 - wide), rng.uniform(z0 + deep, z1 - deep)
    if (2 * x - x0 - x1) * fx + (2 * z - z0 - z1) * fz > 0:
        # It looks into the room rather than out of it.
        fx, fz = -fx, -fz
    return _Place(x, z, fx, fz)


def _placed(state: State, asset: Asset, kind: Kind, place: _Place) -> Thing:
    half = math.atan2(place.fx, place.fz) / 2
    obj = {"desc": asset.desc, "size": rounded(asset.size, "size"),
           "pos": rounded((place.x, state.room.floor.level, place.z), "pos"),
           "rot": rounded((0.0, math.sin(half), 0.0, math.cos(half)), "rot"), "jid": asset.jid}  # fmt: skip
    return thing(obj, kind, fitness(kind, False), None, asset.jid, passing=True)


def _is_taken(state: State, place: _Place, asset: Asset) -> bool:
    """Whether something that is no rug stands there: a quick look before the exact one."""
    level, (width, height, depth) = state.room.floor.level, asset.size
    fx, fz = abs(place.fx), abs(place.fz)
    wide, deep = (fz * width + fx * depth) / 2, (fx * width + fz * depth) / 2
    x, z, least, high = place.x, place.z, level + FLAT, level + height
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
    state.leaves[jid] = state.turn
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
