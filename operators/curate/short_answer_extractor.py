"""ShortAnswerExtractor: the short answer of each row, printed or a piece of its solution."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model import PartReview, QuestionType, Span, columns
from operators.curate.rules.answers import ShortAnswer, short_answer
from operators.verify.answer import Option


class ShortAnswerExtractor(RowOperator):
    """The short answer of each row: the printed one if there is one, else the piece of the solution that states it.

    If both are there and mean different things, the row says so among its doubts and goes to a person. Proofs,
    explanations and drawings have the printed answer or none. A review's answer is a piece of the row's own text too.

    Reads:
        question, answer, solution: the texts.
        shared_solution: whether the solution answers other parts too; then nothing is taken from it.
        options: the options of a choice.
        question_type: its kind.
        review: what a model says of the row, null if none was asked.

    Writes:
        answer: the short answer, empty if there is none.
        answer_from: ``printed``, ``solution`` or ``none``.
        answer_place: where it stands in the solution, null if it is not there.
        review_reasons: why a person should look at the row.

    Rejects: none of its own.

    Example:
        >>> row = {"question": "Find x if 2x = 6.", "answer": "", "solution": "2x = 6, so x = 3.", "options": None}
        >>> row |= {"question_type": "calculation", "shared_solution": False, "review": None}
        >>> ShortAnswerExtractor()([row])["answer"].to_pylist()
        ['3']
    """

    inputs: ClassVar[Columns] = columns("question answer solution shared_solution options question_type review")
    outputs: ClassVar[Columns] = {
        "answer": str,
        "answer_from": Literal["printed", "solution", "none"],
        "answer_place": Span | None,
        "review_reasons": list[str],
    }
    record: ClassVar[tuple[str, ...]] = ("answer_from", "answer_place")

    def row(
        self,
        question: str,
        answer: str,
        solution: str,
        shared_solution: bool,
        options: list[Option] | None,
        question_type: QuestionType,
        review: PartReview | None,
    ) -> dict[str, Any]:
        """The answer, where it is from, and whether the two sources disagree."""
        own = "" if shared_solution else solution
        found = short_answer(question, answer, own, options or (), question_type)
        if review is not None and not review.answer and found.source == "solution":
            found = ShortAnswer("", "none")  # the review finds none there
        if review is not None and review.answer:
            start = solution.rfind(review.answer) if review.answer_in == "solution" else -1
            place = Span(start, start + len(review.answer)) if start >= 0 else None
            source = "solution" if review.answer_in == "solution" else "printed"
            found = ShortAnswer(review.answer, source, place, found.disagrees if found.source == "printed" else "")
        reasons = [found.disagrees] if found.disagrees else []
        if shared_solution and not found.text:
            reasons.append("The solution answers several parts, and nothing tells which piece of it is whose.")
        if review is not None and "answers_disagree" in review.problems and not reasons:
            reasons.append("The review finds that answer and solution disagree.")
        return {
            "answer": found.text,
            "answer_from": found.source,
            "answer_place": found.place,
            "review_reasons": reasons,
        }
