"""Samples in the forms that trainers read: with what has to be chosen from, or judged, in the human turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from dataflow_ext.datasets.places import FILM, PICTURE
from operators.cot.tables import rows_of
from operators.cot.tasks.fields import one_line
from operators.cot.tasks.options import LETTERS


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
    turns = [{"role": "user", "content": asked(entry)}, {"role": "assistant", "content": _said(entry)}]
    films = [entry["video"]] if "video" in entry else []
    return {"id": entry["id"], "messages": turns, "images": entry["image"], "videos": films}


def _said(entry: Mapping[str, Any]) -> str:
    return _plain(str(entry["conversations"][1]["value"]).rstrip("\n"))


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
    for task, field, heading, form in rows_of(Path(__file__).with_name("given.tsv")):
        found.setdefault(task, []).append((field, heading, form))
    return found
