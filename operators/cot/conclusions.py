"""Why a gold answer holds, task by task: sentences with the plan's own words, in several phrasings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from operators.cot.endings import ENDINGS
from operators.cot.faults import fault_of, told_state
from operators.cot.links import link_of
from operators.cot.phrasings import FAULTS, FLAWS, LINKS
from operators.cot.pieces import Pieces
from operators.cot.plan import Plan, Step
from operators.cot.recovery.label import CONTINUE, DONE, READY, RETRY, label_of
from operators.cot.tasks.fields import normalised, same

#: What a phrasing is filled with, ready to stand in a sentence; "" where the plan's words cannot be used.
Words = Mapping[str, str]


@dataclass(slots=True)
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
        text = self.fields.get(name)
        return self.pieces.quoted(text) if isinstance(text, str) else ""

    def option(self) -> str:
        """The option that the answer names, in quotation marks."""
        options = self.fields.get("options") or []
        place = ord(self.answer[0]) - ord("A") if self.answer else -1
        return self.quoted(options[place]) if 0 <= place < len(options) else ""

    def around(self) -> tuple[Step, Step | None]:
        """The step that the sample asks about, and the one after it."""
        position = self.plan.position(self.step_index) or 0
        return self.plan.steps[position], next(iter(self.plan.steps[position + 1 : position + 2]), None)

    def series(self, texts: object, joint: str = ", then ", last: str = ", and finally ") -> str:
        """Several texts in quotation marks as one series; empty if one of them cannot be used."""
        quoted = [self.quoted(text) for text in texts] if isinstance(texts, Sequence) else []
        if not quoted or not all(quoted):
            return ""
        return last.join((joint.join(quoted[:-1]), quoted[-1])) if len(quoted) > 2 else joint.join(quoted)


#: Phrasings, and what fills their braces.
Part = tuple[Sequence[str], Words]


def concluding(sample: Sample) -> list[Part]:
    """The parts of a sample's conclusion, each in several phrasings."""
    if sample.number in (35, 36):
        return _on_flaw(sample)
    link = [_link(sample)] if sample.number in (33, 34) else []
    return [*filter(None, link), _ending(_kind(sample), _WORDS[sample.number](sample))]


def _ending(kind: str, words: Words) -> Part:
    return (ENDINGS[kind].told, words) if all(words.values()) else (ENDINGS[kind].plain, {})


def _kind(sample: Sample) -> str:
    """The task's number, and which of its cases it is where it has several."""
    if sample.number == 31 and sample.step_index == sample.plan.steps[-1].step_id:
        return "31 last"
    return f"{sample.number} {_after_recovery(sample)}" if sample.number in (41, 42) else str(sample.number)


def _after_recovery(sample: Sample) -> str:
    """What the recovery does; no more than whether the step comes again, where the plan tells no more."""
    step, coming = sample.around()
    if sample.number == 41:
        told = sample.answer
    else:
        told = RETRY if same(str(sample.fields.get("gold_next_step_goal")), step.step_goal) else CONTINUE
    label, why = label_of(step, coming) if coming is not None else (None, "")
    if told == RETRY:
        return "retry" if label != told else "ready" if why == READY else "anew"
    return "continue" if label != told else "done" if why == DONE else "on"


def _link(sample: Sample) -> Part | None:
    """How one of the steps that come next leads to the one after it, where the plan tells."""
    position = sample.plan.position(sample.step_index)
    if position is None:
        return None
    steps = sample.plan.steps
    for place in range(position + 1, position + len(sample.fields.get("gold_next_k_step_goals") or [])):
        if (fact := link_of(sample.plan, place)) is not None:
            words = {
                "first": sample.quoted(steps[place].step_goal),
                "second": sample.quoted(steps[place + 1].step_goal),
                "state": sample.pieces.plain(told_state(fact.text)),
            }
            return (LINKS, words) if all(words.values()) else None
    return None


def _on_flaw(sample: Sample) -> list[Part]:
    """What is wrong with a bad plan, and what follows from that: its name, or the plan without it."""
    how, words = fault_of(sample.plan, sample.step_index, sample.fields, sample.answer, sample.pieces)
    if all(words.values()):
        told: Part = FAULTS[how], words
    else:
        told, how, words = (FAULTS["unsaid"], {}), "unsaid", {}
    if sample.number == 35:
        kind = FLAWS.get(str(sample.fields.get("flaw_type")), "")
        return [told, _ending("35", {"bad": words.get("bad", ""), "kind": kind})]
    order = {"order": sample.series(sample.fields.get("gold_plan_steps"))}
    if how in ("unsaid", "stated", "different"):
        return [told, _ending("36", order)]
    moved = "36 order" if how in ("precondition_missing", "order_violation", "undone") else "36 step"
    return [told, _ending(moved, {"bad": words["bad"], "first": words["first"], **order})]


def _named(*names: str, **renamed: str) -> Callable[[Sample], Words]:
    """Fields in quotation marks, by their own names or others."""

    def words(sample: Sample) -> Words:
        return {name: sample.field(field) for name, field in (*((n, n) for n in names), *renamed.items())}

    return words


def _support(sample: Sample) -> Words:
    states = dict.fromkeys(map(told_state, _conditions(sample.fields.get("dependency_support"))))
    told = " and ".join([state for state in states if state][:2])
    return {
        "current": sample.field("step_n_goal"),
        "next": sample.field("step_next_goal"),
        "support": sample.pieces.plain(told),
    }


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
    now, coming = sample.around()
    words = {"current": sample.quoted(now.step_goal)}
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


def _ordered(sample: Sample) -> Words:
    return {"order": sample.series(sample.fields.get("label"))}


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
    return {
        "current": sample.quoted(sample.around()[0].step_goal),
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
    34: _ordered,
    37: _outcome,
    38: _chosen_outcome,
    39: _named(goal="step_goal"),
    40: _chosen_strategy,
    41: _named(current="current_step_goal", next="next_step_goal"),
    42: _after,
}
