"""Kinds of questions, and what a review says of a row's parts: places in its texts, never words of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

QuestionType = Literal["calculation", "choice", "fill-in", "proof", "explanation", "drawing", "other"]

#: What a review may object to, and the error of the reject that it becomes; an answer in doubt goes to a person.
Problem = Literal[
    "not_a_question",
    "needs_other_text",
    "needs_missing_picture",
    "incomplete",
    "open_ended",
    "answer_missing",
    "answer_does_not_fit",
    "answers_disagree",
]


@dataclass(slots=True)
class Span:
    """A piece of a text, from its first character to the one behind its last."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself."""
        return text[self.start : self.end]


@dataclass(slots=True)
class ReviewedPart:
    """One part of a reviewed question: its places in question, answer and solution, and what is said of it.

    ``answer`` is a piece of the text that ``answer_in`` names, ``gaps`` are places where a blank is missing.
    """

    label: str
    question: list[Span]
    answers: list[Span]
    solution: list[Span]
    depends_on: list[str]
    question_type: QuestionType
    answer_in: Literal["answer", "solution", "nothing"]
    answer: Span
    gaps: list[int]
    problems: list[str]


@dataclass(slots=True)
class Review:
    """What a model found in a row: its parts, the text that all of them share, and what is no part of the question."""

    stem: list[Span]
    furniture: list[Span]
    parts: list[ReviewedPart] = field(default_factory=list)


@dataclass(slots=True)
class PartReview:
    """What a review says of one part, with places in that part's own texts."""

    question_type: QuestionType
    answer_in: Literal["answer", "solution", "nothing"]
    answer: str
    gaps: list[int]
    problems: list[str]
