"""The true percentages, areas and volumes that a number of a text may tell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from operators.scene.facts.checking.values import Ids, actions_on
from operators.scene.facts.checking.world import World
from operators.scene.facts.sheet import fact_sheet


def percents(world: World, ids: Ids, clause: str) -> Iterator[float]:
    """Shares outside the room, changes of sizes, and shares of the room, in percent."""
    ids = list(ids)
    for jid in ids:
        for room, thing in world.states(jid):
            if room.outside(thing) or re.search(
                r"\b(?:outside|inside|out of|within|bounds|past|beyond|through)\b", clause
            ):
                yield room.outside(thing) * 100
                yield (1 - room.outside(thing)) * 100
    for action in actions_on(world, ids):
        ratios = action.ratios
        for ratio in (*ratios, math.prod(ratios) if ratios else 1.0, ratios[0] * ratios[-1] if ratios else 1.0):
            if abs(ratio - 1) > 1e-6:
                yield ratio * 100
                yield abs(ratio - 1) * 100
    if not re.search(r"\b(?:room|floor|half|area|space|furniture|footprints?|side|empty|free)\b", clause):
        return
    for room in (world.before, world.after):
        sheet = fact_sheet(room.scene)
        yield from (share * 100 for share in sheet.halves.values())
        if room.floor.area:
            used = sum(4 * t.box.wide * t.box.deep for t in room.things if t.on_floor)
            yield from (used / room.floor.area * 100, 100 - used / room.floor.area * 100)
            if sheet.empty:
                yield sheet.empty.width * sheet.empty.depth / room.floor.area * 100


def areas(world: World, ids: Ids) -> Iterator[float]:
    """Square metres of floors, empty areas and footprints."""
    for room in (world.before, world.after):
        x0, z0, x1, z1 = room.floor.bounds
        yield from (room.floor.area, (x1 - x0) * (z1 - z0))
        empty = fact_sheet(room.scene).empty
        if empty:
            yield empty.width * empty.depth
        used = sum(4 * t.box.wide * t.box.deep for t in room.things if t.on_floor)
        yield from (used, room.floor.area - used)
    for jid in ids:
        for _, thing in world.states(jid):
            w, h, d = thing.size
            yield from (w * d, w * h, h * d)


def volumes(world: World, ids: Ids) -> Iterator[float]:
    """Cubic metres of things and of the room."""
    yield world.before.floor.area * world.before.floor.height
    for jid in ids:
        for _, thing in world.states(jid):
            yield math.prod(thing.size)
