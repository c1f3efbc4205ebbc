"""One object, and one outline, of a room that is read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from operators.scene.chain import ASSET
from operators.scene.instance_ids import made_id
from operators.scene.junk import LARGEST, SMALLEST
from operators.scene.scene import PLACEHOLDERS, rounded
from operators.scene.strict_json import Problems, shown

_MOST_CORNERS = 100
#: A quaternion whose length is farther from 1 is no rotation as it stands.
_UNIT = 0.01
#: What an object is called that has no description.
NAMELESS = "object"

_KNOWN = ("desc", "size", "pos", "rot", "jid")


def object_of(value: Any, path: str, problems: Problems) -> dict[str, Any]:
    """An object in the order and with the digits of the format; what is wrong is noted.

    Its ``size`` or ``pos`` holds nan where there is no usable number.
    """
    if not isinstance(value, dict):
        problems.wrong(path, f"an object is wanted, this is {shown(value)}")
        return {}
    made: dict[str, Any] = {
        "desc": _desc(value.get("desc"), path, problems),
        "size": _measures(value, "size", path, problems),
        "pos": _measures(value, "pos", path, problems),
        "rot": _rotation(value.get("rot"), f"{path}.rot", problems),
    }
    made["jid"] = _jid(value.get("jid"), made, path, problems)
    if not isinstance(value.get(ASSET, ""), str):
        problems.wrong(f"{path}.{ASSET}", f"a text is wanted, this is {shown(value[ASSET])}")
    if "group_type" in value:
        problems.wrong(f"{path}.group_type", "it is a key of groups, not of objects; call it otherwise")
    return {**made, **{key: each for key, each in value.items() if key not in _KNOWN}}


def corners_of(holder: Mapping[str, Any], key: str, path: str, problems: Problems) -> list[list[float]]:
    """The corners of an outline, rounded as positions are; an outline that returns to its first corner ends before."""
    value, path = holder.get(key), f"{path}.{key}"
    if value is None:
        problems.wrong(path, "it is missing; it stands beside objects, or, in a room with groups, in room_envelope")
        return []
    if not isinstance(value, list) or not 3 <= len(value) <= _MOST_CORNERS:
        problems.wrong(path, f"a list of 3 to {_MOST_CORNERS:,} corners is wanted, this is {shown(value)}")
        return []
    corners = []
    for i, corner in enumerate(value):
        if not _is_numbers(corner, 3) or not all(abs(number) < LARGEST for number in corner):
            problems.wrong(f"{path}[{i}]", f"three numbers in metres are wanted, this is {_numbers_shown(corner)}")
            return []
        corners.append(rounded(corner, "pos"))
    if len(corners) > 3 and corners[0] == corners[-1]:
        corners.pop()
    return corners


def _desc(value: Any, path: str, problems: Problems) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if value is None or isinstance(value, str):
        problems.told.append(f"{path}.desc: there is none; it is now {NAMELESS!r}")
    else:
        problems.wrong(f"{path}.desc", f"a text is wanted, this is {shown(value)}")
    return NAMELESS


def _measures(holder: Mapping[str, Any], key: str, path: str, problems: Problems) -> list[float]:
    """Three rounded lengths; nan for those that are null, no number, or too large for any room."""
    value = holder.get(key)
    if value is None:
        return [math.nan] * 3
    filled = [math.nan if each is None else each for each in value] if isinstance(value, list) else value
    if not _is_numbers(filled, 3):
        problems.wrong(f"{path}.{key}", f"three numbers in metres are wanted, this is {_numbers_shown(value)}")
        return [math.nan] * 3
    numbers = rounded([n if abs(n) < LARGEST else math.nan for n in filled], key)
    if key == "size":  # what is there at all is not rounded away
        return [SMALLEST if n < SMALLEST and given > 0 else n for n, given in zip(numbers, filled, strict=True)]
    return numbers


def _rotation(value: Any, path: str, problems: Problems) -> list[float]:
    """A unit quaternion."""
    if not _is_numbers(value, 4) or not all(map(math.isfinite, value)):
        problems.wrong(path, f"a quaternion of four numbers is wanted, this is {_numbers_shown(value)}")
        return [0.0, 0.0, 0.0, 1.0]
    numbers = rounded(value, "rot")
    length = math.hypot(*numbers)
    if not length:
        problems.told.append(f"{path}: a quaternion of length 0 is no rotation; it is now [0, 0, 0, 1]")
        return [0.0, 0.0, 0.0, 1.0]
    if abs(length - 1) <= _UNIT:
        return numbers
    problems.told.append(f"{path}: a quaternion of length {length:.3g} is no rotation; it is now of length 1")
    return rounded([number / length for number in numbers], "rot")


def _jid(value: Any, made: Mapping[str, Any], path: str, problems: Problems) -> str:
    if isinstance(value, str) and value.strip() and value not in PLACEHOLDERS:
        return value
    if value is not None and not isinstance(value, str):
        problems.wrong(f"{path}.jid", f"a text is wanted, this is {shown(value)}")
        return ""
    if any(map(math.isnan, made["size"])):
        return ""
    problems.told.append(f"{path}.jid: there is none; it is now made from what the object is")
    return made_id(made)


def _is_numbers(value: Any, length: int) -> bool:
    """Whether a value is a list of so many numbers that Python can reckon with."""
    return (
        isinstance(value, list)
        and len(value) == length
        and all(type(n) is float or (type(n) is int and abs(n) < 10**300) for n in value)
    )


def _numbers_shown(value: Any) -> str:
    if isinstance(value, list) and len(value) <= 4:
        return f"[{', '.join(map(shown, value))}]"
    return "missing" if value is None else shown(value)
