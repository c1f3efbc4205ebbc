"""The five ways in which a turn's reasoning is built, as the sentences of its paragraphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dataflow_ext import RowError
from dataflow_ext.claims import check
from operators.scene.facts import missing
from operators.scene.facts.things import Room
from operators.scene.model.records import TurnClaims, TurnText
from operators.scene.model.simulator import Call
from operators.scene.reasoning.english import form_problems, taken_apart
from operators.scene.reasoning.turn import VERBS, Turn, put_by
from operators.scene.reasoning.voice import Options, Voice, conclusion, options

#: A text as paragraphs of sentences with marks.
Paragraphs = list[list[str]]

#: The topics of what speaks for a deed, the gravest first.
_PROBLEMS = ("fault", "problem", "plain")


@dataclass(frozen=True)
class Deed:
    """A call that is argued for: its kind, what the phrases about it may speak of, and the thing's volume."""

    kind: str
    known: Options
    volume: float


@dataclass
class Matter:
    """A turn to be written about: sentences on demand, by topics; ``full`` deeds get every kind of sentence."""

    turn: Turn
    voice: Voice
    deeds: Sequence[Deed]
    full: int

    @classmethod
    def of(cls, turn: Turn, voice: Voice) -> Matter:
        """The matter of a turn, with the deeds in the order of the calls."""
        deeds = [_deed(turn, call, jid) for call, jid in zip(turn.calls, turn.subjects, strict=True) if jid]
        voice.begin()
        return cls(turn, voice, deeds, full=2 if len(deeds) > 3 else 3)

    @property
    def room(self) -> Room:
        """The room before the turn."""
        return self.turn.world.view("before").room

    def say(self, topic: str, known: Options | None = None) -> list[str]:
        """A sentence of a topic about what is known, or one that claims nothing; none if none is true and new."""
        return self.voice.say(topic, self.turn.world, known or {})

    def of_deed(self, topic: str, deed: Deed) -> list[str]:
        """A sentence about a deed, such as "problem": a fault if there is one, what gets better, or what it is like."""
        for each in _PROBLEMS if topic == "problem" else (topic,):
            if said := self.say(f"{deed.kind}.{each}", deed.known):
                return said
        return []

    def of_each(self, topic: str, most: int = 99) -> list[str]:
        """A sentence about each of the first deeds."""
        return [said for deed in self.deeds[:most] for said in self.of_deed(topic, deed)]

    def seen(self) -> list[str]:
        """What is there before the turn."""
        if not self.room.things:
            return self.say("seen.empty")
        sound = self.say("seen.sound") if self.voice.draw.random() < 0.4 else []
        return [*self.about("seen.room"), *sound]

    def about(self, topic: str, most: int = 1) -> list[str]:
        """Sentences about some of the larger things that are there, one about each."""
        things = sorted((t for t in self.room.things if t.on_floor), key=lambda each: -each.box.volume)[:5]
        found: list[str] = []
        for thing in self.voice.draw.sample(things, len(things)):
            if len(found) < most:
                found += self.say(topic, options(self.turn, thing.jid))
        return found or self.say(topic)

    def goal(self) -> list[str]:
        """What the turn is about first: its largest deed."""
        main = max(self.deeds, key=lambda deed: deed.volume)
        return self.say("goal" if main.kind == "add" else "goal.change", main.known)

    def whole(self) -> list[str]:
        """What the room is like afterwards."""
        return [*self.say("whole.sound"), *self.say("whole.next", _WAYS)]


_WAYS: Options = {"w": ("north", "south", "east", "west")}


def _deed(turn: Turn, call: Call, jid: str) -> Deed:
    new = put_by(call, turn.retrievals) if call["name"] == "replace_object" else ""
    known = options(turn, jid, str(call["id"]), new)
    return Deed(VERBS[call["name"]], known, turn.world.things[jid].box.volume)


def detailed(matter: Matter) -> Paragraphs:
    """A: what is wrong or missing, the strategy, the numbers, what it changes; a paragraph each."""
    return [
        [*matter.seen(), *matter.of_each("problem", 4)],
        [*matter.of_each("option", 2), *matter.of_each("choice")],
        matter.of_each("number", matter.full),
        [*matter.of_each("effect", matter.full), *matter.whole()],
    ]


def strategic(matter: Matter) -> Paragraphs:
    """B: what matters most first, the calls from that, details last."""
    first = [*matter.goal(), *matter.say("b.then")]
    middle = [*matter.of_each("choice"), *matter.of_each("option", 1)]
    return [[*first, *matter.of_each("problem", 2)], middle, [*matter.of_each("number", matter.full), *matter.whole()]]


def questioning(matter: Matter) -> Paragraphs:
    """C: questions and answers."""
    made = [[*matter.say("ask.first"), *matter.seen()]]
    for place, deed in enumerate(matter.deeds):
        asked = matter.say(f"ask.{deed.kind}", deed.known) if place < 3 else []
        made.append([*asked, *(matter.of_deed("problem", deed) if place < 3 else []), *matter.of_deed("choice", deed)])
    made.append([*matter.say("ask.numbers"), *matter.of_each("number", matter.full)])
    made.append([*matter.say("ask.result"), *matter.of_each("effect", 2), *matter.whole()[:1]])
    return made


def flowing(matter: Matter) -> Paragraphs:
    """D: one thought leads to the next, call by call."""
    said = [*matter.seen(), *matter.say("d.then")]
    for place, deed in enumerate(matter.deeds):
        for topic in ("problem", "choice", "option", "number", "effect"):
            if topic == "choice" or place < matter.full or (topic == "problem" and place < 4):
                said += matter.of_deed(topic, deed)
    return [[*said, *matter.whole()[-1:]]]


def free(matter: Matter) -> Paragraphs:
    """E: short, what speaks for the choice and the choice."""
    said: list[str] = []
    for place, deed in enumerate(matter.deeds):
        said += matter.of_deed("problem", deed) if place < 2 else []
        said += [*matter.of_deed("choice", deed), *(matter.of_deed("number", deed) if place < 2 else [])]
    said += matter.of_each("effect") if len(matter.deeds) == 1 else []
    return [[*said, *matter.whole()[:1]]]


TEMPLATES: Mapping[str, Callable[[Matter], Paragraphs]] = {
    "A": detailed,
    "B": strategic,
    "C": questioning,
    "D": flowing,
    "E": free,
}


def ending(matter: Matter, template: str) -> Paragraphs:
    """The last turn: what the finished room has, whether it is sound, and what remains if it is not."""
    kinds = {thing.kind.noun for thing in matter.room.things}
    has = [*matter.about("end.seen"), *matter.say("end.need", {"k": sorted(kinds)})]
    good = matter.about("end.good", 2 if template == "E" else 4)
    sound = matter.say("end.sound")
    left = [] if sound else _left(matter)
    space = matter.say("end.space", _WAYS)
    if template in "AC":
        return [has, good, [*space, *sound, *left]]
    if template == "B":
        return [[*sound, *left, *has], [*good, *space]]
    return [[*has, *good, *space, *sound, *left]]


def _left(matter: Matter) -> list[str]:
    """Up to three problems that remain."""
    lacking = missing(matter.room)
    found = matter.say("end.left", {"k": lacking}) if lacking else []
    for thing in matter.room.things:
        found += matter.say("end.left", options(matter.turn, thing.jid)) if len(found) < 3 else []
    return found


#: Words, marks among them, above which a reasoning loses sentences.
_LONG = 640


def written_texts(
    turns: Sequence[Turn], templates: Sequence[str], draw: random.Random
) -> list[tuple[TurnText, TurnClaims]]:
    """Reasoning and conclusion of each turn of a conversation, with their claims; the same draws give the same texts.

    No sentence comes twice. RowError if a turn has no text in form.
    """
    voice = Voice(draw)
    return [_written(turn, template, voice) for turn, template in zip(turns, templates, strict=True)]


def _written(turn: Turn, template: str, voice: Voice) -> tuple[TurnText, TurnClaims]:
    matter = Matter.of(turn, voice)
    paragraphs = ending(matter, template) if turn.ends else TEMPLATES[template](matter)
    think, said = check(_text(_bounded(paragraphs)), turn.world), check(conclusion(turn, voice), turn.world)
    wrong = [*think.false, *think.open, *said.false, *said.open, *form_problems(think.text, said.text)]
    if wrong:
        raise RowError(f"No true text could be written about turn {turn.number}: {wrong[0]}.")
    return taken_apart(think, said, template)


def _bounded(paragraphs: Paragraphs) -> Paragraphs:
    """The paragraphs, of which the longest lose their last sentences as long as the text has too many words."""
    kept = [list(each) for each in paragraphs if each]
    while len(_text(kept).split()) > _LONG:
        max(kept, key=lambda each: sum(map(len, each))).pop()
    return kept


def _text(paragraphs: Paragraphs) -> str:
    return "\n".join(" ".join(each) for each in paragraphs if each)
