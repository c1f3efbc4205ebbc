"""Small rooms for tests, as they lie in files."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

CORNERS = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]]
BOUNDS = {
    "bounds_top": [[x, 2.6, z] for x, z in CORNERS],
    "bounds_bottom": [[x, 0.0, z] for x, z in CORNERS],
}


def thing(jid: Any = "chair", x: float = 1.0, z: float = 1.0, **more: Any) -> dict[str, Any]:
    """An object of half a metre."""
    made = {"desc": "A chair", "size": [0.5, 0.5, 0.5], "pos": [x, 0.0, z], "rot": [0.0, 0.0, 0.0, 1.0], "jid": jid}
    return {**made, **more}


def a_room(*objects: Any, **more: Any) -> dict[str, Any]:
    """An SSR room of 4 by 3 metres."""
    return {**BOUNDS, "room_type": "bedroom", "room_id": "R", "objects": list(objects), **more}


def in_groups(*groups: tuple[str, list[Any]], **more: Any) -> dict[str, Any]:
    """The same room in groups, by their names."""
    made = [{"group_name": name, "group_type": "main", "objects": objects} for name, objects in groups]
    return {"room_envelope": BOUNDS, "room_type": "bedroom", "room_id": "R", "groups": made, **more}


def spread(number: int, **more: Any) -> dict[str, Any]:
    """A room with so many objects that do not touch, 0.7 metres apart."""
    return a_room(*(thing(f"j{i}", 0.3 + i % 5 * 0.7, 0.3 + i // 5 * 0.51, **more) for i in range(number)))


def wrote(path: Path, value: Any) -> Path:
    """A file with this value as JSON, or with these bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def files(*paths: Path) -> pa.Table:
    """The table that SceneReader reads."""
    return pa.table({"scene_id": [path.stem for path in paths], "scene_file": [str(path) for path in paths]})
