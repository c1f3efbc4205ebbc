"""What an answer is: its text, its type, and the options that it may be one of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

AnswerType = Literal["letter", "number", "quantity", "expression", "list", "words"]

#: Whether two answers mean the same.
Sameness = Literal["yes", "no", "unsure"]
#: How parts of two answers are compared.
Compare = Callable[[str, str], Sameness]


def worst(verdicts: Iterable[Sameness]) -> Sameness:
    """The verdict on answers of several parts, by those on the parts; behind a "no" none is asked for.

    >>> worst(["yes", "unsure"]), worst([])
    ('unsure', 'yes')
    """
    found: Sameness = "yes"
    for verdict in verdicts:
        if verdict == "no":
            return verdict
        found = verdict if verdict == "unsure" else found
    return found


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a multiple-choice question.

    >>> Option("A", "60 N").letter
    'A'
    """

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two answers mean the same, why in one sentence, and as what they were compared."""

    verdict: Sameness
    reason: str
    kind: AnswerType
