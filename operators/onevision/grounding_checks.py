"""GroundingChecks: what can be told of a row without a model."""

from __future__ import annotations

from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows, spread
from operators.onevision.checking import checks_of
from operators.onevision.model.records import columns

#: Rows that are checked together in one process.
_AT_ONCE = 256


class GroundingChecks(Operator):
    """The local checks of each row, ``checks``: every code once, passed, failed, unsure or not run, with a note.

    They tell whether the answer is the source's, whether the reasoning was rewritten and is running text in the
    question's language, whether its numbers are given or computed and its equations hold, and whether it or the
    description takes the answer from elsewhere. What a failed check does to its row is for VerdictGate.

    Rejects: none of its own.

    Example:
        >>> texts = [name for name, kind in GroundingChecks.inputs.items() if "str" in str(kind)]
        >>> row = dict.fromkeys(texts, "") | {"language": "en", "image_type": "chart"}
        >>> row |= {"options": [], "description_leaks": [], "ocr": [], "detections": [], "answer_type": "words"}
        >>> checks = GroundingChecks()([{**row, "cot_thinking": None}])["checks"].to_pylist()[0]
        >>> [check["code"] for check in checks if check["state"] == "failed"]
        ['description.empty', 'answer.source', 'rewrite.insufficient']
    """

    inputs: ClassVar[Columns] = columns(
        "question options language image_type image_formal_description description_leaks description_by "
        "formal_code formal_state ocr ocr_by detections dense_caption original_caption "
        "original_reasoning original_conclusion gold answer answer_type final_answer cot_thinking "
        "rewrite_state"
    )
    outputs: ClassVar[Columns] = columns("checks")
    record: ClassVar[tuple[str, ...]] = ("checks",)

    def batch(self, table: pa.Table) -> Made:
        """Check all rows, over the processes of the run."""
        progress.expect(table.num_rows, "rows")
        return made_of_rows(self, table, lambda rows: spread(checked, rows, _AT_ONCE), _AT_ONCE * 16)


def checked(row: Record) -> dict[str, Any]:
    """The record of a row's checks."""
    return {"checks": checks_of(row)}
