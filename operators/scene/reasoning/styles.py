"""The five styles: in which order and with which turns of thought a turn is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from operators.scene.facts import spatial
from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.changes import Change
from operators.scene.reasoning.deeds import deeds
from operators.scene.reasoning.placing import stance
from operators.scene.reasoning.reasons import effects, how, why
from operators.scene.reasoning.room import State
from operators.scene.reasoning.seen import inventory, problems, sound, space
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, number, sentence, several, the

#: Actions that are told in full, and how many in a turn of many; of further ones, only what is done.
_FULL, _MANY = 3, 6


@dataclass
class Matter:
    """All that a turn can be told from."""

    turn: Turn
    before: State
    after: State
    changes: Sequence[Change]
    voice: Voice

    @cached_property
    def bunches(self) -> list[list[Change]]:
        """The changes in their order, added objects of one kind together."""
        found: list[list[Change]] = []
        for change in self.changes:
            noun = change.now.thing.kind.noun if change.kind == "add" else ""
            for bunch in found:
                first = bunch[0]
                if noun == "object":
                    continue
                if change.kind == first.kind == "add" and noun == first.now.thing.kind.noun:
                    bunch.append(change)
                    break
            else:
                found.append([change])
        return found

    @property
    def full(self) -> int:
        """How many of the groups are told in full."""
        return _FULL if len(self.changes) <= _MANY else 2 if len(self.bunches) <= _MANY else 1

    def seen(self) -> list[str]:
        """What the room holds."""
        return [inventory(self.before, self.voice)]

    def faults(self, most: int) -> list[str]:
        """Problems that the turn is not about, and what is noticed of the space."""
        coming = {change.now.thing.kind.noun for change in self.changes if change.kind == "add"}
        found = problems(self.before, self.voice, {change.jid for change in self.changes}, coming)[:most]
        told = found or sound(self.before, self.voice)
        if found and len(found) == 1 and self.voice.chance(0.5) and not coming:
            told = [*told, self.voice.say("problem.later")]
        spatial_ones = space(self.before, self.voice)
        if spatial_ones and self.voice.chance(0.7):
            told = [*told, spatial_ones[0]]
        return told

    def reasons(self) -> list[str]:
        """Why each of the actions is done, group by group."""
        return [self.reason(bunch) for bunch in self.bunches[: self.full]]

    def values(self) -> list[str]:
        """The numbers of each action."""
        told: list[str] = []
        for place, bunch in enumerate(self.bunches):
            told += self.value(bunch, full=place < self.full)
        return told

    def value(self, bunch: Sequence[Change], *, full: bool) -> list[str]:
        """The numbers of one action, or of a group."""
        if len(bunch) > 1:
            return [sentence(self._each(change)) for change in bunch]
        if full or bunch[0].kind != "add":
            return how(bunch[0], self.voice)
        return [sentence(self._short(bunch[0]))]

    def results(self) -> list[str]:
        """What is measured after the turn."""
        told = [each for change in self.changes if change.kind != "add" for each in effects(change, self.voice)]
        added = [change for change in self.changes if change.kind == "add"]
        if len(added) > 1 and not any(change.now.overlaps or change.now.outside for change in added):
            topic = "clear.both" if len(added) == 2 else "clear.all"
            told.append(sentence(self.voice.say(topic, count=number(len(added)))))
        else:
            for change in added:
                told += effects(change, self.voice)
        return told[:6]

    def total(self) -> list[str]:
        """How many objects there are then, or how much floor is left."""
        told = []
        count = len(self.after.things)
        if count != len(self.before.things) and self.voice.chance(0.6):
            pieces = "piece" if count == 1 else "pieces"
            told.append(self.voice.say("count.after", count=number(count), pieces=pieces))
        empty = spatial.largest_empty(self.after.room)
        if empty and empty.width * empty.depth >= 1 and self.voice.chance(0.5):
            values = {"w": metres(empty.width), "d": metres(empty.depth), "where": empty.place}
            told.append(self.voice.say("space.left", **values))
        return told

    def more(self, text: str) -> list[str]:
        """Sentences on what the text does not speak of yet: the state of the room, or the floor that is left."""
        told = sound(self.before, self.voice) if "overlap" not in text else []
        for change in self.changes[:1]:
            if change.kind != "remove" and change.now.neighbour and change.now.neighbour[1] >= 0.02:
                other, gap = change.now.neighbour
                values = {"name": the(self.turn.names[change.put or change.jid]), "gap": metres(gap)}
                if values["gap"] not in text:
                    said = self.voice.say("more.near", **values, other=the(self.turn.names[other]))
                    told.append(sentence(said))
        empty = spatial.largest_empty(self.after.room)
        if empty and "open floor" not in text and "empty area" not in text:
            values = {"w": metres(empty.width), "d": metres(empty.depth), "where": empty.place}
            told.append(self.voice.say("space.left", **values))
        return told

    def priority(self) -> str:
        """What matters most at this stage."""
        kinds = {change.kind for change in self.changes}
        if any(gain.topic.startswith(("overlap", "outside", "removed.o")) for c in self.changes for gain in c.gains):
            return self.voice.say("priority.mend")
        if "add" not in kinds:
            return self.voice.say("priority.adjust")
        if len(kinds) > 1:
            return self.voice.say("priority.both")
        volume = max(change.now.thing.box.volume for change in self.changes)
        big = volume >= 0.5 or len(self.before.things) < 3
        return self.voice.say("priority.big" if big else "priority.small")

    def strategy(self) -> str:
        """The plan of the turn in one sentence."""
        return sentence(self.voice.say("strategy", plan=deeds(self.changes)))

    def reason(self, bunch: Sequence[Change]) -> str:
        """Why one action, or a group of added pieces, is done."""
        if len(bunch) == 1:
            return why(bunch[0], self.voice)
        kind = bunch[0].now.thing.kind
        told = several(len(bunch), kind.noun, kind.plural)
        if any(thing.kind.noun == kind.noun for thing in self.before.room.things):
            told = told.replace(" ", " more ", 1)
        partners = {change.now.partner[0] for change in bunch if change.now.partner}
        if len(partners) == 1 and (other := min(partners)) in self.before.things:
            values = {"other": the(self.turn.names[other]), "list": told}
            return sentence(self.voice.say("add.group.partner", **values))
        return sentence(self.voice.say("add.group", list=told))

    def _or_plain(self, topic: str) -> str:
        """With the coordinates, which the calls have as well, or without."""
        return topic if self.voice.chance(0.4) else f"{topic}.plain"

    def _each(self, change: Change) -> str:
        x, y, z = (metres(value) for value in change.now.thing.pos)
        told = stance(change, self.voice)
        return self.voice.say(self._or_plain("add.each"), name=change.name, x=x, y=y, z=z, stance=told)

    def _short(self, change: Change) -> str:
        x, y, z = (metres(value) for value in change.now.thing.pos)
        a_name = a(self.turn.names[change.jid])
        return self.voice.say(
            self._or_plain("add.short"), a_name=a_name, x=x, y=y, z=z, stance=stance(change, self.voice)
        )


def detailed(matter: Matter) -> list[list[str]]:
    """A: what is wrong or missing, the strategy, the values and their reasons, the effects."""
    voice = matter.voice
    opening = [*matter.seen(), *matter.faults(2)]
    plan = [*matter.reasons(), matter.strategy()] if voice.chance(0.6) else [matter.strategy(), *matter.reasons()]
    values = ([voice.say("strategy.params")] if voice.chance(0.4) else []) + matter.values()
    results = [*matter.results(), *matter.total()]
    check = [voice.say("check")] if results and voice.chance(0.5) else []
    return [opening, plan, values, [*check, *results]]


def strategic(matter: Matter) -> list[list[str]]:
    """B: priorities first, then what follows from them."""
    first = [matter.priority(), *matter.reasons()]
    seen = [*matter.seen(), *matter.faults(1)[:1]]
    if matter.voice.chance(0.4):
        first = [*seen, *first]
        seen = []
    return [[*first, *seen, *matter.values(), *matter.results(), *matter.total()[:1]]]


def questioning(matter: Matter) -> list[list[str]]:
    """C: questions, and answers to them."""
    voice = matter.voice
    told = [[voice.say("q.see"), *matter.seen()]]
    faults = matter.faults(2)
    if faults and matter.before.things:
        told.append([voice.say("q.problem"), *faults])
    told.append([voice.say("q.next"), *matter.reasons()])
    told.append([voice.say("q.how"), *matter.values()])
    results = [*matter.results(), *matter.total()]
    if results:
        told.append([voice.say("q.holds"), *results])
    return told


def flowing(matter: Matter) -> list[list[str]]:
    """D: one thought after the other, each action with its reason, its numbers and what comes of it."""
    told = matter.seen() + (matter.faults(1)[:2] if matter.voice.chance(0.6) else [])
    added = []
    for place, bunch in enumerate(matter.bunches):
        if place < matter.full:
            told.append(matter.reason(bunch))
        told += matter.value(bunch, full=place < matter.full)
        for change in bunch:
            if change.kind == "add":
                added.append(change)
            elif place < _MANY:
                told += effects(change, matter.voice, named=False)
    for change in added:
        told += effects(change, matter.voice, 1)[:1] if len(added) < 3 or change.now.overlaps else []
    return [[*told, *matter.total()]]


def free(matter: Matter) -> list[list[str]]:
    """E: short, in the order that comes."""
    voice = matter.voice
    told: list[str] = []
    if voice.chance(0.6):
        told += matter.seen()
    for place, bunch in enumerate(matter.bunches):
        if place < 2 or (bunch[0].kind != "add" and place < matter.full):
            told.append(matter.reason(bunch))
        told += matter.value(bunch, full=place < min(2, matter.full))
        if bunch[0].kind != "add" and place < _MANY:
            told += effects(bunch[0], voice, 1, named=False)[:2]
    return [[*told, *(matter.total()[:1] if voice.chance(0.5) else [])]]


STYLES: Mapping[str, Callable[[Matter], list[list[str]]]] = {
    "A": detailed,
    "B": strategic,
    "C": questioning,
    "D": flowing,
    "E": free,
}
