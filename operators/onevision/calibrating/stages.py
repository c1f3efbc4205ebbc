"""The steps of a run as calibrate runs them again: pictures as they were seen, and a writer that copies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Operator, RowOperator
from dataflow_ext.columns import Columns
from operators.onevision.calibrating.banks import OPENINGS
from operators.onevision.cot_rewriter import REWRITTEN, CoTRewriter
from operators.onevision.image_normalizer import ImageNormalizer
from operators.onevision.image_text_reader import ImageTextReader
from operators.onevision.object_detector import ObjectDetector
from operators.onevision.records import FINISHED, Language

_SEEN = ("picture", "picture_key", "width", "height", "detections", "detector", "ocr", "ocr_by")


class SeenPictures(RowOperator):
    """What the run saw in each picture: its file, text and boxes; a picture is named by its key."""

    inputs: ClassVar[Columns] = {"image": str}
    outputs: ClassVar[Columns] = {name: FINISHED[name] for name in _SEEN}
    remembered = False

    seen: Mapping[str, Any]

    def row(self, image: str) -> dict[str, Any]:
        """One row's picture."""
        return {name: self.seen[image][name] for name in _SEEN}


class Copier(RowOperator):
    """A writer that copies the source's reasoning, perhaps behind a sentence of its own."""

    inputs: ClassVar[Columns] = {"original_reasoning": str, "language": Language}
    outputs: ClassVar[Columns] = {"cot_thinking": str | None, "rewrite_state": str, "rewrite_by": str}

    opening: bool = False

    def row(self, original_reasoning: str, language: Language) -> dict[str, Any]:
        """One row's copy."""
        begin = OPENINGS[language == "zh"] + ("" if language == "zh" else " ") if self.opening else ""
        return {
            "cot_thinking": f"<think>{begin}{original_reasoning}</think>",
            "rewrite_state": REWRITTEN,
            "rewrite_by": "a copier",
        }


def again(steps: Sequence[Operator], rows: Sequence[Mapping[str, Any]]) -> list[Operator]:
    """The steps of a pipeline over rows whose pictures it has seen already."""
    seen = SeenPictures(seen={row["picture_key"]: {name: row[name] for name in _SEEN} for row in rows})
    kept = [each for each in steps if not isinstance(each, (ObjectDetector, ImageTextReader))]
    return [seen if isinstance(each, ImageNormalizer) else each for each in kept]


def copying(steps: Sequence[Operator], *, opening: bool) -> list[Operator]:
    """The same steps with a copier as the writer."""
    return [Copier(opening=opening) if isinstance(each, CoTRewriter) else each for each in steps]


def source_of(rows: Mapping[str, Mapping[str, Any]]) -> pa.Table:
    """Rows as LLaVA-CoT's records, by their ids; without a gold answer, which would be a second copy."""
    records = [json.dumps(_record(name, row), ensure_ascii=False) for name, row in rows.items()]
    return pa.table({"source": [f"{name}:1" for name in rows], "record": pa.array(records, pa.string())})


def _record(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    blocks = {
        "CAPTION": row["original_caption"],
        "REASONING": row["original_reasoning"],
        "CONCLUSION": row["original_conclusion"],
    }
    said = "\n\n".join(f"<{tag}>{text}</{tag}>" for tag, text in blocks.items() if text)
    talk = [{"from": "human", "value": row["question"]}, {"from": "gpt", "value": said}]
    return {"id": name, "image": row["picture_key"], "conversations": talk}
