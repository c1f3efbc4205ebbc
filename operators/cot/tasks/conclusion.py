"""How a sample's reasoning concludes: gold and rivals, how goals and facts are spoken of, and the closing sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from dataflow_ext.claims.closing import Closing, Gold
from dataflow_ext.claims.phrases import read_phrases
from operators.cot.plan import Plan, Step, once
from operators.cot.support.facts import Fact
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Fields, Task
from operators.cot.texts import bare, spoken


def series(texts: Sequence[str]) -> str:
    """Several texts in quotation marks, in their order.

    >>> series(["Open it", "Go in", "Sit down"])
    '"Open it", then "Go in", and finally "Sit down"'
    """
    each = [f'"{text}"' for text in texts]
    return ", and finally ".join((", then ".join(each[:-1]), each[-1])) if len(each) > 2 else ", then ".join(each)


def state_of(fact: Fact) -> str:
    """What something is left as.

    >>> state_of(Fact("spatial", "inside", ("tube", "tire"), False)), state_of(Fact("affordance", "soft", ("tube",)))
    ('the tube not inside the tire', 'the tube soft')
    """
    first, *others = (f"the {spoken(each)}" for each in fact.objects)
    negated = "" if fact.truth else "not "
    if len(others) > 1:
        return f"{', '.join((first, *others[:-1]))} and {others[-1]} {negated}{spoken(fact.name)}"
    return " ".join((first, f"{negated}{spoken(fact.name)}", *others))


@dataclass
class Answered:
    """What a closing is made from: a task, a plan, the step asked about, fields and gold answer."""

    task: Task
    plan: Plan
    step_index: int
    fields: Fields
    answer: str

    @cached_property
    def place(self) -> int:
        """The position of the step that is asked about."""
        return self.plan.position(self.step_index) or 0

    def step(self, ahead: int = 0) -> Step | None:
        """The step so many places ahead of the one asked about."""
        place = self.place + ahead
        return self.plan.steps[place] if 0 <= place < len(self.plan.steps) else None

    def goal(self, ahead: int = 0) -> str:
        """The goal of a step, as it is named; "" if there is none."""
        step = self.step(ahead)
        return bare(step.step_goal) if step is not None else ""

    def texts(self, name: str) -> list[str]:
        """The texts of a field that is a list, as they are named."""
        value = self.fields.get(name)
        return [bare(each) for each in value if isinstance(each, str)] if isinstance(value, list) else []

    def goals_but(self, *names: str) -> list[str]:
        """The goals of all steps but those named."""
        return but(_goals(self.plan), names)


@dataclass(slots=True)
class Conclusion:
    """What names the gold, what fills the sentence, and, asked for, what names a rival or stands beside the gold."""

    gold: Sequence[Gold]
    said: Mapping[str, str]
    others: Callable[[], tuple[Sequence[str], Sequence[str]]]
    topic: str = ""
    about: Sequence[str] = ()

    @classmethod
    def of_option(cls, of: Answered, beside: Sequence[str] = ()) -> Self:
        """A gold that is an option with its letter; of those that are wrong, some may stand ``beside`` it."""
        options, letter = of.texts("options"), of.answer
        place = LETTERS.find(letter) if letter else -1
        gold = options[place] if 0 <= place < len(options) else ""
        near = [each for each in beside if each != gold]

        def others() -> tuple[list[str], list[str]]:
            letters = [each for each in LETTERS[: len(options)] if each != letter]
            return [*(each for each in but(options, [gold]) if each not in near), *letters], near

        return cls([gold, letter], {"gold": f'"{gold}"'}, others)

    @classmethod
    def of_step(cls, of: Answered, field: Callable[[Step], str]) -> Self:
        """A gold that is a text of the step, beside those of the other steps."""
        gold = bare(of.answer)
        return cls([gold], {"gold": f'"{gold}"'}, lambda: (but(map(bare, map(field, of.plan.steps)), [gold]), []))


def but(texts: Iterable[str], others: Iterable[str]) -> list[str]:
    """The texts that are none of some others, each once; case makes no difference."""
    known = {each.casefold() for each in others}
    return [text for text in dict.fromkeys(texts) if text and text.casefold() not in known]


@once
def _goals(plan: Plan) -> Sequence[str]:
    return [bare(step.step_goal) for step in plan.steps]


_FORMS = {
    topic: [phrase.text for phrase in phrases]
    for topic, phrases in read_phrases(Path(__file__).with_name("closings.tsv")).items()
}


class _Ending(Closing):
    """A closing whose rivals are worked out where a last sentence has to be read, which none of code's own has."""

    def __init__(self, words: Conclusion, forms: Sequence[str], named: str) -> None:
        self.sentence, self.gold, self.forms, self.about = forms[0], words.gold, forms, words.about
        self.late, self.announced = named == "last", named == "required"
        self._words_beside = words.others

    @cached_property
    def rivals(self) -> Sequence[str]:  # type: ignore[override] # a plain value to all that read it
        return self._words_beside()[0]

    @cached_property
    def context(self) -> Sequence[str]:  # type: ignore[override]
        return self._words_beside()[1]


def closing_of(answered: Answered) -> Closing:
    """How the reasoning of a sample has to end, and the sentences of which code puts one there."""
    task = answered.task
    words = task.conclusion(answered)
    forms = [form.format_map(words.said) for form in _FORMS[words.topic or str(task.number)]]
    return _Ending(words, forms, task.named)
