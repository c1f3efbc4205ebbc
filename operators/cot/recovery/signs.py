"""What each order of a recovery does for its step: a sign an order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.deeds import (
    BLOCKED,
    brings_state,
    cleans_away,
    clears,
    is_beside,
    is_own_work,
    may_finish,
    readies,
    stands_for,
    stops,
    undoes,
)
from operators.cot.recovery.effects import PRONOUNS, cleaned, placed, remainder, spilled, surplus, wholly
from operators.cot.recovery.ends import with_end
from operators.cot.recovery.orders import (
    AGAIN,
    MISSED,
    TIME,
    Sign,
    is_again,
    is_leftover,
    is_slower,
    keeps_on,
    object_of,
    phrase,
    touches,
)
from operators.cot.recovery.verbs import (
    ANEW,
    CONDITION,
    FINISH,
    HANDLING,
    HELPS,
    LOOK,
    PLACE,
    RESTORING,
    SETTINGS,
    SKIP,
    TAKE,
    TRY,
    WAIT,
    base,
    is_anew,
    kinds,
    listed,
    stem,
    stemmed,
)
from operators.cot.recovery.work import Work, stems_of

_HELPING = frozenset(["ready", "aside", "look"])
_ON = listed("continue proceed resume")
_GO = listed("go move carry keep")
_ATTEMPT = listed("attempt attempts attempting retry reattempt retrying")
_PART = listed("piece pieces area areas spot spots section sections part parts portion side edge corner patch")
# After it an order is about what to do with what has been fetched.
_FETCH = listed("take pick fetch retrieve find use switch get choose select swap replace change exchange borrow")
_ADJUSTING = listed("reduce decrease increase lower raise turn set adjust reset use apply keep change slow hold switch")
_TURNING = PLACE | listed("flip invert twist untwist wipe wash clean rinse dry moisten wet dampen inspect check")
_INTO = listed("back in into on onto home place down again instead")
_LOST = "spills spilled splash splashes splatters overflows drips runs falls lands leaks"
_CHECKS = listed("check recheck inspect examine verify confirm look watch see")
# What is done to a thing to make it easier to handle.
_PREPARING = listed("soften moisten wet dampen lubricate cool chill warm thaw")
_BY = listed("with using by through")
_PLAN = listed("step plan task recipe procedure sequence protocol")
# It will do as it is.
_SUFFICES = re.compile(r"\bdo(?:es)? the (?:job|trick)|\bjust (?:as (?:well|good)|the same)")


def signs_of(clauses: Sequence[Clause], work: Work) -> list[Sign]:
    """A sign for each order; what is said of its result, its aim or its limit goes into it."""
    signs: list[Sign] = []
    order: Clause | None = None
    for clause in clauses:
        if clause.role in ("order", "or"):
            clause = _resolved(clause, order, work)
            sign = _order(clause, work)
            if "undone" in signs and not _puts_back(clause, sign):
                sign = "aside"
            # "Stir well, and continue stirring": the first time may have been enough.
            signs.append("own" if sign == "anew" and "own" in signs and not is_again(clause) else sign)
            order = clause
        elif clause.role == "before":
            signs.append(_before(clause, work))
        elif clause.role == "manner" and signs and signs[-1] in _HELPING and work.is_own(clause.verb):
            # "Grip the lid with a cloth, twisting it": the step's work is done meanwhile.
            signs[-1] = "own"
        elif order is not None:
            signs[-1] = with_end(clause, order, signs[-1], work)
    return signs


def _order(clause: Clause, work: Work) -> Sign:
    """The sign of an order by itself."""
    if _SUFFICES.search(" ".join(clause.words)):
        return "done"
    if keeps_on(clause, work):
        return "anew"
    if stops(clause, work):
        return "off"
    if on := _goes_on(clause, work):
        return on
    if clause.verb in FINISH:
        return "done"
    own = is_own_work(clause, work)
    put = any(placed(clause, each) or (cleaned(clause, each) and cleans_away(clause, work)) for each in work.aims)
    again = is_again(clause) or any(is_anew(word) for word in clause.words[:2])
    states = brings_state(clause, work)
    if again and (put or states):
        return "work"
    if clause.verb in ANEW:
        return _anew(clause, work)
    if again and own and not remainder(clause):
        return "work" if _PART & set(clause.rest) or wholly(clause) else "anew"
    if put or states:
        return "work" if again or is_slower(clause) else "done"
    if own or (is_leftover(clause, work) and work.is_own(clause.verb) and not work.tools & object_of(clause)):
        return _worked(clause, work)
    if clause.verb in HELPS and not work.is_own(clause.verb):
        return "ready"
    return _deed(clause, work)


def _deed(clause: Clause, work: Work) -> Sign:
    """The sign of an order that is none of the step's own work."""
    if surplus(clause, work.things):
        return "work"
    if undoes(clause, work):
        return "undone"
    if kinds(clause.verb) & RESTORING and _tidies(clause, work) and not work.cleans:
        return "look"
    if clause.verb in _PREPARING and not work.is_own(clause.verb) and not work.changes:
        return "ready"
    if clause.verb in _ADJUSTING and _is_setting(clause, work):
        return "ready"
    if clears(clause, work):
        return (
            "ready" if work.flaw & stemmed(BLOCKED) and not stemmed(MISSED) & work.flaw and not work.cleans else "look"
        )
    if may_finish(clause, work) or stands_for(clause, work):
        return "work"
    if clause.verb in WAIT or (clause.verb in LOOK and clause.verb not in TAKE and not work.tools & object_of(clause)):
        return "work" if clause.verb not in _CHECKS and touches(clause, work) else "look"
    if readies(clause, work):
        return "ready"
    return "aside" if is_beside(clause, work) else "unknown"


def _puts_back(clause: Clause, sign: Sign) -> bool:
    """Whether an order may bring back what has been taken away: turning it over in the hand does not."""
    return sign not in ("work", "unknown") or bool(_INTO & set(clause.words)) or clause.verb not in _TURNING


def _is_setting(clause: Clause, work: Work) -> bool:
    """Whether the order is about how the work is set: "the heat", "the angle of the plate"."""
    return bool(SETTINGS & set(phrase(clause))) and not touches(clause, work)


def _tidies(clause: Clause, work: Work) -> bool:
    """Whether the order is about what has gone astray, or about where it has got to."""
    lost = work.flaw & stemmed(_LOST) and object_of(clause) & work.flaw - work.tools - work.things
    return spilled(clause) or bool(lost)


def _anew(clause: Clause, work: Work) -> Sign:
    """The sign of "try again", "repeat the strokes", "start the rinse": what is begun is not always this step."""
    stems = stems_of(*clause.rest)
    if remainder(clause):
        return "work"
    if clause.verb not in TRY | {"start", "begin"} or is_again(clause) or "over" in clause.rest:
        return "anew"
    own = work.speaks_of(stems) or any(work.is_own(found) for word in clause.rest[:3] if (found := base(word)))
    return "anew" if own else "unknown"


def _worked(clause: Clause, work: Work) -> Sign:
    """The sign of an order of the step's own work that puts nothing where it belongs."""
    if is_leftover(clause, work) or (wholly(clause) and not is_slower(clause)):
        return "done"
    return "anew" if is_slower(clause) else "own"


def _goes_on(clause: Clause, work: Work) -> Sign | None:
    """With which step an order goes on: "continue …", "go on to …", or an order that is the next step's."""
    if clause.verb in SKIP:
        return "next"
    stems = stems_of(*clause.rest)
    if clause.verb in _ON or (clause.verb in _GO and ("on" in clause.rest[:1] or _keeps_doing(clause))):
        verbs = {found for word in clause.rest[:3] if (found := base(word))}
        if verbs & work.next_verbs - work.verbs:
            return "next"
        if any(work.is_own(verb) for verb in verbs) or work.speaks_of(stems):
            # For some minutes more, or with what is left: that may be all that is left to do.
            return "work" if remainder(clause) or TIME & set(clause.rest) else "anew"
        if _PLAN & set(clause.rest) or stems & work.next_words:
            return "next"
        return "anew" if stems & work.words else "unknown" if clause.verb in _ON else None
    if clause.verb in work.next_verbs and not work.is_own(clause.verb):
        named = stem(phrase(clause)[-1]) in work.next_goal if phrase(clause) else False
        return "next" if named and stems & work.next_words and not object_of(clause) & work.flaw else None
    return None


def _keeps_doing(clause: Clause) -> bool:
    return clause.verb == "keep" and any(word.endswith("ing") for word in clause.rest[:2])


def _before(clause: Clause, work: Work) -> Sign:
    """What comes after the recovery, as it says itself: "before tasting again", "before mixing cereal and milk"."""
    if (AGAIN | _ATTEMPT) & set(clause.words):
        return "anew"
    if clause.verb in work.verbs or work.speaks_of(stems_of(*clause.words)):
        return "work" if _BY & set(clause.words) else "anew"
    return "work" if clause.verb and work.is_own(clause.verb) else "look"


def _resolved(clause: Clause, before: Clause | None, work: Work) -> Clause:
    """The order with the last one's object for a pronoun, where that is none of the step: "rinse the rag, wring it"."""
    if before is None or before.verb in _FETCH or clause.verb not in CONDITION - HANDLING:
        return clause
    named = phrase(before)
    if not named or PRONOUNS & set(named):
        return clause
    pronoun = "them" if named[-1].endswith("s") else "it"
    if pronoun not in clause.rest[:2] or touches(before, work) or clears(before, work):
        return clause
    put = {pronoun: named[-1]}
    words, rest = (tuple(put.get(word, word) for word in each) for each in (clause.words, clause.rest))
    return replace(clause, words=words, rest=rest)
