"""Which words of plans say the same, which say the opposite, and what follows from what.

Words stand here as phrases: lower case, spaces for underscores, without adverbs of degree ("fully closed" is
"closed") and without posture before a preposition ("placed on" is "on"). A group's first word names it.
Inflection is not listed where it is regular: relations take -s and -ing ("holds", "holding") as one word; states do
not, for "stirring" is what a spoon is for and "stirred" is what soup is. Words in -able are never a state.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from operators.cot.tables import lists_of, rows_of


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
    rows = (row for row in rows_of(_HERE.with_name("same.tsv")) if row[0] == of)
    return tuple(
        Group(words, float(strength), converse, opposite, bool(symmetric))
        for _, words, strength, symmetric, converse, opposite in rows
    )


def _implied(of: str) -> tuple[tuple[str, str, float], ...]:
    rows = (row for row in rows_of(_HERE.with_name("implied.tsv")) if row[0] == of)
    return tuple((words, implied, float(strength)) for _, words, implied, strength in rows)


def _named(kind: str) -> dict[str, str]:
    """Each word of the lists of a kind, and the name of its list."""
    return {word: name.removeprefix(kind) for name, words in _LISTS.items() if name.startswith(kind) for word in words}


_HERE = Path(__file__)
_LISTS = lists_of(_HERE.with_name("words.tsv"))

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
