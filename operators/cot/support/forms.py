"""A fact as it is compared: which relation or state it tells of, whether that holds, and of which objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from dataflow_ext.text import inflected, stem, tokens
from operators.cot.support.facts import Fact
from operators.cot.support.names import (
    ADVERBS,
    DENIALS,
    FILLERS,
    POSTURE,
    PREPOSITIONS,
    RELATION_IMPLIES,
    RELATIONS,
    STATE_IMPLIES,
    STATES,
    is_hand,
    is_holder,
)

_HOLDING = "holding"
_PLACES = frozenset(("in", "on"))
_TOLD_PLACE = re.compile(r"(?:(?P<on>on(?: top of)?|onto)|in|inside(?: of)?|into) (?P<place>.+)")


@dataclass(frozen=True, slots=True)
class Word:
    """What a phrase means: ``predicate`` is its group's first word, or itself where no table has it."""

    predicate: str
    phrase: str
    key: str
    opposite: bool = False
    converse: bool = False
    symmetric: bool = False
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Form:
    """A fact as it is compared.

    ``objects`` stand in the order of the group's first word. The first ``subjects`` of them each stand for
    themselves: knife and fork in ``in_sink(knife, fork, sink)``; 0 where the relation is between all of them.
    """

    fact: Fact
    word: Word
    positive: bool
    objects: tuple[str, ...]
    state: bool
    subjects: int = 0
    adverbs: frozenset[str] = frozenset()
    #: What stood before the preposition and was left out: "placed" on.
    posture: str = ""
    #: The place is told by the relation's own name, as in ``in_sink(knife)``.
    told_by_name: bool = False
    #: It is a hand's hold told as a place: ``in(knife, right_hand)``.
    from_place: bool = False
    #: The predicate and whether it holds, and what follows from that: what is looked up for every pair of facts.
    told: tuple[str, bool] = field(init=False)
    follows: Mapping[tuple[str, bool], tuple[float, bool]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "told", (self.word.predicate, self.positive))
        object.__setattr__(self, "follows", implications().get(self.told, {}))


@lru_cache(maxsize=65536)
def form_of(fact: Fact) -> Form:
    """The fact with synonyms, opposites, word order and lists resolved by the tables of words."""
    state = len(fact.objects) == 1
    phrase, denied, adverbs, posture = _plain(fact.name, verb=not state)
    word = _word(phrase, verb=not state)
    if word is None and (place := _place(phrase, fact.objects)) is not None:
        return _placed(fact, place, denied, adverbs)
    if word is None and not state:
        word = _table(False).get(phrase)
        state = word is not None
    if word is None:
        key = _key(phrase, verb=not state)
        symmetric = not state and phrase.endswith("together")
        word = Word(f"{'state' if state else 'relation'} {key}", phrase, key, symmetric=symmetric)
    objects = fact.objects[::-1] if word.converse else fact.objects
    subjects = len(objects) if state else len(objects) - 1 if word.predicate in _PLACES else 0
    positive = fact.truth != (word.opposite != denied)
    return _in_hand(Form(fact, word, positive, objects, state, subjects, adverbs, posture))


@lru_cache(maxsize=1)
def implications() -> dict[tuple[str, bool], dict[tuple[str, bool], tuple[float, bool]]]:
    """What follows from each relation or state that holds or does not: how surely, and if the objects change places."""
    steps: dict[tuple[str, bool], dict[tuple[str, bool], tuple[float, bool]]] = {}
    for table, verb in ((RELATION_IMPLIES, True), (STATE_IMPLIES, False)):
        for phrases, implied, strength in table:
            for phrase in phrases.split(", "):
                there, here, turned = _edge(phrase, implied, verb)
                steps.setdefault(there, {})[here] = (strength, turned)
                steps.setdefault((here[0], not here[1]), {})[there[0], not there[1]] = (strength, turned)
    return {start: _reached(start, steps) for start in steps}


def _edge(phrase: str, implied: str, verb: bool) -> tuple[tuple[str, bool], tuple[str, bool], bool]:
    positive, turned = not implied.startswith("not "), "~" in implied
    target = implied.removeprefix("not ").removeprefix("~")
    one = _table(verb).get(phrase) or _unlisted(phrase, verb)
    other = _table(verb).get(target) or _table(False).get(target) or _unlisted(target, verb)
    turned ^= one.converse ^ other.converse
    return (one.predicate, not one.opposite), (other.predicate, positive != other.opposite), turned


def _reached(
    start: tuple[str, bool], steps: dict[tuple[str, bool], dict[tuple[str, bool], tuple[float, bool]]]
) -> dict[tuple[str, bool], tuple[float, bool]]:
    """All that follows within three steps, each by its surest way."""
    found: dict[tuple[str, bool], tuple[float, bool]] = {}
    edge = {start: (1.0, False)}
    for _ in range(3):
        further: dict[tuple[str, bool], tuple[float, bool]] = {}
        for here, (strength, turned) in edge.items():
            for there, (sure, turns) in steps.get(here, {}).items():
                reached = (strength * sure, turned ^ turns)
                if there != start and reached[0] > found.get(there, (0.0, False))[0]:
                    found[there] = further[there] = reached
        edge = further
    return found


@lru_cache(maxsize=65536)
def _plain(name: str, *, verb: bool) -> tuple[str, bool, frozenset[str], str]:
    """A relation's or state's name without denial, adverbs and posture; whether it was denied; what else it had."""
    left = tokens(name)
    denied = False
    for denial in DENIALS:
        if left[: len(denial)] == denial and len(left) > len(denial):
            left, denied = left[len(denial) :], True
            break
    left = tuple(each for each in left if each not in FILLERS) or left
    if " ".join(left) in _table(verb):
        return " ".join(left), denied, frozenset(), ""
    adverbs = frozenset(ADVERBS[each] for each in left if each in ADVERBS)
    bare = tuple(each for each in left if each not in ADVERBS) or left
    posture = ""
    while len(bare) > 1 and bare[0] in POSTURE and (bare[1] in PREPOSITIONS or bare[1] in POSTURE):
        posture, bare = bare[0], bare[1:]
    return " ".join(bare) or name, denied, adverbs, posture


def _word(phrase: str, *, verb: bool) -> Word | None:
    """The phrase in the tables, as it stands or inflected or turned round by "un"."""
    table = _table(verb)
    return table.get(phrase) or table.get(_key(phrase, verb=verb)) or _denied(phrase, verb)


def _place(phrase: str, objects: tuple[str, ...]) -> tuple[str, str] | None:
    """The place that a relation's own name tells, after its preposition: ``in dish rack``."""
    found = _TOLD_PLACE.fullmatch(phrase)
    if found is None:
        return None
    told = {stem(each) for each in found["place"].split(" ")}
    if len(objects) > 1 and not told <= {stem(each) for each in tokens(objects[-1])}:
        return None
    return "on" if found["on"] else "in", found["place"]


def _placed(fact: Fact, place: tuple[str, str], denied: bool, adverbs: frozenset[str]) -> Form:
    told = len(fact.objects) == 1
    objects = (*fact.objects, place[1]) if told else fact.objects
    word = _table(True)[place[0]]
    return _in_hand(
        Form(fact, word, fact.truth != denied, objects, False, len(objects) - 1, adverbs, told_by_name=told)
    )


def _in_hand(form: Form) -> Form:
    """What is in a hand is held by it; and what is held may stand before what holds it: ``grasped(knife, hand)``."""
    if form.state or len(form.objects) != 2:
        return form
    first, last = form.objects
    if form.word.predicate == "in" and is_hand(last):
        word = replace(form.word, predicate=_HOLDING, strength=0.85)
        return replace(form, word=word, objects=(last, first), subjects=0, from_place=True)
    if form.word.predicate == _HOLDING and is_holder(last) and not is_holder(first):
        return replace(form, objects=(last, first))
    return form


def _denied(phrase: str, verb: bool) -> Word | None:
    """A word that "un" turns round: unwashed, unreachable."""
    bare = phrase[2:]
    if " " in phrase or not phrase.startswith("un") or len(bare) < 5 or not bare.endswith(("ed", "able", "ible")):
        return None
    if phrase in ("united", "unified"):
        return None
    known = _table(verb).get(bare) or _unlisted(bare, verb)
    return replace(known, opposite=not known.opposite, phrase=phrase, key=_key(phrase, verb=verb))


def _unlisted(phrase: str, verb: bool) -> Word:
    key = _key(phrase, verb=verb)
    return Word(f"{'relation' if verb else 'state'} {key}", phrase, key)


@lru_cache(maxsize=65536)
def _key(phrase: str, *, verb: bool) -> str:
    """The phrase with regular inflection set aside; "ready to pour" is "ready for pouring"."""
    each = phrase.split(" ")
    if each[0] in ("ready", "prepared") and len(each) > 2 and each[1] in ("for", "to"):
        return " ".join(["ready", *(inflected(word, verb=True) for word in each[2:])])
    return " ".join(inflected(word, verb=verb) for word in each)


@lru_cache(maxsize=2)
def _table(verb: bool) -> dict[str, Word]:
    """Words of relations (``verb``) or of states by their phrase, and by their key where that is no phrase."""
    found: dict[str, Word] = {}
    for group in RELATIONS if verb else STATES:
        name = ("" if verb else "state ") + group.words.split(", ")[0]
        for listed, opposite, converse in (
            (group.words, False, False),
            (group.opposite, True, False),
            (group.converse, False, True),
        ):
            for phrase in filter(None, listed.split(", ")):
                key = _key(phrase, verb=verb)
                found[phrase] = Word(name, phrase, key, opposite, converse, group.symmetric, group.strength)
    for word in list(found.values()):
        found.setdefault(word.key, word)
    return found
