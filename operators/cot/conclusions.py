"""Why a gold answer holds, task by task: sentences with the plan's own words, in several phrasings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from operators.cot.anchors import spoken
from operators.cot.phrasings import CONCLUSIONS, FLAWS
from operators.cot.pieces import Pieces
from operators.cot.plan import Plan
from operators.cot.support.facts import Fact, fact_of
from operators.cot.tasks.fields import normalised

#: What a phrasing is filled with, ready to stand in a sentence; "" where the plan's words cannot be used.
Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a conclusion is made from."""

    number: int
    plan: Plan
    step_index: int
    fields: Mapping[str, Any]
    answer: str
    pieces: Pieces

    def quoted(self, text: object) -> str:
        """A text in quotation marks; empty if it cannot be used."""
        return self.pieces.quoted(text) if isinstance(text, str) else ""

    def field(self, name: str) -> str:
        """A field in quotation marks."""
        return self.quoted(self.fields.get(name))

    def option(self) -> str:
        """The option that the answer names, in quotation marks."""
        options = self.fields.get("options") or []
        place = ord(self.answer[0]) - ord("A") if self.answer else -1
        return self.quoted(options[place]) if 0 <= place < len(options) else ""

    def series(self, texts: object, joint: str = ", then ", last: str = ", and finally ") -> str:
        """Several texts in quotation marks as one series; empty if one of them cannot be used."""
        quoted = [self.quoted(text) for text in texts] if isinstance(texts, Sequence) else []
        if not quoted or not all(quoted):
            return ""
        return last.join((joint.join(quoted[:-1]), quoted[-1])) if len(quoted) > 2 else joint.join(quoted)


def concluding(sample: Sample) -> tuple[Sequence[str], Words]:
    """The phrasings of a sample's conclusion, and what they are filled with."""
    kind = _kind(sample)
    words = _WORDS[sample.number](sample)
    return (CONCLUSIONS[kind].told, words) if all(words.values()) else (CONCLUSIONS[kind].plain, {})


def _kind(sample: Sample) -> str:
    """The task's number, and which of its cases it is where it has several."""
    if sample.number == 31 and sample.step_index == sample.plan.steps[-1].step_id:
        return "31 last"
    if sample.number == 41:
        return f"41 {sample.answer}"
    if sample.number == 42:
        position = sample.plan.position(sample.step_index)
        own = sample.plan.steps[position].step_goal if position is not None else ""
        again = normalised(str(sample.fields.get("gold_next_step_goal"))) == normalised(own)
        return "42 retry" if again else "42 continue"
    return str(sample.number)


def _named(*names: str, **renamed: str) -> Callable[[Sample], Words]:
    """Fields in quotation marks, by their own names or others."""

    def words(sample: Sample) -> Words:
        return {name: sample.field(field) for name, field in (*((n, n) for n in names), *renamed.items())}

    return words


def _support(sample: Sample) -> Words:
    facts = [fact for text in _conditions(sample.fields.get("dependency_support")) if (fact := fact_of(text))]
    states = " and ".join(dict.fromkeys(state_of(fact) for fact in facts[:2]))
    return {
        "current": sample.field("step_n_goal"),
        "next": sample.field("step_next_goal"),
        "support": sample.pieces.plain(states),
    }


def state_of(fact: Fact) -> str:
    """What something is left as: "the tire receptive", "the tube not inside the tire"."""
    first, *others = (f"the {spoken(each)}" for each in fact.objects)
    negated = "" if fact.truth else "not "
    if len(others) > 1:
        return f"{', '.join((first, *others[:-1]))} and {others[-1]} {negated}{spoken(fact.name)}"
    return " ".join((first, f"{negated}{spoken(fact.name)}", *others))


def _conditions(support: object) -> Iterator[str]:
    """The conditions that a support tells, in whichever of its shapes."""
    if isinstance(support, str):
        yield support
    elif isinstance(support, Mapping):
        for each in [support["condition"]] if "condition" in support else support.values():
            yield from _conditions(each)
    elif isinstance(support, Sequence):
        for each in support:
            yield from _conditions(each)


def _completed(sample: Sample) -> Words:
    position = sample.plan.position(sample.step_index) or 0
    coming = sample.plan.steps[position + 1] if position + 1 < len(sample.plan.steps) else None
    words = {"current": sample.quoted(sample.plan.steps[position].step_goal)}
    return words if coming is None else words | {"next": sample.quoted(coming.step_goal)}


def _infill(sample: Sample) -> Words:
    return {
        "head": sample.field("head_step_goal"),
        "tail": sample.field("tail_step_goal"),
        "middle": sample.series(sample.fields.get("middle_steps")),
    }


def _selected(sample: Sample) -> Words:
    gold = sample.fields.get("gold_next_k_step_goals") or []
    right = {normalised(goal) for goal in gold}
    wrong = [each for each in sample.fields.get("options") or [] if normalised(each) not in right]
    return {
        "gold": sample.series(gold, ", ", " and ") if len(gold) > 2 else sample.series(gold, " and "),
        "wrong": sample.series(wrong[:2], " or "),
    }


def _ordered(field: str) -> Callable[[Sample], Words]:
    return lambda sample: {"order": sample.series(sample.fields.get(field))}


def _flaw(sample: Sample) -> Words:
    steps, place = sample.fields.get("bad_plan_steps") or [], sample.fields.get("flaw_step")
    step = steps[place - 1] if isinstance(place, int) and 0 < place <= len(steps) else ""
    reason = sample.answer.partition("Reason=")[2]
    return {
        # A bad step may name what the plan does not; the reason, which is part of the answer, does so too.
        "step": sample.pieces.quoted(step, reason) or "one of its steps",
        "kind": FLAWS.get(str(sample.fields.get("flaw_type")), ""),
        "reason": sample.pieces.sentence(reason, reason),
    }


def _outcome(sample: Sample) -> Words:
    outcome = sample.pieces.sentence(str(sample.fields.get("expected_challenge_outcome", "")))
    return {"supposed": _supposed(sample), "outcome": outcome}


def _chosen_outcome(sample: Sample) -> Words:
    return {"supposed": _supposed(sample), "option": sample.option()}


def _supposed(sample: Sample) -> str:
    """The situation that the question supposes, as a sentence."""
    told = sample.pieces.supposed(str(sample.fields.get("counterfactual_challenge_question", "")))
    return told or "Now suppose that things are as the question says."


def _chosen_strategy(sample: Sample) -> Words:
    return {"option": sample.option(), "reason": sample.field("failure_reason")}


def _after(sample: Sample) -> Words:
    position = sample.plan.position(sample.step_index) or 0
    return {
        "current": sample.quoted(sample.plan.steps[position].step_goal),
        "gold": sample.field("gold_next_step_goal"),
    }


#: What fills the phrasings of each task.
_WORDS: Mapping[int, Callable[[Sample], Words]] = {
    28: _support,
    29: _named(current="current_step_goal", next="next_step_goal"),
    30: _named(current="current_step_goal", next="next_step_goal"),
    31: _completed,
    32: _infill,
    33: _selected,
    34: _ordered("label"),
    35: _flaw,
    36: _ordered("gold_plan_steps"),
    37: _outcome,
    38: _chosen_outcome,
    39: _named(goal="step_goal"),
    40: _chosen_strategy,
    41: _named(current="current_step_goal", next="next_step_goal"),
    42: _after,
}
