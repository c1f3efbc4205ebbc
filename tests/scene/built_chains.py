"""Small chains that are built by hand: a bed room furnished in the order of sizes, and worse ways to furnish it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from operators.scene.model.chain import Chain

STRAIGHT = [0.0, 0.0, 0.0, 1.0]
Call = dict[str, Any]

EMPTY: Mapping[str, Any] = {
    "room_type": "bedroom",
    "room_id": "R",
    "bounds_bottom": [[-2.5, 0.0, -2.5], [2.5, 0.0, -2.5], [2.5, 0.0, 2.5], [-2.5, 0.0, 2.5]],
    "bounds_top": [[-2.5, 2.6, -2.5], [2.5, 2.6, -2.5], [2.5, 2.6, 2.5], [-2.5, 2.6, 2.5]],
    "objects": [],
}

#: id, description, size, position: one of each band of volume, and three more.
WARDROBE = ("w", "A grey wooden wardrobe", [2.0, 2.4, 0.6], [0.0, 0.0, 2.2])
BED = ("b", "A modern white bed", [1.8, 1.0, 2.0], [0.0, 0.0, -1.5])
DESK = ("d", "A modern brown wooden desk", [1.4, 0.8, 0.6], [-1.8, 0.0, 0.5])
CHAIR = ("c", "A black metal chair", [0.5, 0.9, 0.5], [-1.8, 0.0, 1.2])
STAND = ("s", "A white nightstand", [0.5, 0.9, 0.5], [-1.8, 0.0, 1.2])
LAMP = ("l", "A black floor lamp", [0.3, 1.5, 0.3], [2.2, 0.0, -2.2])
Piece = tuple[str, str, list[float], list[float]]


class Building:
    """A chain under way; ids of calls count up."""

    def __init__(self, start: Mapping[str, Any] = EMPTY) -> None:
        self.start, self.turns, self.put = start, list[list[Call]](), dict[str, dict[str, Any]]()
        self.count = 0

    def turn(self, *calls: Call) -> Building:
        self.turns.append(list(calls))
        return self

    def add(self, piece: Piece, at: Sequence[float] | None = None) -> Call:
        jid, desc, size, pos = piece
        call = self._call("add_object", object_description=desc, position=list(at or pos), rotation=STRAIGHT, size=size)
        self.put[call["id"]] = {"jid": jid, "desc": desc, "size": size}
        return call

    def move(self, piece: Piece, to: Sequence[float] | None = None) -> Call:
        return self._call("move_object", jid=piece[0], new_position=list(to or piece[3]))

    def remove(self, piece: Piece) -> Call:
        return self._call("remove_object", jid=piece[0])

    def turned(self, piece: Piece, rotation: list[float]) -> Call:
        return self._call("rotate_object", jid=piece[0], new_rotation=rotation)

    def replace(self, piece: Piece, new: Piece) -> Call:
        call = self._call("replace_object", jid_to_replace=piece[0], new_object_description=new[1])
        self.put[call["id"]] = {"jid": new[0], "desc": new[1], "size": new[2]}
        return call

    def chain(self) -> Chain:
        return Chain(self.start, [*self.turns, [self._call("terminate", reason="done")]], self.put)

    def _call(self, name: str, **arguments: Any) -> Call:
        self.count += 1
        return {"id": f"tool_{self.count}", "name": name, "arguments": arguments}


def good() -> Chain:
    """Large furniture first, one piece a turn, each where it stays."""
    built = Building()
    for piece in (WARDROBE, BED, DESK, CHAIR, LAMP):
        built.turn(built.add(piece))
    return built.chain()


def furnished(*pieces: Piece) -> dict[str, Any]:
    """A room that has these pieces."""
    objects = [{"desc": d, "size": s, "pos": p, "rot": STRAIGHT, "jid": j} for j, d, s, p in pieces]
    return {**EMPTY, "objects": objects}
