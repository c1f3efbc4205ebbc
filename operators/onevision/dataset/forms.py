"""A finished row in the forms of the data set: the line of its verdict, and what trainers read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dataflow_ext.datasets.pictures import PICTURE

Row = Mapping[str, Any]
Entry = dict[str, Any]

#: Provenance as it stands, after the seed's fields.
_AS_IT_IS = (
    "original_reasoning",
    "original_conclusion",
    "image_type",
    "formal_code",
    "detections",
    "ocr",
    "checks",
    "judge",
    "verdict",
    "reasons",
)
_MORE = (
    *("record_id", "turn", "language", "options", "answer", "answer_type", "gold", "score", "width", "height"),
    *("dense_caption", "formal_language", "formal_state", "description_leaks", "rewrite_state", "tag_notes"),
)
#: Who did what.
_MODELS = {
    "type": "type_by",
    "caption": "caption_by",
    "detections": "detector",
    "ocr": "ocr_by",
    "description": "description_by",
    "rewrite": "rewrite_by",
}


def line(row: Row, picture: str) -> Entry:
    """The row as a line of its verdict's file: the seed's fields first, then where each came from.

    ``image`` is the path of the picture in the data set, ``source_image`` that in the source.
    """
    made: Entry = {
        "id": row["id"],
        "image": picture,
        "question": row["question"],
        "image_formal_description": row["image_formal_description"],
        "cot_thinking": row["cot_thinking"],
        "final_answer": row["final_answer"],
    }
    made.update((name, row[name]) for name in _AS_IT_IS)
    made["models"] = {what: row[by] for what, by in _MODELS.items()} | {"judge": row["judge"]["by"] or "not run"}
    made["source_image"] = row["image"]
    made.update((name, row[name]) for name in _MORE)
    return made


def reply(row: Row) -> str:
    """What the assistant says: reasoning and answer in their tags."""
    return f"{row['cot_thinking']}\n{row['final_answer']}"


def asked(row: Row) -> str:
    """What the user says: the picture's place, and the question."""
    return f"{PICTURE}\n{row['question'].replace(PICTURE, '').strip()}"


def messages(row: Row, picture: str) -> Entry:
    """The row for LLaMA-Factory: user and assistant in turn, one ``<image>`` for the one picture."""
    talk = [{"role": "user", "content": asked(row)}, {"role": "assistant", "content": reply(row)}]
    return {"id": row["id"], "messages": talk, "images": [picture]}


def sharegpt(row: Row, picture: str) -> Entry:
    """The row in ShareGPT's form."""
    talk = [{"from": "human", "value": asked(row)}, {"from": "gpt", "value": reply(row)}]
    return {"id": row["id"], "image": picture, "conversations": talk}


def grpo(row: Row, picture: str) -> Entry:
    """The row for reinforcement learning: problem, bare answer, pictures."""
    return {
        "id": row["id"],
        "problem": asked(row),
        "answer": row["answer"],
        "answer_type": row["answer_type"],
        "options": row["options"],
        "images": [picture],
    }
