"""What an answer is: its text, its type, and the options that it may be one of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AnswerType = Literal["letter", "number", "quantity", "expression", "list", "words"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a multiple-choice question.

    >>> Option("A", "60 N").letter
    'A'
    """

    letter: str
    text: str
