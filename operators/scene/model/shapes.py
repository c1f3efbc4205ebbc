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
    objects = held_objects(value)
    if objects is None or not all(isinstance(value.get(name), str) for name in ("room_type", "room_id")):
        return False
    envelope = value.get("room_envelope") if "groups" in value else value
    bounded = isinstance(envelope, Mapping) and all(
        _is_corners(envelope.get(name)) for name in ("bounds_top", "bounds_bottom")
    )
    return bounded and all(map(_is_object, objects))


def held_objects(value: Any) -> list[Any] | None:
    """The objects of a room in either form, each a mapping; None if the value holds none in this way."""
    if not isinstance(value, Mapping):
        return None
    lists = [value.get("objects")]
    if "groups" in value:
        groups = value["groups"]
        if not isinstance(groups, list):
            return None
        if not all(isinstance(each, Mapping) and isinstance(each.get("group_name"), str) for each in groups):
            return None
        lists = [each.get("objects") for each in groups]
    if not all(isinstance(each, list) for each in lists):
        return None
    objects = [each for held in lists for each in held or ()]
    return objects if all(isinstance(each, Mapping) for each in objects) else None


def _is_object(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("jid"), str)
        and isinstance(value.get("desc"), str)
        and all(is_numbers(value.get(key), length) for key, length in (("pos", 3), ("size", 3), ("rot", 4)))
        and min(value["size"]) > 0
        and any(value["rot"])
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
