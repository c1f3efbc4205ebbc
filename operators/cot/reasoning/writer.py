"""A sample's reasoning without a model: the state, what is missing, what follows, the answer last; and read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from dataflow_ext.claims.closing import Closing
from dataflow_ext.errors import RowError
from dataflow_ext.text.sentences import sentences
from operators.cot.anchors import AnchorSteps
from operators.cot.flaws.bad_plans import Proof, prove
from operators.cot.plan import Plan, once
from operators.cot.reasoning.paragraph import PHRASES, Draw, Paragraph, Pieces, pieces_of
from operators.cot.rules.response import before_last, placed
from operators.cot.support.facts import fact_of
from operators.cot.tasks.challenges import condition_of
from operators.cot.tasks.conclusion import Answered, closing_of
from operators.cot.tasks.recovery import CONTINUE, DONE, READY, RETRY, label_of
from operators.cot.tasks.task import same
from operators.cot.texts import bare, roots_of, spoken
from operators.cot.world import (
    Slots,
    conditions,
    demands,
    finished,
    from_start,
    further,
    kept,
    results,
    uses,
    waiting,
    world_of,
)

#: How the condition begins that an object breaks which the plan does not have.
_KNOWS = "The plan knows "
#: Flaws of where a step stands; all others are of what it says.
_OF_ORDER = ("precondition_missing", "order_violation")


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
    told = _due(of) if "gold_next_step_goal" in of.fields else of.answer
    label, why = label_of(step, following)
    if told == RETRY:
        topic = "retry" if label != told else "ready" if why == READY else "anew"
    else:
        topic = "continue" if label != told else "finished" if why == DONE else "onward"
    said.say(topic, results(said.world, of.place))
    said.say("delay" if told == RETRY else "keeps", uses(said.world, of.place))


def faults(said: Paragraph, sample: Sample) -> Proof | None:
    """What is wrong with a bad plan: as its proof tells it, as it is stated, or its first difference from gold."""
    of = sample.answered
    bad = [each for each in of.fields.get("bad_plan_steps") or [] if isinstance(each, str)]
    proof = prove(of.plan, of.place, bad, of.fields.get("flaw_type")) if of.place + len(bad) < len(of.plan.steps) else 0
    if isinstance(proof, Proof):
        _proven(said, of, bad[proof.flaw_step - 1], proof)
        return proof
    if reason := of.answer.partition("Reason=")[2]:
        place = of.fields.get("flaw_step")
        step = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
        said.say("stated", bad=said.pieces.given(step), reason=said.pieces.plain(reason))
        return None
    gold = of.fields.get("gold_plan_steps") or []
    one, other = next(((a, b) for a, b in zip(bad, gold, strict=False) if not same(a, b)), ("", ""))
    said.say("different", bad=said.pieces.given(one), first=said.pieces.quoted(other))
    return None


def repair(said: Paragraph, sample: Sample) -> None:
    """What is wrong with a bad plan, and how it is put right."""
    proof = faults(said, sample)
    if proof is not None and proof.flaw_type in _OF_ORDER:
        slots = {"a": str(proof.prerequisite), "b": str(proof.step)}
        said.say("put_after" if _undone(proof) else "put_before", [slots])
    elif proof is not None:
        said.say("put_back", [{"a": str(proof.prerequisite)}])


def _undone(proof: Proof) -> bool:
    """Whether a step undoes something too early: a flaw of order alone; what comes too late is missing too."""
    return proof.flaw_type == "order_violation" and proof.also is None


def _proven(said: Paragraph, of: Answered, text: str, proof: Proof) -> None:
    slots = {"a": str(proof.prerequisite), "b": str(proof.step)}
    if proof.flaw_type in _OF_ORDER:
        undone = _undone(proof)
        names = _named(of.plan, proof.prerequisite if undone else proof.step, proof.condition)
        said.say("undone" if undone else proof.flaw_type, [{**slots, "f": name} for name in names])
        return
    words: dict[str, Any] = {"bad": said.pieces.given(text)}
    if proof.flaw_type != "goal_mismatch":
        words = {"bad": said.pieces.given(text, reason := _reason(proof)), "reason": reason}
    topic = "goal_mismatch" if proof.flaw_type == "goal_mismatch" else "replaced"
    said.say(topic, [{"a": slots["a"]}], **words)


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
    asked = roots_of(question)
    facts = ((each, said.world.fact(each["f"])) for each in options)
    return [each for each, fact in facts if fact is not None and any(asked & roots_of(name) for name in fact.objects)]


#: How required sentences begin, by the part of the reasoning that they belong to.
_PARTS = (("Spatially", "Functionally"), ("After the action",), ("A likely failure", "If that happens"))


@dataclass
class Sample:
    """What a reasoning is written for: the closing's view of it, whose required sentences they are, and these."""

    answered: Answered
    steps: AnchorSteps
    anchors: Sequence[str]
    key: str

    @cached_property
    def closing(self) -> Closing:
        """How it has to end."""
        return closing_of(self.answered)

    @property
    def hidden(self) -> list[str]:
        """The texts that name the gold, in small letters, where it may only be named at the end."""
        if not self.closing.late:
            return []
        parts = (part for each in self.closing.gold for part in ((each,) if isinstance(each, str) else each))
        return [part.casefold() for part in parts if len(part) > 1]


class Written(NamedTuple):
    """A reasoning with the marks that prove it, and as a reader has it."""

    marked: str
    plain: str


def cut_of(answered: Answered) -> int:
    """The position of the last step that is done; -1 if none is."""
    return answered.place - answered.task.undone


def reasoning_of(answered: Answered, anchors: Sequence[str], key: str) -> Written:
    """One paragraph: required sentences in their order, what connects and explains them, the closing.

    All it says of the world is proven in the plan, or stands there. ``key`` decides between phrasings: the same key,
    the same text. RowError if a required sentence or the answer cannot be used without breaking a rule, LookupError if
    the plan has no such step.
    """
    pieces = pieces_of(answered.plan)
    pieces.must_be_usable(anchors)
    steps = answered.task.anchor_steps(answered.plan, answered.step_index, answered.fields)
    sample = Sample(answered, steps, anchors, key)
    made = _written(sample, pieces)
    # Pieces that are fine one by one may break a rule together.
    if not pieces.spotless and pieces.problem_of(made.plain, anchors, answered.answer) is not None:
        made = _written(sample, pieces.wordless)
        if (problem := pieces.problem_of(made.plain, anchors, answered.answer)) is not None:
            told = "with the required sentences, it breaks a rule"
            raise RowError(f"The plan's own text cannot be used: {told}: {problem}")
    _texts(answered.plan)[key] = hash(made.plain)
    return made


def wrote(answered: Answered, key: str, reasoning: str) -> bool:
    """Whether a reasoning is the one that was made last for this key, in this process."""
    return _texts(answered.plan).get(key) == hash(reasoning)


@once
def _texts(plan: Plan) -> dict[str, int]:
    """The reasonings that were written about a plan, by their keys."""
    return {}


def _written(sample: Sample, pieces: Pieces) -> Written:
    draw = Draw(sample.key)
    said = Paragraph(world_of(sample.answered.plan, cut_of(sample.answered)), pieces, draw, sample.hidden)
    before, between, behind = (PARTS[name] for name in sample.answered.task.flow)
    parts = [[each for each in sample.anchors if each.startswith(openings)] for openings in _PARTS]
    before(said, sample)
    said.add(*parts[0])
    why_given(said, sample)
    said.add(*parts[1])
    between(said, sample)
    said.add(*parts[2])
    behind(said, sample)
    said.add(draw.of(sample.closing.forms))
    return Written(" ".join(said.marked), " ".join(said.plain))


def _place(sample: Sample) -> int:
    """The position of the step whose conditions are told."""
    return sample.answered.plan.position(sample.steps.conditions.step_id) or 0


def _state(said: Paragraph, sample: Sample) -> None:
    """Where the plan has got to."""
    if said.world.cut < 0:
        said.say("begin", goal=said.pieces.plain(bare(sample.answered.plan.high_level_goal)))
    elif not said.say("done", results(said.world, said.world.cut, "a")):
        step = sample.answered.plan.steps[said.world.cut]
        said.say("past", [{"a": str(step.step_id)}])


def _candidates(said: Paragraph, sample: Sample) -> None:
    """The state, and what might come next but cannot."""
    _state(said, sample)
    place = said.world.cut + 1
    said.say("waits", waiting(said.world)) or said.say("later", further(said.world, place))
    said.say("over", finished(said.world))
    if sample.answered.texts("gold_next_k_step_goals"):
        said.say("lacking", waiting(said.world))


def _between_glimpses(said: Paragraph, sample: Sample) -> None:
    """What the tail needs that the head does not leave."""
    _state(said, sample)
    tail = said.world.cut + len(sample.answered.texts("middle_steps")) + 1
    ids = {str(step.step_id) for step in sample.answered.plan.steps[tail:]}
    said.say("tail", [each for each in waiting(said.world) if each["c"] in ids]) or said.say(
        "end", [each for each in further(said.world, said.world.cut + 1) if each["c"] in ids]
    )
    said.say("over", finished(said.world))


def why_given(said: Paragraph, sample: Sample) -> None:
    """Why the conditions hold: left by a step that is done, or touched by none."""
    place = _place(sample)
    said.first_of(("held", kept(said.world, place)), ("untouched", from_start(said.world, place)))


def _chained(said: Paragraph, sample: Sample) -> None:
    """What the effects are good for: later steps by name, or without where they are the answer."""
    place = sample.answered.plan.position(sample.steps.effects.step_id) or 0
    onward = uses(said.world, place)
    said.say("chain", onward) or said.say("link", onward) or said.say("result", results(said.world, place))
    count = len(sample.answered.texts("gold_next_k_step_goals") or sample.answered.texts("middle_steps"))
    for n in range(place + 1, place + count):
        said.say("links", uses(said.world, n, "b"))


def _delayed(said: Paragraph, sample: Sample) -> None:
    """What a failure changes, and what it does not; what else cannot come."""
    if not sample.steps.failure.failure_reflecting.reason.strip():
        return
    place = sample.answered.plan.position(sample.steps.failure.step_id) or 0
    said.say("delay", uses(said.world, place)) or said.say("wanted", results(said.world, place))
    if said.world.cut >= 0 and not said.draw.number(3):
        said.say("back", [{"a": str(sample.answered.plan.steps[said.world.cut].step_id)}])


def _asked(said: Paragraph, sample: Sample) -> None:
    """What is left by the step before, and what this one asks for."""
    _state(said, sample)
    place = _place(sample)
    said.say("asked", demands(said.world, place)) or said.say("aims", results(said.world, place))


def _direct(said: Paragraph, sample: Sample) -> None:
    """How two steps meet in what the one leaves and the other needs."""
    after = str(sample.steps.conditions.step_id)
    met = [each for each in uses(said.world, sample.answered.place, "a") if each["c"] == after]
    said.say("direct", [{**each, "b": after} for each in met])


def _shown(said: Paragraph, sample: Sample) -> None:
    """Which step the prefix ends with, and which has not begun."""
    place = sample.answered.place
    if place + 1 < len(sample.answered.plan.steps):
        said.say("unbegun", results(said.world, place + 1, "b"))
    else:
        said.say("all")
    said.say("shown", results(said.world, place))


Part = Callable[[Paragraph, Sample], object]

#: What a task's flow is put together from, by its names.
PARTS: Mapping[str, Part] = {
    "state": _state,
    "candidates": _candidates,
    "between_glimpses": _between_glimpses,
    "chained": _chained,
    "delayed": _delayed,
    "asked": _asked,
    "direct": _direct,
    "shown": _shown,
    "counterfactual": counterfactual,
    "recovered": recovered,
    "after_recovery": after_recovery,
    "faults": faults,
    "repair": repair,
}


class _Sayable(Paragraph):
    """All sentences that rules may say of a sample, in place of those that were drawn."""

    def __init__(self, sample: Sample) -> None:
        of = sample.answered
        super().__init__(world_of(of.plan, cut_of(of)), pieces_of(of.plan), Draw(""))
        self.found: set[str] = set()

    def say(self, topic: str, options: Sequence[Slots] = ({},), **texts: str) -> bool:
        """Every phrase of a topic about every option, and what would stand in for it: it tells that there is none."""
        for slots in options:
            for phrase in PHRASES[topic]:
                if (words := self.words_for(phrase, slots, texts)) is not None:
                    self.found.update(_parted(phrase.plain.format_map(words)))
        return False

    def first_of(self, *topics: tuple[str, Sequence[Slots]]) -> bool:
        """All phrases of all topics, as none says that it was enough."""
        return any(self.say(*each) for each in topics)


def _parted(text: str) -> Sequence[str]:
    """The sentences of what is said at once, with the capital that it begins with."""
    return sentences(text[:1].upper() + text[1:])


def altered(sample: Sample, reasoning: str) -> list[str]:
    """The sentences of a reasoning by rules that are none which the plan proves, the last one among them.

    Code puts all that rules say, so a sentence that is none of code's is proven by nothing, whatever it tells. Nothing
    is told of a text of which rules wrote less than half: then somebody else did.
    """
    of = sample.answered
    if wrote(of, sample.key, reasoning):
        return []
    sayable = _Sayable(sample)
    before, middle, behind = (PARTS[name] for name in of.task.flow)
    for part in (before, why_given, middle, behind):
        part(sayable, sample)
    # What is not required, but for the last sentence.
    between = before_last(placed(reasoning, sample.anchors), sample.closing)
    told = sentences(between)
    strange = [each for each in told if each not in sayable.found]
    if 2 * (len(told) - len(strange)) < max(len(told), 1):
        return []
    last = "" if sample.closing.end_of(reasoning) else sample.closing.last(reasoning)
    # What another rule says of it is enough.
    return [*strange, last] if last and not sample.closing.warnings(last) else strange
