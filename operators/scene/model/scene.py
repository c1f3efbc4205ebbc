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
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from dataflow_ext import RowError

#: A room, or one of its objects; never changed in place.
Scene = Mapping[str, Any]
Object = Mapping[str, Any]

#: The group of an added object whose call names none.
DEFAULT_GROUP = "objects"

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


def by_id(scene: Scene) -> dict[str, Object]:
    """All objects of a room by their ids, in their order.

    >>> by_id({"objects": [{"jid": "a"}]})
    {'a': {'jid': 'a'}}
    """
    return {each["jid"]: each for each in objects_of(scene)}


def with_objects(scene: Scene, change: Callable[[Sequence[Object]], list[Any]]) -> dict[str, Any]:
    """The room with what ``change`` makes of each list of its objects.

    >>> with_objects({"room_id": "R", "objects": [{"jid": "a"}, {"jid": "b"}]}, lambda objects: list(objects[:1]))
    {'room_id': 'R', 'objects': [{'jid': 'a'}]}
    """
    if "groups" not in scene:
        return {**scene, "objects": change(scene["objects"])}
    return {**scene, "groups": [{**group, "objects": change(group["objects"])} for group in scene["groups"]]}


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


#: The key of an SSR room that tells its groups: each with the number of its objects in place of them.
LAYOUT = "groups_layout"

_BOUNDS = ("bounds_top", "bounds_bottom")
_ENVELOPE = "room_envelope"


class FormError(RowError):
    """A room that has no other form: it is not of one of the two, or what it tells of its groups does not fit."""


def to_ssr(scene: Scene) -> dict[str, Any]:
    """The room as SSR; ``to_groups`` makes the same Groups room of it again. An SSR room comes out as it is.

    Keys beyond the format are kept where they are. Groups are kept as ``groups_layout``, unless they are just one
    that is called ``objects`` and has no type, or there are none. Raises :class:`FormError`.

    >>> envelope = {"bounds_top": [], "bounds_bottom": []}
    >>> beds = {"group_name": "beds", "group_type": "sleep", "objects": [{"jid": "a"}]}
    >>> to_ssr({"room_envelope": envelope, "groups": [beds]})  # doctest: +NORMALIZE_WHITESPACE
    {'bounds_top': [], 'bounds_bottom': [], 'objects': [{'jid': 'a'}],
     'groups_layout': [{'group_name': 'beds', 'group_type': 'sleep', 'objects': 1}]}
    """
    if not _is_groups(scene):
        return dict(scene)
    out: dict[str, Any] = {}
    for key, value in scene.items():
        if key == _ENVELOPE:
            out |= _unwrapped(value)
        elif key == "groups":
            groups = _lists_of_objects(value)
            out["objects"] = [each for group in groups for each in group["objects"]]
            layout = [{k: len(v) if k == "objects" else v for k, v in group.items()} for group in groups]
            if layout != default_layout(len(out["objects"])):
                out[LAYOUT] = layout
        else:
            out[key] = value
    return out


def to_groups(scene: Scene) -> dict[str, Any]:
    """The room as Groups; ``to_ssr`` makes the same SSR room of it again. A Groups room comes out as it is.

    Without ``groups_layout`` all objects are in one group, called ``objects``, without a type. Raises
    :class:`FormError`, as for counts that do not add up to the number of objects.

    >>> room = {"bounds_top": [], "bounds_bottom": [], "objects": [{"jid": "a"}]}
    >>> to_groups(room)  # doctest: +NORMALIZE_WHITESPACE
    {'room_envelope': {'bounds_top': [], 'bounds_bottom': []},
     'groups': [{'group_name': 'objects', 'group_type': '', 'objects': [{'jid': 'a'}]}]}
    >>> to_ssr(to_groups(room)) == room
    True
    """
    if _is_groups(scene):
        return dict(scene)
    objects = scene["objects"]
    layout = _layout(scene) if LAYOUT in scene else default_layout(len(objects))
    envelope = {key: scene[key] for key in scene if key in _BOUNDS} | dict(scene.get(_ENVELOPE, {}))
    out: dict[str, Any] = {}
    for key, value in scene.items():
        if key in (*_BOUNDS, _ENVELOPE):
            out.setdefault(_ENVELOPE, envelope)
        elif key == "objects":
            out["groups"] = _grouped(objects, layout)
        elif key != LAYOUT:
            out[key] = value
    return out


def default_layout(objects: int) -> list[dict[str, Any]]:
    """The groups of an SSR room that tells none: one for all its objects, none if it is empty.

    >>> default_layout(3)
    [{'group_name': 'objects', 'group_type': '', 'objects': 3}]
    """
    return [{"group_name": DEFAULT_GROUP, "group_type": "", "objects": objects}] if objects else []


def _is_groups(scene: Scene) -> bool:
    """Whether a room is of the Groups form, and no key stands where the other form has its own; else FormError."""
    if ("groups" in scene) == ("objects" in scene):
        what = "both objects and groups" if "groups" in scene else "neither objects nor groups"
        raise FormError(f"The room has {what}; an SSR room has the one, a Groups room the other.")
    if "groups" not in scene:
        rest = scene.get(_ENVELOPE, {None: None})
        wrong = [key for key in _BOUNDS if key not in scene]
        if wrong:
            raise FormError(f"The SSR room has no {wrong[0]}.")
        if not isinstance(scene["objects"], Sequence) or isinstance(scene["objects"], str):
            raise FormError("objects of the room is no list.")
        if not isinstance(rest, Mapping) or not rest or any(key in rest for key in _BOUNDS):
            raise FormError(
                "The SSR room has bounds of its own, so that its room_envelope holds no others; leave it out."
            )
        return False
    for key in (*_BOUNDS, LAYOUT):
        if key in scene:
            raise FormError(f"The Groups room has a key {key}, which belongs to an SSR room; leave it out.")
    if _ENVELOPE not in scene:
        raise FormError("The Groups room has no room_envelope.")
    return True


def _unwrapped(envelope: Any) -> dict[str, Any]:
    """The bounds out of an envelope; what else it has stays in one."""
    if not isinstance(envelope, Mapping) or any(key not in envelope for key in _BOUNDS):
        raise FormError("room_envelope is to be an object with bounds_top and bounds_bottom.")
    rest = {key: value for key, value in envelope.items() if key not in _BOUNDS}
    bounds = {key: value for key, value in envelope.items() if key in _BOUNDS}
    return {**bounds, _ENVELOPE: rest} if rest else bounds


def _lists_of_objects(groups: Any) -> list[Mapping[str, Any]]:
    if not isinstance(groups, Sequence) or isinstance(groups, str):
        raise FormError("groups of the room is no list.")
    for i, group in enumerate(groups):
        if not isinstance(group, Mapping) or not isinstance(group.get("objects"), list):
            raise FormError(f"groups[{i}] is to be an object with a list of objects.")
    return list(groups)


def _layout(scene: Scene) -> list[Mapping[str, Any]]:
    """The groups that an SSR room tells, if they are as many objects as it has, and not the ones it has anyway."""
    layout, number = scene[LAYOUT], len(scene["objects"])
    if not isinstance(layout, list):
        raise FormError(f"{LAYOUT} is no list.")
    for i, group in enumerate(layout):
        count = group.get("objects") if isinstance(group, Mapping) else None
        if type(count) is not int or count < 0:
            raise FormError(f"{LAYOUT}[{i}] is to be an object, its objects a whole number from 0.")
    if (told := sum(group["objects"] for group in layout)) != number:
        raise FormError(
            f"{LAYOUT} tells of {told} objects, but the room has {number}; correct the counts, or leave {LAYOUT} out."
        )
    if layout == default_layout(number):
        raise FormError(f"{LAYOUT} tells of the groups that the room has without it; leave it out.")
    return layout


def _grouped(objects: Sequence[Any], layout: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    groups, at = [], 0
    for group in layout:
        count = group["objects"]
        part = list(objects[at : at + count])
        groups.append({key: part if key == "objects" else value for key, value in group.items()})
        at += count
    return groups
