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
_SENTENCES = read_phrases(Path(__file__).with_name("closings.tsv"))


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


@dataclass(slots=True)
class _Words:
    """What names the gold, a rival, or what stands beside the gold; and what fills the sentence."""

    gold: Sequence[Gold]
    rivals: Sequence[str]
    context: Sequence[str]
    said: Mapping[str, str]
    topic: str = ""


def closing_of(answered: Answered) -> Closing:
    """How the reasoning of a sample has to end, and the sentences of which code puts one there."""
    words = _WORDS[answered.number](answered)
    forms = [phrase.text.format_map(words.said) for phrase in _SENTENCES[words.topic or str(answered.number)]]
    return Closing(forms[0], words.gold, words.rivals, words.context, forms)


def _support(of: Answered) -> _Words:
    raw = re.search(r"establishes (.*), which directly supports", of.answer)
    fact = fact_of(raw[1]) if raw else None
    state = state_of(fact) if fact else bare(of.answer)
    current, following = of.goal(), bare(str(of.fields.get("step_next_goal", "")))
    gold: list[Gold] = [state, *([raw[1]] if raw else [])]
    against = [state_of(fact.denied), fact.denied.text] if fact else []
    said = {"current": f'"{current}"', "next": f'"{following}"', "gold": state}
    return _Words(gold, [*of.goals_but(current, following), *against], [], said)


def _next(of: Answered) -> _Words:
    gold = bare(of.answer)
    return _Words([gold], of.goals_but(gold, of.goal()), [of.goal()], {"gold": f'"{gold}"'})


def _completed(of: Answered) -> _Words:
    gold, numbers = of.goal(), (step.step_id for step in of.plan.steps if step.step_id != of.step_index)
    rivals = [*of.goals_but(gold, of.goal(1)), *(f"step {each}" for each in numbers)]
    return _Words([gold, f"step {of.step_index}"], rivals, [of.goal(1)], {"gold": f'"{gold}"'})


def _middle(of: Answered) -> _Words:
    gold = of.texts("middle_steps")
    ends = [bare(str(of.fields.get(name, ""))) for name in ("head_step_goal", "tail_step_goal")]
    return _Words([tuple(gold)], of.goals_but(*gold, *ends), ends, {"gold": series(gold)})


def _selected(of: Answered) -> _Words:
    gold, letters = of.texts("gold_next_k_step_goals"), of.answer.split(",")
    options = of.texts("options")
    spelled: list[Gold] = [",".join(letters), ", ".join(letters), frozenset(letters)]
    rivals = [*_but(options, gold), *(each for each in LETTERS[: len(options)] if each not in letters)]
    return _Words([frozenset(gold), *spelled], rivals, [], {"gold": series(gold)})


def _ordered(of: Answered) -> _Words:
    gold = of.texts("label")
    return _Words([tuple(gold)], of.goals_but(*gold), [], {"gold": series(gold)})


def _flaw(of: Answered) -> _Words:
    bad, place, kind = of.texts("bad_plan_steps"), of.fields.get("flaw_step"), str(of.fields.get("flaw_type"))
    gold = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
    golds: list[Gold] = [frozenset((gold, form)) for form in _forms(kind)]
    rivals = [form for other in FLAWS if other != kind for form in _forms(other)]
    said = {"gold": f'"{gold}"', "kind": FLAWS.get(kind, kind)}
    return _Words(golds, rivals, _but(bad, [gold]), said)


def _forms(kind: str) -> tuple[str, ...]:
    """The ways to name a type of flaw."""
    return FLAWS.get(kind, kind).partition(" ")[2] or kind, kind, kind.replace("_", " ")


def _repaired(of: Answered) -> _Words:
    gold = of.texts("label")
    return _Words([tuple(gold)], _but(of.texts("bad_plan_steps"), gold), of.goals_but(*gold), {"gold": series(gold)})


def _told(field: Callable[[Step], str]) -> Callable[[Answered], _Words]:
    """A gold that is a text of the step, beside those of the other steps."""

    def words(of: Answered) -> _Words:
        gold = bare(of.answer)
        return _Words([gold], _but((bare(field(step)) for step in of.plan.steps), [gold]), [], {"gold": quoted(gold)})

    return words


def _chosen(of: Answered) -> _Words:
    """A gold that is an option; of those that are left wrong, one may be the step that failed or the next one."""
    options, letter = of.texts("options"), of.answer
    place = LETTERS.find(letter) if letter else -1
    gold = options[place] if 0 <= place < len(options) else ""
    beside = [goal for goal in (of.goal(), of.goal(1)) if goal != gold] if of.number == 42 else []
    letters = [each for each in LETTERS[: len(options)] if each != letter]
    rivals = [each for each in _but(options, [gold]) if each not in beside]
    return _Words([gold, letter], [*rivals, *letters], beside, {"gold": f'"{gold}"'})


def _decided(of: Answered) -> _Words:
    retry = of.answer == _RETRY[1]
    gold, rivals = (_RETRY, _CONTINUE) if retry else (_CONTINUE, _RETRY)
    said = {"current": f'"{of.goal()}"', "next": f'"{of.goal(1)}"'}
    return _Words(gold, rivals, [], said, "41 retry" if retry else "41 continue")


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
