"""What rules wrote, read back: every sentence that connects required ones is one that the plan proves, or is told."""

from __future__ import annotations

from collections.abc import Sequence

from dataflow_ext.text.sentences import sentences
from operators.cot.reasoning.paragraph import PHRASES, Draw, Paragraph, pieces_of
from operators.cot.reasoning.writer import PARTS, Sample, cut_of, why_given, wrote
from operators.cot.rules.response import before_last, placed
from operators.cot.world import Slots, world_of


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
