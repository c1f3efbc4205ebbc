"""A room that is being furnished: pieces are put where they fit, and nowhere else."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from operators.scene.editing.catalogue import Asset, catalogue
from operators.scene.model.floor import Floor, Wall
from operators.scene.model.geometry import Box, box_of, outside_share, overlap_depth
from operators.scene.model.kinds import kind_of
from operators.scene.model.scene import Object, rounded

#: Metres between a piece and the wall behind it, and between pieces that stand beside each other.
GAP = 0.02
#: The most objects that a room gets.
MOST = 35

#: Least and greatest width and depth of a room, in metres.
_SIDES = {
    "bedroom": ((3.2, 5.0), (3.4, 4.8)),
    "livingroom": ((4.4, 6.6), (4.0, 6.0)),
    "diningroom": ((3.4, 4.8), (3.4, 4.6)),
    "office": ((3.0, 4.6), (3.0, 4.4)),
    "kitchen": ((3.4, 5.2), (3.2, 4.6)),
    "other": ((2.6, 4.4), (2.8, 4.2)),
}
_CEILINGS = (2.6, 2.7, 2.8, 2.9)


@dataclass(slots=True)
class Placed:
    """A piece in its place, with its group and what is known of it."""

    obj: Object
    box: Box
    noun: str
    group: str
    yaw: float

    @property
    def size(self) -> Sequence[float]:
        """Width, height and depth."""
        size: Sequence[float] = self.obj["size"]
        return size

    def before(self, ahead: float, aside: float = 0.0) -> tuple[float, float]:
        """The point so far in front of its middle, and to its left as it looks."""
        (fx, fz), box = self.box.front, self.box
        return box.x + ahead * fx + aside * fz, box.z + ahead * fz - aside * fx


@dataclass(slots=True)
class Builder:
    """Puts pieces into a room. What is put lies wholly in the room and overlaps nothing; what does not fit is left out.

    ``free`` are places on the floor that have to stay empty, such as that before a wardrobe.
    """

    floor: Floor
    rng: random.Random
    style: str
    placed: list[Placed] = field(default_factory=list)
    free: list[Box] = field(default_factory=list)

    def pick(self, *nouns: str, fits: Callable[[Asset], bool] = lambda _: True) -> Asset | None:
        """A piece of one of the nouns, more likely one of the room's style."""
        found = [each for each in _pieces(nouns) if fits(each)]
        styled = [each for each in found if self.style in each.desc]
        if styled and self.rng.random() < 0.7:
            found = styled
        return self.rng.choice(found) if found else None

    def put(
        self, asset: Asset, x: float, z: float, yaw: float, group: str, *, y: float = 0.0, clear: float = 0.0
    ) -> Placed | None:
        """The piece with its middle there, turned by ``yaw`` degrees; None if it does not fit.

        What stands on the floor where a rug lies stands on the rug. ``clear`` are metres to be kept free before it.
        """
        noun = kind_of(asset.desc).noun
        if len(self.placed) >= MOST:
            return None
        if y == 0.0 and noun not in ("rug", "mat"):
            y = self._rug_height(_object(asset, x, 0.0, z, yaw))
        obj = _object(asset, x, y, z, yaw)
        box = box_of(obj)
        ceiling = self.floor.height
        if box.high > ceiling + 1e-6 or outside_share(box, self.floor) > 0 or not self._is_free(box):
            return None
        one = Placed(obj, box, noun, group, yaw)
        if clear:
            zone = self.zone(one, clear)
            if outside_share(zone, self.floor) > 0.3 or any(self._blocks(each, zone) for each in self.placed):
                return None
            self.free.append(zone)
        self.placed.append(one)
        return one

    def at_wall(
        self, asset: Asset, group: str, *, walls: Sequence[Wall] | None = None, places: Sequence[float] = (),
        y: float = 0.0, clear: float = 0.0,
    ) -> Placed | None:  # fmt: skip
        """The piece with its back to a wall, looking into the room, at the first place along it that is free.

        ``places`` are shares of the way along the wall; without any, some are drawn.
        """
        wide, _, deep = asset.size
        if walls is None:
            walls = self.rng.sample(self.floor.walls, len(self.floor.walls))
        for wall in walls:
            room = wall.length - wide - 2 * GAP
            if room < 0:
                continue
            for share in places or [self.rng.choice((0.0, 1.0)), self.rng.random(), self.rng.random(), 0.5, 0.0, 1.0]:
                x, z = _along(wall, GAP + wide / 2 + share * room, deep / 2 + GAP)
                if put := self.put(asset, x, z, yaw_from(wall), group, y=y, clear=clear):
                    return put
        return None

    def on_top(self, asset: Asset, below: Placed, aside: float = 0.0, ahead: float = 0.0, turn: float = 0.0) -> bool:
        """Put the piece on another; ``aside`` and ``ahead`` run from -1 to 1 over what room its top has for it."""
        wide, _, deep = asset.size
        rest_x, rest_z = (below.size[0] - wide) / 2 - 0.02, (below.size[2] - deep) / 2 - 0.02
        if rest_x < 0 or rest_z < 0:
            return False
        x, z = below.before(ahead * rest_z, aside * rest_x)
        top = round(float(below.obj["pos"][1]) + below.size[1], 2)
        return self.put(asset, x, z, below.yaw + turn, below.group, y=top) is not None

    def hang(self, asset: Asset, x: float, z: float, group: str, yaw: float = 0.0) -> bool:
        """Hang the piece from the ceiling."""
        return self.put(asset, x, z, yaw, group, y=round(self.floor.height - asset.size[1], 2)) is not None

    def in_corner(self, asset: Asset, group: str, *, turned: bool = True) -> Placed | None:
        """The piece in a corner of the room, looking towards its middle if it is ``turned``."""
        wide, _, deep = asset.size
        # Turned by 45 degrees a piece reaches this far along both walls.
        off = ((wide + deep) / 2 * math.sqrt(0.5) if turned else max(wide, deep) / 2) + 0.05
        corners = [(wall.start, wall.out, self.floor.walls[i - 1].out) for i, wall in enumerate(self.floor.walls)]
        for (x, z), (ax, az), (bx, bz) in self.rng.sample(corners, len(corners)):
            inward = (-ax - bx, -az - bz)
            if self.floor.contains(x + 0.01 * (bx - ax), z + 0.01 * (bz - az)):
                continue  # a corner of the wall, not of the room
            yaw = math.degrees(math.atan2(*inward)) if turned else yaw_from(self.floor.walls[0])
            if put := self.put(asset, x + off * inward[0], z + off * inward[1], yaw, group):
                return put
        return None

    def anywhere(self, asset: Asset, group: str) -> Placed | None:
        """The piece somewhere on the floor, turned by chance."""
        x0, z0, x1, z1 = self.floor.bounds
        for _ in range(20):
            x, z = self.rng.uniform(x0, x1), self.rng.uniform(z0, z1)
            if put := self.put(asset, x, z, self.rng.choice((0.0, 45.0, 90.0, 135.0, 180.0)), group):
                return put
        return None

    def is_open(self, x: float, z: float, size: tuple[float, float], yaw: float) -> bool:
        """Whether so large a part of the floor is free; rugs do not count."""
        box = _area(x, z, size, yaw)
        return not outside_share(box, self.floor) and self._is_free(box)

    def around(self, one: Placed, margin: float) -> Box:
        """The floor on which a piece stands, with so many metres on each side."""
        size = (one.size[0] + 2 * margin, one.size[2] + 2 * margin)
        return _area(one.box.x, one.box.z, size, one.yaw)

    def zone(self, one: Placed, ahead: float) -> Box:
        """The floor before a piece, as wide as it is; what is before it, if it hangs on a wall."""
        x, z = one.before(one.box.deep + ahead / 2 + 0.01)
        hangs = one.box.low > 0.5
        size = [one.size[0], one.size[1] if hangs else 0.5, ahead]
        return box_of({"pos": [x, one.box.low if hangs else 0.03, z], "size": size, "rot": one.obj["rot"]})

    def take_back(self, one: Placed) -> None:
        """Take a piece out again on which nothing stands."""
        self.placed.remove(one)

    def _rug_height(self, obj: Object) -> float:
        box = box_of(obj)
        rugs = [each for each in self.placed if each.noun in ("rug", "mat")]
        return max((each.size[1] for each in rugs if overlap_depth(box, each.box)), default=0.0)

    def _is_free(self, box: Box) -> bool:
        if any(overlap_depth(box, each.box) for each in self.placed):
            return False
        return not any(overlap_depth(box, zone) for zone in self.free)

    @staticmethod
    def _blocks(each: Placed, zone: Box) -> bool:
        return overlap_depth(each.box, zone) > 0


def _area(x: float, z: float, size: tuple[float, float], yaw: float) -> Box:
    half = math.radians(yaw) / 2
    return box_of({"pos": [x, 0.03, z], "size": [size[0], 1.0, size[1]],
                   "rot": [0.0, math.sin(half), 0.0, math.cos(half)]})  # fmt: skip


def yaw_from(wall: Wall) -> float:
    """The degrees that a piece is turned which has its back to the wall."""
    return math.degrees(math.atan2(-wall.out[0], -wall.out[1]))


def _along(wall: Wall, way: float, off: float) -> tuple[float, float]:
    """The point so far along the wall, and so far off it."""
    (sx, sz), (ex, ez) = wall.start, wall.end
    x, z = sx + (ex - sx) * way / wall.length, sz + (ez - sz) * way / wall.length
    return x - wall.out[0] * off, z - wall.out[1] * off


def _object(asset: Asset, x: float, y: float, z: float, yaw: float) -> Object:
    half = math.radians((yaw + 180) % 360 - 180) / 2
    return {
        "desc": asset.desc,
        "size": list(asset.size),
        "pos": rounded([x, y, z], "pos"),
        "rot": rounded([0.0, math.sin(half), 0.0, math.cos(half)], "rot"),
        "jid": asset.jid,
    }


def _pieces(nouns: Sequence[str]) -> list[Asset]:
    return [each for noun in nouns for each in catalogue().of_noun(noun)]


def bounds(room: str, rng: random.Random, *, roomy: float = 1.0) -> dict[str, Any]:
    """``bounds_top`` and ``bounds_bottom`` of a room of this type; three in ten floors lack a corner."""
    (least_w, most_w), (least_d, most_d) = _SIDES[room]
    wide = round(rng.uniform(least_w, most_w) * roomy, 1)
    deep = round(rng.uniform(least_d, most_d) * roomy, 1)
    height = rng.choice(_CEILINGS)
    x, z = round(wide / 2, 2), round(deep / 2, 2)
    corners = [(-x, z), (x, z), (x, -z), (-x, -z)]
    if rng.random() < 0.3:
        corners = _without_corner(corners, rng.randrange(4), rng)
    return {
        "bounds_top": [[px, height, pz] for px, pz in corners],
        "bounds_bottom": [[px, 0.0, pz] for px, pz in corners],
    }


def _without_corner(corners: list[tuple[float, float]], which: int, rng: random.Random) -> list[tuple[float, float]]:
    """The corners with one of them cut out as a rectangle."""
    x, z = corners[which]
    inner_x = round(x - x * rng.uniform(0.4, 0.75), 2)
    inner_z = round(z - z * rng.uniform(0.4, 0.75), 2)
    # Corners with an even number are reached along z, the others along x.
    before, after = ((x, inner_z), (inner_x, z)) if which % 2 == 0 else ((inner_x, z), (x, inner_z))
    return [*corners[:which], before, (inner_x, inner_z), after, *corners[which + 1 :]]
