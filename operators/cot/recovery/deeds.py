"""What an order does: the step's own work, something to its things, or something that only helps it."""

from __future__ import annotations

from itertools import pairwise

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.effects import PRONOUNS, reaches, remainder
from operators.cot.recovery.orders import object_of, touches
from operators.cot.recovery.verbs import CONDITION, HANDLING, PLACE, RESTORING, SETTINGS, TAKE, kinds, listed
from operators.cot.recovery.work import Work, stems_of

# Work whose object is often not the thing itself but what is on it.
_ON_DIRT = frozenset(["clean", "dry", "smooth", "coat"])
_SHAPING = frozenset(["cut", "smooth", "coat", "wrap", "close", "fasten", "mix"])
_UNDOING = listed(
    "remove dislodge extract eject discard throw empty unscrew unroll unpick untie unwrap undo detach disconnect"
)
_AWAY = listed("out off back away aside")
# What works a tool, so that the step's work may come of it.
_OPERATING = frozenset(["press", "squeeze", "pump", "push", "pull", "shake"])
# Work that ends in a state of its own name.
_STATED = frozenset(["close", "open", "dry"])


def is_own_work(clause: Clause, work: Work) -> bool:
    """Whether the clause orders the step's own work, and not the same work on something that it needs."""
    if (SETTINGS & set(clause.rest[:4]) and clause.verb in CONDITION) or not work.is_own(clause.verb):
        return False
    about = object_of(clause)
    if PRONOUNS & set(clause.rest[:1]) or (clause.verb in work.verbs and about & work.told):
        return True
    if about & work.tools:
        return False
    return clause.verb in work.verbs - HANDLING or clause.verb not in CONDITION or bool(kinds(clause.verb) & _ON_DIRT)


def brings_state(clause: Clause, work: Work) -> bool:
    """Whether the order's verb is what an effect says of the order's object: "close the lid" for closed(lid)."""
    about = object_of(clause)
    states = [effect for effect in work.effects if effect.holds and _is_of(clause.verb, effect.verbs)]
    return any(any(thing & about for thing in effect.things) for effect in states)


def _is_of(verb: str, states: frozenset[str]) -> bool:
    """Whether the verb brings one of the states about: "seal the jar" for closed(jar)."""
    return verb in states or any(kinds(verb) & kinds(each) & _STATED for each in states)


def cleans_away(clause: Clause, work: Work) -> bool:
    """Whether dirt is taken away, and not off what the step only needs: "clean the lint off the brush"."""
    about = next((i for i, word in enumerate(clause.rest) if word in ("with", "using")), len(clause.rest))
    return not work.tools & stems_of(*clause.rest[:about])


def undoes(clause: Clause, work: Work) -> bool:
    """Whether the order takes the step's own thing away again: "pull the bent nail out", "empty the jug"."""
    away = clause.verb in _UNDOING or bool(_AWAY & set(clause.rest))
    return away and touches(clause, work) and not any(not each.holds for each in work.effects)


def may_finish(clause: Clause, work: Work) -> bool:
    """Whether the order does to the step's own things what may be all that was left to do."""
    about = object_of(clause)
    if touches(clause, work) or PRONOUNS & set(clause.rest[:1]):
        return clause.verb in PLACE or bool(kinds(clause.verb) - RESTORING)
    # "Trim the rim", where the rim is what went wrong: that may be a repair of what the step has made.
    return bool(kinds(clause.verb) & _SHAPING and about & work.flaw - work.tools)


def stands_for(clause: Clause, work: Work) -> bool:
    """Whether the order may do in another way what the step is for: "lay a saucer on the pot instead"."""
    if "instead" in clause.words and "of" not in clause.words:
        return True
    nouns = {each for each in stems_of(*clause.rest) & work.told if not work.speaks_of(frozenset([each]))}
    return len(nouns) > 1 or any(reaches(clause, each) for each in work.effects)


def clears(clause: Clause, work: Work) -> bool:
    """Whether the order takes away what was in the way, or a blemish: which of them it is cannot be told."""
    back = any(a == "back" and b in ("on", "onto", "in", "into") for a, b in pairwise(clause.rest))
    out = clause.verb in _UNDOING or (bool((_AWAY | {"free"}) & set(clause.rest)) and not back)
    return out and bool(object_of(clause) & work.flaw - work.things)


def readies(clause: Clause, work: Work) -> bool:
    """Whether the order serves what the step needs: it restores a condition, or works on something else."""
    about = object_of(clause)
    if remainder(clause):
        return False
    if about & work.tools & work.flaw and clause.verb not in HANDLING | _OPERATING:
        return True
    if clause.verb in TAKE:
        return not _AWAY & set(clause.rest)
    return clause.verb in CONDITION - HANDLING


def is_beside(clause: Clause, work: Work) -> bool:
    """Whether the order is about other things than the step's, though it is not known what it does for them."""
    about = object_of(clause)
    if not about or PRONOUNS & set(clause.rest) or touches(clause, work):
        return False
    return clause.verb in CONDITION or bool(clause.verb and not about & work.flaw)
