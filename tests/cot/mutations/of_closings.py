"""Last sentences that name another answer, deny their own, or leave open which is meant."""

from __future__ import annotations

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import Edit, Entry, anchors, fields, goals, outcomes, reason, recoveries


def concluding(sentence: str) -> Edit:
    """Another end: one sentence behind the last required one."""

    def do(sample: Entry) -> None:
        last = anchors(sample)[-1]
        reason(lambda old: f"{old.partition(last)[0]}{last} {sentence}")(sample)

    return do


def _rival(name: str, task: int, sentence: str, step: int | None = 2, verdict: str | None = None) -> Damage:
    where = of(task, step=step, verdict=verdict)
    return entry(f"Task_{task}: the last sentence {name}", "closing.rival", concluding(sentence), where, set())


def _wrong_letter(sample: Entry) -> None:
    told = fields(sample)
    letter = next(each for each in "BCD" if each != told["label"])
    concluding(f"So option {letter} is the right one.")(sample)


def _wrong_option(sample: Entry) -> None:
    told = fields(sample)
    wrong = next(o for c, o in zip("ABCD", told["options"], strict=True) if c != told["label"])
    concluding(f"So what remains is this: {wrong}")(sample)


def _early(sample: Entry) -> None:
    """The reasoning begins with what it has to lead to."""
    told = fields(sample)
    gold = told["options"]["ABCD".index(told["label"])] if "label" in told else told["next_step_goal"]
    reason(lambda old: f"What it comes to is {gold.rstrip('.')}. {old}")(sample)


DAMAGES = [
    entry("the answer stands before all reasons", "closing.early", _early, of(29, 30, 38, 42, step=2), set()),
    _rival("names another step", 29, f'So the next planned action is "{goals()[4]}"'.rstrip(".") + "."),
    _rival("names another step without quotation marks", 30, f"So what comes next is {goals()[5]}"),
    _rival("is for the step that is done", 30, f"So the plan repeats: {goals()[1]}"),
    _rival("denies the next step", 29, f"So it is not {goals()[2]}"),
    _rival("denies its grounds", 29, "None of this supports the answer, the plan should go on with another step."),
    _rival("is for another step in general", 30, "So the plan should go on with another step."),
    _rival("names another end of the prefix", 31, f"So all is done up to {goals()[3]}"),
    _rival("names another outcome", 37, f"So this is what happens: {outcomes()[3]}"),
    _rival("names another recovery", 39, f"So one should do this: {recoveries()[4]}"),
    _rival("is for going on", 41, "So one should continue to the next step.", verdict="retry", step=None),
    _rival("has another kind of flaw", 35, "So the flaw is a goal mismatch.", None),
    entry("the last sentence names a wrong letter", "closing.rival", _wrong_letter, of(38, 40, 42, step=2), set()),
    entry("the last sentence names a wrong option", "closing.rival", _wrong_option, of(38, 40, step=2), set()),
    entry("the last sentence has the order reversed", "closing.rival", lambda each: concluding("So first " + ", then ".join(step.rstrip(".") for step in reversed(fields(each)["label"])) + ".")(each), of(34, 36), set()),
    entry("the last sentence names no answer", "closing.gold", concluding("So this is how the matter stands in the end."), of(29, 32, 38), set()),
]  # fmt: skip
