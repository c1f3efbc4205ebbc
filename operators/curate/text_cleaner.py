"""TextCleaner: questions, answers and solutions without what a page prints around them."""

from __future__ import annotations

from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model import columns, text_of
from operators.curate.rules.furniture import (
    cleaned,
    furniture_of_answer,
    furniture_of_question,
    furniture_of_solution,
)


class TextCleaner(RowOperator):
    """The texts of each row without numbers of items, marks, sources, and the heads and feet of pages.

    Pieces are cut by their place, and nothing else is changed: what is left is a subsequence of what was there.
    Links to pictures are never cut.

    Reads:
        question, answer, solution: the texts; any of them may be empty.
        label: the item's number as printed, empty if it is not known.
        name, question_chapter_title: what may stand at the head of a page.

    Writes:
        question, answer, solution: what is left of them.
        cut: the pieces that were cut out, in their order.

    Rejects: none of its own.

    Example:
        >>> row = {"question": "4. (5 marks) Find 2014.5 + 1", "answer": "Answer: 2015.5", "solution": "", "label": "4"}
        >>> TextCleaner()([row | {"name": "", "question_chapter_title": ""}]).select(["question", "answer"]).to_pylist()
        [{'question': 'Find 2014.5 + 1', 'answer': '2015.5'}]
    """

    inputs: ClassVar[Columns] = columns("question answer solution label name question_chapter_title")
    outputs: ClassVar[Columns] = columns("question answer solution cut")
    record: ClassVar[tuple[str, ...]] = ("cut",)

    def row(
        self, question: str, answer: str, solution: str, label: str, name: str, question_chapter_title: str
    ) -> dict[str, Any]:
        """The three texts and what is gone."""
        heads = [head for head in (question_chapter_title, name) if head.strip()]
        cuts = {
            "question": (question, furniture_of_question(question, label, heads)),
            "answer": (answer, furniture_of_answer(answer, label)),
            "solution": (solution, furniture_of_solution(solution, label, heads)),
        }
        kept = {side: text_of(text, cleaned(text, spans)) for side, (text, spans) in cuts.items()}
        pieces = [piece for text, spans in cuts.values() for span in spans if (piece := span.of(text).strip())]
        return {**kept, "cut": pieces}
