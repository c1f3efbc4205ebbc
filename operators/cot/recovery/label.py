"""Whether the step is to be tried again after its recovery, or the plan goes on: told from conditions and effects.

``continue_next_step``: after the recovery the effects of the step hold, so that nothing of the step is left to do:
the recovery itself brings them about, or says that one goes on with what the next step does.
``retry_current_step``: the recovery restores or improves conditions, undoes damage, or orders the step's work anew
without saying that it gets done; the effects do not hold after it.
An aim ("to ensure an even heat") is not what comes of an order, and what goes on without an end ("keep stirring")
brings nothing about. Who turns the heat off has undone what lives on it.
Neither label is a guess from silence: each order of the recovery has to be known for what it does. One order that works
on the step's own things and does not tell what comes of it is enough to leave the label open; so is a recovery that
goes one way or another.
Of several effects the main one has to be told, which is what the failure kept from coming about. Another one may stay
unsaid ("in the dish rack"), unless the step's goal itself names the place where something has to get to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from operators.cot.plan import Step
from operators.cot.recovery.clauses import Clause, clauses_of
from operators.cot.recovery.orders import Sign
from operators.cot.recovery.signs import signs_of
from operators.cot.recovery.verbs import PLACE, base, kinds, stem, words_of
from operators.cot.recovery.work import Work, work_of
from operators.cot.support.facts import Fact, conditions_of, effects_of

Label = Literal["retry_current_step", "continue_next_step"]
RETRY: Label = "retry_current_step"
CONTINUE: Label = "continue_next_step"

# Recoveries are a sentence or two; what is longer than this many characters is none.
_LONGEST = 4000

DONE = "the recovery brings about the step's effects"
READY = "the recovery restores or improves conditions, and the step's effects do not hold after it"


def label_of(step: Step, next_step: Step) -> tuple[Label | None, str]:
    """The label and why; None where the recovery does not tell.

    >>> from operators.cot.plan import CausalChain, Failure, Spatial
    >>> after = [Spatial("inside", ["pieces", "pan"])]
    >>> chain = CausalChain("hand", "tilt and scrape", "pieces", causal_effect_on_spatial=after)
    >>> failure = Failure("Pieces stick to the board.", "Scrape the remaining pieces into the pan.")
    >>> step = Step(1, "Move the pieces to the pan.", causal_chain=chain, failure_reflecting=failure)
    >>> label_of(step, Step(2, "Fry the pieces."))
    ('continue_next_step', "the recovery brings about the step's effects")
    """
    chain, after = step.causal_chain, next_step.causal_chain
    return _label(
        step.failure_reflecting.recovery_strategy,
        step.failure_reflecting.reason,
        (step.step_goal, chain.action, chain.patient, chain.agent),
        conditions_of(step),
        effects_of(step),
        (next_step.step_goal, after.action),
        effects_of(next_step),
    )


@lru_cache(maxsize=1 << 10)
def _label(
    recovery: str,
    reason: str,
    said: tuple[str, str, str, str],
    conditions: tuple[Fact, ...],
    effects: tuple[Fact, ...],
    following: tuple[str, str],
    later: tuple[Fact, ...],
) -> tuple[Label | None, str]:
    if len(recovery) > _LONGEST:
        return None, "the recovery is too long to be one"
    work = work_of(said, reason, conditions, effects, following, later)
    clauses = clauses_of(recovery, work.verbs)
    sure = not any(clause.role in ("if", "or") for clause in clauses)
    signs = signs_of(clauses, work)
    if any(clause.role == "if" for clause in clauses):
        return None, "the recovery goes one way or another"
    label, why = _decided(signs, sure)
    if why == DONE and not _moves(clauses, signs) and _left(work, f"{reason} {recovery}"):
        return None, "the recovery brings about only some of the step's effects"
    if label == RETRY and why == READY and _overdone(work, reason):
        return None, "the step has brought about too much, which better conditions do not undo"
    return label, why


def _decided(signs: Sequence[Sign], sure: bool) -> tuple[Label | None, str]:
    last = {sign: i for i, sign in enumerate(signs)}
    done, on, anew = last.get("done", -1), last.get("next", -1), last.get("anew", -1)
    if done < last.get("undone", -1):
        done = -1
    if max(done, on) >= 0 and not sure:
        return None, "it depends whether the recovery brings the effects about"
    if on > anew:
        return CONTINUE, "the recovery goes on with what the next step does"
    if done > anew and "off" not in last:
        return CONTINUE, DONE
    if max(done, on) >= 0:
        return None, "the recovery brings effects about and undoes them or orders the step's work anew"
    if anew >= 0 and last.get("work", -1) < anew:
        return RETRY, "the recovery orders the step's work anew"
    if "work" in last or "own" in last:
        return None, "the recovery works on the step's things and does not tell what comes of it"
    if last.keys() & {"ready", "undone", "off", "aside"} and "unknown" not in last:
        return RETRY, READY
    return None, "the recovery speaks neither of the step's conditions nor of its effects"


def _moves(clauses: Sequence[Clause], signs: Sequence[Sign]) -> bool:
    """Whether what is done is moving something, so that nothing else has to get to its place."""
    orders = [clause for clause in clauses if clause.role in ("order", "or", "before")]
    done = [clause for clause, sign in zip(orders, signs, strict=False) if sign == "done"]
    verbs = {found for clause in done[-1:] for word in clause.words[:3] if (found := base(word))}
    return any(kinds(verb) & {"put", "pour"} or verb in PLACE for verb in verbs)


def _left(work: Work, told: str) -> bool:
    """Whether something still has to get to a place of which neither the failure nor the recovery speaks."""
    if len(work.effects) < 2:
        return False
    stems = {stem(word) for word in words_of(told)}
    placing = (each for each in work.effects if each.holds and each.place in ("in", "on") and len(each.things) > 1)
    return any(each.things[-1] & work.goal and not each.things[-1] & stems for each in placing)


def _overdone(work: Work, reason: str) -> bool:
    """Whether the failure is that the step did too much: "overcooked", "too much soap"."""
    words = words_of(reason)
    work_done = (word.removeprefix("over") for word in words if word.startswith("over") and len(word) > 6)
    if any(stem(word) in work.words or work.is_own(base(word) or "") for word in work_done):
        return True
    return any(a == "too" and b in ("much", "many", "long") for a, b in pairwise(words))
