"""Last sentences that name another answer, deny their own, or leave open which is meant; what leads there, turned."""

from __future__ import annotations

import re
from collections.abc import Callable

from operators.cot.texts import bare
from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import Edit, Entry, anchors, answer, fields, goals, outcomes, reason, recoveries, say


def concluding(sentence: str) -> Edit:
    """Another end: one sentence behind the last required one."""

    def do(sample: Entry) -> None:
        last = anchors(sample)[-1]
        reason(lambda old: f"{old.partition(last)[0]}{last} {sentence}")(sample)

    return do


def _rival(name: str, task: int, sentence: str, step: int | None = 2, verdict: str | None = None) -> Damage:
    where = of(task, step=step, verdict=verdict)
    return entry(f"Task_{task}: the last sentence {name}", "closing.rival", concluding(sentence), where, set())


def _open(name: str, task: int, sentence: str) -> Damage:
    return entry(
        f"Task_{task}: the last sentence {name}", "closing.gold", concluding(sentence), of(task, step=2), set()
    )


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


def _announced(sample: Entry) -> None:
    """A recovery before the required sentence that tells it."""
    told = fields(sample)
    gold = str(told.get("recovery_strategy") or told["gold_recovery_strategy"]).rstrip(".")
    reason(lambda old: f'One will have to do this: "{gold}". {old}')(sample)


def _lettered(sample: Entry) -> None:
    """The letter of the answer before all reasons."""
    reason(lambda old: f"Option {answer(sample)} is what all of this comes to. {old}")(sample)


def _retold(sample: Entry) -> None:
    """The next step in other words, before all reasons."""
    words = fields(sample)["next_step_goal"].rstrip(".").split()
    reason(lambda old: f"What it comes to are these things: {', '.join(reversed(words))}. {old}")(sample)


def _framed(name: str, frame: str) -> Damage:
    """The last sentence names the answer in words that take it back, none of them a negation."""

    def do(sample: Entry) -> None:
        last = re.compile(r'(?<=[.] )[^".]*"[^"]*"[^".]*\.$')
        reason(lambda old: last.sub(frame.format(bare(answer(sample))), old))(sample)

    return entry(f"the last sentence {name}", ("claim.unproven", "closing.gold"), do, of(29, 30, 37, step=2), set())


def _first(turn: Callable[[str], str]) -> Edit:
    """The first sentence, which says where the plan has got to, is turned."""

    def do(sample: Entry) -> None:
        first = anchors(sample)[0]
        reason(lambda old: f"{turn(old.partition(first)[0].strip())} {first}{old.partition(first)[2]}")(sample)

    return do


def _unproven(name: str, turn: Callable[[str], str]) -> Damage:
    where = of(28, 31, 37, 40, step=2)
    return entry(f"the state is told {name}", "claim.unproven", _first(turn), where, set())


DAMAGES = [
    _unproven("as what is not so", lambda said: f"It is not so that {said[:1].lower()}{said[1:]}"),
    _unproven("of another step", lambda said: re.sub('"[^"]*"', f'"{goals()[4].rstrip(".")}"', said)),
    _unproven("and denied in other words", lambda said: said.replace(".", ", and all of this is lost by now.")),
    _unproven("with a step more that is none", lambda said: f'{said} "{goals()[5].rstrip(".")}" is over by now.'),
    entry("the last sentence denies the outcome that it quotes", "closing.gold", lambda each: concluding(f"So this will never come of it: {answer(each)}")(each), of(37, 39, step=2), set()),
    entry("the last sentence denies the support that it tells", "closing.gold", lambda each: reason(lambda old: re.sub(r"(So|Hence|It follows that) [^.]*\.$", f'So "{goals()[1].rstrip(".")}" does not make "{goals()[2].rstrip(".")}" possible.', old))(each), of(28, step=2), set()),
    _framed("rules its answer out", 'Of all that may happen, "{0}" can be ruled out.'),
    _framed("expects anything but its answer", 'It would be an error to expect "{0}" now.'),
    _framed("asks for its answer", 'Is it "{0}" that one has to expect?'),
    _framed("leaves its answer open", 'Perhaps "{0}" fits, perhaps something else.'),
    entry("a remark stands where rules made none", "claim.unproven", say("It only takes a few seconds."), of(31, step=2), set()),
    entry("the next step is told in other words before all reasons", "claim.unproven", _retold, of(29, 30, step=2), set()),
    entry("the letter stands before all reasons", "claim.unproven", _lettered, of(38, 42, step=2), set()),
    entry("the recovery stands before it is required", "closing.early", _announced, of(39, 40, step=2), {"claim.unproven"}),
    entry("the answer stands before all reasons", "closing.early", _early, of(29, 30, 38, 42, step=2), {"claim.unproven"}),
    _rival("names another step", 29, f'So the next planned action is "{goals()[4]}"'.rstrip(".") + "."),
    _rival("names another step without quotation marks", 30, f"So what comes next is {goals()[5]}"),
    _rival("is for the step that is done", 30, f"So the plan repeats: {goals()[1]}"),
    _open("denies the next step", 29, f"So it is not {goals()[2]}"),
    _open("denies its grounds", 29, "None of this supports the answer, the plan should go on with another step."),
    _open("is for another step in general", 30, "So the plan should go on with another step."),
    _open("prefers another step to the next one", 29, f'So "{goals()[4].rstrip(".")}" comes before "{goals()[2].rstrip(".")}".'),
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
