"""Samples in the forms that trainers read: with what has to be chosen from, or judged, in the human turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from operators.cot.tables import rows_of
from operators.cot.tasks.fields import one_line
from operators.cot.tasks.options import LETTERS

Entry = dict[str, Any]

#: The files of an export.
SHAREGPT, SWIFT, DATASET_INFO = "sharegpt.jsonl", "swift.jsonl", "dataset_info.json"

_PICTURE, _FILM = "<image>", "<video>"


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
    places = _PICTURE * len(entry["image"]) + _FILM * ("video" in entry)
    told = [f"Goal: {one_line(fields['high_level_goal'])}"] if fields.get("high_level_goal") else []
    told.append(entry["conversations"][0]["value"])
    for field, heading, form in _given().get(task, ()):
        if field in fields:
            told.append("\n".join(_listed(heading, form, fields[field])))
    return "\n".join([places, *(_plain(each) for each in told)])


def sharegpt(entry: Mapping[str, Any], base: str = "") -> Entry:
    """The sample in ShareGPT's form, as LLaMA-Factory reads it; ``base`` is put before each path."""
    turns = [{"from": "human", "value": asked(entry)}, {"from": "gpt", "value": _said(entry)}]
    return {"id": entry["id"], "conversations": turns, **_shown(entry, base)}


def swift(entry: Mapping[str, Any], base: str = "") -> Entry:
    """The sample as ms-swift reads it."""
    turns = [{"role": "user", "content": asked(entry)}, {"role": "assistant", "content": _said(entry)}]
    return {"id": entry["id"], "messages": turns, **_shown(entry, base)}


def dataset_info() -> Entry:
    """What LLaMA-Factory has to be told of the ShareGPT file; the export's folder is its ``dataset_dir``."""
    return {
        "cot_planning": {
            "file_name": SHAREGPT,
            "formatting": "sharegpt",
            "columns": {"messages": "conversations", "images": "images", "videos": "videos"},
            "tags": {"role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt"},
        }
    }


def _said(entry: Mapping[str, Any]) -> str:
    return _plain(str(entry["conversations"][1]["value"]).rstrip("\n"))


def _shown(entry: Mapping[str, Any], base: str) -> Entry:
    films = [entry["video"]] if "video" in entry else []
    return {"images": [base + path for path in entry["image"]], "videos": [base + path for path in films]}


def _plain(text: str) -> str:
    """The text without what would stand for a picture or a film that is not there."""
    return text.replace(_PICTURE, "").replace(_FILM, "")


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
