"""The world of a turn: what names mean in its two rooms, and what is true there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from dataflow_ext.claims import Sort, Term, Vocabulary
from dataflow_ext.text import rows
from operators.scene.claims.terms import MEASURES, PREDICATES, Act, View
from operators.scene.facts import room_of
from operators.scene.facts.things import Thing
from operators.scene.model import limits
from operators.scene.model.kinds import Kind, nouns, short_names
from operators.scene.model.scene import Object, Scene, objects_of
from operators.scene.model.simulator import Call, Retrievals, apply, target_of

_DIRECTIONS = {way: words.split() for way, words in rows("operators.scene", "data/directions.tsv")}


def _terms() -> Iterator[Term]:
    """The terms of the table; a measure has a unit, and digits or ``%`` for a share. Limits are named in braces."""
    known = {**vars(limits), "OUTSIDE": f"{limits.OUTSIDE * 100:.0f} %", "ONE_SIDED": f"{limits.ONE_SIDED * 100:.0f} %"}
    answers = {**MEASURES, **PREDICATES}
    for word, parameters, unit, places, meaning in rows("operators.scene", "data/terms.tsv"):
        takes, said = tuple(filter(None, parameters.split(", "))), meaning.format_map(known)
        digits = int(places) if places.isdecimal() else 2
        yield Term(word, takes, said, answers[word], unit or None, digits, share=places == "%")


#: What may be claimed of a turn in a room.
ROOM = Vocabulary(
    sorts=[
        Sort("thing", "a thing of the room by its name, or by its kind if there is only one", thing=True),
        Sort("kind", "a kind of furniture: bed, dining chair, floor lamp"),
        Sort("direction", "north (up on the plan), northeast, east, southeast, south, southwest, west, northwest",
             words=_DIRECTIONS),
        Sort("call", "the id of a call: tool_3"),
    ],
    terms=list(_terms()),
    states=("before", "after"),
)  # fmt: skip


@dataclass(frozen=True)
class RoomWorld:
    """Both rooms of a turn and its calls, as claims are proven in them.

    Things have the names of :func:`turn_names`; those of either room alone are understood as well.
    """

    before: Scene
    after: Scene
    acts: Sequence[Act]
    ends: bool

    @classmethod
    def of(cls, before: Scene, calls: Sequence[Call], retrievals: Retrievals | None = None) -> RoomWorld:
        """The world of a turn; CallError if a call cannot be done."""
        put = retrievals or {}
        acts = [_act(call, put) for call in calls if call["name"] != "terminate"]
        ends = any(call["name"] == "terminate" for call in calls)
        return cls(before, apply(before, calls, put), acts, ends)

    @property
    def vocabulary(self) -> Vocabulary:
        """What may be claimed of it."""
        return ROOM

    @cached_property
    def _views(self) -> Mapping[str, View]:
        before, after = room_of(self.before), room_of(self.after)
        return {
            "before": View(before, before, after, self.acts, self.ends),
            "after": View(after, before, after, self.acts, self.ends),
        }

    def view(self, state: str) -> View:
        """The room in a state."""
        return self._views[state]

    def find(self, sort: str, name: str, state: str) -> Sequence[Any]:
        """What a name may mean in a state: ids of things, nouns of kinds, ids of calls."""
        key = (sort, name, state)
        if key not in self._found:
            self._found[key] = self._find(sort, name, state)
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[str, str, str], Sequence[Any]]:
        return {}

    def _find(self, sort: str, name: str, state: str) -> Sequence[Any]:
        said = " ".join(name.replace("_", " ").split()).casefold().removeprefix("the ")
        if sort == "kind":
            kind = nouns(loose=True).get(said)
            return [kind.noun] if kind else []
        if sort == "call":
            return [act.call for act in self.acts if act.call.casefold() in (name.casefold(), f"tool_{said}")]
        return [jid for jid in self._meant(said, name) if jid in self._views[state].room.by_id]

    def _meant(self, said: str, name: str) -> Sequence[str]:
        """The ids of the things that a name may mean: by its full name, by kind and looks, or by the id itself."""
        for names in self._namings:
            found = [jid for jid, known in names.items() if known.casefold() == said]
            if found:
                return found
        if name in self.things:
            return [name]
        return self._by_kind(said)

    def _by_kind(self, said: str) -> Sequence[str]:
        words, known = said.split(" "), nouns(loose=True)
        for i in range(len(words)):
            kind = known.get(" ".join(words[i:]))
            if kind:
                found = [jid for jid, thing in self.things.items() if _may_be(thing, kind)]
                return [jid for jid in found if all(word in _desc(self.things[jid]) for word in words[:i])]
        return []

    @cached_property
    def things(self) -> Mapping[str, Thing]:
        """Every thing of either room by its id, as it is before if it is there then."""
        views = self._views
        return {**views["after"].room.by_id, **views["before"].room.by_id}

    @cached_property
    def _namings(self) -> Sequence[Mapping[str, str]]:
        return [turn_names(self.before, self.after), short_names(self.before), short_names(self.after)]

    @cached_property
    def namings(self) -> Mapping[str, Collection[str]]:
        """All names of each thing, in lower case, by its id."""
        return {jid: {n[jid].casefold() for n in self._namings if jid in n} for jid in self.things}

    def names(self) -> Collection[str]:
        """The names of all things."""
        return frozenset(name for names in self._namings for name in names.values())

    def spoken(self, sort: str, found: Any) -> Collection[str]:
        """The words by which a text may speak of a thing or a kind."""
        if sort == "thing" and found in self.things:
            kind = self.things[found].kind
            return {*self.namings[found], *(word for noun in (kind.noun, *kind.broader) for word in _words_of(noun))}
        return _words_of(str(found))

    def nouns(self) -> Mapping[str, bool]:
        """Every word for a kind of furniture, with whether either room has one."""
        return _present(frozenset(thing.kind for thing in self.things.values()),
                        " ".join(_desc(thing) for thing in self.things.values()))  # fmt: skip


def turn_names(before: Scene, after: Scene) -> Mapping[str, str]:
    """The names that things have in a turn: those of the room before it together with what the turn brings."""
    old = {str(each["jid"]) for each in objects_of(before)}
    fresh = [each for each in objects_of(after) if str(each["jid"]) not in old]
    flat = {key: value for key, value in before.items() if key != "groups"}
    return short_names({**flat, "objects": [*objects_of(before), *fresh]})


def _act(call: Call, retrievals: Retrievals) -> Act:
    put: Object = call.get("retrieval") or retrievals.get(call["id"]) or {}
    jids = {str(each) for each in (target_of(call), put.get("jid")) if each is not None}
    return Act(str(call["id"]), str(call["name"]), frozenset(jids))


def _may_be(thing: Thing, kind: Kind) -> bool:
    """Whether a thing is of a kind, or of one that the kind is a sort of: a chair may be called an office chair."""
    return thing.kind.is_a(kind.noun) or kind.is_a(thing.kind.noun)


def _desc(thing: Thing) -> str:
    return str(thing.obj.get("desc") or "").casefold()


@cache
def _words_by_noun() -> Mapping[str, Collection[str]]:
    words: dict[str, set[str]] = {}
    for word, kind in nouns().items():
        words.setdefault(kind.noun, {kind.noun, kind.plural}).add(word)
    return words


def _words_of(noun: str) -> Collection[str]:
    return _words_by_noun().get(noun, {noun})


@lru_cache(maxsize=512)
def _present(there: frozenset[Kind], descriptions: str) -> Mapping[str, bool]:
    named = {each.noun for each in there}
    covered = named.union(*(each.broader for each in there))
    return {
        word: kind.noun in covered or not named.isdisjoint(kind.broader) or word in descriptions
        for word, kind in nouns().items()
    } | {"天花板": True}  # not 花, a flower
