"""The example set's good turns as finished rows, with the reasonings of its truth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from dataflow_ext.ocr import OCRLine
from operators.onevision.answer_extractor import AnswerExtractor
from operators.onevision.llava_cot_reader import LLaVACoTReader
from operators.onevision.model.records import FORMAL_LANGUAGE, Detection
from operators.onevision.sources.source import records
from operators.verify.answer import Option

EXAMPLE = Path(__file__).parents[3] / "examples" / "visual_reasoning"


def example_rows() -> list[dict[str, Any]]:
    """The rows of all turns that are good and have a reasoning, checks and verdict left out."""
    truth = json.loads((EXAMPLE / "truth.json").read_text("utf-8"))
    read = LLaVACoTReader().apply(records([EXAMPLE / "train.jsonl"])).table
    rows = []
    answered = AnswerExtractor().apply(read).table.to_pylist()
    often = Counter(row["id"] for row in answered)
    for row in answered:
        told = truth["turns"].get(row["id"])
        # The truth of an id that stands there twice is that of its last record.
        if often[row["id"]] > 1 or told is None or not told["good"] or not told.get("think"):
            continue
        rows.append(_finished(row, told, truth["pictures"][told["image"]]))
    return rows


def _finished(row: dict[str, Any], told: dict[str, Any], picture: dict[str, Any]) -> dict[str, Any]:
    return row | {
        "options": [Option(**option) for option in row["options"]],
        "picture": EXAMPLE / "images" / told["image"],
        "picture_key": told["image"],
        "width": picture["width"],
        "height": picture["height"],
        "image_formal_description": picture["description"],
        "cot_thinking": f"<think>{told['think']}</think>",
        "image_type": picture["type"],
        "type_by": "a model",
        "dense_caption": picture["caption"],
        "caption_by": "a model",
        "formal_code": picture["code"],
        "formal_language": FORMAL_LANGUAGE[picture["type"]],  # type: ignore[index]
        "formal_state": "parsed",
        "description_by": "a model",
        "description_leaks": [],
        "detections": [Detection(each["label"], 0.9, tuple(map(float, each["box"]))) for each in picture["objects"]],
        "detector": "a detector",
        "ocr": [OCRLine(text, 0.99, (0.0, 0.0, 10.0, 10.0)) for text in picture["texts"]],
        "ocr_by": "rapidocr",
        "rewrite_state": "rewritten",
        "rewrite_by": "a model",
    }
