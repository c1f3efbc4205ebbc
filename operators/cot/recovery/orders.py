"""What an order of a recovery is about, and whether it says that it is about what is left or done anew."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.effects import remainder
from operators.cot.recovery.verbs import LISTS, LOOK, TAKE, base, listed, stem, stemmed
from operators.cot.recovery.work import Work, stems_of

#: ``done``: it brings effects about. ``next``: it goes on with the next step. ``anew``: it orders the step's work
#: anew. ``own``: it orders that work and does not tell whether it gets done. ``work``: it works on the step's things
#: and does not tell what comes of it. ``ready``: it restores or improves what the step needs. ``undone``: it takes
#: away what the step has brought about. ``off``: it stops what the effects live on. ``look``: it only looks, waits or
#: tidies up. ``aside``: it is about other things, so that it can but help. ``unknown``: none of these can be told.
Sign = Literal["done", "next", "anew", "off", "own", "work", "ready", "undone", "look", "aside", "unknown"]

AGAIN = listed("again anew afresh")
_SOFTLY = listed("slowly gently carefully")
_STEADILY = LISTS["steadily"]
_PARTICLES = listed("on in out off up down away back")
MISSED = "remains left missed skipped stays"
TIME = listed("second seconds minute minutes hour hours")
_FROM = LISTS["from"]


def is_again(clause: Clause) -> bool:
    """Whether the order says that something is done once more."""
    return bool(AGAIN & set(clause.words)) or "once more" in " ".join(clause.words)


def is_slower(clause: Clause) -> bool:
    """Whether the order is about how to go about the work, which is thus still to be done."""
    words = set(clause.rest)
    return bool(words & _STEADILY) or (bool(words & _SOFTLY) and "more" in words)


def keeps_on(clause: Clause, work: Work) -> bool:
    """Whether the order is to go on with what was being done: "keep hammering, gently this time"."""
    head = next((word for word in clause.rest if not word.endswith("ly")), "")
    if clause.verb not in ("keep", "continue", "resume") or not head.endswith("ing") or remainder(clause):
        return False
    if base(head) in LOOK | TAKE | work.next_verbs or stem(head) in work.next_words:
        return False
    return not TIME & set(clause.rest)


def is_leftover(clause: Clause, work: Work) -> bool:
    """Whether the order is about what has been left undone, by its own words or by those of why the step failed."""
    if remainder(clause):
        return True
    return not _SOFTLY & set(clause.rest) and bool(
        work.flaw & stemmed(MISSED) and object_of(clause) & work.flaw - work.things
    )


def touches(clause: Clause, work: Work) -> bool:
    """Whether the order is about a thing of the step's own: not about "the soap dispenser" where soap is one."""
    words = phrase(clause)
    own = bool(stems_of(*words) & work.things)
    return own and not (stem(words[-1]) in work.tools and "of" not in words)


def object_of(clause: Clause) -> frozenset[str]:
    """The stems of what the order is about."""
    return stems_of(*phrase(clause))


def phrase(clause: Clause) -> tuple[str, ...]:
    """The words for what the order is about: up to the first preposition."""
    return _phrase(clause.rest)


@lru_cache(maxsize=1 << 12)
def _phrase(rest: tuple[str, ...]) -> tuple[str, ...]:
    # "put on gloves", "take out a third"
    start = 1 if len(rest) > 1 and rest[0] in _PARTICLES and rest[1] not in _PARTICLES else 0
    end = next((i for i in range(start, len(rest)) if rest[i] in _FROM), len(rest))
    return rest[start:end]
