"""What each order of a recovery does for its step: a sign an order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.effects import (
    PRONOUNS,
    cleaned,
    locked,
    named,
    only_holds,
    placed,
    reaches,
    remainder,
    surplus,
    wholly,
)
from operators.cot.recovery.verbs import (
    ANEW,
    AVOID,
    CONDITION,
    FINISH,
    LOOK,
    PLACE,
    SETTINGS,
    SKIP,
    TAKE,
    WAIT,
    base,
    is_anew,
    kinds,
    listed,
    stem,
)
from operators.cot.recovery.work import Work, stems_of

#: ``done``: it brings effects about. ``next``: it goes on with the next step. ``anew``: it orders the step's work
#: anew. ``own``: it orders that work without a word of its end. ``work``: it works on the step's things and does not tell what comes of it. ``ready``: it serves conditions.
#: ``undone``: it takes away what the step has brought about. ``look``: it only looks, asks or waits. ``aside``: it is about other things.
Sign = Literal["done", "next", "anew", "own", "work", "ready", "undone", "look", "aside", "unknown"]

_ON = listed("continue proceed resume")
_GO = listed("go move carry keep")
_AGAIN = listed("again anew afresh")
_SOFTLY = listed("slowly gently carefully frequently often")
_STEADILY = listed(
    "slower gentler shorter lower faster harder continuously constantly regularly regular intervals gentle"
)
# Work whose object is often not the thing itself but what is on it.
_ON_DIRT = frozenset(["clean", "dry", "smooth", "coat"])
# Work that brings a thing back to what it was.
_RESTORING = frozenset(["clean", "dry"])
_SHAPING = frozenset(["cut", "smooth", "coat", "wrap", "close", "fasten", "mix"])
_ATTEMPT = listed("attempt attempts attempting retry reattempt retrying")
_UNDOING = listed("remove discard throw empty unscrew unroll unpick untie unwrap undo detach disconnect")
_AWAY = listed("out off back away")
_PART = listed("piece pieces area areas spot spots section sections part parts portion side edge corner patch")
# What works a tool, so that the step's work may come of it.
_OPERATING = frozenset(["press", "squeeze", "pump", "push", "pull", "shake"])
# Work that ends in a state of its own name.
_STATED = frozenset(["close", "open", "dry"])
_TIME = listed("second seconds minute minutes hour hours")
_HELPS = frozenset(["hold", "support", "steady", "secure", "brace", "stabilize"])
_NOT_YET = listed("not can could without avoid prevent may might")
_THOROUGHLY = listed("thoroughly completely entirely fully")
_BY = listed("with using by through")
_PLAN = listed("step plan task recipe procedure sequence protocol")
_FROM = re.compile(
    r"with|in|on|into|onto|from|to|under|at|by|over|through|against|along|out|off|around|for|using|until"
)


def signs_of(clauses: Sequence[Clause], work: Work) -> list[Sign]:
    """A sign for each order; what is said of its result, its aim or its limit goes into it."""
    signs: list[Sign] = []
    order: Clause | None = None
    for clause in clauses:
        if clause.role in ("order", "or"):
            order = clause
            sign = _order(clause, work)
            # "Stir well, and continue stirring": the first time may have been enough.
            signs.append("own" if sign == "anew" and "own" in signs and not _again(clause) else sign)
        elif clause.role == "before":
            signs.append(_before(clause, work))
        elif order is not None:
            signs[-1] = _with(clause, order, signs[-1], work)
    return signs


def _order(clause: Clause, work: Work) -> Sign:
    if _keeps_on(clause, work):
        return "anew"
    if on := _goes_on(clause, work):
        return on
    if clause.verb in FINISH:
        return "done"
    if _ATTEMPT & set(clause.rest) or "from scratch" in " ".join(clause.rest):
        return "anew"
    own = _own(clause, work)
    put = any(placed(clause, each) or (cleaned(clause, each) and _away(clause, work)) for each in work.effects)
    again = _again(clause) or any(is_anew(word) for word in clause.words[:2])
    states = _states(clause, work)
    if again and (put or states):
        return "work"
    if clause.verb in ANEW:
        return _anew(clause, work)
    if again and own and not remainder(clause):
        return "work" if _PART & set(clause.rest) or wholly(clause) else "anew"
    if put or states:
        return "work" if again or _slower(clause) else "done"
    if own or (remainder(clause) and work.is_own(clause.verb) and not work.tools & _object(clause)):
        return _worked(clause, work)
    if clause.verb in _HELPS and not work.is_own(clause.verb):
        return "ready"
    if surplus(clause, work.things):
        return "work"
    if _undoes(clause, work):
        return "undone"
    if _clears(clause, work):
        return "look"
    if _changes(clause, work) or _stands_for(clause, work):
        return "work"
    if clause.verb in WAIT or (clause.verb in LOOK and clause.verb not in TAKE and not work.tools & _object(clause)):
        return "work" if _object(clause) & work.things else "look"
    if _readies(clause, work):
        return "ready"
    return "aside" if _beside(clause, work) else "unknown"


def _beside(clause: Clause, work: Work) -> bool:
    """Whether the order is about other things than the step's, though it is not known what it does for them."""
    about = _object(clause)
    return bool(clause.verb and about and not PRONOUNS & set(clause.rest) and not about & (work.things | work.flaw))


def _again(clause: Clause) -> bool:
    return bool(_AGAIN & set(clause.words)) or "once more" in " ".join(clause.words)


def _keeps_on(clause: Clause, work: Work) -> bool:
    """Whether the order is to go on with what was being done: "keep hammering, gently this time"."""
    head = next((word for word in clause.rest if not word.endswith("ly")), "")
    if clause.verb not in ("keep", "continue", "resume") or not head.endswith("ing") or remainder(clause):
        return False
    if base(head) in LOOK | TAKE | work.next_verbs or stem(head) in work.next_words:
        return False
    return not _TIME & set(clause.rest)


def _anew(clause: Clause, work: Work) -> Sign:
    """The sign of "try again", "repeat the strokes", "start the rinse": what is begun is not always this step."""
    stems = stems_of(*clause.rest)
    if stems & work.next_words and not work.speaks_of(stems):
        return "next"
    if remainder(clause):
        return "work"
    if clause.verb not in ("try", "start", "begin") or _again(clause) or "over" in clause.rest:
        return "anew"
    own = work.speaks_of(stems) or any(work.is_own(found) for word in clause.rest[:3] if (found := base(word)))
    return "anew" if own else "unknown"


def _worked(clause: Clause, work: Work) -> Sign:
    """The sign of an order of the step's own work that puts nothing where it belongs."""
    if remainder(clause):
        return "done"
    return "anew" if _slower(clause) else "own"


def _states(clause: Clause, work: Work) -> bool:
    """Whether the order's verb is what an effect says of the order's object: "close the lid" for closed(lid)."""
    about = _object(clause)
    states = [effect for effect in work.effects if effect.holds and _is_of(clause.verb, effect.verbs)]
    if PRONOUNS & set(clause.rest[:1]):
        return bool(states)
    return any(any(thing & about for thing in effect.things) for effect in states)


def _is_of(verb: str, states: frozenset[str]) -> bool:
    """Whether the verb brings one of the states about: "seal the jar" for closed(jar)."""
    return verb in states or any(kinds(verb) & kinds(each) & _STATED for each in states)


def _away(clause: Clause, work: Work) -> bool:
    """Whether dirt is taken away, and not off what the step only needs: "clean the lint off the brush"."""
    about = next((i for i, word in enumerate(clause.rest) if word in ("with", "using")), len(clause.rest))
    return not work.tools & stems_of(*clause.rest[:about])


def _undoes(clause: Clause, work: Work) -> bool:
    """Whether the order takes the step's own thing away again: "pull the bent nail out", "empty the jug"."""
    away = clause.verb in _UNDOING or bool(_AWAY & set(clause.rest))
    return away and bool(_object(clause) & work.things) and not any(not each.holds for each in work.effects)


def _changes(clause: Clause, work: Work) -> bool:
    """Whether the order does to the step's own things what may be all that was left to do."""
    about = _object(clause)
    if clause.verb in TAKE:
        return False
    if about & work.things or PRONOUNS & set(clause.rest[:1]):
        return clause.verb in PLACE or bool(kinds(clause.verb) - _RESTORING)
    # "Trim the rim", where the rim is what went wrong: that may be a repair of what the step has made.
    return bool(kinds(clause.verb) & _SHAPING and about & work.flaw - work.tools)


def _stands_for(clause: Clause, work: Work) -> bool:
    """Whether the order may do in another way what the step is for: "lay a saucer on the pot instead"."""
    if clause.verb in LOOK or clause.verb in TAKE:
        return False
    if "instead" in clause.words and "of" not in clause.words:
        return True
    nouns = {each for each in stems_of(*clause.rest) & work.told if not work.speaks_of(frozenset([each]))}
    return len(nouns) > 1 or any(reaches(clause, each) for each in work.effects)


def _clears(clause: Clause, work: Work) -> bool:
    """Whether the order takes away what was in the way, or a blemish: which of them it is cannot be told."""
    out = clause.verb in _UNDOING or bool((_AWAY | {"free"}) & set(clause.rest))
    return out and bool(_object(clause) & work.flaw - work.things)


def _readies(clause: Clause, work: Work) -> bool:
    """Whether the order serves what the step needs: it restores a condition, or works on something else."""
    about = _object(clause)
    if remainder(clause):
        return False
    if (work.tools & about and clause.verb not in _OPERATING) or clause.verb in TAKE or any(kinds(clause.verb) & kinds(need) for need in work.needs):
        return True
    return clause.verb in CONDITION or bool(kinds(clause.verb) and clause.verb not in _OPERATING and not about & work.things)


def _own(clause: Clause, work: Work) -> bool:
    """Whether the clause orders the step's own work, and not the same work on something that it needs."""
    if not clause.verb:
        return work.speaks_of(frozenset(stem(word) for word in clause.words[:2]))
    if clause.verb in TAKE and not only_holds(work.effects):
        return False
    if (SETTINGS & set(clause.rest[:4]) and clause.verb in CONDITION) or not work.is_own(clause.verb):
        return False
    about = _object(clause)
    if PRONOUNS & set(clause.rest[:1]) or (clause.verb in work.verbs and about & work.told):
        return True
    if stems_of(*clause.rest) & work.things:
        return bool(about & work.things) or not about & work.tools
    if about & work.tools:
        return False
    return clause.verb in work.verbs or clause.verb not in CONDITION or bool(kinds(clause.verb) & _ON_DIRT)


def _goes_on(clause: Clause, work: Work) -> Sign | None:
    """With which step an order goes on: "continue …", "go on to …", or an order that is the next step's."""
    if clause.verb in SKIP:
        return "next"
    stems = stems_of(*clause.rest)
    if clause.verb in _ON or (clause.verb in _GO and ("on" in clause.rest[:1] or clause.verb == "keep")):
        verbs = {found for word in clause.rest[:3] if (found := base(word))}
        if verbs & work.next_verbs - work.verbs:
            return "next"
        if any(work.is_own(verb) for verb in verbs) or work.speaks_of(stems):
            # For some minutes more, or with what is left: that may be all that is left to do.
            return "work" if remainder(clause) or _TIME & set(clause.rest) else "anew"
        if _PLAN & set(clause.rest) or stems & work.next_words:
            return "next"
        if clause.verb in _ON and clause.rest[:1] == ("to",) and not stems & work.words:
            return "next"
        return "anew" if stems & work.words else "unknown" if clause.verb in _ON else None
    if clause.verb in work.next_verbs and not work.is_own(clause.verb):
        return "next" if _object(clause) & work.next_goal and stems & work.next_words else None
    return None


def _before(clause: Clause, work: Work) -> Sign:
    """What comes after the recovery, as it says itself: "before tasting again", "before mixing cereal and milk"."""
    if (_AGAIN | _ATTEMPT) & set(clause.words):
        return "anew"
    if clause.verb in work.verbs or work.speaks_of(stems_of(*clause.words)):
        return "work" if _BY & set(clause.words) else "anew"
    return "work" if clause.verb and work.is_own(clause.verb) else "look"


def _with(clause: Clause, order: Clause, sign: Sign, work: Work) -> Sign:
    """The sign of an order with what the clause says of it."""
    own = sign in ("own", "work", "anew") and order.verb not in ("try", "start", "begin")
    told = any(named(clause, each) or placed(clause, each) for each in work.effects)
    touched = own or not work.tools & _object(order)
    told = told or (touched and any(locked(clause, each) or cleaned(clause, each) for each in work.effects))
    partly = any(each.holds and named(clause, each, things=False) for each in work.effects)
    if clause.role == "until":
        if told or (own and (partly or _surely(order, work) or stems_of(*clause.words) & work.things)):
            return "done"
        if own or partly or stems_of(*clause.words) & work.things:
            other = touched and partly and not work.tools & stems_of(*clause.words)
            return "done" if other or (sign == "unknown" and wholly(clause)) else "work"
        return sign if _of_itself(clause, order) else "work"
    if clause.role == "result":
        if told or (own and (partly or wholly(clause))):
            return "done"
        if sign == "own" and work.things & stems_of(*clause.words) and not _NOT_YET & set(clause.words):
            return "done"
        return "work" if partly and sign == "ready" else sign
    if clause.role == "purpose":
        return _for(clause, order, sign, own and told, work)
    if clause.role == "manner" and sign == "unknown" and work.is_own(clause.verb):
        return "work"
    return sign


def _of_itself(clause: Clause, order: Clause) -> bool:
    """Whether a limit is about the order's own object, or only about time: "let the loop cool until it is cold"."""
    return order.verb in WAIT or bool(kinds(order.verb) & _RESTORING) or bool(PRONOUNS & set(clause.words[:1])) or bool(_object(order) & stems_of(*clause.words))


def _surely(order: Clause, work: Work) -> bool:
    """Whether an order is the step's own work by its very verb or by its object, not by the kind of work alone."""
    verbs = {found for word in order.words[:4] if (found := base(word))}
    own = bool(verbs & work.verbs) or work.speaks_of(stems_of(*order.words[:4]))
    return own or bool(_object(order) & work.things or PRONOUNS & set(order.rest[:1]))


def _for(clause: Clause, order: Clause, sign: Sign, meant: bool, work: Work) -> Sign:
    """The sign of an order with its aim: an aim tells what is hoped for, not what comes of it."""
    if clause.verb in AVOID:
        return "anew" if sign in ("own", "work") and "further" in clause.words else sign
    if meant and _THOROUGHLY & set(order.words) and clause.verb not in LOOK:
        return "done"
    if order.verb == "try" and work.is_own(clause.verb):
        return "anew"
    if order.verb == "ask" and clause.verb in _HELPS:
        return "ready"
    if clause.verb in FINISH or (meant and clause.verb not in LOOK):
        return sign if sign == "done" else "work"
    meant = surplus(clause, work.things) or any(reaches(clause, each) for each in work.effects)
    return "work" if sign == "ready" and meant else sign


def _slower(clause: Clause) -> bool:
    """Whether the order is about how to go about the work, which is thus still to be done."""
    words = set(clause.rest)
    return bool(words & _STEADILY) or (bool(words & _SOFTLY) and "more" in words)


def _object(clause: Clause) -> frozenset[str]:
    """The stems of what the order is about: its words up to the first preposition."""
    until = next((i for i, word in enumerate(clause.rest) if _FROM.fullmatch(word)), len(clause.rest))
    return stems_of(*clause.rest[:until])
