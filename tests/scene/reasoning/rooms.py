"""Chains made by hand, one for each kind of thing that a turn may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from operators.scene.model.chain import Chain
from operators.scene.reasoning.turn import Turn, turns_of
from tests.scene.finished import EMPTY, FLAT, add, call

BED = {"jid": "bed", "desc": "A modern double bed with a gray cover", "size": [1.6, 0.9, 2.1]}
DESK = {"jid": "desk", "desc": "A modern white desk with two drawers", "size": [1.2, 0.75, 0.6]}
CHAIR = {"jid": "chair", "desc": "A black office chair", "size": [0.5, 0.9, 0.5]}
PLANT = {"jid": "plant", "desc": "A tall green potted plant", "size": [0.4, 1.2, 0.4]}
WEST = [0.0, 0.70711, 0.0, -0.70711]


def placed(thing: dict[str, Any], x: float, z: float, rot: Sequence[float] = tuple(FLAT)) -> dict[str, Any]:
    return {**thing, "pos": [x, 0.0, z], "rot": list(rot)}


def room(*things: dict[str, Any]) -> dict[str, Any]:
    return {**EMPTY, "objects": list(things)}


def chain_of(start: dict[str, Any], *turns: list[dict[str, Any]], puts: Sequence[dict[str, Any]] = ()) -> Chain:
    """The calls as a chain that ends; ``puts`` are what the adds and replacements put, in their order."""
    asked = [c["id"] for calls in turns for c in calls if c["name"] in ("add_object", "replace_object")]
    end = call(99, "terminate", reason="The room is furnished.")
    return Chain(start, [*turns, [end]], dict(zip(asked, puts, strict=True)))


def turn_of(start: dict[str, Any], *calls: dict[str, Any], puts: Sequence[dict[str, Any]] = ()) -> Turn:
    """The only editing turn of a chain."""
    return turns_of(chain_of(start, list(calls), puts=puts).text())[0]


#: The bed stands half a metre into the desk, and moves out of it.
OVERLAP = room(placed(BED, 0.0, -0.95), placed(DESK, 0.9, -1.7))
OUT_OF_IT = call(1, "move_object", jid="desk", new_position=[1.4, 0.0, -1.7])

TURNS = {
    "add": turn_of(room(), add(1, BED, [0.0, 0.0, -0.9]), puts=[BED]),
    "add beside": turn_of(room(placed(DESK, 0.0, -1.7)), add(1, CHAIR, [0.0, 0.0, -1.0]), puts=[CHAIR]),
    "move": turn_of(OVERLAP, OUT_OF_IT),
    "move for nothing": turn_of(
        room(placed(BED, 0.0, -0.9), placed(PLANT, 1.2, 1.2)),
        call(1, "move_object", jid="plant", new_position=[1.4, 0.0, 1.2]),
    ),
    "rotate": turn_of(
        room(placed(DESK, 0.0, -1.7), placed(CHAIR, 0.0, -0.9)),
        call(1, "rotate_object", jid="chair", new_rotation=[0.0, 1.0, 0.0, 0.0]),
    ),
    "scale": turn_of(room(placed(BED, 0.0, -0.9)), call(1, "scale_object", jid="bed", new_size=[1.76, 0.99, 2.1])),
    "replace": turn_of(
        room(placed(BED, 0.0, -0.9), placed(CHAIR, 1.5, 1.5)),
        call(1, "replace_object", jid_to_replace="chair", new_object_description=PLANT["desc"]),
        puts=[PLANT],
    ),
    "remove": turn_of(OVERLAP, call(1, "remove_object", jid="desk")),
    "end": turns_of(chain_of(OVERLAP, [OUT_OF_IT]).text())[1],
    "end with a fault": turns_of(chain_of(OVERLAP, [call(1, "move_object", jid="desk", new_position=[0.8, 0.0, -1.7])])
                                 .text())[1],
}  # fmt: skip
