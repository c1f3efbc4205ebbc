"""All rules for one sample, in the shape in which it is written: first its keys and types, then what they say."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from dataflow_ext.well_formed import quoted
from operators.cot.anchors import anchors_of
from operators.cot.evidence import EVIDENCE_TYPES
from operators.cot.evidence_check import ELSEWHERE, Exists, evidence_problems
from operators.cot.items import Item, is_there, load_item
from operators.cot.plan import Plan
from operators.cot.plan_files import PlanError
from operators.cot.problems import Problem
from operators.cot.reasoning.writer import Sample, altered
from operators.cot.rules.response import question_problems, response_problems, split_response
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of
from operators.cot.sample import PLAN_FILE
from operators.cot.tasks import TASKS
from operators.cot.tasks.conclusion import Answered
from operators.cot.tasks.task import Task, common_problems, form_problems

_GENERATOR = ("type", "api_base_url", "model_provider_id", "model_name")
_SPEAKERS = ("human", "gpt")
_PLACES = ("conversations[0]", "conversations[1]")

_TOP = frozenset(("id", "image", "conversations", "meta"))
_KNOWN_TOP = _TOP | {"video"}
_META = frozenset(
    (
        *("task_name", "item_type", "evidence_type", "source_path", "step_index", "fields"),
        "assistant_generator",
    )
)
_KNOWN_META = _META | {"evidence_files"}
_TURN = frozenset(("from", "value"))
_GENERATOR_KEYS = frozenset(_GENERATOR)

_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
#: A server's address with nothing in it that may be secret: no user, no query, no fragment.
_ADDRESS = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#\\]*)?", re.IGNORECASE)

_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}


def form_of(entry: object) -> list[Problem]:
    """What in the shape of a parsed sample is not as the format says; other rules may rely on it if nothing is.

    Unknown keys beside the format's own are warnings; ``evidence_files`` and ``video`` may be missing.

    >>> for problem in form_of({"id": 7, "image": [], "conversations": [], "meta": None}):
    ...     print(problem)
    schema.type: id is a number, not a text
    evidence.empty: image is empty
    schema.value: conversations has 0 turns, not one of human and one of gpt
    schema.type: meta is null, not an object
    """
    if not isinstance(entry, dict):
        return [_type("the sample", entry, dict)]
    found: list[Problem] = []
    _keys(found, entry, "", _TOP, _KNOWN_TOP)
    if "id" in entry:
        _id(found, entry["id"])
    if "image" in entry:
        _paths(found, "image", entry["image"])
        if entry["image"] == []:
            found.append(Problem("evidence.empty", "image is empty"))
    if "video" in entry:
        _path(found, "video", entry["video"], "evidence.path")
    if "conversations" in entry:
        _conversations(found, entry["conversations"])
    if "meta" in entry:
        _meta(found, entry["meta"])
    return found


def _keys(
    found: list[Problem], holder: dict[str, Any], where: str, wanted: frozenset[str], known: frozenset[str]
) -> None:
    if wanted <= holder.keys() <= known:
        return
    found += [Problem("schema.missing", f"{where}{key} is missing") for key in sorted(wanted - holder.keys())]
    found += [
        Problem("schema.unknown", f"{where}{quoted(key)} is no key of the format", "warning")
        for key in sorted(holder.keys() - known)
    ]


def _id(found: list[Problem], value: object) -> None:
    if not isinstance(value, str):
        found.append(_type("id", value, str))
    elif not _UUID4.fullmatch(value):
        told = f"id is {quoted(value)}, not a UUID of version 4 in small letters with hyphens"
        found.append(Problem("id.form", told))


def _paths(found: list[Problem], where: str, value: object) -> None:
    if not isinstance(value, list):
        found.append(_type(where, value, list))
        return
    for place, path in enumerate(value):
        if not isinstance(path, str) or not path:
            _path(found, f"{where}[{place}]", path, "evidence.path")


def _path(found: list[Problem], where: str, value: object, code: str) -> None:
    if not isinstance(value, str):
        found.append(_type(where, value, str))
    elif not value:
        found.append(Problem(code, f"{where} is empty, not a path"))


def _conversations(found: list[Problem], value: object) -> None:
    if not isinstance(value, list):
        found.append(_type("conversations", value, list))
        return
    if len(value) != len(_SPEAKERS):
        told = f"conversations has {len(value)} turns, not one of human and one of gpt"
        found.append(Problem("schema.value", told))
        return
    for turn, speaker, where in zip(value, _SPEAKERS, _PLACES, strict=True):
        if not isinstance(turn, dict):
            found.append(_type(where, turn, dict))
            continue
        _keys(found, turn, f"{where}.", _TURN, _TURN)
        _fixed(found, turn, f"{where}.", "from", (speaker,))
        if not isinstance(turn.get("value", ""), str):
            found.append(_type(f"{where}.value", turn["value"], str))


def _meta(found: list[Problem], meta: object) -> None:
    if not isinstance(meta, dict):
        found.append(_type("meta", meta, dict))
        return
    _keys(found, meta, "meta.", _META, _KNOWN_META)
    if "task_name" in meta:
        _task(found, meta["task_name"])
    _fixed(found, meta, "meta.", "item_type", ("three_stage",))
    _fixed(found, meta, "meta.", "evidence_type", EVIDENCE_TYPES)
    if "source_path" in meta:
        _path(found, "meta.source_path", meta["source_path"], "source.path")
    if "step_index" in meta:
        _step(found, meta["step_index"])
    if not isinstance(meta.get("fields", {}), dict):
        found.append(_type("meta.fields", meta["fields"], dict))
    if "evidence_files" in meta:
        _paths(found, "meta.evidence_files", meta["evidence_files"])
    if "assistant_generator" in meta and (told := _generator_fault(meta["assistant_generator"])):
        found.append(Problem("generator.form", f"meta.assistant_generator{told}"))


def _task(found: list[Problem], value: object) -> None:
    if not isinstance(value, str):
        found.append(_type("meta.task_name", value, str))
    elif value not in TASKS:
        found.append(Problem("task.unknown", f"meta.task_name is {quoted(value)}, which is no task's name"))


def _step(found: list[Problem], value: object) -> None:
    if type(value) is not int:
        found.append(_type("meta.step_index", value, int))
    elif value < 1:
        found.append(Problem("schema.value", "meta.step_index is not above 0"))


def _fixed(found: list[Problem], holder: dict[str, Any], where: str, key: str, allowed: tuple[str, ...]) -> None:
    value = holder.get(key, allowed[0])
    if value in allowed:
        return
    if not isinstance(value, str):
        found.append(_type(f"{where}{key}", value, str))
    else:
        found.append(Problem("schema.value", f"{where}{key} is {quoted(value)}, not {' or '.join(allowed)}"))


def _generator_fault(value: object) -> str | None:
    """What is wrong with the record of who wrote the reasoning; texts of it that may hold a key are not told."""
    if not isinstance(value, dict):
        return f" is {_name(value)}, not an object"
    if value.keys() != _GENERATOR_KEYS:
        return f" has other keys than {', '.join(_GENERATOR)}"
    kind, address, provider, model = (value[key] for key in _GENERATOR)
    for key in _GENERATOR:
        if not isinstance(value[key], str):
            return f".{key} is {_name(value[key])}, not a text"
    if kind not in ("api_generate_v1", "offline_rules_v1"):
        return f".type is {quoted(kind)}, not api_generate_v1 or offline_rules_v1"
    if _by_rules(value):
        return None
    if kind == "offline_rules_v1":
        return " is offline_rules_v1, but names a server or a model"
    if not _ADDRESS.fullmatch(address):
        return ".api_base_url is no http address, or has a user, a query or a fragment"
    if not provider.strip() or not model.strip():
        return " does not name provider and model"
    return None


def _by_rules(generator: Mapping[str, str]) -> bool:
    """Whether the record says that rules wrote the reasoning."""
    return tuple(generator[key] for key in _GENERATOR[1:]) == ("", "offline", "offline")


def _type(where: str, value: object, wanted: type) -> Problem:
    name = "a whole number" if wanted is int else _NAMES[wanted]
    return Problem("schema.type", f"{where} is {_name(value)}, not {name}")


def _name(value: object) -> str:
    return "null" if value is None else _NAMES.get(type(value), type(value).__name__)


Items = Callable[[Path, str], Item]


def entry_problems(entry: object, root: Path, *, exists: Exists = is_there, items: Items = load_item) -> list[Problem]:
    """What is wrong with a sample, against its own plan below ``root``; of what nothing is wrong with, an empty list.

    ``entry`` is the parsed object of one line. ``exists`` tells whether there is a file of an absolute path, and
    something in it, ``items`` gives the item of a plan's path: whoever asks about many samples may remember what
    they tell. Rules on ids of several samples and on folders are those of the data set, not of a sample.
    """
    try:
        return list(_problems(entry, root, exists, items))
    except Exception as error:
        # What the rules cannot cope with is no good sample either, and costs no other one its check.
        told = f"the rules cannot be applied to the sample ({type(error).__name__}: {error})"
        return [Problem("schema.value", told)]


def _problems(entry: object, root: Path, exists: Exists, items: Items) -> Iterator[Problem]:
    """The rules one after the other, as far as they can be applied to what an earlier one found wrong."""
    yield from (found := form_of(entry))
    if any(problem.level == "error" for problem in found) or not isinstance(entry, Mapping):
        return
    meta = entry["meta"]
    fields, step = meta["fields"], meta["step_index"]
    place = place_of(meta["source_path"], root)
    if place is None:
        where = ELSEWHERE if _is_elsewhere(meta["source_path"], root) else f"is no {PLAN_FILE} below the root"
        yield Problem("source.path", f"source_path {meta['source_path']!r} {where}")
        return
    try:
        item = items(root, place)
    except PlanError as error:
        yield Problem("source.plan", str(error))
        return
    task = TASKS[meta["task_name"]]
    yield from (found := list(form_problems(task, fields)))
    if any(problem.level == "error" for problem in found):
        return
    if item.plan.position(step) is None:
        yield Problem("step.unknown", f"the plan has no step {step}")
        return
    yield from common_problems(item.plan, fields)
    yield from task.problems(item.plan, step, fields)
    yield from _turns(entry, task, item.plan, place)
    try:
        wanted = task.wanted(item.plan, step, fields)
    except LookupError:
        return
    shown = (meta["evidence_type"], entry["image"], entry.get("video"), meta.get("evidence_files"))
    yield from evidence_problems(*shown, wanted, item.plan, item.media, root, exists=exists)


def place_of(source_path: str, root: Path) -> str | None:
    """A plan's path relative to the root, posix; None for one that is not below it or has another name."""
    return _place(source_path, os.path.abspath(root) if source_path.startswith("/") else "")  # noqa: PTH100 - a link's own name


def _is_elsewhere(path: str, root: Path) -> bool:
    return path.startswith("/") and not PurePosixPath(path).is_relative_to(os.path.abspath(root))  # noqa: PTH100


@lru_cache(1 << 12)
def _place(source_path: str, whole: str) -> str | None:
    """The same with the whole root, which only an absolute path is compared with: an item's samples have one path."""
    if "\0" in source_path or "\\" in source_path:
        return None
    path = PurePath(source_path)
    if path.is_absolute():
        try:
            path = path.relative_to(whole)
        except ValueError:
            return None
    place = PurePosixPath(path.as_posix())
    if place.name != PLAN_FILE or ".." in place.parts:
        return None
    return place.as_posix()


def _turns(entry: Mapping[str, Any], task: Task, plan: Plan, place: str) -> Iterator[Problem]:
    """What is wrong with what is said about the plan of a path."""
    meta = entry["meta"]
    question, response = (turn["value"] for turn in entry["conversations"])
    known: Vocabulary = vocabulary_of(plan)
    try:
        steps = task.anchor_steps(plan, meta["step_index"], meta["fields"])
        anchors = anchors_of(steps)
        asked, answer = task.question(meta["fields"]), task.answer(meta["fields"])
    except LookupError as error:
        yield Problem("step.unknown", f"the task cannot be asked about step {meta['step_index']}: {error}")
        return
    yield from question_problems(question, asked, known, place=place)
    answered = Answered(task, plan, meta["step_index"], meta["fields"], answer)
    sample = Sample(answered, steps, anchors, entry["id"])
    found = response_problems(response, answer, anchors, known, place=place, closing=sample.closing)
    yield from found
    parts = split_response(response)
    if parts and _by_rules(meta["assistant_generator"]) and all(each.level == "warning" for each in found):
        for sentence in altered(sample, parts[0]):
            told = f"rules wrote this reasoning, but not this sentence of it, and nothing proves it: {quoted(sentence)}"
            yield Problem("claim.unproven", told, "warning")
