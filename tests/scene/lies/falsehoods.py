"""Values that are certainly false of a turn, for the blanks of a lie.

Each function gives the blanks of one sort of lie, or None where the turn has nothing to lie about in this way. A value
is false in the room before the turn and in that after it, by a clear margin, however one reads the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from operators.scene.facts.things import Room, Thing, angle_to, overlap
from operators.scene.furniture.kinds import Kind, kinds, nouns
from operators.scene.simulator import target_of
from tests.scene.lies.deeds import target
from tests.scene.lies.world import COMPASS, OPPOSITE, WORDS, World, angle, moved, turned_by

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


def _pick(world: World, things: Iterable[Thing]) -> list[Thing]:
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
        if any(word in text for word in words) or any(_alike(kind, thing.kind) for thing in here):
            continue
        things = _pick(world, world.still)
        a = world.the(things[0]) if things else "the door"
        an = "an" if noun[0] in "aeiou" else "a"
        return {"x": noun, "ax": f"{an} {noun}", "a": a, "wall": world.rng.choice(list(COMPASS))} if things else None
    return None


def _alike(one: Kind, other: Kind) -> bool:
    near = any(one.noun in group and other.noun in group for group in _NEAR)
    return near or one.is_a(other.noun) or other.is_a(one.noun) or other.noun == "object"


# (b) distances


def gap(world: World) -> Blanks | None:
    things = _pick(world, world.still)
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
    for thing in _pick(world, world.still):
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
    for thing in _pick(world, world.still):
        if min(thing.size) >= 0.25:
            # The height may be read as that of its top.
            truths = [*thing.size, thing.box.high - world.before.room.floor.level]
            w, h, d = (_wrong(world, true, truths) for true in thing.size)
            if w and h and d:
                return {"a": world.the(thing), "w": w, "h": h, "d": d, "wr": w[:-2], "dr": d[:-2], "hr": h[:-2]}
    return None


def new_size(world: World) -> Blanks | None:
    for call in _calls(world, "add_object", "scale_object"):
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


# (d) overlaps


def no_overlap_told(world: World) -> Blanks | None:
    """A pair that is clear of each other."""
    things = _pick(world, world.still)
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
    for thing in _pick(world, world.still):
        for name in world.rng.sample(list(OPPOSITE), 4):
            gaps = [w.gap for room, each in world.states_of(thing) for w in room.walls(each) if w.wall.name == name]
            near = world.before.room.nearest_wall(thing)
            if gaps and near and near.wall.name != name and min(gaps) > max(0.7, near.gap + 0.4):
                return {"a": world.the(thing), "wall": name}
    return None


def other_place(world: World) -> Blanks | None:
    for thing in _pick(world, world.still):
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
    things = _pick(world, world.still)
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
    for thing in _pick(world, world.still):
        if thing.kind.faces:
            to = [name for name, (x, z) in COMPASS.items() if angle(thing.box.front, x, z) > 80]
            return {"a": world.the(thing), "to": world.rng.choice(to)}
    return None


def looked_at(world: World) -> Blanks | None:
    """A thing, and another one behind it."""
    for thing in _pick(world, world.still):
        for other in _pick(world, world.still):
            if thing.kind.faces and angle_to(thing, other.box.x, other.box.z) > 115:
                if overlap(thing, other) == 0 and world.before.room.gap(thing, other) > 0.1:
                    return {"a": world.the(thing), "b": world.the(other)}
    return None


def other_way(world: World) -> Blanks | None:
    for call in _calls(world, "move_object"):
        dx, _, dz = moved(world, call)
        if math.hypot(dx, dz) >= 0.1 and target(world, call) in world.seen:
            to = [name for name, (x, z) in COMPASS.items() if angle((dx, dz), x, z) > 100]
            return {"a": world.the(target(world, call)), "to": world.rng.choice(to), "call": call["id"]}
    return None


def other_turn(world: World) -> Blanks | None:
    for call in _calls(world, "rotate_object"):
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
    for thing in _pick(world, world.still):
        kind = thing.kind
        truths = set()
        for sheet in world.sheets:
            others = [each.kind for each in sheet.room.things]
            truths |= {sum(o.noun == kind.noun for o in others), sum(o.is_a(kind.noun) for o in others),
                       sum(o.family == kind.family for o in others), sum(_alike(kind, o) for o in others)}  # fmt: skip
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
    return {"n": WORDS[n] if n < len(WORDS) else str(n), "d": str(n), "N": (WORDS[n] if n < 13 else str(n)).capitalize()}


def only_one(world: World) -> Blanks | None:
    for thing in _pick(world, world.still):
        counts = [sum(t.kind.noun == thing.kind.noun for t in sheet.room.things) for sheet in world.sheets]
        if min(counts) >= 2 and thing.kind.plural != thing.kind.noun:
            return {"k": thing.kind.noun.replace("tv", "TV")}
    return None


# (h) actions


def idle(world: World) -> Blanks | None:
    """A thing that no call is about, as if one were; of a kind that none is about."""
    touched = [target(world, call).kind.noun for call in world.calls]
    touched += [thing.kind.noun for thing in world.added.values()]
    things = [t for t in _pick(world, world.still) if t.kind.noun not in touched]
    return {"a": world.the(things[0])} if things else None


def _calls(world: World, *names: str) -> list[Mapping[str, str]]:
    return [call for call in world.calls if call["name"] in names]  # type: ignore[misc]


def by_tool(*names: str) -> Callable[[World], Blanks | None]:
    """A thing that one of these tools is really used on, to be told of as if it were another one."""

    def blanks(world: World) -> Blanks | None:
        for call in _calls(world, *names):
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
