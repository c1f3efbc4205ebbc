"""Synthetic rooms as files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal

from dataflow_ext.errors import InputError
from examples.made_rooms.dirt import dirtied
from examples.made_rooms.room import synthetic_room
from operators.scene.model.scene import stream


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
