"""The one who writes a conversation: sentences drawn from the phrases whose claims hold, none of them twice."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import islice, product

from dataflow_ext.claims import stripped
from dataflow_ext.claims.phrases import Phrase, claimed, read_phrases
from dataflow_ext.claims.sentences import sentences
from operators.scene.claims.world import RoomWorld
from operators.scene.facts.layout import served
from operators.scene.facts.physical import is_right, is_sat_at
from operators.scene.facts.things import Room, Thing, overlap
from operators.scene.furniture.kinds import OBJECT
from operators.scene.model.floor import COMPASS
from operators.scene.model.limits import FAR
from operators.scene.reasoning.words import capitals, the

#: Others near a thing that are spoken of, and bindings of one phrase that are tried.
_OTHERS, _TRIED = 4, 24

#: What each slot may stand for, the likeliest first.
Options = Mapping[str, Sequence[str]]


def options(world: RoomWorld, names: Mapping[str, str], jid: str, call: str = "", put: str = "") -> Options:
    """The options of the slots: ``a`` the thing, ``b`` others, ``p`` what it serves, ``k`` its kinds, ``n`` what
    replaces it, ``c`` the call, ``w`` directions; ``front`` are those of them that have a front."""
    thing = world.things[jid]
    rooms = [world.view(state).room for state in ("after", "before")]
    around = list(dict.fromkeys(other for room in rooms for other in _around(room, jid)))
    partners = [other for room in rooms if (other := partner(room, jid))]
    kinds = [] if thing.kind is OBJECT else [thing.kind.noun, *thing.kind.broader]
    found = {
        "a": [names[jid]],
        "b": [names[each] for each in around if each != put],
        "p": [names[each] for each in dict.fromkeys(partners)],
        "k": kinds,
        "n": [names[put]] if put else [],
        "c": [call] if call else [],
        "w": COMPASS[::2] + COMPASS[1::2],
        "front": [names[each] for each in (jid, put, *around) if each and world.things[each].kind.faces],
    }
    return {slot: values for slot, values in found.items() if values}


def bindings(slots: frozenset[str], known: Options) -> Iterator[dict[str, str]]:
    """Each way to fill slots, no thing twice; nothing if one of them has no option."""
    wanted = sorted(slots)
    if not slots <= known.keys():
        return
    for values in islice(product(*(known[slot] for slot in wanted)), _TRIED):
        made = dict(zip(wanted, values, strict=True))
        things = [made[slot] for slot in "abnp" if slot in made]
        if len(set(things)) == len(things):
            yield made


def words(names: Mapping[str, str]) -> dict[str, str]:
    """How a text calls what the slots stand for: things with their article, kinds without."""
    return {slot: the(name) if slot in "abnp" else capitals(name) for slot, name in names.items()}


def partner(room: Room, jid: str) -> str | None:
    """The nearest of what a thing serves, by its kind; None if there is none near enough."""
    thing = room.by_id.get(jid)
    if thing is None:
        return None
    for noun in served(thing.kind):
        fit = [o for o in room.things if o is not thing and (o.kind.is_a(noun) or o.kind.family == noun)
               and (noun not in ("table", "desk") or is_sat_at(o))]  # fmt: skip
        near = min(fit, key=lambda each: room.gap(thing, each), default=None)
        if near and room.gap(thing, near) < FAR:
            return near.jid
    return None


def _around(room: Room, jid: str) -> list[str]:
    thing = room.by_id.get(jid)
    if thing is None:
        return []
    clashing = sorted((o for o in room.things if _clash(thing, o)), key=lambda each: -overlap(thing, each))
    near = [other for other, _ in room.neighbours(thing, _OTHERS)]
    return list(dict.fromkeys(each.jid for each in (*clashing, *near)))[:_OTHERS]


def _clash(thing: Thing, other: Thing) -> bool:
    return other is not thing and overlap(thing, other) > 0 and not is_right(thing, other)


#: Lengths that say nothing, or that are inside of a wall.
_NOTHING = re.compile(r"(?<![\d.])(?:0\.00 m|-[\d.]+ m(?! \[[xz]\())")
#: Claims about the front of a slot.
_FRONTS = re.compile(r"\b(?:ahead|bearing|angle|faces|faces_away|back_to_wall|blocked)\((\w)\b")


class Voice:
    """Draws phrases by their topic, of those used least in the conversation first."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self._said: set[str] = set()
        self._used: Counter[str] = Counter()
        self._claimed: set[str] = set()

    def begin(self) -> None:
        """A new turn: what was claimed in the last one may be claimed again."""
        self._claimed = set()

    def say(self, topic: str, world: RoomWorld, known: Options) -> list[str]:
        """A sentence of the topic with its marks, as a list of one; nothing if no phrase of it is true and new."""
        found = list(_phrases().get(topic, ()))
        self.draw.shuffle(found)
        found.sort(key=lambda phrase: self._used[phrase.first])
        shuffled = {slot: self.draw.sample(list(values), len(values)) if slot == "w" else values
                    for slot, values in known.items()}  # fmt: skip
        failed = set[str]()
        for phrase in found:
            if phrase.first in failed:
                continue
            for names in bindings(phrase.slots, shuffled):
                if _suits(phrase, names, known) and (said := self._new(phrase, names, world)):
                    return [said]
            failed.add(phrase.first)
        return []

    def _new(self, phrase: Phrase, names: Mapping[str, str], world: RoomWorld) -> str | None:
        about = {claimed(source, names) for source in phrase.claims}
        if about and about <= self._claimed:
            return None
        text = phrase.proven(names, world, words(names))
        if text is None or _NOTHING.search(text):
            return None
        plain = stripped(text)
        said = {plain[start:end] for start, end in sentences(plain)}
        if said & self._said:
            return None
        self._said |= said
        self._used[phrase.first] += 1
        self._claimed |= about
        return text


def _suits(phrase: Phrase, names: Mapping[str, str], known: Options) -> bool:
    """Whether things whose front a phrase speaks of have one."""
    slots = {found[1] for source in phrase.claims for found in _FRONTS.finditer(source)}
    return all(names.get(slot) in known.get("front", ()) for slot in slots)


@cache
def _phrases() -> Mapping[str, Sequence[Phrase]]:
    with as_file(files("operators.scene.data") / "phrases.tsv") as file:
        return read_phrases(file)
