"""Small rooms for tests of editing: in both forms, with what real rooms have."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import strategies as st

DESCS = (
    "A modern grey three-seat sofa.",
    "A dark oak wardrobe with sliding doors.",
    "A small white nightstand with one drawer.",
    "A brown wooden dining chair.",
    "A black pendant lamp.",
    "An abstract painting in blue.",
    "现代简约木椅",
    "Something nobody has a name for {yet}?",
)
SIZES = ([2.0, 0.8, 0.9], [1.6, 2.2, 0.6], [0.45, 0.5, 0.4], [0.44, 0.9, 0.5], [0.3, 0.05, 0.31], [3.0, 1.0, 2.0])
RECTANGLE = [[-2.5, 2.0], [2.5, 2.0], [2.5, -2.0], [-2.5, -2.0]]
L_SHAPE = [[-2.5, 2.0], [2.5, 2.0], [2.5, 0.1], [0.4, 0.1], [0.4, -2.0], [-2.5, -2.0]]


def thing(number: int, desc: str, size: list[float], x: float = 0.0, z: float = 0.0, degrees: float = 0.0, **more: Any):
    """An object, turned by so many degrees."""
    half = math.radians(degrees) / 2
    rot = [0.0, round(math.sin(half), 5) + 0.0, 0.0, round(math.cos(half), 5) + 0.0]
    return {
        "desc": desc,
        "size": size,
        "pos": [round(x, 2) + 0.0, 0.0, round(z, 2) + 0.0],
        "rot": rot,
        "jid": f"o{number}",
        **more,
    }


def ssr(objects: list[dict[str, Any]], floor: list[list[float]] = RECTANGLE, room_type: str = "bedroom"):
    """A room in SSR form."""
    bottom, top = ([[x, y, z] for x, z in floor] for y in (0.0, 2.6))
    return {"bounds_top": top, "bounds_bottom": bottom, "room_type": room_type, "room_id": "r", "objects": objects}


def groups(room: dict[str, Any], *names: str) -> dict[str, Any]:
    """The room in Groups form, its objects dealt out to the groups."""
    dealt = {name: room["objects"][i :: len(names)] for i, name in enumerate(names)}
    return {
        "room_envelope": {key: room[key] for key in ("bounds_top", "bounds_bottom")},
        "room_type": room["room_type"],
        "room_id": room["room_id"],
        "groups": [
            {"group_name": name, "group_type": f"{name} type", "objects": objects}
            for name, objects in dealt.items()
            if objects
        ],
    }


def furnished(count: int = 8) -> dict[str, Any]:
    """A room with so many objects that stand in rows."""
    return ssr([
        thing(i, DESCS[i % 4], list(SIZES[i % 4]), -2.0 + 1.3 * (i % 4), -1.4 + 0.9 * (i // 4), 90.0 * (i % 4))
        for i in range(count)
    ])  # fmt: skip


@st.composite
def rooms(draw: st.DrawFn, least: int = 1) -> dict[str, Any]:
    """A room with up to nine objects, some of them tilted, outside, on others, or with more keys."""
    objects = []
    for number in range(draw(st.integers(least, 9))):
        size = list(draw(st.sampled_from(SIZES)))
        x, z = (draw(st.integers(-300, 300)) / 100 for _ in "xz")
        made = thing(number, draw(st.sampled_from(DESCS)), size, x, z, draw(st.sampled_from((0, 45, 90, 200))))
        made["pos"][1] = draw(st.sampled_from((0.0, 0.0, 0.0, -0.01, 0.5, 1.8)))
        if draw(st.integers(0, 4)) == 0:
            made["rot"] = [-0.03367, 0.7063, 0.03367, 0.7063]
        if draw(st.integers(0, 3)) == 0:
            made |= {"jid": f"a__{number + 2}", "asset_jid": "a"}
        if draw(st.booleans()):
            made["type"] = draw(st.sampled_from(("major", "minor")))
        objects.append(made)
    room = ssr(
        objects, draw(st.sampled_from((RECTANGLE, L_SHAPE))), draw(st.sampled_from(("bedroom", "livingroom", "?")))
    )
    return groups(room, "a", "b b", "物") if draw(st.booleans()) else room


def text(room: dict[str, Any]) -> str:
    """The room as the column ``scene`` has it."""
    return json.dumps(room, ensure_ascii=False)
