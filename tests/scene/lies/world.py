"""What is so in a turn, measured anew, and how one speaks of its things."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from functools import cached_property

from operators.scene.facts.sheet import FactSheet
from operators.scene.facts.things import Room, Thing
from operators.scene.furniture.qualities import qualities
from operators.scene.simulator import Call, target_of
from tests.scene.lies.turns import Case

COMPASS = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0)}
OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}
#: Other everyday words for a kind, where it is the only one of its sort.
ALIKE = {
    "sofa": "couch", "nightstand": "bedside table", "tv": "television", "wardrobe": "closet", "rug": "carpet",
    "refrigerator": "fridge", "bookcase": "bookshelf", "plant": "potted plant", "tv stand": "media console",
    "chest of drawers": "dresser", "pendant lamp": "hanging lamp", "painting": "artwork", "armchair": "easy chair",
    "trash can": "wastebasket",
}  # fmt: skip
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDER = {"1": "first", "2": "second", "3": "third", "4": "fourth"}


@dataclass
class World:
    """A turn, measured. ``rng`` draws how things are said."""

    case: Case
    rng: random.Random
    _said: dict[str, str] = field(default_factory=dict)

    @property
    def before(self) -> FactSheet:
        return self.case.sheets[0]

    @property
    def after(self) -> FactSheet:
        return self.case.sheets[1]

    @property
    def sheets(self) -> tuple[FactSheet, FactSheet]:
        return self.before, self.after

    @cached_property
    def calls(self) -> list[Call]:
        return [call for call in self.case.calls if call["name"] != "terminate"]

    @cached_property
    def changed(self) -> set[str]:
        """Ids that a call is about: of what is added or put in place of another, too."""
        put = {str(self.case.retrievals[c["id"]]["jid"]) for c in self.calls if c["id"] in self.case.retrievals}
        return put | {jid for call in self.calls if (jid := target_of(call))}

    @cached_property
    def added(self) -> dict[str, Thing]:
        """What each add or replacement put, by the id of its call."""
        return {
            call["id"]: self.after.room.by_id[str(self.case.retrievals[call["id"]]["jid"])]
            for call in self.calls
            if call["name"] in ("add_object", "replace_object")
        }

    @cached_property
    def seen(self) -> list[Thing]:
        """The things of the room before whose names stand for nothing else afterwards, and that have a size."""
        later = {thing.name: thing.jid for thing in self.after.room.things}
        return [
            thing for thing in self.before.room.things
            if later.get(thing.name, thing.jid) == thing.jid and thing.kind.noun != "object"
            and min(thing.size) > 0.0 and abs(thing.obj["rot"][0]) + abs(thing.obj["rot"][2]) < 1e-6
            and abs(thing.pos[0]) < 30 and self.before.room.outside(thing) < 0.9
        ]  # fmt: skip

    @cached_property
    def still(self) -> list[Thing]:
        """Those of them that the turn leaves as they are."""
        return [thing for thing in self.seen if thing.jid not in self.changed]

    def states_of(self, thing: Thing) -> list[tuple[Room, Thing]]:
        """A thing before and after, where it is there."""
        rooms = [sheet.room for sheet in self.sheets]
        return [(room, room.by_id[thing.jid]) for room in rooms if thing.jid in room.by_id]

    def the(self, thing: Thing) -> str:
        """A thing as a writer would call it: its name, mostly; now and then another word or its look."""
        if thing.jid not in self._said:
            self._said[thing.jid] = self._called(thing)
        return self._said[thing.jid]

    def _called(self, thing: Thing) -> str:
        stem, _, number = thing.name.rpartition(" ")
        if number.isdigit():
            ordinal = _ORDER.get(number)
            return f"the {ordinal} {stem}" if ordinal and self.rng.random() < 0.08 else thing.name
        everything = [*self.before.room.things, *self.after.room.things]
        others = [other for other in everything if other.jid != thing.jid]
        alone = not any(o.kind.is_a(thing.kind.noun) or thing.kind.is_a(o.kind.noun) for o in others)
        dice = self.rng.random()
        if alone and dice < 0.12 and thing.kind.noun in ALIKE:
            return f"the {ALIKE[thing.kind.noun]}"
        looks = qualities(str(thing.obj["desc"]))
        if alone and dice > 0.88 and looks and str(thing.obj["desc"]).isascii():
            return f"the {looks[0]} {thing.name}"
        return f"the {thing.name}"


def cap(text: str) -> str:
    """With a capital letter at the beginning."""
    return text[:1].upper() + text[1:]


def metres(rng: random.Random, value: float) -> str:
    """A length as people write it, within half a decimetre of the value at worst, and said to be about then."""
    if value >= 0.3 and rng.random() < 0.15:
        return f"{rng.choice(('about', 'roughly', 'around'))} {value:.1f} m"
    if value < 1 and rng.random() < 0.12:
        return f"{value * 100:.0f} cm"
    return f"{value:.2f} {rng.choice(('m', 'm', 'm', 'metres'))}"


def angle(front: tuple[float, float], x: float, z: float) -> float:
    """Degrees between two directions on the plan."""
    length = math.hypot(*front) * math.hypot(x, z)
    return 0.0 if not length else math.degrees(
        math.acos(max(-1.0, min(1.0, (front[0] * x + front[1] * z) / length)))
    )  # fmt: skip


def moved(world: World, call: Call) -> tuple[float, float, float]:
    """How far a move goes along x, y and z."""
    old = world.before.room.by_id[str(target_of(call))].pos
    new = call["arguments"]["new_position"]
    return tuple(float(b) - a for a, b in zip(old, new, strict=True))  # type: ignore[return-value]


def turned_by(world: World, call: Call) -> float:
    """Degrees, -180 to 180, that a rotation turns its thing on the plan; positive from south towards east."""
    jid = str(target_of(call))
    return (world.after.room.by_id[jid].yaw - world.before.room.by_id[jid].yaw + 180) % 360 - 180


def heading(x: float, z: float) -> str:
    """The compass direction, of eight, as it is written in flowing text."""
    names = ("east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast")
    return names[round(math.atan2(z, x) / (math.pi / 4)) % 8]
