"""The five ways in which a turn's reasoning is built, as the sentences of its paragraphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dataflow_ext import RowError
from dataflow_ext.claims import check
from operators.scene.claims.world import RoomWorld
from operators.scene.facts.layout import missing
from operators.scene.facts.things import Thing
from operators.scene.model.records import TurnClaims, TurnText
from operators.scene.model.simulator import Call
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Options, Voice, conclusion, options
from operators.scene.reasoning.words import form_problems, taken_apart

#: A text as paragraphs of sentences with marks.
Paragraphs = list[list[str]]

#: What the phrases call what each tool does.
KINDS = {"add_object": "add", "move_object": "move", "rotate_object": "turn", "scale_object": "resize",
         "replace_object": "replace", "remove_object": "remove"}  # fmt: skip


#: The topics of what speaks for a deed, the gravest first.
_PROBLEMS = ("fault", "problem", "plain")


@dataclass(frozen=True)
class Deed:
    """A call that is argued for: its kind, and what the phrases about it may speak of."""

    kind: str
    known: Options


@dataclass
class Matter:
    """A turn to be written about: sentences on demand, by topics; ``full`` deeds get every kind of sentence."""

    turn: Turn
    world: RoomWorld
    voice: Voice
    deeds: Sequence[Deed]
    full: int

    @classmethod
    def of(cls, turn: Turn, voice: Voice) -> Matter:
        """The matter of a turn that edits, with the deeds in the order of the calls."""
        world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
        deeds = [_deed(turn, world, call, str(jid)) for call, jid in zip(turn.calls, turn.subjects, strict=True)]
        voice.begin()
        return cls(turn, world, voice, deeds, full=2 if len(deeds) > 3 else 3)

    def of_deed(self, topic: str, deed: Deed) -> list[str]:
        """A sentence about a deed, such as "problem": a fault if there is one, what gets better, or what it is like."""
        for each in _PROBLEMS if topic == "problem" else (topic,):
            if said := self.voice.say(f"{deed.kind}.{each}", self.world, deed.known):
                return said
        return []

    def of_each(self, topic: str, most: int = 99) -> list[str]:
        """A sentence about each of the first deeds."""
        return [said for deed in self.deeds[:most] for said in self.of_deed(topic, deed)]

    def seen(self) -> list[str]:
        """What is there before the turn."""
        if not self.turn.old:
            return self.voice.say("seen.empty", self.world, {})
        sound = self.voice.say("seen.sound", self.world, {}) if self.voice.draw.random() < 0.4 else []
        return [*self.about("seen.room"), *sound]

    def about(self, topic: str, most: int = 1) -> list[str]:
        """Sentences about some of the larger things that are there, one about each."""
        room = self.world.view("before").room
        things = sorted((t for t in room.things if t.on_floor), key=lambda each: -each.box.volume)[:5]
        found: list[str] = []
        for thing in self.voice.draw.sample(things, len(things)):
            if len(found) < most:
                found += self.voice.say(topic, self.world, options(self.world, self.turn.names, thing.jid))
        return found or self.voice.say(topic, self.world, {})

    def goal(self) -> list[str]:
        """What the turn is about first: its largest deed."""
        main = max(self.deeds, key=lambda deed: _volume(self.world, self.turn, deed))
        topic = "goal" if main.kind == "add" else "goal.change"
        return self.voice.say(topic, self.world, main.known)

    def whole(self) -> list[str]:
        """What the room is like afterwards."""
        return [*self.voice.say("whole.sound", self.world, {}), *self.voice.say("whole.next", self.world, _WAYS)]

    def plain(self, topic: str) -> list[str]:
        """A sentence that claims nothing."""
        return self.voice.say(topic, self.world, {})


_WAYS: Options = {"w": ("north", "south", "east", "west")}


def _deed(turn: Turn, world: RoomWorld, call: Call, jid: str) -> Deed:
    put = call.get("retrieval") or turn.retrievals.get(call["id"]) or {}
    new = str(put["jid"]) if call["name"] == "replace_object" else ""
    return Deed(KINDS[call["name"]], options(world, turn.names, jid, str(call["id"]), new))


def _volume(world: RoomWorld, turn: Turn, deed: Deed) -> float:
    name = deed.known["a"][0]
    things: Sequence[Thing] = [thing for jid, thing in world.things.items() if turn.names[jid] == name]
    return things[0].box.volume if things else 0.0


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
    first = [*matter.goal(), *matter.plain("b.then")]
    middle = [*matter.of_each("choice"), *matter.of_each("option", 1)]
    return [[*first, *matter.of_each("problem", 2)], middle, [*matter.of_each("number", matter.full), *matter.whole()]]


def questioning(matter: Matter) -> Paragraphs:
    """C: questions and answers."""
    made = [[*matter.plain("ask.first"), *matter.seen()]]
    for place, deed in enumerate(matter.deeds):
        asked = matter.voice.say(f"ask.{deed.kind}", matter.world, deed.known) if place < 3 else []
        made.append([*asked, *(matter.of_deed("problem", deed) if place < 3 else []), *matter.of_deed("choice", deed)])
    made.append([*matter.plain("ask.numbers"), *matter.of_each("number", matter.full)])
    made.append([*matter.plain("ask.result"), *matter.of_each("effect", 2), *matter.whole()[:1]])
    return made


def flowing(matter: Matter) -> Paragraphs:
    """D: one thought leads to the next, call by call."""
    said = [*matter.seen(), *matter.plain("d.then")]
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


def ending(turn: Turn, template: str, voice: Voice) -> Paragraphs:
    """The last turn: what the finished room has, whether it is sound, and what remains if it is not."""
    matter = Matter(turn, RoomWorld.of(turn.before, turn.calls, turn.retrievals), voice, [], 0)
    voice.begin()
    has = [*matter.about("end.seen"), *_needs(matter)]
    good = matter.about("end.good", 2 if template == "E" else 4)
    sound = matter.plain("end.sound")
    left = [] if sound else _left(matter)
    space = voice.say("end.space", matter.world, _WAYS)
    if template in "AC":
        return [has, good, [*space, *sound, *left]]
    if template == "B":
        return [[*sound, *left, *has], [*good, *space]]
    return [[*has, *good, *space, *sound, *left]]


def _needs(matter: Matter) -> list[str]:
    kinds = {thing.kind.noun for thing in matter.world.view("before").room.things}
    return matter.voice.say("end.need", matter.world, {"k": sorted(kinds)})


def _left(matter: Matter) -> list[str]:
    """Up to three problems that remain."""
    room = matter.world.view("before").room
    found = matter.voice.say("end.left", matter.world, {"k": missing(room)}) if missing(room) else []
    for jid in matter.turn.old:
        known = options(matter.world, matter.turn.names, jid)
        found += matter.voice.say("end.left", matter.world, known) if len(found) < 3 else []
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
    if turn.ends:
        world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
        paragraphs = ending(turn, template, voice)
    else:
        matter = Matter.of(turn, voice)
        world, paragraphs = matter.world, TEMPLATES[template](matter)
    think, said = check(_text(_bounded(paragraphs)), world), check(conclusion(turn, world, voice), world)
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
