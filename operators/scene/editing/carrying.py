"""What stands on what, or in it: as long as it does, it would hang in the air without."""

from __future__ import annotations

from collections.abc import Mapping

from operators.scene.editing.thing import Thing
from operators.scene.model.geometry import Box, Floor, nearest_wall, plan_gap
from operators.scene.model.limits import AT_WALL, TOUCH

#: Metres between the top of a thing and the bottom of what stands on it, at most.
_FARTHEST = 2 * TOUCH


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


def is_over(lower: Box, x: float, z: float, margin: float = 0.0) -> bool:
    """Whether a point on the plan is within a footprint, and so many metres from its sides."""
    fx, fz = lower.front
    dx, dz = x - lower.x, z - lower.z
    return abs(dx * fx + dz * fz) <= lower.deep - margin and abs(dx * fz - dz * fx) <= lower.wide - margin


def _hangs(box: Box, floor: Floor) -> bool:
    wall = nearest_wall(box, floor)
    return wall is not None and wall.gap <= AT_WALL
