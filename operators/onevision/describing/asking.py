"""What a model is asked about a picture: the facts that tools found, and nothing of any question."""

from __future__ import annotations

import math

from dataflow_ext import Prompt
from dataflow_ext.models import Request
from dataflow_ext.outcomes import Record
from operators.onevision.describing.places import told
from operators.onevision.describing.reading_order import plain, rows_of
from operators.onevision.describing.reply import REPLY_SCHEMA
from operators.onevision.expected import DESCRIBE_TOKENS
from operators.onevision.records import FORMAL_LANGUAGE, NOT_FOR_THIS_TYPE, NOT_RUN

#: Lines of text, and characters of the caption, that are told.
_LINES, _CAPTION = 150, 6000


def request_of(row: Record, prompt: Prompt, facts: Prompt, seed: int | None) -> Request:
    """The request for a picture's description and code; it holds the picture and the facts."""
    language = FORMAL_LANGUAGE[row["image_type"]]
    lines = [line for each in rows_of(row["ocr"]) for line in each][:_LINES]
    filled = facts.fill(
        image_type=row["image_type"],
        width=row["width"],
        height=row["height"],
        language="html, or text if it is running text" if row["image_type"] == "document_ui" else language,
        caption=row["dense_caption"][:_CAPTION].strip(),
        detected=row["detector"] not in (NOT_RUN, NOT_FOR_THIS_TYPE),
        objects=[f"{plain(each.label, 60)} {_box(each.box)}{_sure(each.score)}" for each in told(row["detections"])],
        read=row["ocr_by"] != NOT_RUN,
        texts=[f'"{plain(line.text)}" {_box(line.box)}' for line in lines],
    )
    return Request(
        filled,
        system=prompt.text,
        images=(str(row["picture"]),),
        seed=seed,
        json_schema=REPLY_SCHEMA,
        schema_name="description",
        expect=DESCRIBE_TOKENS,
    )


def _box(box: tuple[float, float, float, float]) -> str:
    return f"({', '.join(str(round(corner)) for corner in box)})"


def _sure(score: float) -> str:
    return f", score {score:.2f}" if math.isfinite(score) else ""
