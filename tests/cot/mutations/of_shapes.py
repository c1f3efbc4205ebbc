"""Damages to the shape of a sample: keys, types, ids, task names, who wrote it, and where its plan is."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from tests.cot.mutations.damage import Damage, entry, of, write, written
from tests.cot.mutations.good import BIKE, LAB, Edit, GoodSet, Which, drop, put, rename

ONE = of(29, step=2)
FILM = of(30, step=2)
TURNS = ("schema.value", "schema.type")

MISSING = [
    entry(f"the key {path} is missing", "schema.missing", drop(path), ONE)
    for path in (
        "id", "image", "conversations", "meta", "meta.task_name", "meta.item_type", "meta.evidence_type",
        "meta.source_path", "meta.step_index", "meta.fields", "meta.assistant_generator", "conversations.0.from",
        "conversations.0.value", "conversations.1.from", "conversations.1.value",
    )
]  # fmt: skip

RENAMED = [
    entry(f"{path} is called {name}", "schema.unknown", rename(path, name), ONE)
    for path, name in (
        ("id", "ID"),
        ("image", "images"),
        ("conversations", "messages"),
        ("meta.step_index", "step_id"),
        ("conversations.0.from", "role"),
        ("conversations.1.value", "content"),
    )
]

UNKNOWN = [
    entry("a key more stands in the sample", "schema.unknown", put("system", "Think first."), ONE, set()),
    entry("a key more stands in meta", "schema.unknown", put("meta.split", "train"), ONE, set()),
    entry("a key more stands in the human turn", "schema.unknown", put("conversations.0.loss", False), ONE, set()),
    entry("a key more stands in the assistant's turn", "schema.unknown", put("conversations.1.weight", 1), ONE, set()),
    entry("a key is empty", "schema.unknown", put("", ""), ONE, set()),
]


def _typed(path: str, value: Any, where: tuple[Which, ...] = ONE) -> Damage:
    return entry(f"Task_{where[0].task}: {path} is {value!r:.40}", "schema.type", put(path, value), where)


TYPES = [
    _typed("id", 17),
    _typed("image", "frame"),
    _typed("image", [1]),
    _typed("image", [None]),
    _typed("video", None),
    _typed("video", None, FILM),
    _typed("video", ["x.mp4"], FILM),
    _typed("conversations", {"human": "x", "gpt": "y"}),
    _typed("conversations", ["What is next?", "Pull."]),
    _typed("conversations.0.value", ["What is the next planned action?"]),
    _typed("conversations.1.value", None),
    _typed("conversations.0.from", None),
    _typed("meta", []),
    _typed("meta.task_name", 29),
    _typed("meta.item_type", None),
    _typed("meta.source_path", [f"{BIKE}/causal_plan_with_keyframes.json"]),
    _typed("meta.step_index", "2"),
    _typed("meta.step_index", 2.0),
    _typed("meta.step_index", True, of(29, step=1)),
    _typed("meta.step_index", None),
    _typed("meta.fields", []),
    _typed("meta.fields", "{}"),
    _typed("meta.evidence_files", None),
]


def _swapped(sample: dict[str, Any]) -> None:
    one, other = sample["conversations"]
    one["from"], other["from"] = other["from"], one["from"]


VALUES = [
    entry("a third turn follows", TURNS, lambda each: each["conversations"].append({"from": "human", "value": "Why?"}), ONE),
    entry("a system turn comes first", TURNS, lambda each: each["conversations"].insert(0, {"from": "system", "value": "Think."}), ONE),
    entry("the assistant's turn is missing", TURNS, drop("conversations.1"), ONE),
    entry("the turns come in the other order", "schema.value", lambda each: each["conversations"].reverse(), ONE),
    entry("the turns have each other's role", "schema.value", _swapped, ONE),
    entry("the human is called user", "schema.value", put("conversations.0.from", "user"), ONE, set()),
    entry("the assistant is called assistant", "schema.value", put("conversations.1.from", "assistant"), ONE, set()),
    entry("the human has a space after the name", "schema.value", put("conversations.0.from", "human "), ONE, set()),
    entry("item_type is two_stage", "schema.value", put("meta.item_type", "two_stage"), ONE, set()),
    entry("evidence_type is unknown", "schema.value", put("meta.evidence_type", "keyframes"), ONE),
    entry("evidence_type is in capitals", "schema.value", put("meta.evidence_type", "Keyframe_Single"), ONE),
    entry("step_index is 0", ("schema.value", "step.unknown"), put("meta.step_index", 0), ONE),
    entry("step_index is negative", ("schema.value", "step.unknown"), put("meta.step_index", -2), ONE),
    entry("step_index is past the plan", "step.unknown", put("meta.step_index", 7), ONE),
    entry("step_index is huge", "step.unknown", put("meta.step_index", 10**30), ONE),
    entry("step_index is the last step, which nothing follows", "step.unknown", put("meta.step_index", 6), of(28, 29, 30, step=2)),
    entry("step_index is another step", "fields.plan", put("meta.step_index", lambda old: old + 1), of(28, 30, 31, 37, 41, step=2)),
    entry("step_index is the step before", "fields.plan", put("meta.step_index", 1), of(32, 33, 36, step=2)),
]  # fmt: skip

GOOD_ID = "6b6bb0dd-7e0c-4c1b-a0c9-0c9b7b7ad2e5"
IDS = [
    entry(f"the id is {how}", "id.form", put("id", value), ONE, set())
    for how, value in (
        ("a UUID of version 1", str(uuid.uuid1(1, 1))),
        ("a UUID of version 5", GOOD_ID.replace("-4c1b", "-5c1b")),
        ("a UUID of another variant", GOOD_ID.replace("-a0c9", "-c0c9")),
        ("the nil UUID", "00000000-0000-0000-0000-000000000000"),
        ("in capitals", GOOD_ID.upper()),
        ("without dashes", GOOD_ID.replace("-", "")),
        ("with the dashes elsewhere", "6b6bb0dd7e0c-4c1b-a0c9-0c9b-7b7ad2e5"),
        ("empty", ""),
        ("in braces", f"{{{GOOD_ID}}}"),
        ("a URN", f"urn:uuid:{GOOD_ID}"),
        ("too long by a digit", GOOD_ID + "0"),
        ("followed by a line break", GOOD_ID + "\n"),
        ("of letters that are no digits", GOOD_ID.replace("b", "g")),
        ("of full-width digits", GOOD_ID.replace("0", "０")),
        ("a number", "Task_29-000001"),
    )
]


def _moved(cot: Path, good: GoodSet) -> None:
    write(cot, good.names[30], written(good.pick(Which(29))) + "\n")


def _mixed(cot: Path, good: GoodSet) -> None:
    write(cot, good.names[41], written(good.pick(Which(41))) + "\n" + written(good.pick(Which(42))) + "\n")


def _task_name(name: str) -> Edit:
    return put("meta.task_name", name)


TASKS = [
    Damage("a sample lies in another task's folder", "task.folder", _moved, of(29), on="set"),
    Damage("the last of two samples is of another task", "task.folder", _mixed, of(41), on="set"),
    entry("task_name is another task's", "task.folder", _task_name("Task_30_Next_Step_Goal_Prediction_From_Prefix"), ONE),
    entry("task_name is of no task", "task.unknown", _task_name("Task_43_Next_Action_Prediction"), ONE),
    entry("task_name has another number", "task.unknown", _task_name("Task_28_Next_Action_Prediction"), ONE),
    entry("task_name is in small letters", "task.unknown", _task_name("task_29_next_action_prediction"), ONE),
    entry("task_name is a path", "task.unknown", _task_name("../Task_29_Next_Action_Prediction"), ONE),
]  # fmt: skip

WHO = "meta.assistant_generator"
SERVED = {
    "type": "api_generate_v1",
    "api_base_url": "https://models.example.com/v1",
    "model_provider_id": "example",
    "model_name": "big-model",
}


def _who(name: str, value: Any, code: str | tuple[str, ...] = "generator.form") -> Damage:
    return entry(f"assistant_generator: {name}", code, put(WHO, value), ONE, {"schema.missing", "schema.unknown"})


def _served(**more: Any) -> dict[str, Any]:
    return {**SERVED, **more}


GENERATORS = [
    *(_who(f"{key} is missing", {name: SERVED[name] for name in SERVED if name != key}) for key in SERVED),
    _who("a key more", _served(temperature=0.7)),
    _who("the key itself", _served(api_key="sk-1234567890abcdef")),
    _who("an unknown type", _served(type="api_generate_v2")),
    _who("a user and a password in the URL", _served(api_base_url="https://me:secret@models.example.com/v1")),
    _who("a user in the URL", _served(api_base_url="https://sk-1234567890abcdef@models.example.com/v1")),
    _who("a key in the URL's query", _served(api_base_url="https://models.example.com/v1?api_key=1234567890abcdef")),
    _who("a key in the URL's fragment", _served(api_base_url="https://models.example.com/v1#key=1234567890abcdef")),
    _who("an URL that is none", _served(api_base_url="models")),
    _who("an URL of a file", _served(api_base_url="file:///etc/passwd")),
    _who("a server without an URL", _served(api_base_url="")),
    _who("a server without a model", _served(model_name="")),
    _who("a model name that is null", _served(model_name=None), ("generator.form", "schema.type")),
    _who("a model name that is a list", _served(model_name=["a", "b"]), ("generator.form", "schema.type")),
    _who("a string", "offline_rules_v1", ("generator.form", "schema.type")),
    _who("empty", {}),
    entry("offline, but with an URL", "generator.form", put(f"{WHO}.api_base_url", "https://models.example.com/v1"), ONE, set()),
    entry("offline, but with a model", "generator.form", put(f"{WHO}.model_name", "big-model"), ONE, set()),
    entry("offline, but with a provider", "generator.form", put(f"{WHO}.model_provider_id", "example"), ONE, set()),
]  # fmt: skip

PLAN = "causal_plan_with_keyframes.json"


def _source(name: str, value: Any, code: str | tuple[str, ...] = "source.path") -> Damage:
    return entry(f"source_path {name}", code, put("meta.source_path", value), ONE)


SOURCES = [
    _source("leaves the root and comes back", lambda old: f"../root/{old}"),
    _source("leaves the root", f"../{BIKE}/{PLAN}"),
    _source("leaves the root on its way", f"{BIKE}/../../{BIKE}/{PLAN}"),
    _source("is absolute and elsewhere", f"/etc/{PLAN}"),
    _source("is below the home folder", f"~/{PLAN}", ("source.path", "source.plan")),
    _source("has backslashes", f"{BIKE}\\{PLAN}"),
    _source("is an address", f"file:///{BIKE}/{PLAN}", ("source.path", "source.plan")),
    _source("names another file of the item", f"{BIKE}/run_summary.json"),
    _source("names the item alone", BIKE),
    _source("names another ending", f"{BIKE}/causal_plan_with_keyframes.jsonl"),
    _source("names the plan in capitals", f"{BIKE}/{PLAN.upper()}"),
    _source("is empty", ""),
    _source("names the plan without the item", PLAN, ("source.path", "source.plan")),
    _source("names an item that is not there", f"bike_workshop_tubes/{PLAN}", ("source.path", "source.plan")),
    _source("is another item's", f"{LAB}/{PLAN}", "fields.plan"),
    _source("has a NUL in it", f"{BIKE}\0/{PLAN}", ("source.path", "source.plan")),
]


DAMAGES = [*MISSING, *RENAMED, *UNKNOWN, *TYPES, *VALUES, *IDS, *TASKS, *GENERATORS, *SOURCES]
