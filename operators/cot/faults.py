"""What is wrong with a bad plan, as its proof tells it: words for a reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from operators.cot.anchors import spoken
from operators.cot.flaws.proof import Proof, prove
from operators.cot.pieces import Pieces
from operators.cot.plan import Plan
from operators.cot.support.facts import Fact, fact_of
from operators.cot.tasks.fields import same

#: How the condition begins that an object breaks which the plan does not have.
_KNOWS = "The plan knows "


def fault_of(
    plan: Plan, step_index: int, fields: Mapping[str, Any], answer: str, pieces: Pieces
) -> tuple[str, dict[str, str]]:
    """Which phrasings of the fault to take, by their key, and what fills them; "" for what cannot be used.

    Without a proof it is what the answer states; if it states none, the first difference from gold.
    """
    bad, gold = _texts(fields.get("bad_plan_steps")), _texts(fields.get("gold_plan_steps"))
    prefix = plan.position(step_index)
    proven = prefix is not None and prefix + len(bad) < len(plan.steps)
    proof = prove(plan, prefix or 0, bad, fields.get("flaw_type")) if proven else None
    if isinstance(proof, Proof):
        return _proven(plan, bad, proof, pieces)
    if reason := answer.partition("Reason=")[2]:
        place = fields.get("flaw_step")
        step = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
        return "stated", {"bad": pieces.given(step), "reason": pieces.sentence(reason, reason)}
    pairs = ((one, other) for one, other in zip(bad, gold, strict=False) if not same(one, other))
    one, other = next(pairs, ("", ""))
    return "different", {"bad": pieces.given(one), "first": pieces.quoted(other)}


def _proven(plan: Plan, bad: Sequence[str], proof: Proof, pieces: Pieces) -> tuple[str, dict[str, str]]:
    text, kind = bad[proof.flaw_step - 1], proof.flaw_type
    first = plan.steps[plan.position(proof.prerequisite) or 0].step_goal
    words = {"first": pieces.quoted(first)}
    if kind in ("precondition_missing", "order_violation"):
        # What a step undoes too early is a flaw of order alone, what comes too late is missing as well.
        kind_of = "undone" if kind == "order_violation" and proof.also is None else kind
        return kind_of, {**words, "bad": pieces.quoted(text), "state": pieces.plain(told_state(proof.condition))}
    if kind == "goal_mismatch":
        return kind, {**words, "bad": pieces.given(text)}
    reason = proof.reason
    if kind == "tool_mismatch" and (fact := fact_of(proof.condition)) is not None:
        told = f'the affordance "{spoken(fact.name)}" of the {spoken(fact.objects[0])}'
        reason = reason.replace(f'"{proof.condition}"', told)
    if kind == "hallucinated_object" and proof.condition.startswith(_KNOWS):
        reason = f"It needs {proof.condition[len(_KNOWS) :]}, an object that is not part of the plan."
    return kind, {**words, "bad": pieces.given(text, reason), "reason": reason}


@lru_cache(maxsize=1 << 12)
def told_state(condition: str) -> str:
    """The state that the text of a fact tells, in words; empty if it is none."""
    fact = fact_of(condition)
    return state_of(fact) if fact is not None else ""


def state_of(fact: Fact) -> str:
    """What something is left as: "the tire receptive", "the tube not inside the tire"."""
    first, *others = (f"the {spoken(each)}" for each in fact.objects)
    negated = "" if fact.truth else "not "
    if len(others) > 1:
        return f"{', '.join((first, *others[:-1]))} and {others[-1]} {negated}{spoken(fact.name)}"
    return " ".join((first, f"{negated}{spoken(fact.name)}", *others))


def _texts(value: object) -> list[str]:
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else []
