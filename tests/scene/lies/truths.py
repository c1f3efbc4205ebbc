"""True statements about a turn, in free words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from operators.scene.facts.sheet import FactSheet
from operators.scene.facts.things import Thing, angle_to, overlap
from tests.scene.lies.world import OPPOSITE, WORDS, World, cap, metres

#: "living room" for "livingroom".
ROOMS = {"livingroom": "living room", "diningroom": "dining room", "office": "study", "kidsroom": "children's room"}


@dataclass(frozen=True)
class Said:
    """A sentence, what it is about (a name of a fact), and the thing that it begins with."""

    text: str
    topic: str
    thing: Thing | None = None


def observations(world: World) -> list[Said]:
    """True sentences about the room before the turn, in an order that is drawn."""
    things = list(world.seen)
    world.rng.shuffle(things)
    found = [said for thing in things[:5] for make in _ABOUT if (said := make(world, thing))]
    found += [said for make in _WHOLE if (said := make(world))]
    world.rng.shuffle(found)
    return found


def _wall(world: World, thing: Thing) -> Said | None:
    near = world.before.room.nearest_wall(thing)
    if near is None or near.gap < -0.02 or near.gap > 1.6 or near.wall.name not in OPPOSITE:
        return None
    a, rng, wall = cap(world.the(thing)), world.rng, near.wall.name
    if near.gap < 0.05:
        forms = (f"{a} has the {wall} wall right behind or beside it.", f"{a} hugs the {wall} wall.",
                 f"{a} is placed tight up to the {wall} wall.")  # fmt: skip
    else:
        n = metres(rng, near.gap)
        forms = (f"{a} keeps {n} off the {wall} wall.", f"From {world.the(thing)} to the {wall} wall I count {n}.",
                 f"{a} leaves {n} of space to the {wall} wall.")  # fmt: skip
    return Said(rng.choice(forms), "wall", thing)


def _place(world: World, thing: Thing) -> Said | None:
    across, down = world.before.room.share_of(thing.box.x, thing.box.z)
    ns = "north" if down < 0.3 else "south" if down > 0.7 else ""
    ew = "west" if across < 0.3 else "east" if across > 0.7 else ""
    a, rng = cap(world.the(thing)), world.rng
    if ns and ew:
        forms = (f"{a} occupies the {ns}{ew} corner.", f"{a} has been given the {ns}{ew} corner of the room.",
                 f"In the {ns}{ew} corner I find {world.the(thing)}.")  # fmt: skip
    elif ns or ew:
        side = {"west": "left", "east": "right", "north": "top", "south": "bottom"}[ns or ew]
        forms = (f"{a} belongs to the {ns or ew} side of the room.", f"{a} sits on the {ns or ew} side.",
                 f"On the view from above, {world.the(thing)} appears towards the {side}.")  # fmt: skip
    elif 0.4 < across < 0.6 and 0.4 < down < 0.6:
        forms = (f"{a} holds the middle of the room.", f"{a} sits near the centre of the floor.")
    else:
        return None
    return Said(rng.choice(forms), "place", thing)


def _facing(world: World, thing: Thing) -> Said | None:
    if not thing.kind.faces:
        return None
    a, to = cap(world.the(thing)), thing.facing
    forms = (f"{a} looks {to}.", f"{a} is turned to the {to}.", f"The front of {world.the(thing)} points {to}.")
    return Said(world.rng.choice(forms), "facing", thing)


def _size(world: World, thing: Thing) -> Said | None:
    w, h, d = thing.size
    a = cap(world.the(thing))
    forms = (f"{a} is {w:.2f} m wide, {d:.2f} m deep and {h:.2f} m high.", f"{a} takes a base of {w:.2f} by {d:.2f} m.",
             f"With a width of {w:.2f} m and a height of {h:.2f} m, {world.the(thing)} is easy to place.",
             f"{a} rises to a height of {h:.2f} m above its base.")  # fmt: skip
    return Said(world.rng.choice(forms), "size", thing)


def _gap(world: World, thing: Thing) -> Said | None:
    near = [(o, g) for o, g in world.before.room.neighbours(thing) if o in world.seen and g >= 0.05]
    if not near:
        return None
    other, gap = near[0]
    a, b, n = world.the(thing), world.the(other), metres(world.rng, gap)
    forms = (f"{cap(a)} and {b} are separated by {n}.", f"{cap(a)} comes within {n} of {b}.",
             f"There are {n} between {a} and {b}.", f"{cap(a)} has {b} as its neighbour, {n} away.")  # fmt: skip
    return Said(world.rng.choice(forms), "gap", thing)


def _clear(world: World, thing: Thing) -> Said | None:
    others = [o for o in world.seen if o is not thing and 0.1 < world.before.room.gap(thing, o) < 1.5]
    if not others:
        return None
    b = world.the(world.rng.choice(others))
    a = cap(world.the(thing))
    forms = (f"{a} does not touch {b}.", f"{a} and {b} do not get in each other's way.",
             f"{a} stays clear of {b}.")  # fmt: skip
    return Said(world.rng.choice(forms), "overlap", thing)


def _relation(world: World, thing: Thing) -> Said | None:
    for other in world.seen:
        dx, dz = thing.box.x - other.box.x, thing.box.z - other.box.z
        if other is thing or max(abs(dx), abs(dz)) < 0.8 or min(abs(dx), abs(dz)) > 0.4:
            continue
        a, b = cap(world.the(thing)), world.the(other)
        if abs(dx) > abs(dz):
            way, side = ("east", "right") if dx > 0 else ("west", "left")
            forms = (f"{a} lies to the {way} of {b}.", f"{a} is on the {side} of {b} as the plan is drawn.")
        else:
            way, side = ("south", "below") if dz > 0 else ("north", "above")
            forms = (f"{a} lies to the {way} of {b}.", f"On the plan, {world.the(thing)} is drawn {side} {b}.")
        return Said(world.rng.choice(forms), "relation", thing)
    return None


def _towards(world: World, thing: Thing) -> Said | None:
    if not thing.kind.faces:
        return None
    for other in world.seen:
        apart = angle_to(thing, other.box.x, other.box.z)
        if other is thing or not 0.1 < world.before.room.gap(thing, other) < 3:
            continue
        a, b = cap(world.the(thing)), world.the(other)
        if apart < 12 and other.kind.family in ("table", "desk", "storage", "bed", "sofa", "seat"):
            return Said(world.rng.choice((f"{a} looks at {b}.", f"{a} is oriented towards {b}.")), "towards", thing)
        if apart > 165:
            return Said(
                world.rng.choice((f"{a} turns its back on {b}.", f"{a} looks away from {b}.")), "towards", thing
            )
    return None


def _counted(world: World) -> Said | None:
    counts = world.before.counts
    total = len(world.before.room.things)
    if not total:
        return Said(world.rng.choice(("There is nothing in the room yet.", "The room is still bare.",
                                      "I begin with an empty floor.")), "count")  # fmt: skip
    several = [(n, noun) for noun, n in counts.items() if 2 <= n <= 12 and noun != "object"]
    kinds = {thing.kind.noun: thing.kind for thing in world.before.room.things}
    forms = [f"So far the room holds {_number(total)} {'piece' if total == 1 else 'pieces'} in all."]
    if total > 1:
        forms.append(f"Altogether {_number(total)} objects are present.")
    for n, noun in several[:2]:
        wider = sum(thing.kind.is_a(noun) for thing in world.before.room.things)
        if wider == n:
            forms.append(f"I can make out {_number(n)} {kinds[noun].plural}.")
            forms.append(f"The {kinds[noun].plural} number {_number(n)}.")
    return Said(world.rng.choice(forms), "count")


def _number(n: int) -> str:
    return WORDS[n] if n < len(WORDS) else str(n)


def _shell(world: World) -> Said | None:
    x0, z0, x1, z1 = world.before.room.floor.bounds
    name = ROOMS.get(world.before.room.room_type, world.before.room.room_type)
    name = "room" if name == "other" else name
    a, b = f"{x1 - x0:.2f}", f"{z1 - z0:.2f}"
    forms = (f"The {name} stretches {a} m from west to east and {b} m from north to south.",
             f"We have a {name} of {a} by {b} m to work with.",
             f"With {world.before.room.floor.area:.1f} square metres of floor, the {name} sets the limits.")  # fmt: skip
    return Said(world.rng.choice(forms), "room")


def _lack(world: World) -> Said | None:
    if not world.before.missing:
        return None
    noun = world.rng.choice(world.before.missing)
    noun = "TV stand" if noun == "tv stand" else noun
    an = "an" if noun[0] in "aeiou" else "a"
    forms = (f"What the room does not have so far is {an} {noun}.", f"I miss {an} {noun}.",
             f"As yet, {an} {noun} is nowhere to be seen.", f"It would not work without {an} {noun}, and there is none.")  # fmt: skip
    return Said(world.rng.choice(forms), "lack")


def _free(world: World) -> Said | None:
    empty = world.before.empty
    if empty is None or not world.before.room.things:
        return None
    where = {"centre": "in the middle"}.get(
        empty.place, f"{'in' if 'corner' in empty.place else 'on'} the {empty.place}"
    )
    forms = (f"The largest open stretch of floor is about {empty.width:.1f} by {empty.depth:.1f} m, {where}.",
             f"There is open floor of {empty.width:.2f} x {empty.depth:.2f} m {where}.")  # fmt: skip
    return Said(world.rng.choice(forms), "free")


def problems(world: World, sheet: FactSheet, *, later: bool = False) -> Iterator[Said]:
    """True sentences about what is wrong in the room of a sheet; later: that it is left so."""
    rng, seen = world.rng, {thing.jid for thing in world.seen}
    for each in sheet.overlaps:
        if {each.one.jid, each.other.jid} <= seen and each.depth >= 0.03:
            a, b, n = world.the(each.one), world.the(each.other), f"{each.depth:.2f} m"
            now = (f"{cap(a)} and {b} run into each other by {n}.", f"{cap(a)} cuts {n} deep into {b}.",
                   f"I notice a collision of {a} with {b}.", f"{cap(a)} and {b} share the same space.")  # fmt: skip
            left = (f"The overlap of {a} and {b} stays for the moment.",
                    f"I accept for now that {a} still cuts into {b}.")  # fmt: skip
            yield Said(rng.choice(left if later else now), "overlap", None if later else each.one)
    if later:
        return
    for out in sheet.outside:
        if out.thing.jid in seen and 0.03 < out.share < 0.9 and out.past > 0.03 and out.wall in OPPOSITE:
            a = cap(world.the(out.thing))
            forms = (f"{a} pokes {out.past:.2f} m through the {out.wall} wall.", f"Part of {world.the(out.thing)} is "
                     f"outside the room, {out.past:.2f} m beyond the {out.wall} wall.")  # fmt: skip
            yield Said(rng.choice(forms), "outside", out.thing)
    for up in sheet.lifted:
        if up.thing.jid in seen and up.height > 0.1:
            a = cap(world.the(up.thing))
            yield Said(rng.choice((f"{a} hangs in the air, {up.height:.2f} m above the floor.",
                                   f"Nothing carries {world.the(up.thing)}, it hovers.")), "lifted", up.thing)  # fmt: skip
    for thing, gap in sheet.off_wall[:2]:
        if thing.jid in seen:
            a = cap(world.the(thing))
            yield Said(rng.choice((f"{a} stands free, {gap:.2f} m off the nearest wall.",
                                   f"{a} would like a wall behind it, yet the closest one is {gap:.2f} m off.")),
                       "wall", thing)  # fmt: skip


def sound(world: World, sheet: FactSheet, rng: random.Random, *, later: bool = False) -> str | None:
    """That nothing is physically wrong, if nothing at all meets anything."""
    things = sheet.room.things
    if sheet.overlaps or sheet.outside or sheet.lifted or not things:
        return None
    if any(overlap(one, other) > 0 for i, one in enumerate(things) for other in things[i + 1 :]):
        return None
    if later:
        return rng.choice(("Nothing collides afterwards and nothing sticks out.", "No piece ends up inside another.",
                           "The result is free of collisions."))  # fmt: skip
    return rng.choice(("Nothing collides and nothing leaves the room.", "I see no overlap anywhere.",
                       "Physically the room is in order: no clash, nothing in the air."))  # fmt: skip


_ABOUT: tuple[Callable[[World, Thing], Said | None], ...] = (
    _wall, _place, _facing, _size, _gap, _clear, _relation, _towards,
)  # fmt: skip
_WHOLE: tuple[Callable[[World], Said | None], ...] = (_counted, _shell, _lack, _free)
