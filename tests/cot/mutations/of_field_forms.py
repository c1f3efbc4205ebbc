"""Each field of each task left out, or of another type, and fields that no task has."""

from __future__ import annotations

from typing import Any

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import drop, field

GOAL = ("high_level_goal",)
#: The fields that the format page names, by task.
FIELDS: dict[int, tuple[str, ...]] = {
    28: (*GOAL, "step_n_goal", "step_next_goal", "dependency_support"),
    29: (*GOAL, "current_step_goal", "next_step_goal"),
    30: (*GOAL, "current_step_goal", "next_step_goal", "prefix_end_step"),
    31: (*GOAL, "all_steps", "prefix_end_step", "label"),
    32: (*GOAL, "head_step_goal", "tail_step_goal", "middle_steps"),
    33: (*GOAL, "prefix_end_step", "K", "options", "label_set", "gold_next_k_step_goals"),
    34: (*GOAL, "prefix_end_step", "K", "presented_steps", "gold_next_k_step_goals", "label"),
    35: (*GOAL, "prefix_end_step", "K", "bad_plan_steps", "gold_plan_steps", "flaw_step", "flaw_type", "label"),
    36: (*GOAL, "prefix_end_step", "bad_plan_steps", "gold_plan_steps", "label"),
    37: (*GOAL, "step_goal", "counterfactual_challenge_question", "expected_challenge_outcome"),
    38: (*GOAL, "step_goal", "counterfactual_challenge_question", "expected_challenge_outcome", "options", "label"),
    39: (*GOAL, "step_goal", "reason", "recovery_strategy"),
    40: (*GOAL, "step_goal", "failure_reason", "options", "label", "gold_recovery_strategy"),
    41: (*GOAL, "current_step_goal", "next_step_goal", "failure_reason", "recovery_strategy", "label"),
    42: (*GOAL, "failure_reason", "recovery_strategy", "prefix_end_step", "options", "label", "gold_next_step_goal"),
}


def _other_type(old: Any) -> Any:
    """The value in a type that is near and wrong."""
    if isinstance(old, str):
        return [old]
    if isinstance(old, int):
        return str(old)
    if isinstance(old, dict):
        return list(old)
    return ", ".join(map(str, old))


MISSING = [
    entry(f"Task_{task}: {name} is missing", "fields.missing", drop(f"meta.fields.{name}"), of(task))
    for task, names in FIELDS.items()
    for name in (names if task == 28 else names[1:])
]
TYPES = [
    entry(
        f"Task_{task}: {name} has a near but wrong type",
        ("fields.type", "fields.label") if name == "label_set" else "fields.type",
        field(name, _other_type),
        of(task),
    )
    for task, names in FIELDS.items()
    for name in (names if task in (28, 33) else names[1::2])
]


def _renamed(task: int, name: str, new: str) -> Damage:
    """A field under another name: one is missing and one unknown, both are told."""
    return entry(f"Task_{task}: {name} is called {new}", "fields.unknown", _rename(name, new), of(task))


def _rename(name: str, new: str) -> Any:
    def do(sample: dict[str, Any]) -> None:
        sample["meta"]["fields"][new] = sample["meta"]["fields"].pop(name)

    return do


NAMES = [
    _renamed(28, "step_n_goal", "current_step_goal"),
    _renamed(29, "next_step_goal", "next_goal"),
    _renamed(31, "label", "Label"),
    _renamed(33, "K", "k"),
    _renamed(33, "label_set", "label"),
    _renamed(35, "flaw_type", "flawType"),
    _renamed(38, "label", "gold_label"),
    _renamed(39, "reason", "failure_reason"),
    _renamed(40, "failure_reason", "reason"),
    _renamed(42, "gold_next_step_goal", "next_step_goal"),
    entry("there are no fields at all", "fields.missing", lambda each: each["meta"]["fields"].clear(), of(28, 35, 42)),
    *(
        entry(f"a field more: {name}", "fields.unknown", field(name, value), of(29), set())
        for name, value in (("note", "checked"), ("frames", [3, 21]), ("", 1), ("anchors", []))
    ),
    entry("a field of another task", "fields.unknown", field("options", ["a", "b", "c", "d"]), of(29, 37), set()),
]

ELEMENTS = [
    entry("an option is a number", "fields.type", field("options.0", 1), of(33, 38)),
    entry("an option is null", "fields.type", field("options.3", None), of(40, 42)),
    entry("an option is a list", "fields.type", field("options.1", ["x"]), of(42)),
    entry("a label of the set is a number", "fields.type", field("label_set.0", 0), of(33)),
    entry("a gold goal is null", "fields.type", field("gold_next_k_step_goals.0", None), of(33, 34)),
    entry("a step of all_steps is its goal alone", "fields.type", field("all_steps.0", lambda old: old["step_goal"]), of(31)),
    entry("a step of all_steps lacks its id", ("fields.type", "fields.missing"), drop("meta.fields.all_steps.0.step_id"), of(31)),
    entry("a step of all_steps has an id in quotes", "fields.type", field("all_steps.1.step_id", "2"), of(31)),
    entry("a step of all_steps has a key more", ("fields.type", "fields.unknown", "fields.plan"), field("all_steps.1.done", True), of(31)),
    entry("K is a float", "fields.type", field("K", 3.0), of(33, 34, 35)),
    entry("K is true", "fields.type", field("K", True), of(33, 34)),
    entry("prefix_end_step is a float", "fields.type", field("prefix_end_step", 2.0), of(30, 31, step=2)),
    entry("prefix_end_step is true", "fields.type", field("prefix_end_step", True), of(30, 31, step=1)),
    entry("label is true", "fields.type", field("label", True), of(31, step=1)),
    entry("flaw_step is a float", "fields.type", field("flaw_step", float), of(35)),
    entry("a strength is a text", "fields.type", field("dependency_support.spatial.strength", "1.0"), of(28, step=2)),
    entry("the support lacks its effect", ("fields.type", "fields.missing"), drop("meta.fields.dependency_support.spatial.effect"), of(28, step=2)),
]  # fmt: skip

DAMAGES = [*MISSING, *TYPES, *NAMES, *ELEMENTS]
