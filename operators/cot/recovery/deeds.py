"""What an order does: the step's own work, something to its things, or something that only helps it."""

from __future__ import annotations

from itertools import pairwise

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.effects import PRONOUNS, reaches, remainder
from operators.cot.recovery.orders import object_of, touches
from operators.cot.recovery.verbs import (
    CONDITION,
    HANDLING,
    LISTS,
    PLACE,
    RESTORING,
    SETTINGS,
    TAKE,
    base,
    kinds,
    listed,
    stemmed,
    words_of,
)
from operators.cot.recovery.work import Work, stems_of

# Work whose object is often not the thing itself but what is on it.
_ON_DIRT = frozenset(["clean", "dry", "smooth", "coat"])
_SHAPING = frozenset(["cut", "smooth", "coat", "wrap", "close", "fasten", "mix"])
_UNDOING = LISTS["undoing"]
_AWAY = listed("out off back away aside")
_ANYTHING = listed("what whatever everything anything rest others")
_EXCHANGES = listed("replace swap exchange change")
# What works a tool, so that the step's work may come of it.
_OPERATING = listed("press squeeze pump push pull shake turn rotate twist flip")
# What may be a part of the step's own thing, where nothing tells of what.
_PARTS = "piece area spot section part portion side edge corner end loop fold half"
# What the reason of a failure says of a thing that is in the way.
BLOCKED = "jammed jams blocks blocked clogged stuck caught catches keeps prevents packed wedged"
# States that end where a burner or a tap is turned off.
_LIVE = "on hot heated boiling warm cooked simmering running flowing lit burning powered active"
# Participles with a form of their own.
_OWN_FORMS = words_of(
    "driven drive put put cut cut set set laid lay wound wind hung hang bent bend drawn draw sewn sew ground grind "
    "torn tear swept sweep held hold spun spin shut shut spread spread stuck stick woven weave written write bound "
    "bind sawn saw taken take fed feed beaten beat struck strike slid slide blown blow"
)
_DONE = dict(zip(_OWN_FORMS[::2], _OWN_FORMS[1::2], strict=True))
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


def stops(clause: Clause, work: Work) -> bool:
    """Whether the order stops what the effects live on: "turn off the burner" where the step is to boil water."""
    off = clause.verb in ("turn", "switch", "shut", "power") and "off" in clause.rest
    hot = any("heat" in kinds(verb) for verb in work.verbs)
    return off and (hot or any(each.holds and each.state & stemmed(_LIVE) for each in work.effects))


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
    if remainder(clause) or _tells_of_own_work(clause, work):
        return False
    if clause.verb in _EXCHANGES and (about & work.patient or PRONOUNS & set(clause.rest[:1])):
        return False
    if about & work.tools & work.flaw and clause.verb not in HANDLING | _OPERATING:
        return True
    if clause.verb in TAKE:
        return not _AWAY & set(clause.rest) and not (work.held and (about & work.held or PRONOUNS & set(clause.rest)))
    return clause.verb in CONDITION - HANDLING


def _tells_of_own_work(clause: Clause, work: Work) -> bool:
    """Whether the step's work is told beside the order's own verb: "a new screw, driven flush"."""
    parts = (_DONE.get(word) or (base(word) if word.endswith("ed") else None) for word in clause.rest)
    return any(verb in work.verbs for verb in parts)


def is_beside(clause: Clause, work: Work) -> bool:
    """Whether the order is about other things than the step's, though it is not known what it does for them."""
    about = object_of(clause)
    if (
        not about
        or (PRONOUNS | _ANYTHING) & set(clause.rest)
        or touches(clause, work)
        or _tells_of_own_work(clause, work)
    ):
        return False
    operates = clause.verb in _OPERATING
    if work.is_own(clause.verb) and about & work.flaw - work.tools and not work.flaw & stemmed(BLOCKED):
        return False
    if clause.verb in CONDITION:
        return not (operates and about & work.tools) and not about & stemmed(_PARTS)
    return bool(clause.verb and not operates and not about & work.flaw and about & work.tools)
