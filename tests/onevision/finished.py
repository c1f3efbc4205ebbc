"""A finished row, as tests change it, with a picture of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image

from dataflow_ext.columns import arrow_type
from dataflow_ext.rows import encoded
from operators.onevision.model.records import FINISHED, Check, Detection, Judgement
from operators.verify.answer import Option

REASONING = "It seems that the mass m is 6 kg. The tension is likely 6 × 9.8 = 58.8 N, so about 60 N."


def picture(folder: Path, color: str = "white", name: str = "pulley.png", size: tuple[int, int] = (40, 30)) -> Path:
    """A picture file of one color."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    Image.new("RGB", size, color).save(path)
    return path


def row(path: Path, **changes: Any) -> dict[str, Any]:
    """A row on the picture in ``path``, kept and judged by a model."""
    with Image.open(path) as opened:
        width, height = opened.size
    made: dict[str, Any] = {
        "id": "pulley_1#1",
        "record_id": "pulley_1",
        "turn": 1,
        "image": f"physics/{path.name}",
        "picture": path,
        "picture_key": hashlib.sha256(path.read_bytes()).hexdigest(),
        "width": width,
        "height": height,
        "question": "The system is at rest. What is the tension of the string?\nA. 60 N\nB. 140 N",
        "options": [Option("A", "60 N"), Option("B", "140 N")],
        "language": "en",
        "image_formal_description": "A pulley system: mass m (6 kg) hangs, mass M (14 kg) rests on a table.",
        "cot_thinking": "<think>The image shows m = 6 kg hanging at rest. So T = 6 × 9.8 = 58.8 N, about 60 N: A.</think>",
        "answer": "A",
        "answer_type": "letter",
        "final_answer": "<answer>A</answer>",
        "original_caption": "A pulley with two masses, m = 6 kg and M = 14 kg.",
        "original_reasoning": REASONING,
        "original_conclusion": "The answer is A.",
        "gold": None,
        "tag_notes": [],
        "image_type": "physics_setup",
        "type_by": "qwen3-vl",
        "dense_caption": "A pulley with two masses.",
        "caption_by": "qwen3-vl",
        "formal_code": "mass(m, 6 kg)\nmass(M, 14 kg)\nhangs(m)",
        "formal_language": "predicates",
        "formal_state": "parsed",
        "description_by": "qwen3-vl",
        "description_leaks": [],
        "detections": [Detection("pulley", 0.9, (1.0, 2.0, 10.0, 12.0))],
        "detector": "not run",
        "ocr": [],
        "ocr_by": "rapidocr",
        "rewrite_state": "rewritten",
        "rewrite_by": "qwen3-vl",
        "checks": [Check("rewrite.equation", "passed")],
        "judge": Judgement("judged", "gpt", 9.0, 9.0, 9.0, 10.0, (), "All is there."),
        "verdict": "kept",
        "reasons": [],
        "score": 9.2,
    }
    return made | changes


def table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """The rows as a table of finished rows."""
    return pa.table(encoded(rows, FINISHED), pa.schema([(name, arrow_type(kind)) for name, kind in FINISHED.items()]))
