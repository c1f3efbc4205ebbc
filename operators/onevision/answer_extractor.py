"""AnswerExtractor: the bare answer that a row's source concluded, and the same between tags."""

from __future__ import annotations

import re
from typing import ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, RowError
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows, spread
from operators.onevision.model.records import columns
from operators.verify.extraction import answer_in

#: Rows that are treated together in one process.
_AT_ONCE = 512
#: Rows that are Python objects at one time.
_TOGETHER = 8 * _AT_ONCE
_TAGS = re.compile(r"[<＜][\s/\\]{0,6}(?:answer|think|conclusion)[\s/\\]{0,6}[>＞]", re.IGNORECASE)


class AnswerExtractor(Operator):
    """The bare answer of each row, its type, and ``final_answer``: ``<answer>…</answer>`` around it.

    The answer is what the source's conclusion states (:func:`operators.verify.extraction.answer_in`), in the form
    in which it states it: a letter stays a letter and an option's text stays a text, as AnswerEquivalence knows that
    they are the same. Tags of the finished row that stand in a conclusion are left out; other brackets stay. A
    conclusion that states nothing is a reject.

    Rejects:
        RowError: the conclusion states nothing.

    Example:
        >>> row = {"question": "How many cars?", "options": [], "original_conclusion": "There are 2 cars."}
        >>> AnswerExtractor()([row]).select(["answer", "final_answer"]).to_pylist()
        [{'answer': '2', 'final_answer': '<answer>2</answer>'}]
    """

    inputs: ClassVar[Columns] = columns("question options original_conclusion")
    outputs: ClassVar[Columns] = columns("answer answer_type final_answer")

    def batch(self, table: pa.Table) -> Made:
        """Extract row by row, over the run's processes."""
        return made_of_rows(self, table, lambda rows: spread(extracted, rows, _AT_ONCE), _TOGETHER)


def extracted(row: Record) -> Record:
    """The answer of one row in its three columns; RowError if its conclusion states none."""
    conclusion = _TAGS.sub(" ", row["original_conclusion"]).strip()
    if not conclusion:
        raise RowError("The conclusion is empty, so that there is no answer to take from it.")
    answer = answer_in(conclusion, question=row["question"], options=row["options"])
    if answer is None or not (text := answer.text.strip()):
        raise RowError(f"No answer can be taken from the conclusion {conclusion!r:.200}; give the row one.")
    return {"answer": text, "answer_type": answer.type, "final_answer": f"<answer>{text}</answer>"}
