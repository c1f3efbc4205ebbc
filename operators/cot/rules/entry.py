"""All rules for one sample, in the shape in which it is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from operators.cot.anchors import anchors_of
from operators.cot.evidence_check import evidence_problems
from operators.cot.items import is_there
from operators.cot.load import Item, PlanError, load_item
from operators.cot.plan import Plan
from operators.cot.problems import Problem
from operators.cot.reasoning.closings import Answered, closing_of
from operators.cot.rules.form import form_of
from operators.cot.rules.response import question_problems, response_problems
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of
from operators.cot.sample import PLAN_FILE
from operators.cot.tasks import TASKS
from operators.cot.tasks.fields import common_problems, form_problems
from operators.cot.tasks.task import Task

Exists = Callable[[str], bool]
Items = Callable[[Path, str], Item]


def entry_problems(entry: object, root: Path, *, exists: Exists = is_there, items: Items = load_item) -> list[Problem]:
    """What is wrong with a sample, against its own plan below ``root``; of what nothing is wrong with, an empty list.

    ``entry`` is the parsed object of one line. ``exists`` tells whether there is a file of an absolute path, and
    something in it, ``items`` gives the item of a plan's path: whoever asks about many samples may remember what
    they tell. Rules on ids of several samples and on folders are those of the data set, not of a sample.
    """
    found = form_of(entry)
    if any(problem.level == "error" for problem in found) or not isinstance(entry, Mapping):
        return found
    meta = entry["meta"]
    place = place_of(meta["source_path"], root)
    if place is None:
        elsewhere = "is absolute and not below the input root; was the data set moved?"
        where = elsewhere if _is_elsewhere(meta["source_path"], root) else f"is no {PLAN_FILE} below the root"
        told = f"source_path {meta['source_path']!r} {where}"
        return [*found, Problem("source.path", told)]
    try:
        item = items(root, place)
    except PlanError as error:
        return [*found, Problem("source.plan", str(error))]
    task = TASKS[meta["task_name"]]
    told_of = list(form_problems(task, meta["fields"]))
    if any(problem.level == "error" for problem in told_of):
        return [*found, *told_of]
    if item.plan.position(meta["step_index"]) is None:
        return [*found, *told_of, Problem("step.unknown", f"the plan has no step {meta['step_index']}")]
    found += told_of
    found += common_problems(item.plan, meta["fields"])
    found += task.problems(item.plan, meta["step_index"], meta["fields"])
    found += _turns(entry, task, item.plan, place)
    try:
        wanted = task.wanted(item.plan, meta["step_index"], meta["fields"])
    except LookupError:
        return found
    shown = (meta["evidence_type"], entry["image"], entry.get("video"), meta.get("evidence_files"))
    found += evidence_problems(*shown, wanted, item.plan, item.media, root, exists=exists)
    return found


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
        anchors = anchors_of(task.anchor_steps(plan, meta["step_index"], meta["fields"]))
        asked, answer = task.question(meta["fields"]), task.answer(meta["fields"])
    except LookupError as error:
        yield Problem("step.unknown", f"the task cannot be asked about step {meta['step_index']}: {error}")
        return
    yield from question_problems(question, asked, known, place=place)
    closing = closing_of(Answered(task.number, plan, meta["step_index"], meta["fields"], answer))
    yield from response_problems(response, answer, anchors, known, place=place, closing=closing)
