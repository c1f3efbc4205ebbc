"""Objects that do not belong to their room: without size or place, far outside of it, or too large for it."""

from __future__ import annotations

import math

from operators.scene.floor import Floor
from operators.scene.geometry import box_of
from operators.scene.scene import Object

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
    return f'({obj["jid"] or "no id"}, "{desc if len(desc) <= 60 else desc[:59] + "…"}")'


def _numbers(values: list[float]) -> str:
    return f"[{', '.join('no number' if math.isnan(n) else str(n) for n in values)}]"
