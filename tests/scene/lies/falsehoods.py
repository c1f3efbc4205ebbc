"""Claims that are certainly false of a turn: overlaps, places, directions, counts, actions.

Each function gives the blanks of one sort of lie, or None, as those of :mod:`tests.scene.lies.measures` do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from operators.scene.facts.things import angle_to, overlap
from operators.scene.simulator import target_of
from tests.scene.lies.deeds import target
from tests.scene.lies.measures import (
    Blanks,
    absent,
    alike,
    drawn,
    gap,
    move_length,
    new_size,
    shell,
    size,
    used,
    wall_gap,
)
from tests.scene.lies.world import COMPASS, OPPOSITE, WORDS, World, angle, moved, turned_by

# (d) overlaps


def no_overlap_told(world: World) -> Blanks | None:
    """A pair that is clear of each other."""
    things = drawn(world, world.still)
    for one in things[:6]:
        for other in things:
            if other is not one and 0.15 < world.before.room.gap(one, other) < 4:
                return {"a": world.the(one), "b": world.the(other), "n": f"{world.rng.uniform(0.12, 0.4):.2f} m"}
    return None


def overlap_denied(world: World) -> Blanks | None:
    """A pair that overlaps, before and after."""
    still = {thing.jid for thing in world.still}
    for each in world.before.overlaps:
        if {each.one.jid, each.other.jid} <= still and each.depth >= 0.08:
            return {"a": world.the(each.one), "b": world.the(each.other)}
    return None


def trouble_denied(world: World) -> Blanks | None:
    """A room in which something overlaps, before and after."""
    deep = [any(each.depth >= 0.08 for each in sheet.overlaps) for sheet in world.sheets]
    return {} if all(deep) and overlap_denied(world) else None


def after_clear(world: World) -> Blanks | None:
    """A room in which something overlaps afterwards."""
    return {} if world.calls and any(each.depth >= 0.08 for each in world.after.overlaps) else None


# (e) walls, sides, corners


def other_wall(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        for name in world.rng.sample(list(OPPOSITE), 4):
            gaps = [w.gap for room, each in world.states_of(thing) for w in room.walls(each) if w.wall.name == name]
            near = world.before.room.nearest_wall(thing)
            if gaps and near and near.wall.name != name and min(gaps) > max(0.7, near.gap + 0.4):
                return {"a": world.the(thing), "wall": name}
    return None


def other_place(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        across, down = world.before.room.share_of(thing.box.x, thing.box.z)
        ns = "south" if down < 0.33 else "north" if down > 0.67 else ""
        ew = "east" if across < 0.33 else "west" if across > 0.67 else ""
        if ns or ew:
            side = world.rng.choice([each for each in (ns, ew) if each])
            corner = (ns or world.rng.choice(("north", "south"))) + (ew or world.rng.choice(("west", "east")))
            on_plan = {"west": "left", "east": "right", "north": "upper", "south": "lower"}[side]
            return {"a": world.the(thing), "side": side, "corner": corner, "plan": on_plan}
    return None


def other_relation(world: World) -> Blanks | None:
    things = drawn(world, world.still)
    for one in things[:6]:
        for other in things:
            dx, dz = one.box.x - other.box.x, one.box.z - other.box.z
            if max(abs(dx), abs(dz)) > 0.8:
                flat = abs(dx) > abs(dz)
                way = ("west" if dx > 0 else "east") if flat else ("north" if dz > 0 else "south")
                hand = {"west": "left", "east": "right", "north": "above", "south": "below"}[way]
                hand = f"to the {hand} of" if flat else hand
                return {"a": world.the(one), "b": world.the(other), "way": way, "hand": hand}
    return None


# (f) facing, directions


def other_facing(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        if thing.kind.faces:
            to = [name for name, (x, z) in COMPASS.items() if angle(thing.box.front, x, z) > 80]
            return {"a": world.the(thing), "to": world.rng.choice(to)}
    return None


def looked_at(world: World) -> Blanks | None:
    """A thing, and another one behind it."""
    for thing in drawn(world, world.still):
        for other in drawn(world, world.still):
            behind = thing.kind.faces and angle_to(thing, other.box.x, other.box.z) > 115
            if behind and overlap(thing, other) == 0 and world.before.room.gap(thing, other) > 0.1:
                return {"a": world.the(thing), "b": world.the(other)}
    return None


def other_way(world: World) -> Blanks | None:
    for call in used(world, "move_object"):
        dx, _, dz = moved(world, call)
        if math.hypot(dx, dz) >= 0.1 and target(world, call) in world.seen:
            to = [name for name, (x, z) in COMPASS.items() if angle((dx, dz), x, z) > 100]
            return {"a": world.the(target(world, call)), "to": world.rng.choice(to), "call": call["id"]}
    return None


def other_turn(world: World) -> Blanks | None:
    for call in used(world, "rotate_object"):
        by, thing = turned_by(world, call), target(world, call)
        new = world.after.room.by_id[str(target_of(call))]
        if thing in world.seen and 30 < abs(by) < 150 and thing.kind.faces:
            to = [name for name, (x, z) in COMPASS.items() if angle(new.box.front, x, z) > 80]
            degrees = [d for d in (15, 30, 45, 60, 90, 120, 135, 180) if abs(d - abs(by)) > 25]
            sense = "clockwise" if by > 0 else "counterclockwise"
            return {"a": world.the(thing), "to": world.rng.choice(to), "deg": str(world.rng.choice(degrees)),
                    "sense": sense, "call": call["id"]}  # fmt: skip
    return None


# (g) counts


def kind_count(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        kind = thing.kind
        truths = set()
        for sheet in world.sheets:
            others = [each.kind for each in sheet.room.things]
            truths |= {sum(o.noun == kind.noun for o in others), sum(o.is_a(kind.noun) for o in others),
                       sum(o.family == kind.family for o in others), sum(alike(kind, o) for o in others)}  # fmt: skip
        told = [n for n in range(2, 8) if n not in truths]
        if told and kind.plural != kind.noun:
            few = [n for n in told if abs(n - sum(o.kind.noun == kind.noun for o in world.before.room.things)) <= 3]
            n = world.rng.choice(few or told)
            return {"n": WORDS[n], "N": WORDS[n].capitalize(), "ks": kind.plural.replace("tv", "TV"), "d": str(n)}
    return None


def total(world: World) -> Blanks | None:
    truths = []
    for sheet in world.sheets:
        things = sheet.room.things
        truths += [len(things), sum(t.on_floor for t in things), sum(t.kind.stands == "floor" for t in things),
                   len(things) - sum(t.kind.family == "decor" for t in things), len({t.kind.noun for t in things})]  # fmt: skip
    here = len(world.before.room.things)
    told = [n for n in range(2, here + 7) if all(abs(n - true) > 1 for true in truths) and abs(n - here) < 7]
    if not told or here < 3:
        return None
    n = world.rng.choice(told)
    return {
        "n": WORDS[n] if n < len(WORDS) else str(n),
        "d": str(n),
        "N": (WORDS[n] if n < 13 else str(n)).capitalize(),
    }


def only_one(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        counts = [sum(t.kind.noun == thing.kind.noun for t in sheet.room.things) for sheet in world.sheets]
        if min(counts) >= 2 and thing.kind.plural != thing.kind.noun:
            return {"k": thing.kind.noun.replace("tv", "TV")}
    return None


# (h) actions


def idle(world: World) -> Blanks | None:
    """A thing that no call is about, as if one were; of a kind that none is about."""
    touched = [target(world, call).kind.noun for call in world.calls]
    touched += [thing.kind.noun for thing in world.added.values()]
    things = [t for t in drawn(world, world.still) if t.kind.noun not in touched]
    return {"a": world.the(things[0])} if things else None


def by_tool(*names: str) -> Callable[[World], Blanks | None]:
    """A thing that one of these tools is really used on, to be told of as if it were another one."""

    def blanks(world: World) -> Blanks | None:
        for call in used(world, *names):
            if target(world, call) in world.seen:
                return {"a": world.the(target(world, call)), "call": call["id"]}
        return None

    return blanks


#: What a phrasing may rest on.
SHAPES: Mapping[str, Callable[[World], Blanks | None]] = {
    "absent": absent, "gap": gap, "wall gap": wall_gap, "move length": move_length, "size": size, "new size": new_size,
    "shell": shell, "no overlap": no_overlap_told, "overlap": overlap_denied, "trouble": trouble_denied,
    "after": after_clear, "wall": other_wall, "place": other_place, "relation": other_relation,
    "facing": other_facing, "looked at": looked_at, "way": other_way, "turn": other_turn, "count": kind_count,
    "total": total, "only one": only_one, "idle": idle, "moved": by_tool("move_object"),
    "turned": by_tool("rotate_object"), "scaled": by_tool("scale_object"), "replaced": by_tool("replace_object"),
    "removed": by_tool("remove_object"),
}  # fmt: skip
