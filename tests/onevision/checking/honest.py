"""Honest rewritten rows, English and Chinese, as finished rows: what the checks must leave alone."""

from __future__ import annotations

from typing import Any

from dataflow_ext.ocr import OCRLine
from operators.onevision.model.records import FORMAL_LANGUAGE
from operators.verify.answer import Option
from tests.onevision.checking.honest_chinese import CHINESE
from tests.onevision.checking.honest_english import ENGLISH


def honest_rows() -> list[dict[str, Any]]:
    """All rows, each as FINISHED says, checks and verdict left out."""
    return [_row(each, "en") for each in ENGLISH] + [_row(each, "zh") for each in CHINESE]


def _row(each: tuple[str, ...], language: str) -> dict[str, Any]:
    name, question, options, image_type, description, read, reasoning, conclusion, answer, thinking = each
    listed = [Option(*option.strip().split(" ", 1)) for option in options.split(";") if option]
    lines = [OCRLine(text, 0.98, (10.0, 10.0 + 20 * n, 90.0, 25.0 + 20 * n)) for n, text in enumerate(read.split("|"))]
    return {
        "id": f"{name}#1",
        "record_id": name,
        "turn": 1,
        "image": f"{name}.png",
        "picture": f"/pictures/{name}.png",
        "picture_key": name.encode().hex(),
        "width": 400,
        "height": 300,
        "question": question,
        "options": listed,
        "language": language,
        "image_formal_description": description,
        "cot_thinking": f"<think>{thinking}</think>",
        "answer": answer,
        "answer_type": _type_of(answer),
        "final_answer": f"<answer>{answer}</answer>",
        "original_caption": "",
        "original_reasoning": reasoning,
        "original_conclusion": conclusion,
        "gold": None,
        "image_type": image_type,
        "type_by": "a model",
        "dense_caption": description,
        "caption_by": "a model",
        "formal_code": None,
        "formal_language": FORMAL_LANGUAGE[image_type],  # type: ignore[index]
        "formal_state": "not run",
        "description_by": "a model",
        "description_leaks": [],
        "detections": [],
        "detector": "not run",
        "ocr": lines if read else [],
        "ocr_by": "rapidocr",
        "rewrite_state": "rewritten",
        "rewrite_by": "a model",
    }


def _type_of(answer: str) -> str:
    if len(answer) == 1 and answer.isalpha():
        return "letter"
    if answer.replace(".", "").isdigit():
        return "number"
    return "quantity" if answer[0].isdigit() else "words"
