"""Rows as pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.report.pages import short
from dataflow_ext.report.thumbnails import Mark, Thumbnail, Thumbnails

#: Characters of a text that are shown, and boxes on a picture.
_LONG, _BOXES = 3000, 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A row on a page: its picture with boxes, its texts without tags, checks that did not pass, and its verdict."""

    id: str
    picture: Thumbnail
    source_image: str
    image_type: str
    question: str
    description: str
    code: str
    code_state: str
    thinking: str
    answer: str
    source: str
    conclusion: str
    verdict: str
    reasons: Sequence[str]
    checks: Sequence[Mapping[str, str]]
    judge: Mapping[str, Any]
    score: float | None
    made_by: Mapping[str, str]
    read: Sequence[str]
    found: Sequence[str]


def shown(table: pa.Table, pictures: Thumbnails) -> list[Shown]:
    """The rows of a table with the columns of a finished row."""
    return [_shown(row, pictures) for row in table.to_pylist()]


def points(judge: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The judge's points by dimension, of those that it gave."""
    names = ("description", "grounding", "logic", "answer")
    return [(name, judge[name]) for name in names if judge[name] is not None]


def _shown(row: Mapping[str, Any], pictures: Thumbnails) -> Shown:
    thinking = (row["cot_thinking"] or "").removeprefix("<think>").removesuffix("</think>").strip()
    return Shown(
        id=row["id"],
        picture=pictures.of(Path(row["picture"]), _marks(row)),
        source_image=row["image"],
        image_type=row["image_type"],
        question=short(row["question"], _LONG),
        description=short(row["image_formal_description"], _LONG),
        code=short(row["formal_code"] or "", _LONG),
        code_state=f"{row['formal_language']}: {row['formal_state']}",
        thinking=short(thinking, _LONG),
        answer=short(row["answer"], 300),
        source=short(row["original_reasoning"], _LONG),
        conclusion=short(row["original_conclusion"], 600),
        verdict=row["verdict"],
        reasons=[short(reason, 400) for reason in row["reasons"]],
        checks=[check for check in row["checks"] if check["state"] in ("failed", "unsure")],
        judge=row["judge"],
        score=row["score"],
        made_by={
            "type": row["type_by"],
            "caption": row["caption_by"],
            "boxes": row["detector"],
            "text": row["ocr_by"],
            "description": row["description_by"],
            "reasoning": row["rewrite_by"],
            "judge": row["judge"]["by"] or row["judge"]["status"],
        },
        read=[line["text"] for line in row["ocr"]][:_BOXES],
        found=[f"{each['label']} {each['score']:.2f}" for each in row["detections"]][:_BOXES],
    )


def _marks(row: Mapping[str, Any]) -> list[Mark]:
    """What was found in one colour, what was read in the other."""
    found: list[Mark] = [(tuple(each["box"]), True) for each in row["detections"][:_BOXES]]
    read: list[Mark] = [(tuple(line["box"]), False) for line in row["ocr"][:_BOXES]]
    return [*found, *read]
