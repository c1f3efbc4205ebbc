"""QAFilter: the rows that can be asked as they stand, and whose answer fits."""

from __future__ import annotations

from typing import Any, ClassVar, get_args

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded
from operators.curate.model.records import PartReview, QuestionType
from operators.curate.rules.fitness import Unfit, unfit
from operators.verify.answer import Option

#: The error and the sentence of what a review objects to.
_OBJECTIONS = {
    "not_a_question": ("NotAQuestion", "It asks for nothing"),
    "needs_other_text": ("NeedsOtherText", "It cannot be understood without another text"),
    "needs_missing_picture": ("LostPicture", "It needs a picture that is not there"),
    "incomplete": ("Incomplete", "Question or answer is not whole"),
    "open_ended": ("OpenEnded", "It has more than one right answer"),
    "answer_missing": ("NoAnswer", "There is no answer"),
    "answer_does_not_fit": ("AnswerDoesNotFit", "The answer belongs to another question"),
}


class QAFilter(Operator):
    """The rows that are questions, can be understood by themselves, and have an answer that fits.

    Rules tell what is plain: no answer, a picture that is spoken of and not there, another exercise or text that is
    needed, an answer that is none of the options. A review tells the rest.

    Reads:
        question, asked, answer, solution: the texts.
        question_type, options: the kind and what there is to choose from.
        question_images: links to pictures.
        lost_pictures: links that lead to no file.
        review_reasons: a row that a person will look at may be without an answer.
        review: what a model says of the row, null if none was asked.

    Options:
        types: the kinds of questions that are kept; all of them if none is named.

    Rejects:
        NoAnswer, AnswerDoesNotFit, NotAQuestion, NeedsOtherText, LostPicture, Incomplete, OpenEnded: what is wrong.
        OtherType: a question of a kind that is not wanted.

    Example:
        >>> row = {"question": "如图，求AB", "asked": "如图，求AB", "answer": "5", "solution": "", "options": None}
        >>> row |= {"question_type": "calculation", "question_images": [], "lost_pictures": [], "review": None}
        >>> row |= {"review_reasons": []}
        >>> QAFilter().apply([row]).rejects["error"].to_pylist()
        ['LostPicture']
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {
        "question": str,
        "asked": str,
        "answer": str,
        "solution": str,
        "question_type": QuestionType,
        "options": list[Option] | None,
        "question_images": list[str],
        "lost_pictures": list[str],
        "review_reasons": list[str],
        "review": PartReview | None,
    }

    types: tuple[QuestionType, ...] = get_args(QuestionType)

    def batch(self, table: pa.Table) -> Made:
        """Look at each row by itself."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(n, error) for n, error in wrong.items()]
        fit = [n for n in range(table.num_rows) if n not in wrong]
        found = {n: self._objection({name: values[n] for name, values in columns.items()}) for n in fit}
        failures += [Failure(n, why.reason, why.error, kind="dropped") for n, why in found.items() if why]
        return Made({}, [n for n, why in found.items() if why is None], failures)

    def _objection(self, row: dict[str, Any]) -> Unfit | None:
        if row["question_type"] not in self.types:
            return Unfit("OtherType", f"It is of the kind {row['question_type']}, which is not wanted.")
        review: PartReview | None = row.pop("review")
        told = [problem for problem in review.problems if problem in _OBJECTIONS] if review else []
        found = unfit(**row, judged=review is not None)
        if found is None and told:
            error, reason = _OBJECTIONS[told[0]]
            return Unfit(error, f"{reason}, as the review finds.")
        return found
