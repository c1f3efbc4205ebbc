"""An object at one time of a chain: its band of size, how fit it is for each tool, and what it stands on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from operators.scene.furniture.kinds import Kind
from operators.scene.model.geometry import Box, Floor, box_of, nearest_wall, plan_gap
from operators.scene.model.limits import AT_WALL, EXACT, FLAT, LARGE, SMALL, TOUCH
from operators.scene.model.scene import Object

#: Where in a chain, from 0 (its end) to 1 (its beginning), middle and large objects are due.
PROGRESS = (0.3, 0.7)

#: Metres between the top of a thing and the bottom of what stands on it, at most.
_FARTHEST = 2 * TOUCH


def band_of(size: Sequence[float]) -> int:
    """0 for a small object, 1 for a middle one, 2 for a large one.

    >>> [band_of(size) for size in ([0.7, 0.7, 1.0], [1.0, 0.5, 1.0], [2.0, 1.0, 1.0])]
    [0, 1, 2]
    """
    volume = size[0] * size[1] * size[2]
    return (volume >= SMALL) + (volume >= LARGE)


def due_band(progress: float) -> int:
    """The band that is due at a time between 0, the end of the chain, and 1, its beginning.

    >>> [due_band(progress) for progress in (0.0, 0.29, 0.3, 0.7, 1.0)]
    [0, 0, 1, 2, 2]
    """
    return (progress >= PROGRESS[0]) + (progress >= PROGRESS[1])


@lru_cache(maxsize=4096)
def fitness(kind: Kind, raised: bool, carried: bool = False) -> Mapping[str, float]:
    """A weight for each tool that changes an object; ``raised`` ones stand over the floor, ``carried`` on something.

    >>> from operators.scene.furniture.kinds import kind_of
    >>> sofa, stool = (fitness(kind_of(noun), False)["rotate_object"] for noun in ("sofa", "stool"))
    >>> sofa > stool
    True
    """
    hangs = not carried and (raised or kind.stands in ("wall", "ceiling"))
    # What is held by nothing that is known stays; a picture or a lamp seldom is in another place.
    aloft = {"wall": 0.1, "ceiling": 0.2}.get(kind.stands, 0.002 if raised else 1.0)
    # Without a front one hardly sees that it was turned; and nothing on a wall is turned away from it.
    rotate = 0.002 if kind.stands == "wall" else (1.0 if kind.faces else 0.05) * (0.05 if hangs else 1.0)
    # A lamp would leave the ceiling, or go through it.
    scale = 0.05 if kind.stands == "ceiling" else 1.0
    return {
        "move_object": 0.5 if carried else aloft,
        "rotate_object": rotate,
        "scale_object": scale,
        "replace_object": 1.0,
    }


@dataclass(slots=True)
class Thing:
    """An object at one time of a chain.

    ``reach`` is the greatest distance of its footprint from its middle, ``flat`` whether others may stand in its
    place, ``fit`` how fit it is for each tool.
    ``root`` is the id, in the finished room, of the object that it becomes; a thing that is only ``passing`` is gone
    by then, and has its own.
    """

    obj: Object
    kind: Kind
    box: Box
    reach: float
    band: int
    flat: bool
    fit: Mapping[str, float]
    group: str | None
    root: str
    passing: bool = False

    def changed(self, key: str, value: list[float]) -> Thing:
        """The same object with another ``pos`` (of the same height), ``rot`` or ``size``."""
        obj = {**self.obj, key: value}
        box, reach, band = box_of(obj), self.reach, self.band
        if key == "size":
            reach, band = math.hypot(box.wide, box.deep), band_of(value)
        return Thing(obj, self.kind, box, reach, band, self.flat, self.fit, self.group, self.root, self.passing)


def thing(
    obj: Object, kind: Kind, fit: Mapping[str, float], group: str | None, root: str, passing: bool = False
) -> Thing:
    """An object with what its box tells of it."""
    box = box_of(obj)
    flat = kind.family == "rug" or box.high - box.low <= FLAT + EXACT
    return Thing(obj, kind, box, math.hypot(box.wide, box.deep), band_of(obj["size"]), flat, fit, group, root, passing)


def is_raised(box: Box, floor: Floor) -> bool:
    """Whether something has to hold the object, as it does not stand on the floor."""
    return box.low - floor.level > TOUCH


def carriers_of(things: Mapping[str, Thing], floor: Floor) -> dict[str, tuple[str, ...]]:
    """By the ids of things that stand on others, or in them, the ids of those others."""
    found = {jid: _carriers(each, things, floor) for jid, each in things.items() if is_raised(each.box, floor)}
    return {jid: carriers for jid, carriers in found.items() if carriers}


def levels_of(carriers: Mapping[str, tuple[str, ...]], things: Mapping[str, Thing]) -> dict[str, int]:
    """How many things stand below one another under each of those that are carried.

    >>> from types import SimpleNamespace as New
    >>> things = {jid: New(box=New(low=low)) for jid, low in (("vase", 0.8), ("book", 0.7), ("table", 0.0))}
    >>> levels_of({"vase": ("book",), "book": ("table",)}, things)
    {'book': 1, 'vase': 2}
    """
    levels: dict[str, int] = {}
    # Each carrier begins lower than what it carries.
    for jid in sorted(carriers, key=lambda jid: things[jid].box.low):
        levels[jid] = 1 + max(levels.get(carrier, 0) for carrier in carriers[jid])
    return levels


def _carriers(each: Thing, things: Mapping[str, Thing], floor: Floor) -> tuple[str, ...]:
    """All whose tops it stands on with its middle; else the thing that it stands in, or else that it touches."""
    if each.kind.stands == "ceiling":
        return ()
    box, reach = each.box, each.reach
    below: list[str] = []
    others: list[tuple[bool, float, str]] = []
    for jid, other in things.items():
        lower = other.box
        dx, dz, near = box.x - lower.x, box.z - lower.z, reach + other.reach
        if not lower.low < box.low <= lower.high + _FARTHEST or dx * dx + dz * dz >= near * near:
            continue
        gap, over = abs(lower.high - box.low), is_over(lower, box.x, box.z)
        if over and gap <= TOUCH:
            below.append(jid)
        elif over or plan_gap(lower, box) == 0.0:
            others.append((not over, gap, jid))
    if below or not others or (each.kind.stands == "wall" and _hangs(box, floor)):
        return tuple(below)
    return (min(others)[2],)


def is_over(lower: Box, x: float, z: float) -> bool:
    """Whether a point on the plan is within a footprint."""
    fx, fz = lower.front
    dx, dz = x - lower.x, z - lower.z
    return abs(dx * fx + dz * fz) <= lower.deep and abs(dx * fz - dz * fx) <= lower.wide


def _hangs(box: Box, floor: Floor) -> bool:
    wall = nearest_wall(box, floor)
    return wall is not None and wall.gap <= AT_WALL
