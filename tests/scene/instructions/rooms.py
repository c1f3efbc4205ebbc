"""Rooms for instructions: one with all sorts of furniture, and odd ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STRAIGHT = [0.0, 0.0, 0.0, 1.0]


def room(*things: tuple[str, list[float], list[float]], room_type: Any = "bedroom") -> dict[str, Any]:
    """A room of 5 by 5 metres with things: description, size, position."""
    return {
        "room_type": room_type,
        "room_id": "R",
        "bounds_bottom": [[-2.5, 0.0, -2.5], [2.5, 0.0, -2.5], [2.5, 0.0, 2.5], [-2.5, 0.0, 2.5]],
        "bounds_top": [[-2.5, 2.6, -2.5], [2.5, 2.6, -2.5], [2.5, 2.6, 2.5], [-2.5, 2.6, 2.5]],
        "objects": [
            {"desc": desc, "size": size, "pos": pos, "rot": STRAIGHT, "jid": f"7b3c-{n}"}
            for n, (desc, size, pos) in enumerate(things, 1)
        ],
    }


STAND = ("A modern grey nightstand with a drawer", [0.5, 0.5, 0.4])
BEDROOM: Mapping[str, Any] = room(
    ("A modern white bed with a fabric headboard", [1.8, 1.0, 2.0], [0.0, 0.0, -1.48]),
    (*STAND, [-1.2, 0.0, -2.2]),
    (*STAND, [1.2, 0.0, -2.2]),
    ("Modern oak wardrobe with sliding doors", [2.0, 2.4, 0.6], [0.0, 0.0, 2.18]),
    ("A minimalist armchair in beige fabric with a matching ottoman", [0.8, 0.9, 0.8], [1.9, 0.0, 0.5]),
    ("A modern pendant lamp of black metal", [0.5, 0.6, 0.5], [0.0, 1.9, -1.4]),
    ("A potted plant with green leaves", [0.5, 1.2, 0.5], [-2.2, 0.0, 0.0]),
)
DINING: Mapping[str, Any] = room(
    ("A round wooden dining table", [1.2, 0.75, 1.2], [0.0, 0.0, 0.0]),
    *(("An industrial dining chair with a metal frame", [0.4, 0.9, 0.4], [x, 0.0, z])
      for x, z in ((0.9, 0.0), (-0.9, 0.0), (0.0, 0.9), (0.0, -0.9))),
    ("A black floor lamp", [0.3, 1.6, 0.3], [2.2, 0.0, 2.2]),
    room_type="diningroom",
)  # fmt: skip
CHINESE: Mapping[str, Any] = room(
    ("现代简约灰色布艺双人床", [1.8, 1.0, 2.0], [0.0, 0.0, -1.4]),
    ("白色木质床头柜，带抽屉", [0.5, 0.5, 0.4], [-1.2, 0.0, -2.2]),
    ("北欧风格落地灯", [0.4, 1.6, 0.4], [2.0, 0.0, 2.0]),
)
#: Nothing in it has a known name.
NAMELESS: Mapping[str, Any] = room(("", [1.0, 1.0, 1.0], [0.0] * 3), ("Zxqv 9!", [0.0] * 3, [0.0] * 3), room_type=None)
ODD: Mapping[str, Any] = room(
    ("\u202eA chair\u0000 <b>&{{x}}" * 40, [0.0, 0.0, 0.0], [99.0, -3.0, 0.0]), room_type="<script>{room}"
)
CROWD: Mapping[str, Any] = room(*[("A small wooden chair", [0.4, 0.9, 0.4], [0.0, 0.0, 0.0])] * 200, room_type="other")
ALL = {"bedroom": BEDROOM, "dining": DINING, "chinese": CHINESE, "nameless": NAMELESS, "odd": ODD, "crowd": CROWD}
