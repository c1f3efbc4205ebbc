"""How much of a room's furniture stands in other furniture, or outside the floor, measured with boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from operators.scene.geometry import box_of, floor_of, outside_share, overlap_depth
from operators.scene.scene import Scene, objects_of

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


def clashes(scene: Scene, *, tolerance: float = 0.0, outside_tolerance: float = 0.0) -> Clashes:
    """What collides in a room, and what is out of bounds.

    Two objects collide if one must be pushed more than ``tolerance`` metres, in any direction, to be clear of the
    other; so a rug under a table and a lamp on one do not, as lifting them by their overlap is enough. An object is
    out of bounds if more than the share ``outside_tolerance`` of its footprint is.

    >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
    >>> def cube(x): return {"pos": [x, 0.0, 1.0], "size": [1.0, 1.0, 1.0], "rot": [0.0, 0.0, 0.0, 1.0]}
    >>> room = {"bounds_bottom": corners, "bounds_top": corners, "objects": [cube(0.25), cube(1.0), cube(3.0)]}
    >>> clashes(room, tolerance=0.1)
    Clashes(objects=3, pairs=1, colliding=2, outside=1)
    """
    boxes = [box_of(each) for each in objects_of(scene)]
    floor = floor_of(scene)
    colliding, pairs = set(), 0
    for i, one in enumerate(boxes):
        for j in range(i):
            if overlap_depth(boxes[j], one) > tolerance + 1e-6:  # which is more than floats are wrong by
                pairs += 1
                colliding |= {i, j}
    outside = sum(outside_share(box, floor) > outside_tolerance + 1e-6 for box in boxes)
    return Clashes(len(boxes), pairs, len(colliding), outside)
