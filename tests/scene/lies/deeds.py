"""What is said, truly, about the calls of a turn: reasons in the text, and the conclusion."""

from __future__ import annotations

import math
import re

from operators.scene.facts.things import Thing
from operators.scene.simulator import Call, target_of
from tests.scene.lies.talk import REASONS
from tests.scene.lies.truths import _number
from tests.scene.lies.world import OPPOSITE, World, cap, heading, metres, moved, turned_by

#: Verbs of each action: as one speaks of oneself, and as a participle.
VERBS = {
    "add_object": (("add", "added"), ("bring in", "brought in"), ("place", "placed"), ("introduce", "introduced")),
    "remove_object": (("remove", "removed"), ("take out", "taken out"), ("take away", "taken away")),
    "move_object": (("move", "moved"), ("shift", "shifted"), ("slide", "slid")),
    "rotate_object": (("rotate", "rotated"), ("turn", "turned")),
    "scale_object": (("resize", "resized"), ("scale", "scaled")),
    "replace_object": (("replace", "replaced"), ("swap", "swapped")),
}
#: How far and where to, which a passive sentence would tell in the wrong place.
_PLAIN = re.compile(r" (?:to look |\d\.\d\d m )[a-z]+")
_KEY = {"add_object": "add", "remove_object": "remove", "move_object": "move", "rotate_object": "rotate",
        "scale_object": "scale", "replace_object": "replace"}  # fmt: skip


def target(world: World, call: Call) -> Thing:
    """The thing a call is about: as it is before the turn, or as it is put."""
    if call["name"] == "add_object":
        return world.added[call["id"]]
    return world.before.room.by_id[str(target_of(call))]


def new_one(world: World, thing: Thing, instead: Thing | None = None) -> str:
    """A thing that comes, with an article: "a lounge chair"; the name with a number if it has one."""
    plural = thing.kind.noun == thing.kind.plural
    noun = "TV stand" if thing.kind.noun == "tv stand" else "TV" if thing.kind.noun == "tv" else thing.kind.noun
    if instead is not None and instead.kind.noun == thing.kind.noun:
        return f"other {noun}" if plural else world.rng.choice((f"another {noun}", f"a different {noun}"))
    if thing.name[-1].isdigit():
        return thing.name if plural or not _another(world, thing) else world.rng.choice((thing.name, f"another {noun}"))
    return thing.name if plural else f"{'an' if thing.name[0] in 'aeiou' else 'a'} {thing.name}"


def _another(world: World, thing: Thing) -> bool:
    return any(each.kind.noun == thing.kind.noun for each in world.before.room.things)


def deed(world: World, call: Call) -> str:
    """One or two sentences about a call, with its reason."""
    tell = {"add_object": _add, "remove_object": _remove, "move_object": _move, "rotate_object": _rotate,
            "scale_object": _scale, "replace_object": _replace}[call["name"]]  # fmt: skip
    reason = world.rng.choice(REASONS[_KEY[call["name"]]])
    return tell(world, call, reason)


def _spot(world: World, thing: Thing) -> str:
    """Where a thing will be after the turn: a wall or a corner, truly."""
    room = world.after.room
    near = room.nearest_wall(thing)
    if near and -0.02 < near.gap < 0.8 and near.wall.name in OPPOSITE:
        n = metres(world.rng, max(near.gap, 0.0)) if near.gap >= 0.05 else ""
        return f"{n} from the {near.wall.name} wall" if n else f"up against the {near.wall.name} wall"
    across, down = room.share_of(thing.box.x, thing.box.z)
    ns, ew = (
        "north" if down < 0.3 else "south" if down > 0.7 else "",
        "west" if across < 0.3 else "east" if across > 0.7 else "",
    )
    return f"in the {ns}{ew} corner" if ns and ew else f"on the {ns or ew} side" if ns or ew else ""


def _add(world: World, call: Call, reason: str) -> str:
    thing, rng = target(world, call), world.rng
    new, spot = new_one(world, thing), _spot(world, thing)
    w, h, d = thing.size
    where = f" {spot}" if spot else ""
    more = [f"It measures {w:.2f} x {h:.2f} x {d:.2f} m.", f"It is {w:.2f} m wide and {d:.2f} m deep.", ""]
    if thing.kind.faces:
        more.append(f"It will look {thing.facing}.")
    named = {each.jid: each.name for each in world.still}
    near = [(o, g) for o, g in world.after.room.neighbours(thing) if named.get(o.jid) == o.name and g > 0.05]
    if near:
        more.append(f"That leaves {metres(rng, near[0][1])} to {world.the(near[0][0])}.")
    x, y, z = thing.pos
    more.append(f"Its base is centred at ({x:.2f}, {y:.2f}, {z:.2f}).")
    forms = (f"I bring in {new}{where}, {reason}.", f"{cap(new)} arrives{where}, {reason}.",
             f"The new arrival is {new}, which goes{where or ' where there is room'}.",
             f"I put {new}{where}, {reason}.")  # fmt: skip
    return f"{rng.choice(forms)} {rng.choice(more)}".strip()


def _remove(world: World, call: Call, reason: str) -> str:
    a = world.the(target(world, call))
    return world.rng.choice((f"I take {a} out, {reason}.", f"{cap(a)} leaves the room, {reason}.",
                             f"{cap(a)} has to go, {reason}.", f"I remove {a}, {reason}."))  # fmt: skip


def _move(world: World, call: Call, reason: str) -> str:
    a, (dx, dy, dz) = world.the(target(world, call)), moved(world, call)
    plan, rng = math.hypot(dx, dz), world.rng
    if plan < 0.05:
        way = "up" if dy > 0 else "down"
        return f"I move {a} {way} by {abs(dy):.2f} m, {reason}."
    to, n = heading(dx, dz), metres(rng, plan)
    x, y, z = call["arguments"]["new_position"]
    first = rng.choice((f"I move {a} {n} to the {to}, {reason}.", f"{cap(a)} shifts {to} by {n}, {reason}.",
                        f"A nudge of {n} to the {to} is what {a} gets, {reason}.",
                        f"I slide {a} to ({x:.2f}, {y:.2f}, {z:.2f}), that is {n} further {to}."))  # fmt: skip
    return first + (f" It also changes height by {abs(dy):.2f} m." if abs(dy) >= 0.05 else "")


def _rotate(world: World, call: Call, reason: str) -> str:
    a, by, rng = world.the(target(world, call)), turned_by(world, call), world.rng
    after = world.after.room.by_id[str(target_of(call))]
    sense = "" if abs(by) > 170 else " counterclockwise" if by > 0 else " clockwise"
    n = f"{abs(by):.0f} degrees"
    end = f" Afterwards it looks {after.facing}." if after.kind.faces else ""
    forms = (f"I turn {a} by {n}{sense}, {reason}.{end}", f"{cap(a)} gets rotated by {n}, {reason}.{end}",
             f"I rotate {a}{sense if rng.random() < 0.5 else ''}, {reason}.{end}")  # fmt: skip
    return rng.choice(forms)


def _scale(world: World, call: Call, reason: str) -> str:
    thing, rng = target(world, call), world.rng
    a, old, new = world.the(thing), thing.size, tuple(map(float, call["arguments"]["new_size"]))
    bigger = [n > o for o, n in zip(old, new, strict=True) if n != o]
    word = "larger" if all(bigger) else "smaller" if not any(bigger) else "differently proportioned"
    size = f"{new[0]:.2f} x {new[1]:.2f} x {new[2]:.2f} m"
    forms = [f"I make {a} {word}, now {size}, {reason}.", f"{cap(a)} changes its size to {size}, {reason}."]
    if abs(new[0] - old[0]) >= 0.05:
        forms.append(f"I resize {a} from a width of {old[0]:.2f} m to {new[0]:.2f} m, {reason}.")
    return rng.choice(forms)


def _replace(world: World, call: Call, reason: str) -> str:
    a, new, rng = world.the(target(world, call)), world.added[call["id"]], world.rng
    b = new_one(world, new, target(world, call))
    w, h, d = new.size
    forms = (f"I exchange {a} for {b}, {reason}.", f"{cap(b)} takes the place of {a}, {reason}.",
             f"{cap(a)} gives way to {b} of {w:.2f} x {h:.2f} x {d:.2f} m in the same spot.")  # fmt: skip
    return rng.choice(forms)


def conclusion(world: World) -> str:
    """The sentence that names every call of the turn, of some calls together."""
    rng = world.rng
    if not world.calls:
        total = _number(len(world.before.room.things))
        return rng.choice((f"I finish here with {total} objects in the room.",
                           "The room is complete, so I end the editing at this point.",
                           "No further change is needed and the design is finished.",
                           "The work is done and I stop here."))  # fmt: skip
    parts = conclusion_parts(world)
    return joined(world, parts)


def conclusion_parts(world: World) -> list[tuple[str, str]]:
    """For each action, its tool and what it is done to: "add", "a sofa and a lamp"."""
    by_tool: dict[str, list[str]] = {}
    for call in world.calls:
        by_tool.setdefault(call["name"], []).append(object_phrase(world, call))
    return [(tool, listed(things)) for tool, things in by_tool.items()]


def object_phrase(world: World, call: Call) -> str:
    """What a call is done to, as a conclusion tells it."""
    thing, rng = target(world, call), world.rng
    alone = sum(other["name"] == call["name"] for other in world.calls) == 1
    if call["name"] == "add_object":
        return new_one(world, thing) if not thing.name[-1].isdigit() else thing.name
    if call["name"] == "replace_object":
        return f"{world.the(thing)} with {new_one(world, world.added[call['id']])}"
    tail = ""
    if call["name"] == "move_object" and alone and rng.random() < 0.5:
        dx, _, dz = moved(world, call)
        tail = f" {math.hypot(dx, dz):.2f} m {heading(dx, dz)}" if math.hypot(dx, dz) >= 0.1 else ""
    after = world.after.room.by_id.get(thing.jid, thing)
    if call["name"] == "rotate_object" and alone and after.kind.faces and rng.random() < 0.5:
        tail = f" to look {after.facing}"
    return world.the(thing) + tail


def listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def joined(world: World, parts: list[tuple[str, str]]) -> str:
    """Parts of a conclusion as one sentence, active or passive."""
    rng = world.rng
    style = rng.randrange(4)
    clauses = []
    for tool, what in parts:
        verbs = [v for v in VERBS[tool] if not (v[0] in ("swap",) and " with " in what)]
        act, done = rng.choice(verbs)
        if style == 3 and tool in ("move_object", "rotate_object"):
            what = _PLAIN.sub("", what)
        what = what.replace(" with ", " by ") if act == "replace" and rng.random() < 0.3 else what
        clauses.append(f"{what} {'are' if ' and ' in what and ' with ' not in what and ' by ' not in what else 'is'} {done}"
                       if style == 3 and tool not in ("replace_object",) else f"{'I ' if style == 3 else ''}{act} {what}")  # fmt: skip
    text = listed(clauses) if len(clauses) < 3 else f"{', '.join(clauses[:-1])}, and {clauses[-1]}"
    lead = ("I ", "In this turn I ", "My step here is to ", "")[style]
    tail = rng.choice(("", "", " for a better room", " as the next step"))
    return cap(f"{lead}{text}{tail if style != 3 else ''}.")
