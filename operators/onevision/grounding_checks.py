"""GroundingChecks: what can be told of a row without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.ocr import OCRLine
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, spread
from operators.onevision.checking import checks_of
from operators.onevision.model.records import FINISHED, Check
from operators.verify.answer import Option

#: Rows that are checked together in one process.
_AT_ONCE = 256


class GroundingChecks(Operator):
    """The local checks of each row, ``checks``: every code once, passed, failed, unsure or not run, with a note.

    They tell whether the answer is the source's, whether the reasoning was rewritten and is running text in the
    question's language, whether its numbers are given or computed and its equations hold, and whether it or the
    description takes the answer from elsewhere. What a failed check does to its row is for VerdictGate.
    """

    inputs: ClassVar[Columns] = {
        "question": str,
        "options": list[Option],
        "language": FINISHED["language"],
        "image_type": FINISHED["image_type"],
        "image_formal_description": str,
        "description_leaks": list[str],
        "description_by": str,
        "formal_code": str | None,
        "formal_language": FINISHED["formal_language"],
        "formal_state": str,
        "ocr": list[OCRLine],
        "ocr_by": str,
        "detections": FINISHED["detections"],
        "dense_caption": str,
        "original_caption": str,
        "original_reasoning": str,
        "original_conclusion": str,
        "gold": str | None,
        "answer": str,
        "answer_type": str,
        "final_answer": str,
        "cot_thinking": str | None,
        "rewrite_state": str,
    }
    outputs: ClassVar[Columns] = {"checks": list[Check]}
    record: ClassVar[tuple[str, ...]] = ("checks",)

    def batch(self, table: pa.Table) -> Made:
        """Check all rows, over the processes of the run."""
        progress.expect(table.num_rows, "rows")
        return made_of_rows(self, table, _checked, _AT_ONCE * 16)


def _checked(rows: Sequence[Record]) -> list[Outcome]:
    return spread(checked, rows, _AT_ONCE)


def checked(row: Record) -> dict[str, Any]:
    """The record of a row's checks."""
    return {"checks": checks_of(row)}
