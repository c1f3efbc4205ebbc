"""QuestionTyper: what kind of question each row is, and the options of a choice."""

from __future__ import annotations

from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model.records import PartReview, QuestionType
from operators.curate.rules.tables import asks
from operators.curate.rules.typing import question_type
from operators.verify.answer import Option
from operators.verify.options import options_in


class QuestionTyper(RowOperator):
    """The kind of each question, told by a review if there is one, else by rules.

    Rules look at options and blanks, at what the question asks for, and at its answer and solution.

    Reads:
        question: the whole question.
        asked: the part of it that asks; of a question that was not split all of it.
        answer, solution: what is printed of them.
        review: what a model says of the row, null if none was asked.

    Writes:
        question_type: calculation, choice, fill-in, proof, explanation, drawing or other.
        options: the letters and texts to choose from, null if it is no choice.

    Example:
        >>> row = {"question": "Which is prime? A. 4 B. 5", "asked": "Which is prime? A. 4 B. 5", "answer": "B"}
        >>> QuestionTyper()([row | {"solution": "", "review": None}])["question_type"].to_pylist()
        ['choice']
    """

    inputs: ClassVar[Columns] = {
        "question": str,
        "asked": str,
        "answer": str,
        "solution": str,
        "review": PartReview | None,
    }
    outputs: ClassVar[Columns] = {"question_type": QuestionType, "options": list[Option] | None}

    def row(self, question: str, asked: str, answer: str, solution: str, review: PartReview | None) -> dict[str, Any]:
        """The kind and the options."""
        options = options_in(asked)
        if sum(asks(option.text) for option in options) * 2 > len(options):
            options = []  # parts that could not be told apart
        # "Find: (1) the mass; (2) the volume" says in its stem what is asked.
        text = asked if asks(asked) or not asks(question) else question
        kind = review.question_type if review else question_type(text, answer, solution, options)
        return {"question_type": kind, "options": options or None if kind == "choice" else None}
