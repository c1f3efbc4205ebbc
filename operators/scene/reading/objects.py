"""The objects of a room's file: read, and left out if they do not belong to it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from dataflow_ext.well_formed import short
from operators.scene.model.chain import ASSET
from operators.scene.model.floor import Floor
from operators.scene.model.geometry import box_of
from operators.scene.model.json_values import RoomProblems, shown
from operators.scene.model.scene import PLACEHOLDERS, Object, rounded, written


def made_id(obj: Object) -> str:
    """The id of an object that has none: made from what it is, so that two of a kind share it as they do an asset's.

    >>> made_id({"desc": "chair", "size": [0.5, 0.9, 0.5], "pos": [1.0, 0.0, 0.0]})
    'object-91e73bc5407d'
    """
    return f"object-{sha256(written([obj['desc'], obj['size']]).encode()).hexdigest()[:12]}"


def with_instance_ids(objects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects, each with a ``jid`` of its own; those that shared one have it as ``asset_jid`` as well.

    The first keeps its id, the others get ``jid__2``, ``jid__3`` and so on, never one that is there already.

    >>> with_instance_ids([{"jid": "a"}, {"jid": "b"}, {"jid": "a"}])
    [{'jid': 'a', 'asset_jid': 'a'}, {'jid': 'b'}, {'jid': 'a__2', 'asset_jid': 'a'}]
    """
    given = [each["jid"] for each in objects]
    shared = {jid for jid, count in Counter(given).items() if count > 1}
    return [
        {**each, "jid": new, ASSET: each.get(ASSET, old)} if old in shared else each
        for each, old, new in zip(objects, given, told_apart(given), strict=True)
    ]


def told_apart(names: Sequence[str]) -> list[str]:
    """The names, with ``__2``, ``__3`` and so on behind those that are there before.

    >>> told_apart(["a", "a", "a__2", "a"])
    ['a', 'a__3', 'a__2', 'a__4']
    """
    taken, used, numbers = set(names), set[str](), dict[str, int]()
    out = []
    for name in names:
        new = name
        if name in used:
            number = numbers.get(name, 1) + 1
            while (new := f"{name}__{number}") in taken:
                number += 1
            numbers[name] = number
            taken.add(new)
        used.add(name)
        out.append(new)
    return out


#: No length in metres reaches this; the least that a side of an object measures.
LARGEST, SMALLEST = 1e6, 0.01
#: Metres below the floor or above the ceiling that sources are wrong by.
_SLACK = 0.1
#: How many times the room an object may measure.
_TIMES = 2


def unusable(obj: Object) -> str | None:
    """Why nothing can be done with an object: it has no size, or no place; None if it has both.

    >>> unusable({"desc": "A chair", "jid": "c", "size": [0.5, 0.0, 0.5], "pos": [0.0, 0.0, 0.0]})
    '(c, "A chair"): its size is [0.5, 0.0, 0.5]'
    """
    size, pos = obj["size"], obj["pos"]
    if not all(number > 0 for number in size):
        why = f"its size is {_numbers(size)}" if not all(map(math.isnan, size)) else "it has no size"
    elif any(map(math.isnan, pos)):
        why = f"its position is {_numbers(pos)}" if not all(map(math.isnan, pos)) else "it has no position"
    else:
        return None
    return f"{_called(obj)}: {why}"


def junk_of(obj: Object, floor: Floor, far: float) -> str | None:
    """Why an object is not of this room; None if it is.

    It is not if its middle is more than ``far`` metres outside the bounds of the floor, if it lies wholly below the
    floor or above the ceiling, or if it measures more than twice what the room does.
    """
    box = box_of(obj)
    x0, z0, x1, z1 = floor.bounds
    away = math.hypot(max(x0 - box.x, 0.0, box.x - x1), max(z0 - box.z, 0.0, box.z - z1))
    width, height, depth = obj["size"]
    if away > far:
        why = f"its middle is {away:.2f} m outside the room"
    elif box.high < floor.level - _SLACK:
        why = f"it lies wholly below the floor, its top {floor.level - box.high:.2f} m"
    elif box.low > (ceiling := floor.level + floor.height) + _SLACK:
        why = f"it lies wholly above the ceiling, its bottom {box.low - ceiling:.2f} m"
    elif max(width, depth) > _TIMES * max(x1 - x0, z1 - z0) or height > _TIMES * floor.height:
        why = f"its size {_numbers(obj['size'])} is more than twice the room's"
    else:
        return None
    return f"{_called(obj)}: {why}"


def _called(obj: Object) -> str:
    desc = " ".join(str(obj["desc"]).split())
    return f'({obj["jid"] or "no id"}, "{short(desc, 60)}")'


def _numbers(values: list[float]) -> str:
    return f"[{', '.join('no number' if math.isnan(n) else str(n) for n in values)}]"


_MOST_CORNERS = 100
#: A quaternion whose length is farther from 1 is no rotation as it stands.
_UNIT = 0.01
#: What an object is called that has no description.
NAMELESS = "object"

_KNOWN = ("desc", "size", "pos", "rot", "jid")


def object_of(value: Any, path: str, problems: RoomProblems) -> dict[str, Any]:
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


def corners_of(holder: Mapping[str, Any], key: str, path: str, problems: RoomProblems) -> list[list[float]]:
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


def _desc(value: Any, path: str, problems: RoomProblems) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if value is None or isinstance(value, str):
        problems.told.append(f"{path}.desc: there is none; it is now {NAMELESS!r}")
    else:
        problems.wrong(f"{path}.desc", f"a text is wanted, this is {shown(value)}")
    return NAMELESS


def _measures(holder: Mapping[str, Any], key: str, path: str, problems: RoomProblems) -> list[float]:
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


def _rotation(value: Any, path: str, problems: RoomProblems) -> list[float]:
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


def _jid(value: Any, made: Mapping[str, Any], path: str, problems: RoomProblems) -> str:
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
