"""The one who writes a conversation: sentences drawn from phrases whose claims hold, and those that code puts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import islice, product

from dataflow_ext.claims import ClaimError, check, expressions, fill, holds, parse, stripped
from dataflow_ext.claims.phrases import Phrase, claimed, read_phrases
from dataflow_ext.text import rows
from dataflow_ext.text.nouns import plural
from dataflow_ext.text.sentences import sentences
from operators.scene.claims.world import RoomWorld
from operators.scene.facts import served
from operators.scene.facts.things import Room, Thing, is_right, is_sat_at, overlap
from operators.scene.instructions.contents import room_name, wordings
from operators.scene.model.floor import COMPASS
from operators.scene.model.kinds import OBJECT
from operators.scene.model.limits import FAR
from operators.scene.model.simulator import Call
from operators.scene.reasoning.english import a, capitals, listing, plain, sentence, several, the
from operators.scene.reasoning.turn import VERBS, Turn, put_by

#: Others near a thing that are spoken of, and bindings of one phrase that are tried.
_OTHERS, _TRIED = 4, 24

#: What each slot may stand for, the likeliest first.
Options = Mapping[str, Sequence[str]]

#: A call with the id of what it is about.
_Done = tuple[Call, str]


def options(turn: Turn, jid: str, call: str = "", put: str = "") -> Options:
    """The options of the slots: ``a`` the thing, ``b`` others, ``p`` what it serves, ``k`` its kinds, ``n`` what
    replaces it, ``c`` the call, ``w`` directions; ``front`` are those of them that have a front."""
    world, names = turn.world, turn.names
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
        said = set(sentences(plain))
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
    with as_file(files("operators.scene") / "data/phrases.tsv") as file:
        return read_phrases(file)


def conclusion(turn: Turn, voice: Voice) -> str:
    """One sentence, with marks, that names each kind of call with its objects."""
    if turn.ends:
        return f"{voice.draw.choice(wordings()['ends']).format(room=room_name(turn.before.get('room_type')))} [ends()]."
    done = list(zip(turn.calls, map(str, turn.subjects), strict=True))
    told = []
    for tool, verb in VERBS.items():
        same = [each for each in done if each[0]["name"] == tool]
        if same:
            told.append(f"{verb} {_objects(turn, tool, same)}")
    whole = told[0] if len(told) == 1 else f"{', '.join(told[:-1])}, and {told[-1]}"
    return sentence(f"{voice.draw.choice(wordings()['begins'])} {whole}")


def _objects(turn: Turn, tool: str, done: Sequence[_Done]) -> str:
    if tool != "add_object":
        return listing([_one(turn, call, jid) for call, jid in done])
    stems: dict[str, list[_Done]] = {}
    for call, jid in done:
        stems.setdefault(plain(turn.names[jid]), []).append((call, jid))
    return listing([_added(turn, stem, same) for stem, same in stems.items()])


def _one(turn: Turn, call: Call, jid: str) -> str:
    name = the(turn.names[jid])
    if call["name"] == "replace_object":
        name = f"{name} with {a(turn.names[put_by(call, turn.retrievals)])}"
    return f"{name} {_mark(turn, call, jid)}"


def _added(turn: Turn, stem: str, same: Sequence[_Done]) -> str:
    """New things of one name; more than three are counted by a claim of their own."""
    marks = " ".join(_mark(turn, call, jid) for call, jid in same)
    if len(same) == 1:
        return f"{a(turn.names[same[0][1]])} {marks}"
    if len(same) <= 3:
        return f"{several(len(same), stem, plural(stem))} {marks}"
    noun = turn.world.things[same[0][1]].kind.noun
    count = f"count({noun}, after) - count({noun})"
    try:
        proven = holds(parse(f"{count} = {len(same)}"), turn.world)
    except ClaimError:  # none of the kind before: no count of it to subtract, so no number is said
        proven = False
    number = f"{several(len(same), stem, plural(stem))} [{count}]" if proven else plural(stem)
    return f"{number} {marks}"


def _mark(turn: Turn, call: Call, jid: str) -> str:
    about = expressions.Name(turn.names[jid]), expressions.Name(str(call["id"]))
    return f"[{expressions.Call(VERBS[call['name']] + 's', about)}]"


#: Sorts whose arguments are no things, and so have no article.
_BARE = ("kind", "direction", "call")


def stated(source: str, world: RoomWorld) -> str | None:
    """The claim as a sentence with its mark; None if no text of the table says it, or if it is not proven so."""
    try:
        claim = parse(source)
    except ClaimError:
        return None
    term = world.vocabulary.by_word.get(claim.word) if isinstance(claim, expressions.Call) else None
    if not isinstance(claim, expressions.Call) or term is None:
        return None
    state = next((s for s in world.vocabulary.states if claim.arguments and str(claim.arguments[-1]) == s), "")
    arguments = [str(each) for each in claim.arguments[: -1 if state else None]]
    sorts = [parameter.rstrip("?").split("|")[0] for parameter in term.parameters]
    names = [name if sort in _BARE else the(name) for name, sort in zip(arguments, sorts, strict=False)]
    names = [name for name, sort in zip(names, sorts, strict=False) if sort != "call"]
    text = _texts().get((claim.word, len(names)))
    if text is None or len(names) != len(arguments) - sum(sort == "call" for sort in sorts[: len(arguments)]):
        return None
    said = text.replace("{}", f"{{{source}}}") if term.is_measure else f"{text} [{source}]"
    for place, name in enumerate(names):
        said = said.replace(f"{{{place}}}", name)
    made = fill(sentence(f"{said}{' after this turn' if state == 'after' else ''}"), world)
    return made if [each.verdict for each in check(made, world).sentences] == ["proven"] else None


def restated(sources: Sequence[str], world: RoomWorld) -> str:
    """The claims of a sentence as sentences with their marks; nothing for those that none says."""
    return " ".join(dict.fromkeys(said for source in sources if (said := stated(source, world))))


@cache
def _texts() -> Mapping[tuple[str, int], str]:
    """The texts by their term and how many arguments they name."""
    return {
        (term, sum(f"{{{n}}}" in text for n in range(3))): text
        for term, text in rows("operators.scene", "data/statements.tsv")
    }
