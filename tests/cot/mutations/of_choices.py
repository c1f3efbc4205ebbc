"""Damages to options, labels, orders, bad plans and verdicts; the answer changes along where the damage would hide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import (
    LAB,
    Edit,
    Entry,
    answered,
    everything,
    field,
    fields,
    goals,
    numbered,
    outcomes,
    recoveries,
)

G = goals()
LETTERS = "ABCDEFGHIJ"
MCQ = of(38, 40, 42, step=2)


def _gold(sample: Entry) -> int:
    return LETTERS.index(fields(sample)["label"])


def _wrong(sample: Entry) -> int:
    """The first option that is not the right one."""
    return next(n for n in range(4) if n != _gold(sample))


def _options(edit: Callable[[Entry, list[str]], object]) -> Edit:
    """Change the options in place."""

    def do(sample: Entry) -> None:
        edit(sample, fields(sample)["options"])

    return do


def _twin(spell: Callable[[str], str]) -> Edit:
    """A wrong option becomes the right one once more, in another spelling."""

    def edit(sample: Entry, options: list[str]) -> None:
        options[_wrong(sample)] = spell(options[_gold(sample)])

    return _options(edit)


def _wrong_twins(spell: Callable[[str], str]) -> Edit:
    def edit(sample: Entry, options: list[str]) -> None:
        one, other = [n for n in range(4) if n != _gold(sample)][:2]
        options[one] = spell(options[other])

    return _options(edit)


def _label(new: Callable[[str], str]) -> Edit:
    """Another label, and the answer along with it."""

    def do(sample: Entry) -> None:
        fields(sample)["label"] = new(fields(sample)["label"])
        answered(fields(sample)["label"])(sample)

    return do


def _without_gold(sample: Entry, options: list[str]) -> None:
    fresh = {38: outcomes(LAB), 40: recoveries(LAB), 42: goals(LAB)}[int(sample["meta"]["task_name"][5:7])]
    options[_gold(sample)] = fresh[0]


def _swap(sample: Entry, options: list[str]) -> None:
    """Two options have each other's place, the label stays."""
    one, other = _gold(sample), _wrong(sample)
    options[one], options[other] = options[other], options[one]


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": str.upper,
    "in small letters": str.lower,
    "without its stop": lambda text: text.rstrip("."),
    "with an exclamation mark": lambda text: text.rstrip(".") + "!",
    "with two spaces": lambda text: text.replace(" ", "  ", 1),
    "with a space at its end": lambda text: text + " ",
    "with a no-break space": lambda text: text.replace(" ", "\u00a0", 1),
    "in full-width letters": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "with a Chinese stop": lambda text: text.rstrip(".") + "。",
}

OPTIONS = [
    *(entry(f"the right option comes twice, {how}", "fields.options", _twin(spell), (MCQ[n % 3],), {"text.control", "fields.plan"}) for n, (how, spell) in enumerate(SPELLINGS.items())),
    entry("a wrong option comes twice", "fields.options", _wrong_twins(str), MCQ, set()),
    entry("an option is missing", "fields.options", _options(lambda _, options: options.pop()), of(40, 42, step=2)),
    entry("there are five options", "fields.options", _options(lambda sample, options: options.append({38: outcomes(), 40: recoveries(), 42: goals()}[int(sample["meta"]["task_name"][5:7])][5])), of(38, 40, step=2), {"fields.plan"}),
    entry("there are no options", ("fields.options", "fields.type"), field("options", []), MCQ[:1]),
    entry("the right option is not among them", ("fields.options", "fields.label"), _options(_without_gold), MCQ),
    entry("an option is empty", ("fields.options", "fields.type"), _options(lambda sample, options: options.__setitem__(_wrong(sample), "")), MCQ[:1]),
    entry("options have each other's place, the label stays", "fields.label", _options(_swap), MCQ),
    entry("the label is the next letter, the answer too", "fields.label", _label(lambda old: "BCDA"[LETTERS.index(old)]), MCQ, set()),
    entry("the label alone is another letter", "fields.label", field("label", lambda old: "CDAB"[LETTERS.index(old)]), MCQ, {"answer.text"}),
    entry("the label is a small letter, the answer too", "fields.label", _label(str.lower), MCQ[1:2], {"fields.type"}),
    entry("the label is past the options, the answer too", "fields.label", _label(lambda _: "E"), MCQ[2:], {"fields.type"}),
    entry("the label is empty", ("fields.label", "fields.type"), field("label", ""), MCQ[:1]),
    entry("the label is the option's text", "fields.label", everything(lambda each: field("label", fields(each)["options"][_gold(each)])(each)), MCQ),
    entry("the label has a bracket, the answer too", "fields.label", _label(lambda old: f"{old})"), MCQ[1:2]),
    entry("the gold recovery is a wrong option, the label and answer too", "fields.plan", lambda each: everything(field("gold_recovery_strategy", fields(each)["options"][_wrong(each)]), _label(lambda _: LETTERS[_wrong(each)]))(each), of(40, step=2), {"fields.label", "fields.options"}),
    entry("the expected outcome is a wrong option, the label and answer too", "fields.plan", lambda each: everything(field("expected_challenge_outcome", fields(each)["options"][_wrong(each)]), _label(lambda _: LETTERS[_wrong(each)]))(each), of(38, step=2), {"fields.label", "fields.options"}),
]  # fmt: skip


def _to_next(sample: Entry) -> None:
    """Task_42: the plan goes on instead of the step being done again, in every field that tells it."""
    goal = G[sample["meta"]["step_index"]]
    options = fields(sample)["options"]
    if goal not in options:
        options[_wrong(sample)] = goal
    fields(sample)["gold_next_step_goal"] = goal
    _label(lambda _: LETTERS[options.index(goal)])(sample)


def _to_again(sample: Entry) -> None:
    """Task_42: the step is done again although its recovery completed it."""
    goal = G[sample["meta"]["step_index"] - 1]
    options = fields(sample)["options"]
    if goal not in options:
        options[_wrong(sample)] = goal
    fields(sample)["gold_next_step_goal"] = goal
    _label(lambda _: LETTERS[options.index(goal)])(sample)


def _to_far(sample: Entry) -> None:
    at = sample["meta"]["step_index"]
    goal = next(each for each in fields(sample)["options"] if each not in G[at - 1 : at + 1])
    fields(sample)["gold_next_step_goal"] = goal
    _label(lambda _: LETTERS[fields(sample)["options"].index(goal)])(sample)


VERDICT = ("fields.label", "fields.plan")
VERDICTS = [
    entry("Task_41: retry is turned into continue, the answer too", "fields.label", _label(lambda _: "continue_next_step"), of(41, verdict="retry"), set()),
    entry("Task_41: continue is turned into retry, the answer too", "fields.label", _label(lambda _: "retry_current_step"), of(41, verdict="continue"), set()),
    entry("Task_41: the label alone is flipped", "fields.label", field("label", "continue_next_step"), of(41, verdict="retry"), {"answer.text"}),
    entry("Task_41: the label is short, the answer too", "fields.label", _label(lambda _: "retry"), of(41, verdict="retry"), {"fields.type"}),
    entry("Task_41: the label is in capitals, the answer too", "fields.label", _label(str.upper), of(41, verdict="retry"), {"fields.type"}),
    entry("Task_41: the label is a goal, the answer too", "fields.label", _label(lambda _: G[2]), of(41, verdict="retry"), {"fields.type"}),
    entry("Task_42: the gold goes on too early, label and answer too", VERDICT, _to_next, of(42, verdict="retry"), set()),
    entry("Task_42: the gold does the step again without need, label and answer too", VERDICT, _to_again, of(42, verdict="continue"), set()),
    entry("Task_42: the gold is far off, label and answer too", VERDICT, _to_far, of(42, step=2), set()),
    entry("Task_42: the gold goal alone is another", VERDICT, field("gold_next_step_goal", lambda old: G[G.index(old) - 1]), of(42)),
]  # fmt: skip


def _set(new: Callable[[list[str], list[str]], list[str]]) -> Edit:
    """Another label_set, from the old one and the letters of the wrong options; the answer along with it."""

    def do(sample: Entry) -> None:
        right = fields(sample)["label_set"]
        wrong = [c for c in LETTERS[: len(fields(sample)["options"])] if c not in right]
        fields(sample)["label_set"] = new(right, wrong)
        answered(",".join(fields(sample)["label_set"]))(sample)

    return do


def _t33(name: str, code: Any, edit: Edit, also: Any = frozenset(), step: int = 2) -> Damage:
    return entry(f"Task_33: {name}", code, edit, of(33, step=step), also)


def _swap_option(spell: Callable[[Entry], str], gold: bool = False) -> Edit:
    """A wrong option, or the first right one, becomes another text."""

    def edit(sample: Entry, options: list[str]) -> None:
        right = [LETTERS.index(c) for c in fields(sample)["label_set"]]
        options[right[0] if gold else next(n for n in range(len(options)) if n not in right)] = spell(sample)

    return _options(edit)


def _first_gold(sample: Entry) -> str:
    return str(fields(sample)["gold_next_k_step_goals"][0])


def _few(sample: Entry) -> None:
    """K right options and one wrong one, with letters and answer to match."""
    gold = fields(sample)["gold_next_k_step_goals"]
    fields(sample)["options"] = [*gold, G[0]]
    fields(sample)["label_set"] = list(LETTERS[: len(gold)])
    answered(",".join(LETTERS[: len(gold)]))(sample)


def _nine(sample: Entry) -> None:
    fields(sample)["options"] = fields(sample)["options"] + goals(LAB)[: 9 - len(fields(sample)["options"])]


def _k(k: int) -> Edit:
    """The next k steps as gold, consistently, whether that many are allowed or are there."""

    def do(sample: Entry) -> None:
        gold = G[sample["meta"]["step_index"] :][:k]
        options = [*gold, *[goal for goal in G if goal not in gold][:3]]
        fields(sample).update(
            {"K": k, "gold_next_k_step_goals": gold, "options": options, "label_set": list(LETTERS[: len(gold)])}
        )
        answered(",".join(LETTERS[: len(gold)]))(sample)

    return do


PLAN_OR_LABEL = {"fields.label", "fields.options", "fields.plan"}
T33 = [
    _t33("a letter of label_set is another, the answer too", "fields.label", _set(lambda right, wrong: sorted([*right[1:], wrong[0]]))),
    _t33("label_set lacks a letter, the answer too", "fields.label", _set(lambda right, _: right[:-1])),
    _t33("label_set has a letter more, the answer too", "fields.label", _set(lambda right, wrong: sorted([*right, wrong[0]]))),
    _t33("label_set is not sorted, the answer too", "fields.label", _set(lambda right, _: right[::-1]), {"answer.text"}),
    _t33("label_set has a letter twice, the answer too", "fields.label", _set(lambda right, _: [*right, right[-1]])),
    _t33("label_set is in small letters, the answer too", "fields.label", _set(lambda right, _: [c.lower() for c in right])),
    _t33("label_set has a letter past the options, the answer too", "fields.label", _set(lambda right, _: [*right[:-1], "J"])),
    _t33("label_set holds the wrong options, the answer too", "fields.label", _set(lambda _, wrong: wrong)),
    _t33("label_set is empty", ("fields.label", "fields.type"), field("label_set", []), {"answer.text"}),
    _t33("label_set alone is another", "fields.label", field("label_set", ["A"]), {"answer.text"}),
    _t33("K is one too high", "fields.k", field("K", lambda k: k + 1), {"fields.plan"}),
    _t33("K is one too low", "fields.k", field("K", lambda k: k - 1), {"fields.plan"}),
    _t33("K is 0", "fields.k", field("K", 0), {"fields.plan"}),
    _t33("K is negative", "fields.k", field("K", -3), {"fields.plan"}),
    _t33("K is 2, all else to match", "fields.k", _k(2), {"fields.plan"}),
    _t33("K is 1, all else to match", "fields.k", _k(1), {"fields.plan"}),
    _t33("K is more than is left", "fields.k", field("K", 7), {"fields.plan"}),
    *(_t33(f"a right option comes twice, {how}", "fields.options", _swap_option(lambda each, spell=spell: spell(_first_gold(each))), {"text.control", *PLAN_OR_LABEL}) for how, spell in list(SPELLINGS.items())[::3]),
    _t33("two wrong options are the same", "fields.options", _options(lambda each, options: [options.__setitem__(n, G[0]) for n in range(len(options)) if LETTERS[n] not in fields(each)["label_set"]][:0]), {"fields.plan"}),
    _t33("a right option is missing", ("fields.options", "fields.label"), _swap_option(lambda _: goals(LAB)[0], gold=True), PLAN_OR_LABEL),
    _t33("there is one wrong option only", "fields.options", _few, {"fields.plan"}),
    _t33("there are nine options", "fields.options", _nine, {"fields.plan"}),
    _t33("an option has a word more than its goal", ("fields.options", "fields.label"), _swap_option(lambda each: _first_gold(each)[:-1] + " now.", gold=True), PLAN_OR_LABEL),
    _t33("the gold goals have another order", "fields.plan", field("gold_next_k_step_goals", lambda old: old[::-1])),
    _t33("the gold goals begin a step later", "fields.plan", field("gold_next_k_step_goals", lambda old: G[3 : 3 + len(old)]), PLAN_OR_LABEL | {"fields.k"}),
    _t33("a gold goal is a step of the past", "fields.plan", field("gold_next_k_step_goals", lambda old: [G[0], *old[1:]]), PLAN_OR_LABEL),
    _t33("the gold goals lack the last", ("fields.plan", "fields.k"), field("gold_next_k_step_goals", lambda old: old[:-1]), PLAN_OR_LABEL | {"fields.k"}),
]  # fmt: skip


def _t34(name: str, code: Any, edit: Edit, also: Any = frozenset()) -> Damage:
    return entry(f"Task_34: {name}", code, edit, of(34, step=2), also)


def _presented(edit: Callable[[list[str], list[str]], list[str]]) -> Edit:
    """Another order presented, from the old one and the gold one."""

    def do(sample: Entry) -> None:
        told = fields(sample)
        told["presented_steps"] = edit(told["presented_steps"], told["gold_next_k_step_goals"])

    return do


def _golden(edit: Callable[[list[str]], list[str]], *names: str) -> Edit:
    """Another list in the named fields, and in the answer."""

    def do(sample: Entry) -> None:
        listed = edit(list(fields(sample)["label"]))
        for name in names:
            fields(sample)[name] = listed
        answered(numbered(listed))(sample)

    return do


T34 = [
    _t34("the presented order is the gold order", "fields.order", _presented(lambda _, gold: list(gold))),
    _t34("the presented order is the gold order in capitals", "fields.order", _presented(lambda _, gold: [each.upper() for each in gold]), {"fields.plan"}),
    _t34("a presented step is foreign", "fields.order", _presented(lambda old, _: [goals(LAB)[0], *old[1:]])),
    _t34("a presented step is of the past", "fields.order", _presented(lambda old, _: [G[0], *old[1:]])),
    _t34("a presented step is missing", ("fields.order", "fields.k"), _presented(lambda old, _: old[:-1]), {"fields.order", "fields.k"}),
    _t34("a presented step comes twice", ("fields.order", "fields.k"), _presented(lambda old, _: [*old, old[0]]), {"fields.order", "fields.k"}),
    _t34("a presented step stands for another", "fields.order", _presented(lambda old, _: [old[1], *old[1:]])),
    _t34("a presented step has another word", "fields.order", _presented(lambda old, _: [old[0].replace("the ", "a ", 1), *old[1:]])),
    _t34("nothing is presented", ("fields.order", "fields.type", "fields.k"), _presented(lambda *_: []), {"fields.order", "fields.k"}),
    _t34("the label is the presented order, the answer too", "fields.label", lambda each: _golden(lambda _: fields(each)["presented_steps"], "label")(each)),
    _t34("the label lacks a step, the answer too", "fields.label", _golden(lambda old: old[:-1], "label")),
    _t34("the label has a step more, the answer too", "fields.label", _golden(lambda old: [*old, G[0]], "label")),
    _t34("the label has another case, the answer too", "fields.label", _golden(lambda old: [each.lower() for each in old], "label")),
    _t34("gold and label have another order, the answer too", "fields.plan", _golden(lambda old: [old[1], old[0], *old[2:]], "label", "gold_next_k_step_goals"), {"fields.order"}),
    _t34("gold, label and presented begin a step later, the answer too", "fields.plan", everything(_golden(lambda old: [*old[1:], G[0]], "label", "gold_next_k_step_goals"), _presented(lambda _, gold: gold[::-1])), {"fields.k"}),
    _t34("K is one too high", "fields.k", field("K", lambda k: k + 1), {"fields.plan"}),
    _t34("K is one too low", "fields.k", field("K", lambda k: k - 1), {"fields.plan"}),
    _t34("K is 2, all else to match", "fields.k", everything(_golden(lambda old: old[:2], "label", "gold_next_k_step_goals"), field("K", 2), _presented(lambda _, gold: gold[::-1])), {"fields.plan"}),
]  # fmt: skip

DAMAGES = [*OPTIONS, *VERDICTS, *T33, *T34]
