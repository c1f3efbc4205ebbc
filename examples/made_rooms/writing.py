"""Rooms as files, in English or Chinese names, some of them dirty as collected ones are."""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from dataflow_ext.errors import InputError
from examples.made_rooms.room import synthetic_room
from operators.scene.model.scene import stream

_Room = dict[str, Any]
_Change = Callable[[dict[str, Any], random.Random, float], dict[str, Any]]


def write_rooms(
    out: Path,
    count: int,
    *,
    seed: int,
    form: Literal["ssr", "groups", "mixed"] = "ssr",
    room_type: str | None = None,
    chinese: bool = False,
    dirty: bool = False,
) -> list[Path]:
    """Write ``room_0000.json`` and so on into a folder; the same arguments give the same bytes.

    ``mixed`` takes both forms in turn. ``dirty`` puts in what real rooms have: tilted quaternions, heights below the
    floor, objects without size or out of bounds. A file is written under another name and then renamed, so that none
    is ever half there.
    """
    out.mkdir(parents=True, exist_ok=True)
    if not out.is_dir():
        raise InputError(f"{out} is no folder.")
    paths = []
    for number in range(count):
        one = ("ssr", "groups")[number % 2] if form == "mixed" else form
        room: Any = synthetic_room(seed, number, room_type=room_type, form=one, chinese=chinese)
        if dirty:
            room = dirtied(room, stream(seed, f"room-{number}", 0, "dirt"))
        paths.append(_write(out / f"room_{number:04d}.json", room_text(room)))
    return paths


def room_text(room: Any) -> str:
    """The text of a room's file: JSON that a person can read, with each object on one line.

    >>> room_text({"room_id": "R", "objects": [{"jid": "a"}]})
    '{\\n "room_id": "R",\\n "objects": [\\n  {"jid": "a"}\\n ]\\n}\\n'
    """
    return _laid_out(room, 0) + "\n"


def _laid_out(value: Any, depth: int) -> str:
    inner, end = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, dict) and any(
        isinstance(each, (dict, list)) and _holds_objects(each) for each in value.values()
    ):
        parts = [f"{json.dumps(key)}: {_laid_out(each, depth + 1)}" for key, each in value.items()]
        return "{" + inner + f",{inner}".join(parts) + end + "}"
    if isinstance(value, list) and _holds_objects(value):
        return "[" + inner + f",{inner}".join(_laid_out(each, depth + 1) for each in value) + end + "]"
    return json.dumps(value, ensure_ascii=False)


def _holds_objects(value: Any) -> bool:
    """Whether it is a list of objects, or has one."""
    if isinstance(value, dict):
        return any(isinstance(each, list) and _holds_objects(each) for each in value.values())
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _write(path: Path, text: str) -> Path:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(text.encode())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path


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
