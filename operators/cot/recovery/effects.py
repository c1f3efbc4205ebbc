"""Which effects of a step tell that it is done, and which clauses of a recovery bring them about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, takewhile

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.verbs import LISTS, LOOK, PLACE, base, kinds, listed, stem, stemmed, words_of
from operators.cot.support.facts import Fact
from operators.cot.support.words import RELATIONS, STATES

#: Prepositions that say where something comes to be, by what a relation's name says.
_PLACES = {
    "in": listed("in into inside within on onto"),
    "on": listed("on onto upon atop over across in into"),
    "to": listed("to onto on into in with"),
    "under": listed("under beneath below underneath"),
    "through": frozenset(["through"]),
    "around": listed("around round about over"),
    "with": listed("with"),
    "out": listed("out from off"),
}
_RELATIONS = {
    "in": "in inside into within contained submerged inserted seated immersed",
    "on": "on onto top upon above resting mounted spread hanging placed",
    "to": "to attached connected fastened joined fixed aligned against clamped linked",
    "under": "under beneath below underneath",
    "through": "through",
    "around": "around surrounding wrapped",
    "out": "out outside removed separated detached off",
}
_PREPOSITIONS = frozenset().union(*_PLACES.values()) | listed(
    "until for by at against along down up toward towards between"
)
_HANDS = listed("hand hands finger fingers fingertips thumbs")
_INTO = listed("in into inside on onto")
_LINKS = listed("of with from using so then")
_PLACE_OF = {word: place for place, words in _RELATIONS.items() for word in words.split()}
_EMPTY = listed("a an the of with in on to and or for by at from as into is be ready state object position types")
#: Words that may stand for the step's own thing.
PRONOUNS = listed("it them they")
_STRAY = listed("spilled fallen scattered dropped skipped stray")
_REMAINDER = _STRAY | listed(
    "remaining remainder rest last leftover missed residual remain remains unfinished affected"
)
_SURPLUS = listed("excess surplus extra superfluous")
_WHOLLY = LISTS["wholly"]
_NONE = listed("no none nothing without not never free gone")
_LOCKED = listed("click clicks clicked snap snaps lock locks latch latches shut home flush engages catches")
_JOINED = (
    "attached connected fastened fixed mounted joined locked closed sealed inserted seated secured clipped plugged "
    "screwed assembled engaged airtight shut installed linked coupled latched fitted clamped"
)


@cache
def _alike_words() -> dict[str, frozenset[str]]:
    """The stems of single words by the stem of another one that says the same of one thing."""
    found: dict[str, frozenset[str]] = {}
    for group in (*STATES, *RELATIONS):
        for side in (group.words, group.opposite):
            same = frozenset(stem(word.strip()) for word in side.split(",") if word.strip().isalpha())
            found.update({each: found.get(each, frozenset()) | same for each in same})
    return found


_DIRT = (
    "dirt residue debris particles grease soap suds foam spots spot stains stain dust grime streaks streak crumbs "
    "soil lint algae mud food oil film deposits crust paint rust bits detergent scum marks mark hair limescale"
)
_CLEAN = "clean washed rinsed sanitized spotless scrubbed polished"
_CARRY = listed("transfer return move add bring carry pass drag deliver")
_TO = frozenset(["to"])
_AWAY = listed("remove empty drain dislodge clear loosen wash rinse wipe scrape drive away eliminate dig peel")


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as the words that tell it: stems of its things, of its state, and where things come to be.

    ``holds`` is False for what does not hold any more after the step.
    """

    things: tuple[frozenset[str], ...]
    state: frozenset[str]
    verbs: frozenset[str]
    place: str
    holds: bool


def telling(effects: Sequence[Fact], conditions: Sequence[Fact], agent: str, about: frozenset[str]) -> list[Effect]:
    """The effects that hold only once the step is done: not before it, and not just that a hand holds something.

    Where some are of what the step is ``about`` (stems), only these.
    """
    before = set(conditions)
    changed = [fact for fact in effects if fact not in before]
    kept = [fact for fact in changed if not _is_hold(fact, agent)]
    main = [fact for fact in kept or changed if _is_of(fact, about)]
    return [_effect(fact) for fact in main or kept or changed]


@lru_cache(maxsize=1 << 14)
def things_of(name: str) -> frozenset[str]:
    """The stems by which a thing is called: the last word of its name first of all, but each will do."""
    return frozenset(stem(word) for word in words_of(name) if word not in _EMPTY)


@lru_cache(maxsize=1 << 12)
def destination(goal: str, patient: frozenset[str]) -> Effect | None:
    """The effect that a goal itself tells, where it is to put the patient somewhere: "Pour the milk into the jug"."""
    words = words_of(goal)
    if not words or not kinds(base(words[0]) or "") & {"put", "pour"}:
        return None
    at = next((i for i, word in enumerate(words) if word in _INTO), len(words))
    name = list(takewhile(lambda word: word not in _PREPOSITIONS | _LINKS | {"and"}, words[at + 1 :]))
    if not name or not patient & frozenset(map(stem, words[1:at])):
        return None
    place = "in" if words[at] in ("in", "into", "inside") else "on"
    return Effect((patient, frozenset([stem(name[-1])])), frozenset(), frozenset(), place, True)


def _is_of(fact: Fact, about: frozenset[str]) -> bool:
    """Whether the fact is of one of these things: a part that moves moves them, but its state is its own."""
    if len(fact.objects) > 1:
        return any(things_of(name) & about for name in fact.objects)
    return any(stem(word) in about for word in words_of(fact.objects[0])[-1:])


@lru_cache(maxsize=1 << 12)
def _effect(fact: Fact) -> Effect:
    words = words_of(fact.name)
    state = frozenset(stem(word) for word in words if word not in _EMPTY | _PREPOSITIONS)
    state = state.union(*(_alike_words().get(each, ()) for each in state))
    verbs = frozenset(found for word in words if (found := base(word)))
    place = next((_PLACE_OF[word] for word in words if word in _PLACE_OF), "")
    return Effect(tuple(things_of(each) for each in fact.objects), state, verbs, place, fact.truth)


def holds(effects: Sequence[Fact], conditions: Sequence[Fact], agent: str) -> list[Fact]:
    """The effects that something comes to be in hand."""
    before = set(conditions)
    return [fact for fact in effects if fact.truth and fact not in before and _is_hold(fact, agent)]


@lru_cache(maxsize=1 << 12)
def _is_hold(fact: Fact, agent: str) -> bool:
    if fact.kind != "spatial" or len(fact.objects) < 2:
        return False
    agents = _HANDS.union(words_of(agent))
    return any(not agents.isdisjoint(words_of(each)) for each in fact.objects)


@lru_cache(maxsize=1 << 12)
def _said(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(stem, words))


def placed(clause: Clause, effect: Effect) -> bool:
    """Whether the clause puts the effect's first thing where the effect says: "scrape the pieces into the pan"."""
    if len(effect.things) < 2 or not effect.place or clause.verb in LOOK | PLACE or _NONE & set(clause.words):
        return False
    wanted = effect.place if effect.holds else "out"
    if not effect.holds and effect.place not in ("in", "on", "to", "under", "through"):
        return False
    *movers, goal = effect.things
    to = _TO if clause.verb in _CARRY and effect.holds else frozenset()
    return _goes(clause.words, _PLACES[wanted] | to, goal, movers)


def reaches(clause: Clause, effect: Effect) -> bool:
    """Whether the clause puts something, whatever its name, where the effect says."""
    if len(effect.things) < 2 or not effect.holds or clause.verb in LOOK:
        return False
    stems = [stem(word) for word in clause.words]
    after = (i + 1 for i, word in enumerate(clause.words) if word in _PLACES["in"])
    return any(_in_phrase(clause.words[i:], stems[i:], effect.things[-1]) for i in after)


def _goes(
    words: tuple[str, ...], prepositions: frozenset[str], goal: frozenset[str], movers: Sequence[frozenset[str]]
) -> bool:
    stems = [stem(word) for word in words]
    for i, word in enumerate(words):
        if word in prepositions and _in_phrase(words[i + 1 :], stems[i + 1 :], goal):
            named = stems[:i]
            moved = any(mover & set(named) for mover in movers)
            left = bool(_REMAINDER & set(words[:i])) or ("left" in words[:i] and "that" in words[:i])
            return moved or left or bool(PRONOUNS & set(words[:i]))
    return False


def _in_phrase(words: Sequence[str], stems: Sequence[str], goal: frozenset[str]) -> bool:
    for word, each in zip(words[:7], stems[:7], strict=True):
        if word in _PREPOSITIONS and word != "of":
            return False
        if each in goal:
            return True
    return False


def named(clause: Clause, effect: Effect, things: bool = True) -> bool:
    """Whether the clause says the effect's state of its thing: "the lid is sealed", "no more air", "mixed evenly"."""
    stems = _said(clause.words)
    about = any(thing & stems for thing in effect.things) or bool(PRONOUNS & set(clause.words))
    if things and not about:
        return False
    if not effect.holds:
        return bool(_NONE & set(clause.words)) or clause.verb in _AWAY
    if "free" in effect.state or "clear" in effect.state:
        return bool((effect.state - {"free", "clear"}) & stems) and bool(
            (_AWAY | _NONE) & set(clause.words) or clause.verb in _AWAY
        )
    return _alike(effect.state, stems) or bool(effect.verbs and clause.verb in effect.verbs)


def _alike(state: frozenset[str], stems: frozenset[str]) -> bool:
    return bool(state & stems) or any(len(a) > 4 and any(b[:5] == a[:5] for b in stems) for a in state)


def wholly(clause: Clause) -> bool:
    """Whether the clause speaks of the whole of something."""
    return bool(_WHOLLY & set(clause.words))


def remainder(clause: Clause) -> bool:
    """Whether the clause is about what has been left over: "roll the last section over", "those that are left"."""
    left = any(b == "left" and a in ("are", "is", "still") for a, b in pairwise(clause.rest))
    too = clause.rest[-2:] == ("as", "well") and clause.rest[-3:-2] != ("just",)
    return left or too or clause.rest[-1:] == ("too",) or bool(_REMAINDER & set(clause.rest))


def cleaned(clause: Clause, effect: Effect) -> bool:
    """Whether the clause tells that dirt goes where the effect says that something is clean or free of it."""
    dirt = frozenset().union(*effect.things[1:], effect.state) & stemmed(_DIRT)
    clean = effect.holds and (effect.state & stemmed(_CLEAN) or "free" in effect.state)
    away = clause.verb in _AWAY or _NONE & set(clause.words)
    return bool(away and (clean or (dirt and not effect.holds)) and stemmed(_DIRT) & _said(clause.words))


def spilled(clause: Clause) -> bool:
    """Whether the clause is about what has gone astray: "wipe up the spilled milk"."""
    return bool(_STRAY & set(clause.rest))


def locked(clause: Clause, effect: Effect) -> bool:
    """Whether the clause tells by a sign that things are joined or closed: "until it clicks"."""
    return bool(_LOCKED & set(clause.words)) and bool(effect.state & stemmed(_JOINED)) and effect.holds


def surplus(clause: Clause, things: frozenset[str]) -> bool:
    """Whether the clause takes away what is too much of the step's own things, so that the rest may be right."""
    return bool(_SURPLUS & set(clause.words)) and bool(things & _said(clause.words))
