"""A sample as a row, and as the ShareGPT object that is written: the same values in two shapes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

from pydantic_core import from_json

from dataflow_ext import RowError

#: Around the reasoning in the assistant's turn.
THINK, UNTHINK = "<think>", "</think>"
_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode

#: The file that holds an item's plan; ``source_path`` ends with it.
PLAN_FILE = "causal_plan_with_keyframes.json"

#: The columns of a finished sample, in the order of the written object.
SAMPLE: dict[str, Any] = {
    "id": Annotated[str, "a UUID made of what tells the sample from all others"],
    "image": Annotated[list[str], "the pictures that are shown"],
    "video": Annotated[str | None, "the video that is shown, if there is one"],
    "question": Annotated[str, "the human turn"],
    "response": Annotated[str, "the assistant's turn: the reasoning in its tags, and the answer"],
    "task_name": Annotated[str, "the task, as its folder is called"],
    "evidence_type": Annotated[str, "what kind of evidence is shown"],
    "source_path": Annotated[str, "the plan's path below the root"],
    "step_index": Annotated[int, "the id of the step that is asked about"],
    "fields": Annotated[str, "the task's fields as JSON"],
}

#: The columns that come before, and go along.
BESIDE: dict[str, Any] = {
    "root": Annotated[str, "the folder of the annotated videos"],
    "plan_file": Annotated[Path, "the absolute path of the plan"],
    "anchors": Annotated[list[str], "the required sentences, in their order"],
    "answer": Annotated[str, "the gold answer"],
}


def columns(names: str) -> dict[str, Any]:
    """The columns of some names, parted by spaces, with their types and what they are."""
    return {name: SAMPLE.get(name, BESIDE.get(name)) for name in names.split()}


@dataclass(frozen=True, slots=True)
class AssistantGenerator:
    """Who wrote the assistant's turn; a server's address without what may be secret in it."""

    type: str = "offline_rules_v1"
    api_base_url: str = ""
    model_provider_id: str = "offline"
    model_name: str = "offline"


#: The column of who wrote the turn.
GENERATOR = Annotated[AssistantGenerator, "who wrote the assistant's turn"]


def stream_of(seed: int, source_path: str, task_name: str, step_index: int, variant: str) -> Random:
    """The random stream of one sample: no other sample, worker or item has a share in it."""
    return Random(_digest(seed, source_path, task_name, step_index, variant))  # noqa: S311 - chosen, not secret


def sample_id(seed: int, source_path: str, task_name: str, step_index: int, variant: str) -> str:
    """The sample's id: a UUID made of what tells the sample from all others, with the version bits of a uuid4."""
    told = hashlib.sha256(b"id" + _digest(seed, source_path, task_name, step_index, variant)).hexdigest()
    variety = "89ab"[int(told[16], 16) % 4]
    return f"{told[:8]}-{told[8:12]}-4{told[13:16]}-{variety}{told[17:20]}-{told[20:32]}"


def written_fields(fields: Mapping[str, Any]) -> str:
    """Fields as JSON text, in their order."""
    return _JSON(fields)


def read_fields(text: str | None) -> dict[str, Any]:
    """Fields out of JSON text; RowError if it holds no object."""
    try:
        fields = _parsed(text or "")
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise RowError("The column 'fields' holds no JSON object.")
    return fields


def _parsed(text: str) -> Any:
    """What a JSON text says, by the faster of two readers unless only the other one can read it."""
    try:
        return from_json(text)
    except ValueError:  # halves of characters, values deep within each other
        return json.loads(text)


def turn_of(reasoning: str, answer: str) -> str:
    """The assistant's turn that gives an answer behind its reasoning."""
    return f"{THINK}{reasoning}{UNTHINK}\n{answer}\n"


def reasoning_of(response: str) -> tuple[str, str]:
    """Reasoning and answer; a turn of another shape is all reasoning.

    >>> reasoning_of("<think>The cup is clean.</think>\\nB\\n")
    ('The cup is clean.', 'B')
    """
    text = response.strip()
    if not text.startswith(THINK) or UNTHINK not in text:
        return response, ""
    reasoning, _, answer = text.removeprefix(THINK).partition(UNTHINK)
    return reasoning, answer.strip()


def entry_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The object that is written for a finished sample: keys in the format's order, paths as the row has them."""
    video = {} if row["video"] is None else {"video": row["video"]}
    generator: AssistantGenerator = row["assistant_generator"]
    return {
        "id": row["id"],
        "image": list(row["image"]),
        **video,
        "conversations": [{"from": "human", "value": row["question"]}, {"from": "gpt", "value": row["response"]}],
        "meta": {
            "task_name": row["task_name"],
            "item_type": "three_stage",
            "evidence_type": row["evidence_type"],
            "source_path": row["source_path"],
            "step_index": row["step_index"],
            "fields": _parsed(row["fields"]),
            "evidence_files": [*row["image"], *video.values()],
            "assistant_generator": {
                "type": generator.type,
                "api_base_url": generator.api_base_url,
                "model_provider_id": generator.model_provider_id,
                "model_name": generator.model_name,
            },
        },
    }


def _digest(seed: int, source_path: str, task_name: str, step_index: int, variant: str) -> bytes:
    """What a list of these in JSON is hashed to."""
    told = f"[{seed}, {_JSON(source_path)}, {_JSON(task_name)}, {step_index}, {_JSON(variant)}]"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()
