"""A sample's reasoning without a model: the state, what is missing and what follows, and the answer last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dataflow_ext.claims.closing import Closing
from dataflow_ext.claims.marks import stripped
from dataflow_ext.errors import RowError
from operators.cot.claims.world import world_of
from operators.cot.pieces import Pieces, pieces_of
from operators.cot.reasoning.after import after_recovery, counterfactual, faults, recovered
from operators.cot.reasoning.closings import Answered, closing_of
from operators.cot.reasoning.paragraph import Draw, Paragraph
from operators.cot.reasoning.paths import demands, finished, from_start, further, kept, results, uses, waiting
from operators.cot.reasoning.speaking import bare
from operators.cot.tasks.task import AnchorSteps, Task

#: How required sentences begin, by the part of the reasoning that they belong to.
_PARTS = (("Spatially", "Functionally"), ("After the action",), ("A likely failure", "If that happens"))
#: Tasks whose gold is not named before the last sentence.
_HIDDEN = frozenset((29, 30, 32, 33, 34, 38, 42))
#: Tasks that show the start of the step: it is still to be done.
_AT_START = frozenset((37, 38, 39, 40, 41, 42))


@dataclass(frozen=True)
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
        if self.answered.number not in _HIDDEN:
            return []
        parts = (part for each in self.closing.gold for part in ((each,) if isinstance(each, str) else each))
        return [part.casefold() for part in parts if len(part) > 1]


def cut_of(answered: Answered) -> int:
    """The position of the last step that is done; -1 if none is."""
    return answered.place - (answered.number in _AT_START)


def reasoning_of(task: Task, answered: Answered, anchors: Sequence[str], key: str) -> str:
    """One paragraph with marks: required sentences in their order, what connects and explains them, the closing.

    All it says of the world is proven in the plan, or stands there. ``key`` decides between phrasings: the same key,
    the same text. RowError if a required sentence or the answer cannot be used without breaking a rule, LookupError if
    the plan has no such step.
    """
    pieces = pieces_of(answered.plan)
    pieces.must_be_usable(anchors)
    steps = task.anchor_steps(answered.plan, answered.step_index, answered.fields)
    sample = Sample(answered, steps, anchors, key)
    made = _written(sample, pieces)
    # Pieces that are fine one by one may break a rule together.
    if not pieces.spotless and pieces.problem_of(stripped(made), anchors, answered.answer) is not None:
        made = _written(sample, pieces.wordless)
        if (problem := pieces.problem_of(stripped(made), anchors, answered.answer)) is not None:
            told = "with the required sentences, it breaks a rule"
            raise RowError(f"The plan's own text cannot be used: {told}: {problem}")
    return made


def _written(sample: Sample, pieces: Pieces) -> str:
    draw = Draw(sample.key)
    said = Paragraph(world_of(sample.answered.plan, cut_of(sample.answered)), pieces, draw, sample.hidden)
    before, between, behind = _FLOWS[sample.answered.number]
    parts = [[each for each in sample.anchors if each.startswith(openings)] for openings in _PARTS]
    before(said, sample)
    said.sentences += parts[0]
    _why_given(said, sample)
    said.sentences += parts[1]
    between(said, sample)
    said.sentences += parts[2]
    behind(said, sample)
    said.add(draw.of(sample.closing.forms))
    return " ".join(said.sentences)


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
    if sample.answered.number in (33, 34):
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


def _why_given(said: Paragraph, sample: Sample) -> None:
    """Why the conditions hold: left by a step that is done, or touched by none."""
    place = _place(sample)
    topics = [("held", kept(said.world, place)), ("untouched", from_start(said.world, place))]
    if said.draw.number(2):
        topics.reverse()
    any(said.say(topic, options) for topic, options in topics)


def _chained(said: Paragraph, sample: Sample) -> None:
    """What the effects are good for: later steps by name, or without where they are the answer."""
    place = sample.answered.plan.position(sample.steps.effects.step_id) or 0
    onward = uses(said.world, place)
    said.say("chain", onward) or said.say("link", onward) or said.say("result", results(said.world, place))
    if sample.answered.number in (33, 34, 32):
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
    now, following = sample.answered.step(), sample.answered.step(1)
    if now is not None and following is not None:
        met = [each for each in uses(said.world, sample.answered.place, "a") if each["c"] == str(following.step_id)]
        said.say("direct", [{**each, "b": each["c"]} for each in met])


def _shown(said: Paragraph, sample: Sample) -> None:
    """Which step the prefix ends with, and which has not begun."""
    place = sample.answered.place
    if place + 1 < len(sample.answered.plan.steps):
        said.say("unbegun", results(said.world, place + 1, "b"))
    else:
        said.say("all")
    said.say("shown", results(said.world, place))


Part = Callable[[Paragraph, Sample], object]

#: What is said before the conditions, between effects and failure, and after the failure.
_FLOWS: Mapping[int, tuple[Part, Part, Part]] = {
    28: (_state, _direct, _delayed),
    29: (_candidates, _chained, _delayed),
    30: (_candidates, _chained, _delayed),
    31: (_state, _chained, _shown),
    32: (_between_glimpses, _chained, _delayed),
    33: (_candidates, _chained, _delayed),
    34: (_candidates, _chained, _delayed),
    35: (_state, _chained, faults),
    36: (_state, _chained, faults),
    37: (_asked, _chained, counterfactual),
    38: (_asked, _chained, counterfactual),
    39: (_asked, _chained, recovered),
    40: (_asked, _chained, recovered),
    41: (_state, _chained, after_recovery),
    42: (_state, _chained, after_recovery),
}
