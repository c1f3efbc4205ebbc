"""What a value read from a file has to be before anything is done with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_value(text: str) -> Any:
    """The value of JSON text; None if it is none, or tells a key twice or a number that is none."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise ValueError("a key stands twice")
        return made

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no number")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def is_scene(value: Any) -> bool:
    """Whether a value has the parts of a room that everything rests on."""
    if not isinstance(value, Mapping):
        return False
    if "groups" in value:
        groups = value["groups"]
        if not isinstance(groups, list) or not all(
            isinstance(g, Mapping) and isinstance(g.get("group_name"), str) and isinstance(g.get("objects"), list)
            for g in groups
        ):
            return False
        objects: Any = [each for group in groups for each in group["objects"]]
        envelope: Any = value.get("room_envelope")
    else:
        objects, envelope = value.get("objects"), value
    if not isinstance(objects, list) or not isinstance(envelope, Mapping):
        return False
    return all(_is_corners(envelope.get(name)) for name in ("bounds_top", "bounds_bottom")) and all(
        isinstance(each, Mapping)
        and isinstance(each.get("jid"), str)
        and isinstance(each.get("desc"), str)
        and all(is_numbers(each.get(key), length) for key, length in (("pos", 3), ("size", 3), ("rot", 4)))
        for each in objects
    )


def _is_corners(value: Any) -> bool:
    return isinstance(value, list) and len(value) >= 3 and all(is_numbers(each, 3) for each in value)


def is_numbers(value: Any, length: int) -> bool:
    """Whether a value is a list of so many numbers, none of them nan or out of all bounds."""
    return (
        isinstance(value, list)
        and len(value) == length
        and all(isinstance(n, (int, float)) and not isinstance(n, bool) and abs(n) < 1e6 for n in value)
    )
