"""Fields that are no longer what the plan says, task by task; the answer changes along where the damage would hide."""

from __future__ import annotations

import itertools
from typing import Any

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import (
    LAB,
    PLANS,
    Edit,
    Entry,
    answered,
    ask,
    everything,
    field,
    fields,
    goals,
    numbered,
    outcomes,
    recoveries,
    steps,
)

G, OUTCOMES, R = goals(), outcomes(), recoveries()
ALL = tuple(range(28, 43))


def _field(task: int, what: str, name: str, value: Any, code: Any = "fields.plan", **where: Any) -> Damage:
    return entry(f"Task_{task}: {name} {what}", code, field(name, value), of(task, **where))


def _texts() -> list[Damage]:
    """Each text that is copied from the plan: a word more, another case, no stop, or a neighbour's."""
    copied = {
        28: ("step_n_goal", "step_next_goal"),
        29: ("current_step_goal", "next_step_goal"),
        30: ("current_step_goal", "next_step_goal"),
        32: ("head_step_goal", "tail_step_goal"),
        37: ("step_goal", "counterfactual_challenge_question", "expected_challenge_outcome"),
        38: ("step_goal", "counterfactual_challenge_question", "expected_challenge_outcome"),
        39: ("step_goal", "reason", "recovery_strategy"),
        40: ("step_goal", "failure_reason", "gold_recovery_strategy"),
        41: ("current_step_goal", "next_step_goal", "failure_reason", "recovery_strategy"),
        42: ("failure_reason", "recovery_strategy"),
    }
    made = [
        ("has a word more", lambda old: old[:-1] + " slowly" + old[-1]),
        ("has another first letter", lambda old: old[0].swapcase() + old[1:]),
        ("has a word less", lambda old: old.replace(" the ", " ", 1) if " the " in old else old.rpartition(" ")[0]),
    ]
    turn = itertools.cycle(range(len(made)))  # each text in one of the spellings
    return [
        _field(task, what, name, edit, step=2)
        for task, names in copied.items()
        for name in names
        for what, edit in (made[next(turn)],)
    ]


GOALS = [
    entry("high_level_goal is of another plan", "fields.plan", field("high_level_goal", PLANS[LAB]["high_level_goal"]), of(*ALL), set()),
    entry("high_level_goal has another word", "fields.plan", field("high_level_goal", lambda old: old.replace("punctured", "broken")), of(28, 36, 42), set()),
    entry("high_level_goal is in capitals", "fields.plan", field("high_level_goal", str.upper), of(33), set()),
    entry("high_level_goal is empty", ("fields.plan", "fields.missing"), field("high_level_goal", ""), of(29), set()),
    entry("high_level_goal is a step's goal", "fields.plan", field("high_level_goal", G[0]), of(41), set()),
]  # fmt: skip


def _support(what: str, path: str, value: Any, code: Any = "fields.support") -> Damage:
    return _field(28, what, f"dependency_support.{path}", value, code, step=2)


def _flip(text: str) -> str:
    return text.replace("True", "Fal_").replace("False", "True").replace("Fal_", "False")


def _both(edit: Any) -> Edit:
    """The same change to both sides of the spatial support, and to the answer that tells it."""

    def do(sample: Entry) -> None:
        support = fields(sample)["dependency_support"]["spatial"]
        old = support["effect"]
        support["effect"] = support["condition"] = edit(old)
        answered(lambda text: text.replace(old, support["effect"]))(sample)

    return do


def _without_support(sample: Entry) -> None:
    fields(sample)["dependency_support"] = {"spatial": None, "affordance": None}


T28 = [
    entry("Task_28: step_next_goal is the step after the next", "fields.support", field("step_next_goal", G[3]), of(28, step=2)),
    _field(28, "is the step before", "step_n_goal", G[0], step=2),
    entry("Task_28: both goals are the next pair's", "fields.plan", everything(field("step_n_goal", G[2]), field("step_next_goal", G[3])), of(28, step=2)),
    entry("Task_28: the goals have each other's place", "fields.plan", everything(field("step_n_goal", G[2]), field("step_next_goal", G[1])), of(28, step=2)),
    _support("is turned into its contrary", "spatial.effect", _flip),
    _support("is turned into its contrary", "spatial.condition", _flip),
    _support("is of another step", "spatial.effect", "inside(new_tube, tire) => True"),
    _support("is of another step", "spatial.condition", "inside(new_tube, tire) => True"),
    _support("is of another step", "affordance.effect", "tire: receptive"),
    _support("is of another step", "affordance.condition", "tire: closed"),
    _support("is made up", "affordance.effect", "tire: slippery"),
    _support("has the objects the other way round", "spatial.effect", "outside_of(wheel_rim, tire_bead) => True"),
    _support("has another object", "spatial.effect", "outside_of(tire, wheel_rim) => True"),
    _support("has another relation", "spatial.condition", "inside(tire_bead, wheel_rim) => True"),
    _support("is a condition that nothing brings about", "spatial.condition", "inside(old_tube, tire) => True"),
    _support("is too weak", "spatial.strength", 0.1, ("fields.support", "fields.type")),
    _support("is stronger than can be", "spatial.strength", 7.5, ("fields.support", "fields.type")),
    _support("is negative", "affordance.strength", -1.0, ("fields.support", "fields.type")),
    _support("is not a fact", "spatial.effect", "the bead is outside", ("fields.support", "fields.type")),
    _support("is empty", "affordance.effect", "", ("fields.support", "fields.type")),
    entry("Task_28: both sides of the support and the answer are flipped", "fields.support", _both(_flip), of(28, step=2), set()),
    entry("Task_28: both sides of the support and the answer are of another step", "fields.support", _both(lambda _: "inside(new_tube, tire) => True"), of(28, step=2), set()),
    entry("Task_28: both sides of the support and the answer are made up", "fields.support", _both(lambda _: "on(lamp, shelf) => True"), of(28, step=2), set()),
    entry("Task_28: neither support is given", ("fields.support", "fields.type"), _without_support, of(28)),
    entry("Task_28: the support is empty", ("fields.support", "fields.missing", "fields.type"), field("dependency_support", {}), of(28)),
]  # fmt: skip


def _next(new: str) -> Edit:
    return everything(field("next_step_goal", new), answered(new))


NEXT = [
    entry("the next step is the one after it, the answer too", "fields.plan", _next(G[3]), of(29, 30, step=2)),
    entry("the next step is the current one, the answer too", "fields.plan", _next(G[1]), of(29, 30, step=2)),
    entry("the next step is in other words, the answer too", "fields.plan", _next("Pull the old tube out of the tire."), of(29, 30, step=2)),
    entry("the next step is of another plan, the answer too", "fields.plan", _next(goals(LAB)[2]), of(29, 30, step=2)),
    _field(29, "is the step after", "current_step_goal", G[2], step=2),
    _field(30, "is one too far", "prefix_end_step", 3, step=2),
    _field(31, "is one too far", "prefix_end_step", 3, ("fields.plan", "fields.label"), step=2),
    _field(33, "is one too short", "prefix_end_step", 1, step=2),
    _field(34, "is one too far", "prefix_end_step", 3, step=2),
    _field(35, "is one too far", "prefix_end_step", 3, step=2),
    _field(36, "is one too far", "prefix_end_step", 3, step=2),
    _field(42, "is one too far", "prefix_end_step", lambda old: old + 1),
    _field(42, "is no step", "prefix_end_step", 99, ("fields.plan", "step.unknown"), step=2),
]  # fmt: skip


def _all_steps(what: str, edit: Any, code: Any = "fields.plan") -> Damage:
    return _field(31, what, "all_steps", edit, code, step=2)


T31 = [
    entry("Task_31: the label is one too high, the answer too", "fields.label", everything(field("label", 3), answered("3")), of(31, step=2), set()),
    entry("Task_31: the label is one too low, the answer too", "fields.label", everything(field("label", 1), answered("1")), of(31, step=2), set()),
    entry("Task_31: label and prefix are one too high, the answer too", ("fields.plan", "fields.label"), everything(field("label", 3), field("prefix_end_step", 3), answered("3")), of(31, step=2)),
    entry("Task_31: the label is no step, the answer too", "fields.label", everything(field("label", 99), answered("99")), of(31, step=2), set()),
    _field(31, "is counted from 0", "label", 1, "fields.label", step=2),
    _all_steps("has two steps the other way round", lambda old: [old[1], old[0], *old[2:]]),
    _all_steps("lacks the last step", lambda old: old[:-1]),
    _all_steps("stops at the prefix", lambda old: old[:2]),
    _all_steps("has a step twice", lambda old: [*old, old[-1]]),
    _all_steps("has a step of another plan", lambda old: [*old, {"step_id": 7, "step_goal": goals(LAB)[0]}]),
    _all_steps("is empty", [], ("fields.plan", "fields.type")),
    _all_steps("is reversed", lambda old: old[::-1]),
    entry("Task_31: a goal of all_steps has another word", "fields.plan", field("all_steps.4.step_goal", "Push the tire bead back onto the wheel."), of(31), set()),
    entry("Task_31: an id of all_steps is another", "fields.plan", field("all_steps.4.step_id", 50), of(31), set()),
    entry("Task_31: two ids of all_steps have each other's place", "fields.plan", everything(field("all_steps.4.step_id", 6), field("all_steps.5.step_id", 5)), of(31, step=2), set()),
]  # fmt: skip


def _middle(edit: Any) -> Edit:
    def do(sample: Entry) -> None:
        listed = edit(fields(sample)["middle_steps"])
        fields(sample)["middle_steps"] = listed
        answered(numbered(listed))(sample)

    return do


TWO = of(32, middle=2)
#: Pictures may not be from where the first and the last missing step are.
SEEN = {"evidence.wrong", "evidence.future"}
T32 = [
    entry("Task_32: middle steps have each other's place, the answer too", "fields.plan", _middle(lambda old: [old[1], old[0], *old[2:]]), TWO, SEEN),
    entry("Task_32: a middle step is missing, the answer too", "fields.plan", _middle(lambda old: [old[0], *old[2:]]), TWO, SEEN),
    entry("Task_32: the tail is one of the middle steps, the answer too", "fields.plan", _middle(lambda old: G[G.index(old[0]) : G.index(old[-1]) + 2]), TWO, SEEN),
    entry("Task_32: the head is one of the middle steps, the answer too", "fields.plan", _middle(lambda old: G[G.index(old[0]) - 1 : G.index(old[-1]) + 1]), TWO, SEEN),
    entry("Task_32: a middle step has another word, the answer too", "fields.plan", _middle(lambda old: [old[0].replace("the ", "a ", 1), *old[1:]]), TWO, SEEN),
    entry("Task_32: a middle step is of another plan, the answer too", "fields.plan", _middle(lambda old: [goals(LAB)[1], *old[1:]]), TWO),
    entry("Task_32: a middle step comes twice, the answer too", "fields.plan", _middle(lambda old: [*old, old[-1]]), TWO, SEEN),
    _field(32, "is empty", "middle_steps", [], ("fields.plan", "fields.type"), step=2),
    _field(32, "is a missing step", "head_step_goal", G[2], step=2),
    _field(32, "is the first step", "tail_step_goal", G[0], step=2),
    _field(32, "is the head", "tail_step_goal", G[1], step=2),
]  # fmt: skip

COUNTERFACTUAL = [
    entry("the outcome is another step's, the answer too", "fields.plan", everything(field("expected_challenge_outcome", OUTCOMES[2]), answered(OUTCOMES[2])), of(37, step=2), set()),
    entry("the outcome has another word, the answer too", "fields.plan", everything(field("expected_challenge_outcome", OUTCOMES[1].replace("slowly", "quickly")), answered(OUTCOMES[1].replace("slowly", "quickly"))), of(37, step=2), set()),
    entry("the challenge is another step's, the human turn too", "fields.plan", everything(field("counterfactual_challenge_question", steps()[2]["counterfactual_challenge_question"]), ask(lambda _: steps()[2]["counterfactual_challenge_question"])), of(37, step=2)),
    entry("the challenge has another word, the human turn too", "fields.plan", everything(field("counterfactual_challenge_question", "What if only one hand is available?"), ask(lambda _: "What if only one hand is available?")), of(37, step=2)),
    entry("step_goal is the next step's", "fields.plan", field("step_goal", G[2]), of(37, 38, 39, 40, step=2), set()),
    entry("the recovery is another step's, the answer too", "fields.plan", everything(field("recovery_strategy", R[4]), answered(R[4])), of(39, step=2), set()),
    entry("the recovery has another word, the answer too", "fields.plan", everything(field("recovery_strategy", R[1].replace("spoke", "rim")), answered(R[1].replace("spoke", "rim"))), of(39, step=2), set()),
    entry("the reason is another step's, the human turn too", "fields.plan", everything(field("reason", steps()[4]["failure_reflecting"]["reason"]), ask(lambda old: old.replace("The bead snaps back under the rim after the first lever is released", "The last section of the bead does not pass over the rim"))), of(39, step=2)),
    entry("the failure is another step's, the human turn too", "fields.plan", everything(field("failure_reason", steps()[4]["failure_reflecting"]["reason"]), ask(lambda old: old.replace("The bead snaps back under the rim after the first lever is released", "The last section of the bead does not pass over the rim"))), of(40, step=2)),
    entry("the recovery is another step's", "fields.plan", field("recovery_strategy", lambda old: R[R.index(old) - 1]), of(41, 42)),
    entry("the failure is another step's", "fields.plan", field("failure_reason", steps()[1]["failure_reflecting"]["reason"]), of(41, 42)),
    entry("the next step is the one after it", "fields.plan", field("next_step_goal", lambda old: G[G.index(old) + 1]), of(41)),
    entry("the current step is the next one", "fields.plan", field("current_step_goal", lambda old: G[G.index(old) + 1]), of(41)),
]  # fmt: skip

DAMAGES = [*_texts(), *GOALS, *T28, *NEXT, *T31, *T32, *COUNTERFACTUAL]
