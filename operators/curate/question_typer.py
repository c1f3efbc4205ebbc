"""QuestionTyper: what kind of question each row is, and the options of a choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model import PartReview, QuestionType, columns
from operators.curate.rules.cues import (
    BLANK,
    PICTURE,
    asks,
    before_unit,
    cue,
    gaps_in,
    pieces_of,
    says,
    sentences,
    told_in,
)
from operators.verify.answer import Option
from operators.verify.equivalence import type_of
from operators.verify.options import options_in

_CHOSEN = re.compile(r"\W*(?:(?:故|应|答案)?(?:选|为|是)?[:：]?\s*)?[(（]?[A-H](?:[,，、\s]*[A-H])*[)）]?\W*")
_VALUE = ("number", "quantity", "expression", "list")
#: An answer of so many characters is more than a value or a name.
_LONG = 60


def question_type(asked: str, answer: str, solution: str, options: Sequence[Option]) -> QuestionType:
    """The kind of a question, by its own text without that of other parts.

    >>> question_type("求证：AB = CD.", "", "", ()), question_type("Find x if 2x = 6.", "3", "", ())
    ('proof', 'calculation')
    >>> question_type("水的化学式是____。", "H2O", "", ()), question_type("Why is the sky blue?", "", "", ())
    ('fill-in', 'explanation')
    """
    text = PICTURE.sub(" ", asked)
    if len(options) > 1 or (_CHOSEN.fullmatch(answer.strip()) and says("choice", text)):
        return "choice"
    if says("judge", text):
        return "choice"
    kind = _asked_for(text, answer)
    if kind in ("proof", "drawing"):
        return kind
    if (BLANK.search(text) or says("fill", text)) and not _asks_before_blank(text, kind):
        return "fill-in"
    if kind is not None:
        return kind
    pieces = pieces_of(answer)
    told = bool(pieces) and told_in(text, solution, pieces[0]) is not None
    if not re.search("[?？]", text) and (gaps_in(text) or before_unit(text, solution) or (told and not asks(text))):
        return "fill-in"
    if says("fact", last_asking(text)) and not re.search(r"[=×÷]", solution):
        return "other"
    return _by_answer(text, answer, solution)


def _asked_for(text: str, answer: str) -> QuestionType | None:
    """What the text asks for, by the first cue of the first sentence that asks; a value settles what is mixed."""
    kinds: tuple[QuestionType, ...] = ("proof", "drawing", "explanation", "calculation")
    found = [(place.start(), kind) for kind in kinds if (place := cue(kind).search(text))]
    if not found:
        return None
    named = {kind for _, kind in found}
    first = min(found)[1]
    if "proof" in named and not (first == "calculation" and _is_value(answer)):
        return "proof"
    if len(named) > 1 and _is_value(answer) and "calculation" in named:
        return "calculation"
    return first


def _asks_before_blank(text: str, kind: QuestionType | None) -> bool:
    """Whether a blank is only where the answer to a question is to be written: "Find x. ____"."""
    last = list(BLANK.finditer(text))
    if not last or kind is None:
        return kind is not None and not says("fill", text)
    before = text[: last[0].start()].rstrip()
    return len(last) == 1 and before[-1:] in ".?？。" and not text[last[0].end() :].strip(" .。cm")


def _is_value(answer: str) -> bool:
    return bool(answer.strip()) and len(answer) <= _LONG and type_of(answer) in _VALUE


def _by_answer(text: str, answer: str, solution: str) -> QuestionType:
    if not asks(text):
        return "calculation" if _is_value(answer) and re.search(r"[=+×÷^]|\\frac|\d\s*[-/]\s*\d", text) else "other"
    if _is_value(answer):
        return "calculation"
    if says("proof", solution[:40]):
        return "proof"
    words = answer or solution
    return "explanation" if len(words) > _LONG and solution.count("=") < 3 else "other"


def last_asking(text: str) -> str:
    """The last sentence that asks for something; the text itself if none does."""
    asking = [said for span in sentences(text, ";；") if asks(said := span.of(text))]
    return asking[-1] if asking else text


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

    Rejects: none of its own.

    Example:
        >>> row = {"question": "Which is prime? A. 4 B. 5", "asked": "Which is prime? A. 4 B. 5", "answer": "B"}
        >>> QuestionTyper()([row | {"solution": "", "review": None}])["question_type"].to_pylist()
        ['choice']
    """

    inputs: ClassVar[Columns] = columns("question asked answer solution review")
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
