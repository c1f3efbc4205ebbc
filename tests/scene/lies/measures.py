"""Things and lengths that are certainly false of a turn, for the blanks of a lie.

Each function gives the blanks of one sort of lie, or None where the turn has nothing to lie about in this way. A value
is false in the room before the turn and in that after it, by a clear margin, however one reads the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from operators.scene.facts.things import Room, Thing
from operators.scene.furniture.kinds import Kind, kinds, nouns
from operators.scene.simulator import Call
from tests.scene.lies.deeds import target
from tests.scene.lies.world import COMPASS, OPPOSITE, World, moved

Blanks = Mapping[str, str]

#: What somebody might see in a room where it is not.
EVERYDAY = (
    "floor lamp", "wardrobe", "bookcase", "rug", "armchair", "piano", "desk", "coffee table", "nightstand", "mirror",
    "dining table", "sofa", "fireplace", "plant", "aquarium", "bench", "treadmill", "refrigerator", "crib", "ottoman",
    "chandelier", "sideboard", "bar stool", "bathtub", "table lamp", "painting", "coat rack", "vase", "guitar",
)  # fmt: skip
#: Kinds that somebody might take for each other are no clear lie.
_NEAR = (
    ("chair", "armchair", "lounge chair", "dining chair", "office chair", "recliner", "rocking chair", "bean bag"),
    ("stool", "ottoman", "pouf", "bench", "bar stool"), ("sofa", "loveseat", "daybed", "chaise longue", "sofa bed"),
    ("shelf", "bookcase", "wall shelf", "display cabinet", "wine rack", "shoe rack", "plant stand"),
    ("cabinet", "sideboard", "chest of drawers", "tv stand", "console table", "nightstand", "side table",
     "shoe cabinet", "kitchen cabinet", "wardrobe", "dressing table"),
    ("table", "desk", "dining table", "coffee table", "side table", "kids table", "bar table", "computer desk",
     "dressing table", "console table", "kitchen island"),
    ("bed", "crib", "bunk bed"), ("lamp", "floor lamp", "table lamp", "desk lamp", "lantern"),
    ("chandelier", "pendant lamp", "ceiling lamp"), ("plant", "tree", "flowers", "vase", "planter", "bonsai", "cactus"),
    ("mirror", "floor mirror"), ("rug", "mat"), ("painting", "mirror", "clock", "tv"), ("guitar", "piano"),
    ("coat rack", "wall hook", "umbrella stand"), ("refrigerator", "wine cooler"), ("aquarium", "globe"),
)  # fmt: skip


def drawn(world: World, things: Iterable[Thing]) -> list[Thing]:
    """The things in an order that is drawn."""
    return world.rng.sample(found := list(things), len(found))


def _off(value: float, truths: Iterable[float]) -> bool:
    """Whether a value is false by a clear margin against all that is true: a quarter, and 12 cm."""
    return all(abs(value - true) > max(0.25 * abs(true), 0.12) for true in truths)


def _wrong(world: World, true: float, truths: Iterable[float]) -> str | None:
    """A length that is like a true one and false."""
    known = list(truths)
    factors = [0.3, 0.45, 0.6, 1.5, 1.8, 2.2, 3.0]
    for factor in world.rng.sample(factors, len(factors)):
        value = round(max(true, 0.15) * factor + (0.2 if true < 0.15 else 0.0), 2)
        if 0.1 < value < 9 and _off(value, known):
            return f"{value:.2f} m"
    return None


# (a) what is not there


def absent(world: World) -> Blanks | None:
    here = [thing for sheet in world.sheets for thing in sheet.room.things]
    text = " ".join(str(thing.obj["desc"]).casefold() for thing in here)
    for noun in world.rng.sample(EVERYDAY, len(EVERYDAY)):
        kind = kinds()[noun]
        words = [word for word, other in nouns().items() if other.noun == noun]
        if any(word in text for word in words) or any(alike(kind, thing.kind) for thing in here):
            continue
        things = drawn(world, world.still)
        a = world.the(things[0]) if things else "the door"
        an = "an" if noun[0] in "aeiou" else "a"
        return {"x": noun, "ax": f"{an} {noun}", "a": a, "wall": world.rng.choice(list(COMPASS))} if things else None
    return None


def alike(one: Kind, other: Kind) -> bool:
    near = any(one.noun in group and other.noun in group for group in _NEAR)
    return near or one.is_a(other.noun) or other.is_a(one.noun) or other.noun == "object"


# (b) distances


def gap(world: World) -> Blanks | None:
    things = drawn(world, world.still)
    for one in things[:6]:
        for other in things:
            truths = [t for room, a in world.states_of(one) for t in _between(room, a, room.by_id[other.jid])]
            true = world.before.room.gap(one, other)
            if other is not one and true < 3 and (n := _wrong(world, true, truths)):
                return {"a": world.the(one), "b": world.the(other), "n": n}
    return None


def _between(room: Room, a: Thing, b: Thing) -> list[float]:
    """All that may be called the distance of two things."""
    dx, dy, dz = (abs(p - q) for p, q in zip(a.pos, b.pos, strict=True))
    xs, zs = ([[c[i] for c in each.box.corners] for each in (a, b)] for i in (0, 1))
    across = [max(max(min(s), min(t)) - min(max(s), max(t)), 0.0) for s, t in (xs, zs)]
    gap = room.gap(a, b)
    return [gap, math.hypot(dx, dz), math.sqrt(dx * dx + dy * dy + dz * dz), dx, dz, *across, math.hypot(*across),
            max(b.box.low - a.box.high, a.box.low - b.box.high, 0.0)]  # fmt: skip


def wall_gap(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        near = world.before.room.nearest_wall(thing)
        if near is None or near.wall.name not in OPPOSITE:
            continue
        truths = [t for room, each in world.states_of(thing) for t in _to_wall(room, each, near.wall.name)]
        if n := _wrong(world, max(near.gap, 0.0), truths):
            return {"a": world.the(thing), "wall": near.wall.name, "n": n}
    return None


def _to_wall(room: Room, thing: Thing, name: str) -> list[float]:
    """All that may be called the distance of a thing to a wall of this name."""
    found = []
    for each in room.walls(thing):
        if each.wall.name == name:
            ox, oz = each.wall.out
            way = (each.wall.start[0] - thing.box.x) * ox + (each.wall.start[1] - thing.box.z) * oz
            far = [(each.wall.start[0] - x) * ox + (each.wall.start[1] - z) * oz for x, z in thing.box.corners]
            found += [each.gap, abs(way), max(far), min(far)]
    return found


def move_length(world: World) -> Blanks | None:
    for call in world.calls:
        if call["name"] == "move_object" and target(world, call) in world.seen:
            dx, dy, dz = moved(world, call)
            plan = math.hypot(dx, dz)
            if plan >= 0.1 and (n := _wrong(world, plan, (plan, abs(dx), abs(dy), abs(dz)))):
                return {"a": world.the(target(world, call)), "n": n, "call": call["id"]}
    return None


# (c) sizes


def size(world: World) -> Blanks | None:
    for thing in drawn(world, world.still):
        if min(thing.size) >= 0.25:
            # The height may be read as that of its top.
            truths = [*thing.size, thing.box.high - world.before.room.floor.level]
            w, h, d = (_wrong(world, true, truths) for true in thing.size)
            if w and h and d:
                return {"a": world.the(thing), "w": w, "h": h, "d": d, "wr": w[:-2], "dr": d[:-2], "hr": h[:-2]}
    return None


def new_size(world: World) -> Blanks | None:
    for call in used(world, "add_object", "scale_object"):
        thing = world.after.room.by_id[target(world, call).jid]
        truths = [*thing.size, *target(world, call).size, thing.box.high - world.after.room.floor.level]
        if min(truths) >= 0.25 and thing.kind.noun != "object":
            w, h, d = (_wrong(world, true, truths) for true in thing.size)
            if w and h and d:
                a = world.the(thing) if thing.jid not in {t.jid for t in world.seen} else world.the(target(world, call))
                return {"a": a, "w": w, "h": h, "d": d, "call": call["id"]}
    return None


def shell(world: World) -> Blanks | None:
    x0, z0, x1, z1 = world.before.room.floor.bounds
    sides = [wall.length for wall in world.before.room.floor.walls] + [x1 - x0, z1 - z0]
    n, m = _wrong(world, x1 - x0, sides), _wrong(world, z1 - z0, sides)
    return {"n": n, "m": m} if n and m and float(n[:-2]) > 1 and float(m[:-2]) > 1 else None


def used(world: World, *names: str) -> list[Call]:
    """The calls of these tools."""
    return [call for call in world.calls if call["name"] in names]
