"""What kind of question a text is, told by what it asks for, its options and blanks, and its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.curate.model.records import QuestionType
from operators.curate.rules.blanks import before_unit, gaps_in, pieces_of, told_in
from operators.curate.rules.tables import BLANK, PICTURE, asks, cue, says, sentences
from operators.verify.answer import Option
from operators.verify.equivalence import type_of

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
    told = bool(answer.strip()) and told_in(text, solution, pieces_of(answer)[0]) is not None
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
