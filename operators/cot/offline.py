"""A sample's reasoning without a model: the required sentences, the plan's own reasons, and a conclusion."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from dataflow_ext.errors import RowError
from operators.cot.conclusions import Sample, concluding
from operators.cot.phrasings import (
    CHANGES,
    OTHER_CHANGES,
    PLAIN_STARTS,
    PREVIOUS_CHANGES,
    PURPOSES,
    RISKS,
    STARTS,
)
from operators.cot.pieces import Pieces, pieces_of
from operators.cot.plan import Plan
from operators.cot.rules.response import given_of
from operators.cot.tasks.task import AnchorSteps, Task

T = TypeVar("T")

#: How required sentences begin, and what they are of.
_PARTS = {
    "Spatially": "conditions",
    "Functionally": "needs",
    "After the action, spatially": "changes",
    "After the action, functionally": "allows",
    "A likely failure": "fails",
    "If that happens": "recovers",
}
#: Tasks whose conclusion stands by itself: their required sentences are of a step that a flaw has put out of place.
_WITHOUT_PURPOSE = frozenset((35,))
#: Tasks whose effects are those of the step right before the one of the conditions.
_OF_PREVIOUS = frozenset((28,))


def reasoning_of(
    task: Task,
    plan: Plan,
    step_index: int,
    fields: Mapping[str, Any],
    anchors: Sequence[str],
    answer: str,
    key: str,
) -> str:
    """One paragraph on one line: the required sentences in their order, connected and explained, and a conclusion.

    All it says of the world stands in the plan. ``key`` decides between phrasings: the same key, the same text.
    Texts of the plan that break a rule are left out. RowError if a required sentence or the answer cannot be used
    without breaking one, LookupError if the plan has no such step.
    """
    pieces = pieces_of(plan)
    pieces.must_be_usable(anchors)
    steps = task.anchor_steps(plan, step_index, fields)
    made = _written(Sample(task.number, plan, step_index, fields, answer, pieces), steps, anchors, key)
    # Pieces that are fine one by one may break a rule together.
    if not pieces.spotless and pieces.problem_of(made, anchors, answer, given_of(fields)) is not None:
        made = _written(Sample(task.number, plan, step_index, fields, answer, pieces.wordless), steps, anchors, key)
        if (problem := pieces.problem_of(made, anchors, answer, given_of(fields))) is not None:
            raise RowError(
                f"The plan's own text cannot be used: with the required sentences, it breaks a rule: {problem}"
            )
    return made


def _written(sample: Sample, steps: AnchorSteps, anchors: Sequence[str], key: str) -> str:
    draw = _Draw(key)
    others = PREVIOUS_CHANGES if sample.number in _OF_PREVIOUS else OTHER_CHANGES
    said = _body(steps, anchors, sample.pieces, draw, others)
    if sample.number not in _WITHOUT_PURPOSE and (purpose := sample.pieces.sentence(steps.conditions.rationale)):
        said += [draw.of(PURPOSES), purpose]
    said += [draw.of(texts).format_map(words) for texts, words in concluding(sample)]
    return " ".join(filter(None, said))


def _body(steps: AnchorSteps, anchors: Sequence[str], pieces: Pieces, draw: _Draw, others: Sequence[str]) -> list[str]:
    """All but purpose and conclusion, sentence by sentence; ``others`` come before the effects of another step."""
    goal = pieces.quoted(steps.conditions.step_goal)
    said = [draw.of(STARTS).format(goal=goal) if goal else draw.of(PLAIN_STARTS)]
    before = ""
    for anchor in anchors:
        part = _part(anchor)
        if part == "changes" or (part == "allows" and before != "changes"):
            said.append(_change(steps, pieces, draw, others))
        elif part == "fails" or (part == "recovers" and before != "fails"):
            said.append(draw.of(RISKS))
        said.append(anchor)
        if part == "needs":
            said.append(pieces.reason(steps.conditions.causal_chain.causal_precondition_on_affordance))
        elif part == "allows":
            said.append(pieces.reason(steps.effects.causal_chain.causal_effect_on_affordance))
        before = part
    return said


@lru_cache(maxsize=1 << 14)
def _part(anchor: str) -> str:
    """Which part of the reasoning a required sentence belongs to, in the order of the parts."""
    return next((part for opening, part in _PARTS.items() if anchor.startswith(opening)), "")


def _change(steps: AnchorSteps, pieces: Pieces, draw: _Draw, others: Sequence[str]) -> str:
    if steps.effects is not steps.conditions and (goal := pieces.quoted(steps.effects.step_goal)):
        return draw.of(others).format(goal=goal)
    return draw.of(CHANGES)


class _Draw:
    """Choices that depend on a key alone."""

    def __init__(self, key: str) -> None:
        self._left = int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=7).digest())

    def of(self, texts: Sequence[T]) -> T:
        """One of the texts."""
        left, count = self._left, len(texts)
        self._left = left // count
        return texts[left % count]
