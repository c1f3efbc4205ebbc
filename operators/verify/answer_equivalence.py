"""AnswerEquivalence: whether an answer means the same as the reference."""

from __future__ import annotations

from typing import ClassVar, Literal

import pyarrow as pa

from dataflow_ext import Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows, spread
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent

#: Rows that are compared together in one process.
_AT_ONCE = 512


class AnswerEquivalence(Operator):
    """Whether each answer means the same as its reference: yes, no or unsure, and why in one sentence.

    Decided by type: letters of options, closed words, numbers, units (through pint), times, expressions, sets and
    lists, words; the question tells which unit a bare number has. No answer, or no reference, is unsure.

    Reads:
        answer, reference: the two to compare.
        question: what was asked.
        options: the letters and texts to choose from, if there are any.

    Writes:
        equivalence: the verdict.
        equivalence_reason: why, in one sentence.

    Rejects: none of its own.

    Example:
        >>> rows = [{"answer": "0.5 m", "reference": "50 cm", "question": "How long?", "options": []}]
        >>> AnswerEquivalence()(rows)["equivalence"].to_pylist()
        ['yes']
    """

    inputs: ClassVar[Columns] = {
        "answer": str | None,
        "reference": str | None,
        "question": str,
        "options": list[Option],
    }
    outputs: ClassVar[Columns] = {"equivalence": Literal["yes", "no", "unsure"], "equivalence_reason": str}

    def batch(self, table: pa.Table) -> Made:
        """Compare each row's answers by themselves."""
        progress.expect(table.num_rows, "answers")
        return made_of_rows(self, table, lambda rows: spread(compared, rows, _AT_ONCE), 8 * _AT_ONCE)


def compared(row: Record) -> Record:
    """The verdict on a row's answer."""
    answer, reference = row["answer"], row["reference"]
    missing = [name for name in ("answer", "reference") if not (row[name] or "").strip()]
    if missing:
        return {"equivalence": "unsure", "equivalence_reason": f"There is no {' and no '.join(missing)} to compare."}
    found = equivalent(answer, reference, question=row["question"], options=row["options"])
    return {"equivalence": found.verdict, "equivalence_reason": found.reason}
