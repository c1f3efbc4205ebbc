"""What is said after the failure and its recovery: what a change, a recovery or a flaw comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators.cot.anchors import spoken
from operators.cot.flaws.proof import Proof, prove
from operators.cot.plan import Plan
from operators.cot.reasoning.paragraph import Paragraph
from operators.cot.reasoning.paths import Slots, conditions, demands, results, uses
from operators.cot.reasoning.speaking import bare
from operators.cot.recovery.label import CONTINUE, DONE, READY, RETRY, label_of
from operators.cot.recovery.words import stem, words_of
from operators.cot.support.facts import fact_of
from operators.cot.tasks.counterfactual import condition_of
from operators.cot.tasks.fields import same

if TYPE_CHECKING:
    from operators.cot.reasoning.closings import Answered
    from operators.cot.reasoning.writer import Sample

#: How the condition begins that an object breaks which the plan does not have.
_KNOWS = "The plan knows "


def counterfactual(said: Paragraph, sample: Sample) -> None:
    """What the question supposes, and which condition or result of the step that touches."""
    asked = str(sample.answered.fields.get("counterfactual_challenge_question", ""))
    if said.pieces.supposed(asked):
        said.say("suppose", cond=bare(condition_of(asked) or ""))
    place = sample.answered.place
    touched = _about(said, demands(said.world, place), asked)
    spoilt = _about(said, results(said.world, place), asked)
    said.say("touches", touched) or said.say("spoils", spoilt or results(said.world, place))
    said.say("bears", uses(said.world, place))


def recovered(said: Paragraph, sample: Sample) -> None:
    """What a recovery has to keep within reach."""
    place = sample.answered.place
    said.say("cures", results(said.world, place))
    said.say("keeps", uses(said.world, place))


def after_recovery(said: Paragraph, sample: Sample) -> None:
    """Whether the recovery brings the step's outcome about."""
    of = sample.answered
    step, following = of.step(), of.step(1)
    if step is None or following is None:
        return
    told = of.answer if of.number == 41 else _due(of)
    label, why = label_of(step, following)
    if told == RETRY:
        topic = "retry" if label != told else "ready" if why == READY else "anew"
    else:
        topic = "continue" if label != told else "finished" if why == DONE else "onward"
    said.say(topic, results(said.world, of.place))
    said.say("delay" if told == RETRY else "keeps", uses(said.world, of.place))


def faults(said: Paragraph, sample: Sample) -> None:
    """What is wrong with a bad plan: as its proof tells it, as it is stated, or its first difference from gold."""
    of = sample.answered
    bad = [each for each in of.fields.get("bad_plan_steps") or [] if isinstance(each, str)]
    proof = prove(of.plan, of.place, bad, of.fields.get("flaw_type")) if of.place + len(bad) < len(of.plan.steps) else 0
    if isinstance(proof, Proof):
        _proven(said, of, bad[proof.flaw_step - 1], proof)
        return
    if reason := of.answer.partition("Reason=")[2]:
        place = of.fields.get("flaw_step")
        step = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
        said.say("stated", bad=said.pieces.given(step), reason=said.pieces.plain(reason))
        return
    gold = of.fields.get("gold_plan_steps") or []
    one, other = next(((a, b) for a, b in zip(bad, gold, strict=False) if not same(a, b)), ("", ""))
    said.say("different", bad=said.pieces.given(one), first=said.pieces.quoted(other))


def _proven(said: Paragraph, of: Answered, text: str, proof: Proof) -> None:
    slots = {"a": str(proof.prerequisite), "b": str(proof.step)}
    if proof.flaw_type in ("precondition_missing", "order_violation"):
        # What a step undoes too early is a flaw of order alone, what comes too late is missing as well.
        undone = proof.flaw_type == "order_violation" and proof.also is None
        names = _named(of.plan, proof.prerequisite if undone else proof.step, proof.condition)
        said.say("undone" if undone else proof.flaw_type, [{**slots, "f": name} for name in names])
        if of.number == 36:
            said.say("put_after" if undone else "put_before", [slots])
        return
    words: dict[str, Any] = {"bad": said.pieces.given(text)}
    if proof.flaw_type != "goal_mismatch":
        words = {"bad": said.pieces.given(text, reason := _reason(proof)), "reason": reason}
    topic = "goal_mismatch" if proof.flaw_type == "goal_mismatch" else "replaced"
    said.say(topic, [{"a": slots["a"]}], **words)
    if of.number == 36:
        said.say("put_back", [{"a": slots["a"]}])


def _reason(proof: Proof) -> str:
    """The proof's reason with facts and objects told in words."""
    if proof.flaw_type == "tool_mismatch" and (fact := fact_of(proof.condition)) is not None:
        told = f'the affordance "{spoken(fact.name)}" of the {spoken(fact.objects[0])}'
        return proof.reason.replace(f'"{proof.condition}"', told)
    if proof.flaw_type == "hallucinated_object" and proof.condition.startswith(_KNOWS):
        return f"It needs {proof.condition[len(_KNOWS) :]}, an object that is not part of the plan."
    return proof.reason


def _named(plan: Plan, step_id: int, condition: str) -> list[str]:
    """The names of a step's conditions that a proof tells."""
    place = plan.position(step_id)
    return [] if place is None else [name for name, fact in conditions(plan.steps[place]) if fact.text == condition]


def _due(of: Answered) -> str:
    """What the gold step of Task_42 says: the step again, or the next one."""
    step = of.step()
    return RETRY if step is not None and same(str(of.fields.get("gold_next_step_goal")), step.step_goal) else CONTINUE


def _about(said: Paragraph, options: list[Slots] | Any, question: str) -> list[Slots]:
    """The options whose fact shares a word with a question."""
    asked = set(map(stem, words_of(question)))
    facts = ((each, said.world.fact(each["f"])) for each in options)
    return [
        each
        for each, fact in facts
        if fact is not None and any(asked.intersection(map(stem, words_of(spoken(name)))) for name in fact.objects)
    ]
