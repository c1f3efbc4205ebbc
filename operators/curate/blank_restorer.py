"""BlankRestorer: fill-in questions with the blanks that were lost on the way."""

from __future__ import annotations

from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model import PartReview, QuestionType, columns
from operators.curate.rules.cues import BLANK, before_unit, gaps_in, pieces_of, told_in, with_blanks


class BlankRestorer(RowOperator):
    """Fill-in questions with ``____`` where a blank is missing; other questions as they are.

    Only blanks are put in: without them the question is what it was, letter by letter, and the answer never enters it.
    Places are those that a review points to, or by rules those where a sentence breaks off, begins with its verb, or
    is told whole in the solution; as many as there are answers, less the blanks that are there.

    Reads:
        question: the whole question, whose end is ``asked``.
        asked: the part of it that asks.
        answer, solution: by which the number of blanks and their places are told.
        question_type: its kind.
        review: what a model says of the row, null if none was asked.

    Writes:
        question, asked: the two with their blanks.
        blanks: how many were put in.

    Rejects: none of its own.

    Example:
        >>> row = {"question": "The sum is .", "asked": "The sum is .", "answer": "7", "solution": "", "review": None}
        >>> BlankRestorer()([row | {"question_type": "fill-in"}])["question"].to_pylist()
        ['The sum is ____.']
    """

    inputs: ClassVar[Columns] = columns("question asked answer solution question_type review")
    outputs: ClassVar[Columns] = {"question": str, "asked": str, "blanks": int}
    record: ClassVar[tuple[str, ...]] = ("blanks",)

    def row(
        self,
        question: str,
        asked: str,
        answer: str,
        solution: str,
        question_type: QuestionType,
        review: PartReview | None,
    ) -> dict[str, Any]:
        """The question with its blanks."""
        places: list[int] = []
        start = len(question) - len(asked) if question.endswith(asked) else 0
        if review is not None and review.gaps:
            places = [place for place in review.gaps if 0 <= place <= len(question)]
        elif question_type == "fill-in":
            places = [start + place for place in _places(question[start:], answer, solution)]
        own = [place - start for place in places if place >= start]
        return {
            "question": with_blanks(question, places),
            "asked": with_blanks(question[start:], own) if start or question == asked else asked,
            "blanks": len(set(places)),
        }


def _places(text: str, answer: str, solution: str) -> list[int]:
    pieces = pieces_of(answer)
    missing = max(1, len(pieces)) - len(BLANK.findall(text))
    if missing <= 0:
        return []
    found = (gaps_in(text, missing) or before_unit(text, solution))[:missing]
    if not found:
        told = (told_in(text, solution, piece) for piece in pieces)
        found = [place for place in told if place is not None][:missing]
    return found
