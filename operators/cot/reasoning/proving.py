"""What rules wrote, read back: every sentence that connects required ones is one that the plan proves, or is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from dataflow_ext.claims.sentences import sentences
from dataflow_ext.errors import RowError
from operators.cot.mending import names_of, names_something
from operators.cot.plan import Plan, once
from operators.cot.reasoning.closings import quoted, state_of
from operators.cot.reasoning.paragraph import PHRASES, Draw, Paragraph, pieces_of
from operators.cot.reasoning.writer import FLOWS, Sample, cut_of, reasoning_of, why_given, wrote
from operators.cot.rules.response import before_last, placed
from operators.cot.support.facts import conditions_of, effects_of
from operators.cot.tasks.recovery import stems_of
from operators.cot.tasks.task import Task
from operators.cot.world import Slots, world_of

#: So few words of a gold are in many a sentence that does not tell it.
_FEWEST = 2


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


def _parted(text: str) -> Iterator[str]:
    """The sentences of what is said at once, with the capital that it begins with."""
    whole = text[:1].upper() + text[1:]
    return (whole[start:end] for start, end in sentences(whole))


def altered(sample: Sample, task: Task, reasoning: str) -> list[str]:
    """The sentences of a reasoning by rules that were put in place of one of theirs, and are none that the plan proves.

    What stands between the required sentences besides is told only if it names a step or a fact of the plan word for
    word, or tells in other words what has to come last; all else is colour. A last sentence is told if it is none of
    those that code puts, as nothing else proves that it affirms what it names. Nothing is told of a text of which rules
    wrote less than half: then somebody else did.
    """
    of = sample.answered
    if wrote(of, sample.key, reasoning):
        return []
    try:
        made = reasoning_of(task, of, sample.anchors, sample.key).plain
    except (LookupError, RowError):  # other rules tell what is wrong with such a sample
        return []
    if wrote(of, sample.key, reasoning):
        return []
    sayable = _Sayable(sample)
    before, middle, behind = FLOWS[of.number]
    for part in (before, why_given, middle, behind):
        part(sayable, sample)
    told = _connecting(reasoning, sample)
    if 2 * sum(each in sayable.found for each in told) < max(len(told), 1):
        return []
    closed = sample.closing.end_of(reasoning) != ""
    if not closed:
        # A closing of somebody's own may be more than the last sentence.
        while told[-1] not in sayable.found:
            told.pop()
    strange = [each for each in told if each not in sayable.found]
    replaced = set(_replaced(_connecting(made, sample), told))
    names, exact = names_of(of.plan), _exact(of.plan)
    unproven = [
        each
        for each in strange
        if (each in replaced and names_something(each, names))
        or any(map(each.casefold().__contains__, exact))
        or (sample.closing.late and not sample.closing.early(each) and _tells_gold(each, sample))
    ]
    last = "" if closed else sample.closing.last(reasoning)
    # What another rule says of it is enough.
    return [*unproven, last] if last and not sample.closing.warnings(last) else unproven


def _tells_gold(sentence: str, sample: Sample) -> bool:
    """Whether a sentence has the gold's letter, or three in four of the words that tell what it is about."""
    said = stems_of(sentence)
    golds = map(stems_of, sample.hidden)
    return sample.closing.names_gold(sentence) or any(
        4 * len(said & gold) >= 3 * max(len(gold), _FEWEST) for gold in golds
    )


def _connecting(reasoning: str, sample: Sample) -> list[str]:
    """The sentences that are not required, without the last one."""
    between = before_last(placed(reasoning, sample.anchors), sample.closing)
    return [between[start:end] for start, end in sentences(between)]


def _replaced(made: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    """The sentences that stand where others were."""
    for what, _, _, first, last in SequenceMatcher(None, made, told, autojunk=False).get_opcodes():
        if what == "replace":
            yield from told[first:last]


@once
def _exact(plan: Plan) -> Sequence[str]:
    """The words by which a sentence names a step or a fact, in small letters."""
    facts = (state_of(fact) for step in plan.steps for fact in (*conditions_of(step), *effects_of(step)))
    return [each.casefold() for each in dict.fromkeys((*(quoted(step.step_goal) for step in plan.steps), *facts))]
