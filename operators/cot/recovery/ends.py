"""What the clauses that go with an order tell of its end: its limit, its result and its aim."""

from __future__ import annotations

from operators.cot.recovery.clauses import Clause
from operators.cot.recovery.effects import PRONOUNS, cleaned, locked, named, placed, reaches, surplus, wholly
from operators.cot.recovery.orders import Sign, is_again, keeps_on, object_of
from operators.cot.recovery.verbs import FINISH, LOOK, RESTORING, TRY, WAIT, base, kinds, listed, stemmed
from operators.cot.recovery.work import Work, stems_of

# States that let work succeed, rather than what comes of it.
_BETTER = "soft softer warm cool cold dry hot calm calms free freely loose ready smoothly"
_NOT_YET = listed("not can could without avoid prevent may might")
# Limits that name no state.
_VAGUE = listed("good okay better enough needed necessary possible satisfied satisfactory improves improved ready")
_AT_WORK = frozenset(["own", "work", "anew"])


def with_end(clause: Clause, order: Clause, sign: Sign, work: Work) -> Sign:
    """The sign of an order with what the clause says of it."""
    if clause.role == "until":
        return _until(clause, order, sign, work)
    if clause.role == "result":
        return _result(clause, order, sign, work)
    return _for(clause, order, sign, work) if clause.role == "purpose" else sign


def _until(clause: Clause, order: Clause, sign: Sign, work: Work) -> Sign:
    """The sign of an order with its limit: work on the step's own things that goes on up to a state is done then."""
    stems, vague = stems_of(*clause.words), bool(_VAGUE & set(clause.words))
    partly, about, own = _partly(clause, work), bool(stems & work.main), sign in _AT_WORK and order.verb not in TRY
    lasts = vague or (order.verb in WAIT and not keeps_on(order, work))
    if _told(clause, order, sign, work) or (own and not lasts and (partly or about or _surely(order, work))):
        return "done"
    if vague:
        return "work"
    if not (own or partly or about):
        return sign if _of_itself(clause, order) else "work"
    changed = about or (sign == "work" and _is_about(order, work))
    if changed and order.verb not in WAIT and "heat" not in kinds(order.verb):
        return "work" if stems & (stemmed(_BETTER) | work.required) else "done"
    if partly and (own or not work.tools & object_of(order)) and not work.tools & stems:
        return "done"
    return "done" if sign in ("unknown", "aside") and wholly(clause) else "work"


def _result(clause: Clause, order: Clause, sign: Sign, work: Work) -> Sign:
    """The sign of an order with what comes of it."""
    stems, partly = stems_of(*clause.words), _partly(clause, work)
    own = sign in _AT_WORK and order.verb not in WAIT | TRY
    if _told(clause, order, sign, work) or (own and (partly or wholly(clause))):
        return "done"
    hindered = bool(_NOT_YET & set(clause.words))
    if sign == "own" and stems & work.main and _is_about(order, work) and not hindered:
        return "done"
    if sign in ("ready", "aside", "look") and (partly or stems & work.subjects):
        return "aside" if hindered else "work"
    return sign


def _for(clause: Clause, order: Clause, sign: Sign, work: Work) -> Sign:
    """The sign of an order with its aim: an aim tells what is hoped for, not what comes of it."""
    meant = sign in _AT_WORK and order.verb not in TRY and _told(clause, order, sign, work)
    if order.verb in TRY and (work.is_own(clause.verb) or is_again(clause)):
        return "anew"
    if clause.verb in FINISH or (meant and clause.verb not in LOOK):
        return sign if sign == "done" else "work"
    meant = surplus(clause, work.things) or any(reaches(clause, each) for each in work.effects)
    return "work" if sign in ("ready", "aside") and meant else sign


def _told(clause: Clause, order: Clause, sign: Sign, work: Work) -> bool:
    """Whether the clause tells that an effect holds; a sign like a click counts where the order is no tool's."""
    if any(named(clause, each) or placed(clause, each) for each in work.aims):
        return True
    at_hand = sign in _AT_WORK or not work.tools & object_of(order)
    return at_hand and any(locked(clause, each) or cleaned(clause, each) for each in work.effects)


def _partly(clause: Clause, work: Work) -> bool:
    """Whether the clause names an effect's state, though of something that has another name."""
    return any(each.holds and named(clause, each, things=False) for each in work.effects)


def _of_itself(clause: Clause, order: Clause) -> bool:
    """Whether a limit is about the order's own object, or only about time: "let the loop cool until it is cold"."""
    if order.verb in WAIT or kinds(order.verb) & RESTORING or PRONOUNS & set(clause.words[:1]):
        return True
    return bool(object_of(order) & stems_of(*clause.words))


def _surely(order: Clause, work: Work) -> bool:
    """Whether an order is the step's own work by its very verb or by its object, not by the kind of work alone."""
    verbs = {found for word in order.words[:4] if (found := base(word))}
    own = bool(verbs & work.verbs) or work.speaks_of(stems_of(*order.words[:4]))
    return own or _is_about(order, work)


def _is_about(order: Clause, work: Work) -> bool:
    """Whether the order is about what the step is to change, or may be."""
    return bool(object_of(order) & work.patient or PRONOUNS & set(order.rest[:1]))
