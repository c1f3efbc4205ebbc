"""The records that columns hold, the types of pictures, and the columns of a finished row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dataflow_ext.ocr import OCRLine
from operators.verify.answer import Option

ImageType = Literal[
    "natural_scene",
    "synthetic_scene",
    "chart",
    "table",
    "flow_or_diagram",
    "circuit",
    "physics_setup",
    "geometry",
    "formula",
    "document_ui",
    "map_or_other",
]

FormalLanguage = Literal["scene_graph", "csv", "html", "mermaid", "spice", "predicates", "latex", "text"]

#: The formal code of each type of picture; of a screen or document it may be plain text, too.
FORMAL_LANGUAGE: Mapping[ImageType, FormalLanguage] = {
    "natural_scene": "scene_graph",
    "synthetic_scene": "scene_graph",
    "chart": "csv",
    "table": "html",
    "flow_or_diagram": "mermaid",
    "circuit": "spice",
    "physics_setup": "predicates",
    "geometry": "predicates",
    "formula": "latex",
    "document_ui": "html",
    "map_or_other": "text",
}

#: The types in whose pictures objects are looked for.
DETECTED: tuple[ImageType, ...] = ("natural_scene", "synthetic_scene", "physics_setup", "geometry")

Language = Literal["en", "zh", "other"]

#: What stands in a column of provenance where a tool was not used, and where the picture's type has no use for it.
NOT_RUN = "not run"
NOT_FOR_THIS_TYPE = "not for this type"
#: Who did it where no model did.
BY_RULES = "rules"


@dataclass(frozen=True, slots=True)
class Detection:
    """An object that was found; ``box`` is x0, y0, x1, y1 in pixels of the normalised picture, y downwards."""

    label: str
    score: float
    box: tuple[float, float, float, float]


CheckState = Literal["passed", "failed", "unsure", "not run"]


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found, under one of the codes of :mod:`.codes`; ``note`` says it in one sentence."""

    code: str
    state: CheckState
    note: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of a row: points from 0 to 10 in four dimensions, and the faults that it named.

    ``status`` tells whether there was a judge at all ("not run"), or whether the row needed none because a check
    had dropped it already ("skipped"); then all else is empty.
    """

    status: Literal["judged", "skipped", "not run"]
    by: str = ""
    description: float | None = None
    grounding: float | None = None
    logic: float | None = None
    answer: float | None = None
    faults: tuple[str, ...] = ()
    comment: str = ""


Verdict = Literal["kept", "review", "dropped"]

#: The columns of a finished row: what the writer writes.
FINISHED: Mapping[str, Any] = {
    "id": str,
    "record_id": str,
    "turn": int,
    "image": str,
    "picture": Path,
    "picture_key": str,
    "width": int,
    "height": int,
    "question": str,
    "options": list[Option],
    "language": Language,
    "image_formal_description": str,
    "cot_thinking": str | None,
    "answer": str,
    "answer_type": str,
    "final_answer": str,
    "original_caption": str,
    "original_reasoning": str,
    "original_conclusion": str,
    "gold": str | None,
    "tag_notes": list[str],
    "image_type": ImageType,
    "type_by": str,
    "dense_caption": str,
    "caption_by": str,
    "formal_code": str | None,
    "formal_language": FormalLanguage,
    "formal_state": str,
    "description_by": str,
    "description_leaks": list[str],
    "detections": list[Detection],
    "detector": str,
    "ocr": list[OCRLine],
    "ocr_by": str,
    "rewrite_state": str,
    "rewrite_by": str,
    "checks": list[Check],
    "judge": Judgement,
    "verdict": Verdict,
    "reasons": list[str],
    "score": float | None,
}
