"""Whether two names of a plan are names of the same thing, and the tables of words that support is matched by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import lists, rows, stem, tokens


@dataclass(frozen=True, slots=True)
class Group:
    """Words that say the same: each list has commas between its words.

    ``converse`` words say it with the arguments the other way round, ``opposite`` words hold exactly when the others
    do not. ``strength`` is that of two different words of the group. ``symmetric``: arguments in any order.
    """

    words: str
    strength: float = 0.85
    converse: str = ""
    opposite: str = ""
    symmetric: bool = False


def _groups(of: str) -> tuple[Group, ...]:
    return tuple(
        Group(words, float(strength), *_relations(*more))
        for kind, words, strength, *more in rows(__package__, "same.tsv")
        if kind == of
    )


def _relations(symmetric: str = "", converse: str = "", opposite: str = "") -> tuple[str, str, bool]:
    return converse, opposite, bool(symmetric)


def _implied(of: str) -> tuple[tuple[str, str, float], ...]:
    table = rows(__package__, "implied.tsv")
    return tuple((words, implied, float(strength)) for kind, words, implied, strength in table if kind == of)


def _named(kind: str) -> dict[str, str]:
    """Each word of the lists of a kind, and the name of its list."""
    return {word: name.removeprefix(kind) for name, words in _LISTS.items() if name.startswith(kind) for word in words}


_LISTS = lists(__package__, "words.tsv")

#: Relations between two or more objects; states of one, whether the plan writes them as a relation or an affordance.
RELATIONS, STATES = _groups("relation"), _groups("state")
#: What follows from what: phrases, what each of them implies, and how surely.
RELATION_IMPLIES, STATE_IMPLIES = _implied("relation"), _implied("state")
#: Words of degree and care, and which of them say the same: "tightly sealed" is sealed, but "sealed" is not yet
#: tightly sealed. Names of the same thing, word by word.
ADVERBS, ALIASES = _named("adverb "), _named("alias ")
#: Words that say nothing of their own: "now hot" is hot.
FILLERS = _LISTS["fillers"]
#: Words before a preposition that say no more than it does: "positioned under" is "under".
POSTURE, PREPOSITIONS = _LISTS["posture"], _LISTS["prepositions"]
#: Before a relation or state they turn it round: "not inside", "no longer inside".
DENIALS = (("no", "longer"), ("not",), ("isnt",), ("never",))
#: Words of a place's name that leave it the same place: the refrigerator's interior is the refrigerator.
PARTS = _LISTS["parts"]
#: Modifiers that tell a thing from another of its kind, and those that tell what it does at the moment.
TELLING, PASSING = _LISTS["telling"], _LISTS["passing"]
#: What can be in two places at once because some of it is left behind; places that other places are in.
STUFF, WIDE = _LISTS["stuff"], _LISTS["wide"]
#: What may stand after what it holds: "held(cube, gripper)".
HOLDERS = _LISTS["holders"]
#: What opens and closes for all of the thing that has it: an open refrigerator door is an open refrigerator.
DOORS = _LISTS["doors"]


#: How sure it is that two names mean the same thing, from surest to least sure.
SAME, PLURAL, REWORDED, PART, SHORTER, ONE_HAND, DOOR = 1.0, 0.95, 0.9, 0.85, 0.8, 0.8, 0.8

_SIDES = frozenset(("left", "right"))


@dataclass(frozen=True, slots=True)
class _Name:
    """A name, word by word: ``head`` is the word that says what kind of thing it is."""

    tokens: tuple[str, ...]
    stems: tuple[str, ...]
    head: str

    @property
    def is_hand(self) -> bool:
        return self.head == "hand"


@lru_cache(maxsize=65536)
def _name(text: str) -> _Name:
    first, *others = tokens(text)
    listed = others if others and first in ("the", "a", "an") else [first, *others]
    words = tuple(ALIASES.get(word, word) for word in listed)
    stems = tuple(map(stem, words))
    head_at = words.index("of") - 1 if "of" in words[1:] else len(words) - 1
    return _Name(words, stems, stems[head_at])


@lru_cache(maxsize=65536)
def sameness(effect: str, condition: str, things: frozenset[str] = frozenset()) -> float:
    """How sure it is that an effect's object is a condition's object; 0 where it is not.

    ``things`` are all names of the plan: a name may be shortened only where no other thing could be meant by it.

    >>> plan = frozenset({"blue_lid", "jar"})
    >>> sameness("blue_lid", "lid", plan), sameness("blue_lid", "lid", plan | {"red_lid"}), sameness("lid", "Lids")
    (0.8, 0.0, 0.95)
    """
    if effect == condition:
        return SAME
    one, other = _name(effect), _name(condition)
    if tokens(effect) == tokens(condition):
        return SAME
    if one.is_hand and other.is_hand:
        return _hands(one, other)
    if one.stems == other.stems:
        return PLURAL
    if sorted(set(one.stems) - {"of"}) == sorted(set(other.stems) - {"of"}) and one.head == other.head:
        return REWORDED
    if _without_parts(one) == _without_parts(other):
        return PART
    return SHORTER if _shortened(one, other) and _alone(one, other, things) else 0.0


def is_hand(name: str) -> bool:
    """Whether the name is one of hands, left or right or both."""
    return _name(name).is_hand


def is_holder(name: str) -> bool:
    """Whether the name is one of what holds things: a hand, a gripper, a person."""
    return _name(name).head in _stems(HOLDERS)


def door_of(one: str, other: str) -> bool:
    """Whether one is the other's door or lid: ``refrigerator_door`` of ``refrigerator``."""
    long, short = sorted((_name(one).stems, _name(other).stems), key=len, reverse=True)
    return len(long) == len(short) + 1 and long[:-1] == short and long[-1] in DOORS


def overlap(one: str, other: str) -> bool:
    """Whether the names share a word, so that one thing may be part of the other."""
    return not set(_name(one).stems).isdisjoint(_name(other).stems)


def is_stuff(name: str) -> bool:
    """Whether some of the thing can be taken away while the rest of it stays where it is."""
    return _name(name).head in _stems(STUFF)


def is_wide(name: str) -> bool:
    """Whether the place has other places in it."""
    return _name(name).head in _stems(WIDE)


@lru_cache(maxsize=1)
def _states() -> frozenset[str]:
    listed = frozenset(word for group in STATES for word in (group.words + ", " + group.opposite).split(", "))
    return listed | PASSING


@lru_cache(maxsize=8)
def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _hands(one: _Name, other: _Name) -> float:
    sides = _SIDES.intersection(one.tokens), _SIDES.intersection(other.tokens)
    if sides[0] == sides[1]:
        return PLURAL
    return 0.0 if all(sides) else ONE_HAND


def _without_parts(name: _Name) -> tuple[str, ...]:
    kept = list(name.tokens)
    while len(kept) > 1 and kept[-1] in PARTS:
        kept.pop()
    return tuple(map(stem, kept))


def _shortened(one: _Name, other: _Name) -> bool:
    """Whether the names differ only in words that describe the thing and do not tell it from others."""
    if one.head != other.head or "and" in one.tokens or "and" in other.tokens:
        return False
    more, fewer = (one, other) if len(one.stems) > len(other.stems) else (other, one)
    if not set(fewer.stems) < set(more.stems):
        return False
    added = [word for word, each in zip(more.tokens, more.stems, strict=True) if each not in fewer.stems]
    if any(word in TELLING or any(letter.isdigit() for letter in word) for word in added):
        return False
    # nothing says that the water is hot, or the rice boiled, when water and rice are all that the effect speaks of
    return more is one or not any(word in _states() or word.endswith("ed") for word in added)


def _alone(one: _Name, other: _Name, things: frozenset[str]) -> bool:
    fewer = set(one.stems) & set(other.stems)
    kind = {name.stems for name in map(_name, things) if name.head == one.head and fewer <= set(name.stems)}
    return bool(things) and kind <= {one.stems, other.stems}
