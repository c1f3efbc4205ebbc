"""Wrong options that are half right: clauses of the right one, with clauses of another step's in the others' place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from operators.cot.recovery.words import is_order

#: What texts consist of: orders ("lift the lid, and wipe it"), or statements ("the lid would slip, leaving a gap").
Clauses = Literal["orders", "statements"]

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_JOINT = re.compile(r"[,;.] (?:and |but )?(?:then )?|(?<=\w) and (?:then )?", re.IGNORECASE)
# What begins a clause that hangs on the one before, beside words in -ing: "as the lid is loose", "leaving a gap".
_REASONS = frozenset("as because since so which while".split())  # noqa: SIM905 - as a text it can be read
_LOOKED_AT = 60
_VERB = re.compile(r"\b(?:would|could|will|can|cannot|may|might|must|is|are|was|were)\b")
# What begins an order's object.
_OBJECT = frozenset("the a an it its them this that these those his her their your one two".split())  # noqa: SIM905 - as a text it can be read
# A statement that begins so is no whole one before its first comma.
_OPEN = frozenset("if when while without with no yes as since because instead after before although though".split())  # noqa: SIM905 - as a text it can be read


@dataclass(frozen=True, slots=True)
class _Joint:
    """A place where one clause ends and another begins; whether each of the two hangs on the one before it."""

    place: int
    after_tied: bool
    tied: bool


def crossed(gold: str, other: str, clauses: Clauses) -> Iterator[str]:
    """The first clauses of one text with the last ones of the other, both ways; none of a text of one clause.

    >>> list(crossed("Lift the lid, then wipe the rim.", "Press the valve and pull the tube again.", "orders"))
    ['Lift the lid and pull the tube again.', 'Press the valve, then wipe the rim.']
    """
    for one, their in product(_joints(gold, clauses), _joints(other, clauses)):
        if not (one.after_tied and their.tied):
            yield gold[: one.place] + other[their.place :]
        if not (their.after_tied and one.tied):
            yield other[: their.place] + gold[one.place :]


@lru_cache(maxsize=1 << 10)
def _joints(text: str, clauses: Clauses) -> tuple[_Joint, ...]:
    """Where a whole clause ends, and another one begins."""
    found: list[_Joint] = []
    tied = False
    for joint in _JOINT.finditer(text):
        head, rest = text[: joint.start()], text[joint.end() :]
        words = [word.lower() for word in _WORD.findall(rest[:_LOOKED_AT])]
        if words and words[0].endswith("ly"):
            del words[0]
        begins = words[0] if words else ""
        hangs = begins in _REASONS or begins.endswith("ing")
        if _is_clause(words, rest, joint.group(), clauses) and _is_whole(head, clauses):
            found.append(_Joint(joint.start(), tied, hangs))
        tied = hangs if joint.group()[0] != " " else tied
    return tuple(found)


def _is_clause(words: Sequence[str], rest: str, joint: str, clauses: Clauses) -> bool:
    """Whether what follows a joint is a clause of its own: behind a bare *and*, an order with its object."""
    if not words:
        return False
    if joint[0] == " ":
        return clauses == "orders" and is_order(words[0]) and words[1:2] != [] and words[1] in _OBJECT
    if words[0] in _REASONS or words[0].endswith("ing"):
        return True
    if clauses == "statements":
        return _has_verb(rest)
    return is_order(words[0]) and (joint.endswith("then ") or words[1:2] not in (["and"], ["or"]))  # not "oil and salt"


def _is_whole(head: str, clauses: Clauses) -> bool:
    """Whether what stands before a joint can stand alone."""
    words = _WORD.findall(head[:_LOOKED_AT])
    first = words[0].lower() if words else ""
    if clauses == "orders":
        return is_order(first) or first.endswith("ly")
    return first not in _OPEN and _has_verb(head)


def _has_verb(text: str) -> bool:
    return _VERB.search(re.split(r"[,;.]", text, maxsplit=1)[0]) is not None
