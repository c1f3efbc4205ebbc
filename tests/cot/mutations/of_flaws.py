"""Damages to bad plans, their flaws and their repairs (Task_35 and Task_36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cot.mutations.damage import ANY, Damage, entry, of
from tests.cot.mutations.good import LAB, Edit, Entry, answered, everything, field, fields, goals, numbered

G = goals()
TYPES = ("tool_mismatch", "order_violation", "precondition_missing", "hallucinated_object", "goal_mismatch")
PROOF = ("fields.proof", "fields.label")
#: The required sentences are those of the flawed step, so that another flaw asks for others.
ALSO = {"fields.proof", "fields.label", "anchor.missing"}


def _label(edit: Callable[[str], str]) -> Edit:
    """Another label, and the answer along with it."""

    def do(sample: Entry) -> None:
        fields(sample)["label"] = edit(fields(sample)["label"])
        answered(fields(sample)["label"])(sample)

    return do


def _type(new: str) -> Edit:
    """Another type of flaw in field, label and answer."""

    def do(sample: Entry) -> None:
        old = fields(sample)["flaw_type"]
        fields(sample)["flaw_type"] = new
        _label(lambda label: label.replace(f"FlawType={old}", f"FlawType={new}"))(sample)

    return do


def _step(edit: Callable[[int], int]) -> Edit:
    """Another flawed step in field, label and answer."""

    def do(sample: Entry) -> None:
        old = fields(sample)["flaw_step"]
        fields(sample)["flaw_step"] = edit(old)
        _label(lambda label: label.replace(f"FlawStep={old}", f"FlawStep={edit(old)}"))(sample)

    return do


def _bad(edit: Callable[[Entry, list[str]], list[str]]) -> Edit:
    def do(sample: Entry) -> None:
        fields(sample)["bad_plan_steps"] = edit(sample, list(fields(sample)["bad_plan_steps"]))

    return do


def _gold(edit: Callable[[list[str]], list[str]]) -> Edit:
    """Another gold plan; in Task_36 the label and the answer along with it."""

    def do(sample: Entry) -> None:
        told = fields(sample)
        told["gold_plan_steps"] = edit(list(told["gold_plan_steps"]))
        if isinstance(told["label"], list):
            told["label"] = list(told["gold_plan_steps"])
            answered(numbered(told["label"]))(sample)

    return do


def _flaw(name: str, code: Any, edit: Edit, flaw: str, also: Any = frozenset(ALSO), tasks: Any = (35,)) -> Damage:
    return entry(
        f"{'/'.join(f'Task_{task}' for task in tasks)}, {flaw}: {name}", code, edit, of(*tasks, flaw=flaw), also
    )


BOTH = (35, 36)
SWAPPED = [
    _flaw(f"the type is {new}, label and answer too", PROOF, _type(new), old)
    for old in TYPES
    for new in TYPES
    if new != old
]
EACH = [
    damage
    for flaw in TYPES
    for damage in (
        _flaw("the bad plan is the gold plan", ("fields.proof", "fields.order"), _bad(lambda each, _: list(fields(each)["gold_plan_steps"])), flaw, ALSO, BOTH),
        _flaw("the flawed step is the next one, label and answer too", PROOF, _step(lambda n: n + 1), flaw),
        _flaw("the gold plan has two steps the other way round", "fields.plan", _gold(lambda old: [old[1], old[0], *old[2:]]), flaw, ALSO | {"fields.order"}, BOTH),
        _flaw("another step of the bad plan is flawed too", "fields.proof", _bad(lambda _, bad: [each if n != _other(bad) else "Inflate the tire with the stapler." for n, each in enumerate(bad)]), flaw, ALSO),
        _flaw("the Reason is another, label and answer too", "fields.label", _label(lambda old: old.partition("Reason=")[0] + "Reason=It does not help."), flaw),
    )
]  # fmt: skip


def _other(bad: list[str]) -> int:
    """A step of the bad plan that is a step of the plan."""
    return max(n for n, each in enumerate(bad) if each in G)


def _t35(name: str, code: Any, edit: Edit, also: Any = frozenset(ALSO), flaw: str = "precondition_missing") -> Damage:
    return _flaw(name, code, edit, flaw, also)


LATER = "as a causal precondition, but this bad plan only establishes it later."
T35 = [
    _t35("the Reason requires another fact, label and answer too", PROOF, _label(lambda old: old.partition('requires "')[0] + f'requires "tire: receptive" {LATER}')),
    _t35("the Reason requires the contrary, label and answer too", PROOF, _label(lambda old: old.replace("=> True", "=> X").replace("=> False", "=> True").replace("=> X", "=> False"))),
    _t35("the Reason lacks its stop, label and answer too", "fields.label", _label(lambda old: old[:-1])),
    _t35("the Reason has a small letter, label and answer too", "fields.label", _label(lambda old: old.replace("It requires", "it requires"))),
    _t35("the Reason has other words, label and answer too", "fields.label", _label(lambda old: old.replace("only establishes it later", "establishes it only afterwards"))),
    _t35("the Reason has a sentence more, label and answer too", "fields.label", _label(lambda old: old + " This is clear.")),
    _t35("the label has commas, the answer too", "fields.label", _label(lambda old: old.replace("; ", ", "))),
    _t35("the label lacks the FlawType, the answer too", "fields.label", _label(lambda old: old.partition("FlawType=")[0] + "Reason=" + old.partition("Reason=")[2])),
    _t35("the label counts another FlawStep than the field, the answer too", "fields.label", _label(lambda old: old.replace(old[:10], f"FlawStep={int(old[9]) + 1}"))),
    _t35("flaw_step alone is another", PROOF, field("flaw_step", lambda n: n - 1)),
    _t35("flaw_step is the step_id instead of the place in the bad plan", PROOF, lambda each: _step(lambda _: fields(each)["proof"]["step"])(each), flaw="tool_mismatch"),
    _t35("flaw_step is 0, label and answer too", (*PROOF, "fields.type"), _step(lambda _: 0)),
    _t35("flaw_step is past the bad plan, label and answer too", (*PROOF, "fields.type"), _step(lambda _: 9)),
    _t35("flaw_type alone is another", PROOF, field("flaw_type", "order_violation")),
    _t35("flaw_type is unknown, label and answer too", (*PROOF, "fields.type", "schema.value"), _type("wrong_step"), ANY),
    _t35("flaw_type has a hyphen, label and answer too", (*PROOF, "fields.type", "schema.value"), _type("precondition-missing")),
    _t35("K is one too high", "fields.k", field("K", lambda k: k + 1), ALSO | {"fields.plan"}),
    _t35("K is one too low", "fields.k", field("K", lambda k: k - 1), ALSO | {"fields.plan"}),
    _t35("the bad plan lacks a step", ("fields.proof", "fields.k"), _bad(lambda _, bad: bad[:-1]), ALSO | {"fields.k"}),
    _t35("the bad plan has a step more", ("fields.proof", "fields.k"), _bad(lambda _, bad: [*bad, G[0]]), ANY),
    _t35("the gold plan lacks its last step", ("fields.plan", "fields.k"), _gold(lambda old: old[:-1]), ALSO | {"fields.k", "fields.plan"}),
    _t35("the gold plan begins a step early", "fields.plan", _gold(lambda old: [G[0], *old[:-1]]), ALSO | {"fields.order"}),
    _t35("a goal of the gold plan has another word", "fields.plan", _gold(lambda old: [old[0].replace("the ", "a ", 1), *old[1:]]), ALSO),
    _t35("a goal of the bad plan has another case", ("fields.proof", "fields.plan"), _bad(lambda _, bad: [bad[0].lower(), *bad[1:]]), ALSO),
    _t35("the order of a harmless pair is changed too", "fields.proof", _bad(lambda _, bad: bad[::-1]), ALSO),
    _t35("a step of another plan stands in the bad plan", "fields.proof", _bad(lambda _, bad: [goals(LAB)[0], *bad[1:]]), ALSO),
]  # fmt: skip


def _t36(name: str, code: Any, edit: Edit, also: Any = frozenset(ALSO)) -> Damage:
    return _flaw(name, code, edit, "order_violation", also, (36,))


def _repair(edit: Callable[[Entry, list[str]], list[str]]) -> Edit:
    """Another repair in label and answer; the gold plan stays."""

    def do(sample: Entry) -> None:
        fields(sample)["label"] = edit(sample, list(fields(sample)["label"]))
        answered(numbered(fields(sample)["label"]))(sample)

    return do


T36 = [
    _t36("the repair is the bad plan, the answer too", "fields.label", _repair(lambda each, _: list(fields(each)["bad_plan_steps"])), set()),
    _t36("the repair lacks a step, the answer too", "fields.label", _repair(lambda _, old: old[:-1]), set()),
    _t36("the repair has a step more, the answer too", "fields.label", _repair(lambda _, old: [*old, G[0]]), set()),
    _t36("the repair has another word, the answer too", "fields.label", _repair(lambda _, old: [*old[:-1], old[-1].replace("the ", "a ", 1)]), set()),
    _t36("the label is a text", "fields.type", field("label", lambda old: numbered(old))),
    _t36("the gold plan is shorter, label and answer too", ("fields.plan", "fields.k", "fields.proof"), _gold(lambda old: old[:-1]), ALSO | {"fields.k", "fields.plan"}),
    _t36("gold and bad plan are cut to two steps, label and answer too", "fields.k", everything(_gold(lambda old: old[:2]), _bad(lambda _, bad: bad[:2])), ALSO | {"fields.plan"}),
]  # fmt: skip


def _proof(what: str, edit: Edit, *, flaw: str = "precondition_missing") -> Damage:
    return _flaw(f"the proof {what}", ("fields.proof", "fields.type", "fields.label"), edit, flaw, ANY)


PROOFS = [
    _proof("rests on another fact", field("proof.condition", "tire: receptive")),
    _proof("rests on the contrary", field("proof.condition", lambda old: old.replace("True", "X").replace("False", "True").replace("X", "False"))),
    _proof("rests on a made-up fact", field("proof.condition", "on(lamp, shelf) => True")),
    _proof("is of another step", field("proof.step", lambda old: old - 1)),
    _proof("is of no step", field("proof.step", 99)),
    _proof("names another prerequisite", field("proof.prerequisite", lambda old: old % 6 + 1)),
    _proof("names no prerequisite of the plan", field("proof.prerequisite", 99)),
    _proof("is a text", field("proof", "see the plan")),
    _proof("has a step in quotes", field("proof.step", str)),
    _proof("rests on another tool", field("proof.condition", "tire: closed"), flaw="tool_mismatch"),
    _proof("is of another step", field("proof.step", lambda old: old + 1), flaw="tool_mismatch"),
    _t36("flaw_type alone is another", PROOF, field("flaw_type", "hallucinated_object"), ANY),
    _t36("flaw_step alone is another", PROOF, field("flaw_step", lambda old: old + 1), ANY),
    _t36("flaw_type is unknown", (*PROOF, "fields.type"), field("flaw_type", "slip"), ANY),
]  # fmt: skip

DAMAGES = [*PROOFS, *SWAPPED, *EACH, *T35, *T36]
