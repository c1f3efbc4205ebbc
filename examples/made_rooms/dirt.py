"""The dirt of real rooms, put into clean ones."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

_Room = dict[str, Any]
_Change = Callable[[dict[str, Any], random.Random, float], dict[str, Any]]


def dirtied(room: Mapping[str, Any], rng: random.Random) -> _Room:
    """The room with two to four kinds of dirt, each in one of its objects.

    Ids are repeated as they are in real rooms: pieces of one asset have one id, and one object more gets the id of
    another.
    """
    corners = room.get("room_envelope", room)["bounds_bottom"]
    reach = max(abs(corner[0]) for corner in corners)
    changes = rng.sample(list(_DIRT.values()), rng.randint(2, 4))
    lists = [[dict(o) for o in g["objects"]] for g in room["groups"]] if "groups" in room else [list(room["objects"])]
    places = [(i, j) for i, objects in enumerate(lists) for j in range(len(objects))]
    for change, (i, j) in zip(changes, rng.sample(places, min(len(places), len(changes))), strict=False):
        lists[i][j] = change(dict(lists[i][j]), rng, reach)
    (i, j), (k, m) = rng.sample(places, 2)
    lists[k].append({**lists[i][j], "pos": list(lists[k][m]["pos"])})
    if "groups" not in room:
        return {**room, "objects": lists[0]}
    groups = [{**group, "objects": objects} for group, objects in zip(room["groups"], lists, strict=True)]
    return {**room, "groups": groups}


def _tilted(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    lean, turn = math.radians(rng.uniform(3, 12)) / 2, rng.uniform(0, math.pi)
    quaternion = [math.sin(lean) * math.cos(turn), math.cos(lean) * math.sin(turn), -math.sin(lean) * math.sin(turn),
                  math.cos(lean) * math.cos(turn)]  # fmt: skip
    return {**each, "rot": [round(part, 5) + 0.0 for part in quaternion]}


def _low(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    x, _, z = each["pos"]
    return {**each, "pos": [x, rng.choice((-0.01, -0.02, -0.35)), z]}


def _flat(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    size = list(each["size"])
    size[rng.randrange(3)] = 0.0
    return {**each, "size": size}


def _partly_outside(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    _, y, z = each["pos"]
    return {**each, "pos": [round(rng.choice((-1, 1)) * (reach - 0.1), 2), y, z]}


def _far_outside(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    _, y, z = each["pos"]
    return {**each, "pos": [round(reach * 3 + rng.uniform(2, 9), 2), y, z]}


def _unlike_unit(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    """The same turn written as a quaternion of the other sign."""
    return {**each, "rot": [round(-part, 5) + 0.0 for part in each["rot"]]}


def _undescribed(each: dict[str, Any], rng: random.Random, reach: float) -> dict[str, Any]:
    return {**each, "desc": rng.choice(("", "A piece of unknown use."))}


_DIRT: Mapping[str, _Change] = {
    "tilted": _tilted,
    "below the floor": _low,
    "without size": _flat,
    "partly outside": _partly_outside,
    "far outside": _far_outside,
    "other sign": _unlike_unit,
    "undescribed": _undescribed,
}
