"""A room as plain JSON values: its two forms, where its objects are, and how it is written.

Lengths are metres, y points up. A room is a dict in one of two forms. *SSR*: ``bounds_top``, ``bounds_bottom``
(corner points ``[x, y, z]``), ``room_type``, ``room_id``, ``objects``. *Groups*: ``room_envelope`` (the two bounds),
``room_type``, ``room_id``, ``groups``, each with ``group_name``, ``group_type`` and ``objects``.

An object has ``desc``, ``size`` ``[w, h, d]``, ``pos`` ``[x, y of its bottom, z]``, ``rot`` (a quaternion
``[x, y, z, w]``) and ``jid``, and may have more. At no rotation it looks towards +z. On a plan, x runs to the right
and z down, so that north is -z, south +z, west -x and east +x.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

#: A room, or one of its objects; never changed in place.
Scene = Mapping[str, Any]
Object = Mapping[str, Any]

#: Digits after the point, as the sources have them.
PLACES = {"pos": 2, "size": 2, "rot": 5}

#: The id of an object that a retrieval has to find; the format's own spelling, and the one that readers also take.
NEED_RETRIEVAL = "<NEED_RETRIVEAL>"
PLACEHOLDERS = (NEED_RETRIEVAL, "<NEED_RETRIEVAL>")


def object_lists(scene: Scene) -> list[Sequence[Object]]:
    """The lists that hold a room's objects: one in SSR, one a group in Groups.

    >>> object_lists({"objects": [{"jid": "a"}]})
    [[{'jid': 'a'}]]
    """
    if "groups" in scene:
        return [group["objects"] for group in scene["groups"]]
    return [scene["objects"]]


def objects_of(scene: Scene) -> list[Object]:
    """All objects of a room, in their order.

    >>> objects_of({"groups": [{"objects": [{"jid": "a"}]}, {"objects": [{"jid": "b"}]}]})
    [{'jid': 'a'}, {'jid': 'b'}]
    """
    return [each for objects in object_lists(scene) for each in objects]


def bounds_of(scene: Scene) -> tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]:
    """Floor and ceiling of a room: the corners of ``bounds_bottom`` and of ``bounds_top``."""
    envelope = scene["room_envelope"] if "groups" in scene else scene
    return envelope["bounds_bottom"], envelope["bounds_top"]


def emptied(scene: Scene) -> Scene:
    """The room without anything in it.

    >>> emptied({"room_id": "R", "objects": [{"jid": "a"}]})
    {'room_id': 'R', 'objects': []}
    """
    name = "groups" if "groups" in scene else "objects"
    return {**scene, name: []}


def same_room(one: Scene, other: Scene) -> bool:
    """Whether two rooms hold the same, in whatever order their objects and groups are listed."""
    return _unordered(one) == _unordered(other)


def _unordered(scene: Scene) -> dict[str, Any]:
    """The room with its objects by their ids, and its groups by their names."""
    if "groups" not in scene:
        return {**scene, "objects": {each["jid"]: each for each in scene["objects"]}}
    groups = {g["group_name"]: {**g, "objects": {o["jid"]: o for o in g["objects"]}} for g in scene["groups"]}
    return {**scene, "groups": groups}


def rounded(values: Sequence[float], key: str) -> list[float]:
    """Numbers with as many digits as the sources give to ``pos``, ``size`` or ``rot``; never a negative zero.

    >>> rounded([1, -0.001, 2.345678], "pos")
    [1.0, 0.0, 2.35]
    """
    return [round(float(value), PLACES[key]) + 0.0 for value in values]


def written(value: Any) -> str:
    """Compact JSON text, in which nothing is escaped that need not be.

    >>> written({"desc": "椅子", "pos": [1.0, 0.0]})
    '{"desc":"椅子","pos":[1.0,0.0]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def stream(seed: int, scene_id: str, chain: int, what: str = "") -> random.Random:
    """The random draws of one chain: from the run's seed, the room, the chain and what is drawn, nothing else."""
    return random.Random(digest(seed, scene_id, chain, what))  # noqa: S311 - choices, no secrets


def digest(*parts: str | int) -> int:
    """A number of 64 bits that rests on the parts alone, the same in every process and on every machine."""
    return int.from_bytes(sha256(json.dumps(parts).encode()).digest()[:8], "big")
