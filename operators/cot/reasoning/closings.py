"""How goals and facts are spoken of in a sentence, and the closing claim of each task: gold, rivals, sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from dataflow_ext.claims.closing import Closing, Gold
from dataflow_ext.claims.phrases import read_phrases
from operators.cot.anchors import spoken, without_stop
from operators.cot.plan import Plan, Step, once
from operators.cot.support.facts import Fact, fact_of
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Fields, one_line


@lru_cache(maxsize=1 << 14)
def bare(text: str) -> str:
    """A text on one line without the stop at its end, as it is named within a sentence."""
    return without_stop(one_line(text)).rstrip("。！？")


def quoted(text: str) -> str:
    """A text without its stop in quotation marks."""
    return f'"{bare(text)}"'


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


#: How a type of flaw is called in a sentence.
FLAWS = {
    "tool_mismatch": "a tool mismatch",
    "order_violation": "an order violation",
    "precondition_missing": "a missing precondition",
    "hallucinated_object": "a hallucinated object",
    "goal_mismatch": "a goal mismatch",
}
_RETRY = ("retry the current step", "retry_current_step", "retry current step")
_CONTINUE = ("continue to the next step", "continue_next_step", "continue with the next step", "continue next step")
_FORMS = {
    topic: [phrase.text for phrase in phrases]
    for topic, phrases in read_phrases(Path(__file__).with_name("closings.tsv")).items()
}


@dataclass
class Answered:
    """What a closing is made from: a task by its number, a plan, the step asked about, fields and gold answer."""

    number: int
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
        return _but(_goals(self.plan), names)


#: Tasks whose gold is not named before the last sentence, and those where it is the last required sentence.
LATE, ANNOUNCED = frozenset((29, 30, 32, 33, 34, 37, 38, 42)), frozenset((39, 40))


@dataclass(slots=True)
class _Words:
    """What names the gold, what fills the sentence, and, asked for, what names a rival or stands beside the gold."""

    gold: Sequence[Gold]
    said: Mapping[str, str]
    others: Callable[[], tuple[Sequence[str], Sequence[str]]]
    topic: str = ""
    about: Sequence[str] = ()


class _Ending(Closing):
    """A closing whose rivals are worked out where a last sentence has to be read, which none of code's own has."""

    def __init__(self, words: _Words, forms: Sequence[str], number: int) -> None:
        self.sentence, self.gold, self.forms, self.about = forms[0], words.gold, forms, words.about
        self.late, self.announced = number in LATE, number in ANNOUNCED
        self._words_beside = words.others

    @cached_property
    def rivals(self) -> Sequence[str]:  # type: ignore[override] # a plain value to all that read it
        return self._words_beside()[0]

    @cached_property
    def context(self) -> Sequence[str]:  # type: ignore[override]
        return self._words_beside()[1]


def closing_of(answered: Answered) -> Closing:
    """How the reasoning of a sample has to end, and the sentences of which code puts one there."""
    words = _WORDS[answered.number](answered)
    forms = [form.format_map(words.said) for form in _FORMS[words.topic or str(answered.number)]]
    return _Ending(words, forms, answered.number)


def _support(of: Answered) -> _Words:
    raw = re.search(r"establishes (.*), which directly supports", of.answer)
    fact = fact_of(raw[1]) if raw else None
    state = state_of(fact) if fact else bare(of.answer)
    current, following = of.goal(), bare(str(of.fields.get("step_next_goal", "")))
    gold: list[Gold] = [state, *([raw[1]] if raw else [])]
    said = {"current": f'"{current}"', "next": f'"{following}"', "gold": state}

    def others() -> tuple[list[str], list[str]]:
        against = [state_of(fact.denied), fact.denied.text] if fact else []
        return [*of.goals_but(current, following), *against], []

    return _Words(gold, said, others, about=[current, following])


def _next(of: Answered) -> _Words:
    gold = bare(of.answer)
    return _Words([gold], {"gold": f'"{gold}"'}, lambda: (of.goals_but(gold, of.goal()), [of.goal()]))


def _completed(of: Answered) -> _Words:
    gold = of.goal()

    def others() -> tuple[list[str], list[str]]:
        numbers = (step.step_id for step in of.plan.steps if step.step_id != of.step_index)
        return [*of.goals_but(gold, of.goal(1)), *(f"step {each}" for each in numbers)], [of.goal(1)]

    return _Words([gold, f"step {of.step_index}"], {"gold": f'"{gold}"'}, others)


def _middle(of: Answered) -> _Words:
    gold = of.texts("middle_steps")
    ends = [bare(str(of.fields.get(name, ""))) for name in ("head_step_goal", "tail_step_goal")]
    return _Words([tuple(gold)], {"gold": series(gold)}, lambda: (of.goals_but(*gold, *ends), ends))


def _selected(of: Answered) -> _Words:
    gold, letters = of.texts("gold_next_k_step_goals"), of.answer.split(",")
    options = of.texts("options")
    spelled: list[Gold] = [",".join(letters), ", ".join(letters), frozenset(letters)]

    def others() -> tuple[list[str], list[str]]:
        return [*_but(options, gold), *(each for each in LETTERS[: len(options)] if each not in letters)], []

    return _Words([frozenset(gold), *spelled], {"gold": series(gold)}, others)


def _ordered(of: Answered) -> _Words:
    gold = of.texts("label")
    return _Words([tuple(gold)], {"gold": series(gold)}, lambda: (of.goals_but(*gold), []))


def _flaw(of: Answered) -> _Words:
    bad, place, kind = of.texts("bad_plan_steps"), of.fields.get("flaw_step"), str(of.fields.get("flaw_type"))
    gold = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
    golds: list[Gold] = [frozenset((gold, form)) for form in _forms(kind)]
    said = {"gold": f'"{gold}"', "kind": FLAWS.get(kind, kind)}
    return _Words(
        golds, said, lambda: ([f for other in FLAWS if other != kind for f in _forms(other)], _but(bad, [gold]))
    )


def _forms(kind: str) -> tuple[str, ...]:
    """The ways to name a type of flaw."""
    return FLAWS.get(kind, kind).partition(" ")[2] or kind, kind, kind.replace("_", " ")


def _repaired(of: Answered) -> _Words:
    gold = of.texts("label")
    return _Words(
        [tuple(gold)], {"gold": series(gold)}, lambda: (_but(of.texts("bad_plan_steps"), gold), of.goals_but(*gold))
    )


def _told(field: Callable[[Step], str]) -> Callable[[Answered], _Words]:
    """A gold that is a text of the step, beside those of the other steps."""

    def words(of: Answered) -> _Words:
        gold = bare(of.answer)
        return _Words([gold], {"gold": quoted(gold)}, lambda: (_but(map(bare, map(field, of.plan.steps)), [gold]), []))

    return words


def _chosen(of: Answered) -> _Words:
    """A gold that is an option; of those that are left wrong, one may be the step that failed or the next one."""
    options, letter = of.texts("options"), of.answer
    place = LETTERS.find(letter) if letter else -1
    gold = options[place] if 0 <= place < len(options) else ""

    def others() -> tuple[list[str], list[str]]:
        beside = [goal for goal in (of.goal(), of.goal(1)) if goal != gold] if of.number == 42 else []
        letters = [each for each in LETTERS[: len(options)] if each != letter]
        return [*(each for each in _but(options, [gold]) if each not in beside), *letters], beside

    return _Words([gold, letter], {"gold": f'"{gold}"'}, others)


def _decided(of: Answered) -> _Words:
    retry = of.answer == _RETRY[1]
    gold, rivals = (_RETRY, _CONTINUE) if retry else (_CONTINUE, _RETRY)
    said = {"current": f'"{of.goal()}"', "next": f'"{of.goal(1)}"'}
    return _Words(gold, said, lambda: (rivals, []), "41 retry" if retry else "41 continue")


def _but(texts: Iterable[str], others: Iterable[str]) -> list[str]:
    known = {each.casefold() for each in others}
    return [text for text in dict.fromkeys(texts) if text and text.casefold() not in known]


@once
def _goals(plan: Plan) -> Sequence[str]:
    return [bare(step.step_goal) for step in plan.steps]


_WORDS: Mapping[int, Callable[[Answered], _Words]] = {
    28: _support,
    29: _next,
    30: _next,
    31: _completed,
    32: _middle,
    33: _selected,
    34: _ordered,
    35: _flaw,
    36: _repaired,
    37: _told(lambda step: step.expected_challenge_outcome),
    38: _chosen,
    39: _told(lambda step: step.failure_reflecting.recovery_strategy),
    40: _chosen,
    41: _decided,
    42: _chosen,
}
