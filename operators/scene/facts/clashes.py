"""How much of a room's furniture stands in other furniture, or outside the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from operators.scene.facts.physical import outsides, overlaps
from operators.scene.facts.things import Room
from operators.scene.model.limits import OUTSIDE, OVERLAP
from operators.scene.model.scene import Scene

#: What a collision rate is a share of.
Metric = Literal["objects", "pairs"]


@dataclass(frozen=True, slots=True)
class Clashes:
    """The objects of a room, the pairs that collide, the objects in any of them, and the objects out of bounds."""

    objects: int
    pairs: int
    colliding: int
    outside: int

    def collision_rate(self, metric: Metric) -> float:
        """The share of objects that collide with another, or of pairs that do."""
        if metric == "objects":
            return self.colliding / self.objects if self.objects else 0.0
        return self.pairs / (self.objects * (self.objects - 1) / 2) if self.objects > 1 else 0.0

    @property
    def oob_rate(self) -> float:
        """The share of objects out of bounds."""
        return self.outside / self.objects if self.objects else 0.0


def clashes(scene: Scene, *, tolerance: float = OVERLAP, outside_tolerance: float = OUTSIDE) -> Clashes:
    """What collides in a room, and what is out of bounds, as the fact sheet tells it.

    Two objects collide if one must be pushed ``tolerance`` metres or more, in any direction, to be clear of the other,
    and does not rightly stand there, as a chair under a table or a lamp on it does. An object is out of bounds if the
    share ``outside_tolerance`` of its footprint, or more, is.

    >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
    >>> def cube(x): return {"desc": "cube", "jid": str(x), "pos": [x, 0, 1], "size": [1, 1, 1], "rot": [0, 0, 0, 1]}
    >>> room = {"bounds_bottom": corners, "bounds_top": corners, "objects": [cube(0.25), cube(1.0), cube(3.0)]}
    >>> clashes(room)
    Clashes(objects=3, pairs=1, colliding=2, outside=1)
    """
    room = Room.of(scene)
    pairs = overlaps(room, tolerance)
    colliding = {thing.jid for each in pairs for thing in (each.one, each.other)}
    return Clashes(len(room.things), len(pairs), len(colliding), len(outsides(room, outside_tolerance)))
