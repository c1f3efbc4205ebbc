"""What a data set of samples has for trainers: turns with what has to be chosen from, and steps with labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.claims.steps import labelled
from dataflow_ext.datasets.files import FILM, PICTURE
from dataflow_ext.datasets.source import Row, Source, pairs_of, settings_of
from dataflow_ext.errors import InputError, RowError
from dataflow_ext.text import rows
from operators.cot.anchors import anchors_of
from operators.cot.dataset.data_files import NAMES, lines_of
from operators.cot.items import load_plan
from operators.cot.plan import Plan
from operators.cot.reasoning.writer import cut_of, reasoning_of
from operators.cot.rules.entry import form_of, place_of
from operators.cot.sample import reasoning_of as told_reasoning
from operators.cot.sample import stream_of
from operators.cot.tasks import TASKS
from operators.cot.tasks.conclusion import Answered, state_of
from operators.cot.tasks.options import LETTERS, right_place
from operators.cot.tasks.task import form_problems
from operators.cot.texts import bare, one_line
from operators.cot.world import PlanWorld, conditions, effects, world_of


def asked(entry: Mapping[str, Any]) -> str:
    """What the user says: a place for each picture and film, the plan's goal, the question, and what it is about.

    >>> fields = {"high_level_goal": "Make tea.", "options": ["Pour.", "Stir."]}
    >>> meta = {"task_name": "Task_33_Next_K_Steps_MultiSelect_From_Prefix", "fields": fields}
    >>> turns = [{"from": "human", "value": "Select the next steps."}, {"from": "gpt", "value": "…"}]
    >>> print(asked({"image": ["a.jpg"], "conversations": turns, "meta": meta}))
    <image>
    Goal: Make tea.
    Select the next steps.
    Options:
    A) Pour.
    B) Stir.
    """
    fields, task = entry["meta"]["fields"], str(entry["meta"]["task_name"])[5:7]
    places = PICTURE * len(entry["image"]) + FILM * ("video" in entry)
    told = [f"Goal: {one_line(fields['high_level_goal'])}"] if fields.get("high_level_goal") else []
    told.append(entry["conversations"][0]["value"])
    for field, heading, form in _given().get(task, ()):
        if field in fields:
            told.append("\n".join(_listed(heading, form, fields[field])))
    return "\n".join([places, *(_plain(each) for each in told)])


def conversation(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The sample as a user's turn and an assistant's, with what they see."""
    said = _plain(str(entry["conversations"][1]["value"]).rstrip("\n"))
    turns = [{"role": "user", "content": asked(entry)}, {"role": "assistant", "content": said}]
    films = [entry["video"]] if "video" in entry else []
    return {"id": entry["id"], "messages": turns, "images": entry["image"], "videos": films}


def _plain(text: str) -> str:
    """The text without what would stand for a picture or a film that is not there."""
    return text.replace(PICTURE, "").replace(FILM, "")


def _listed(heading: str, form: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{heading}: {one_line(str(value))}"
        return
    yield f"{heading}:"
    for i, each in enumerate(value):
        if isinstance(each, Mapping):  # a step with its id
            yield f"{each.get('step_id')}) {one_line(str(each.get('step_goal', '')))}"
        else:
            yield f"{LETTERS[i] if form == 'letters' and i < len(LETTERS) else i + 1}) {one_line(str(each))}"


@lru_cache(maxsize=1)
def _given() -> Mapping[str, list[tuple[str, str, str]]]:
    """Field, heading and form by the number of the task."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for task, field, heading, form in rows(__package__, "given.tsv"):
        found.setdefault(task, []).append((field, heading, form))
    return found


def step_rows(entry: Mapping[str, Any], plan: Plan) -> Iterator[dict[str, Any]]:
    """Two rows for a sample that rules wrote: its proven steps, all true, and the same up to one that is made false.

    ``prompt``, ``completions`` and ``labels`` as TRL's stepwise format has them; ``marked`` are the steps with their
    marks, ``id`` says which sample they are of. A file holds no marks: they are those with which the rules write the
    same text again. A text that they do not write
    has no rows, nor has a sample that the plan does not bear out.
    """
    meta = entry["meta"]
    task, at, fields = TASKS[meta["task_name"]], meta["step_index"], meta["fields"]
    if any(form_problems(task, fields)):
        return
    try:
        anchors = anchors_of(task.anchor_steps(plan, at, fields))
        made = reasoning_of(answered_of(entry, plan), anchors, entry["id"])
    except (LookupError, RowError):
        return
    if made.plain != told_reasoning(entry["conversations"][1]["value"])[0]:
        return
    draw = stream_of(0, meta["source_path"], entry["id"], at, "steps")
    for row in labelled(asked(entry), made.marked, step_world(entry, plan), draw, _called(plan)):
        yield {"id": entry["id"], **row}


def step_world(entry: Mapping[str, Any], plan: Plan) -> PlanWorld:
    """The world in which the steps of a sample are proven."""
    return world_of(plan, cut_of(answered_of(entry, plan)))


def answered_of(entry: Mapping[str, Any], plan: Plan) -> Answered:
    """A sample as its closing sees it."""
    meta = entry["meta"]
    task = TASKS[meta["task_name"]]
    return Answered(task, plan, meta["step_index"], meta["fields"], task.answer(meta["fields"]))


def _called(plan: Plan) -> dict[str, str]:
    """What a text calls the steps and facts of a plan, by their names in claims."""
    facts = (pair for step in plan.steps for pair in (*conditions(step), *effects(step)))
    goals = {str(step.step_id): bare(step.step_goal) for step in plan.steps}
    return goals | {name: state_of(fact) for name, fact in facts}


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The data set in a folder; None if there is none. ``inputs`` is the folder of the annotated videos.

    It has labelled steps of what rules wrote, as far as the plans are there, and problems where one of several options
    is right.
    """
    files = [path for name in NAMES if (path := out / name).is_file()]
    if not files:
        return None
    root = inputs or Path(settings_of(out).get("root") or out)
    steps = partial(_steps, files, root)
    return Source(
        "cot_planning",
        root,
        lambda: {"train": pa.Table.from_pylist([_flat(entry) for entry in _entries(files)])},
        conversations=lambda: map(conversation, _entries(files)),
        problems=partial(_problems, files),
        pairs=lambda: pairs_of(steps()),
        steps=steps,
        missing={
            "problems": "no sample has one right option of several",
            "steps": f"no plan in {root} bears out a sample that rules wrote; name the plans' folder with --inputs",
            "pairs": f"no plan in {root} bears out a sample that rules wrote; name the plans' folder with --inputs",
        },
    )


def _entries(files: list[Path]) -> Iterator[dict[str, Any]]:
    for path in files:
        for line in lines_of(path):
            found = line.problems or [each for each in form_of(line.entry) if each.level == "error"]
            if line.entry is None or found:
                raise InputError(f"{path}, line {line.number}, is no sample: {found[0]}. Run validate, and mend it.")
            yield line.entry


def _problems(files: list[Path]) -> Iterator[Row]:
    for entry in _entries(files):
        fields = entry["meta"]["fields"]
        options, letter = fields.get("options"), fields.get("label")
        if right_place(options, letter) is not None:
            told = conversation(entry)
            problem, images = told["messages"][0]["content"], told["images"]
            yield {"id": entry["id"], "problem": problem, "answer": letter, "options": options, "images": images}


def _steps(files: list[Path], root: Path) -> Iterator[Row]:
    for entry in _entries(files):
        place = place_of(entry["meta"]["source_path"], root)
        if place is not None and (root / place).is_file():
            yield from ({**row, "images": entry["image"]} for row in step_rows(entry, load_plan(root / place)))


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The sample in columns; what differs from task to task as JSON."""
    meta = entry["meta"]
    return {
        "id": entry["id"],
        "task_name": meta["task_name"],
        "images": entry["image"],
        "video": entry.get("video"),
        "question": entry["conversations"][0]["value"],
        "asked": asked(entry),
        "response": entry["conversations"][1]["value"],
        "evidence_type": meta["evidence_type"],
        "source_path": meta["source_path"],
        "step_index": meta["step_index"],
        "fields": json.dumps(meta["fields"], ensure_ascii=False),
        "assistant_generator": json.dumps(meta["assistant_generator"], ensure_ascii=False),
    }
