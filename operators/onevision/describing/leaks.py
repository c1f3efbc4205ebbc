"""The leak guard: sentences of a description that speak of the question, the options or an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache

from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import masked
from operators.onevision.model.language import pieces, sentences
from operators.verify.answer import AnswerType


@cache
def _leak(*, chinese: bool = False) -> re.Pattern[str]:
    """What speaks of the question, its options or its answer, or concludes, in one language."""
    found = patterns(__package__, "leaks.tsv").items()
    return re.compile("|".join(each for about, each in found if (about == "Chinese" if chinese else about.islower())))


#: A number as it is written; thousands may be parted by commas.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,])(?:(?<![0-9)])[-−])?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,15})?(?!\d)")
#: A letter behind a word for an option.
_OPTION = re.compile(
    r"(?:\b(?i:option|choice|answer|alternative)|选项|答案为|答案是|选择?)\s?\(?([A-Ha-h])\)?(?![A-Za-z0-9'])"
)
#: Words that tell that a number was worked out, not seen or counted.
_COMPUTED = re.compile(patterns(__package__, "guesses.tsv")["computed"])
_UNIT = re.compile(r"\s*([A-Za-zµμΩ°%]{1,12}|[一-鿿]{1,2})")
#: Characters of a text in which an answer is looked for; a description has fewer.
_LONGEST = 20_000
_SPACES = re.compile(r"\s+")


def leaks_in(description: str) -> list[str]:
    """The sentences that speak of a question, of options to choose from or of an answer, or that conclude.

    What stands in quotation marks is text in the picture and tells nothing.

    >>> leaks_in("A mass m hangs from a pulley. Therefore the tension is 58.8 N. A label reads 'answer: 3'.")
    ['Therefore the tension is 58.8 N.']
    """
    return list(_leaks_of(description))


def without_leaks(description: str) -> tuple[str, list[str]]:
    """The description without its leaking sentences, and these.

    >>> without_leaks("图中有一个滑轮。所以答案是 B。绳子连接两个物体。")
    ('图中有一个滑轮。绳子连接两个物体。', ['所以答案是 B。'])
    """
    kept, leaking = [], []
    for piece in pieces(description):
        if _leaks(piece):
            leaking.append(piece.strip())
        else:
            kept.append(piece)
    return "".join(kept).strip(), leaking


def answers_question(
    description: str, question: str, answer: str, ocr_texts: Sequence[str] | None, answer_type: AnswerType
) -> str | None:
    """The sentence that gives the answer outright although it does not stand in the picture; None if there is none.

    That is a sentence that :func:`leaks_in` finds and that holds the answer; the letter of an option, where no other
    option is spoken of; a number or expression that was not read in the picture (``ocr_texts``; None: nothing was
    read at all) and is not in the question. What can be seen is no leak: a colour, a name, how many there are.

    >>> told = "A mass hangs from a string. The tension is 58.8 N."
    >>> answers_question(told, "What is the tension?", "58.8 N", ["m=6kg"], "quantity")
    'The tension is 58.8 N.'
    >>> answers_question("Two red cubes stand on a table.", "How many cubes are there?", "2", [], "number") is None
    True
    """
    answer, description = answer.strip(), description[:_LONGEST]
    if not answer or len(answer) > 200:
        return None
    for leak in leaks_in(description):
        if _holds(leak, answer, answer_type):
            return leak
    if answer_type == "letter":
        return _of_option(description, answer, ocr_texts)
    if answer_type in ("number", "quantity"):
        return _of_number(description, question, answer, ocr_texts, answer_type)
    if answer_type == "expression":
        return _of_expression(description, question, answer, ocr_texts)
    return None


@lru_cache(maxsize=512)
def _leaks_of(description: str) -> tuple[str, ...]:
    """The leaking sentences; remembered, as all rows that show a picture share its description."""
    return tuple(filter(_leaks, sentences(description)))


def _leaks(sentence: str) -> bool:
    """Whether a sentence leaks; what is in quotation marks does not.

    >>> _leaks("Therefore x is 5."), _leaks("A red cube stands on the right.")
    (True, False)
    """
    text = _SPACES.sub(" ", masked(sentence)).strip().lower()
    return _leak().search(text) is not None or (not text.isascii() and _leak(chinese=True).search(text) is not None)


def _holds(sentence: str, answer: str, kind: AnswerType) -> bool:
    if kind == "letter":
        return re.search(rf"(?<![A-Za-z]){re.escape(answer[:1].upper())}(?![A-Za-z'])", sentence) is not None
    if kind in ("number", "quantity"):
        return bool(set(_numbers(answer)) & set(_numbers(sentence)))
    return _packed(answer) in _packed(sentence)


def _of_option(description: str, answer: str, ocr_texts: Sequence[str] | None) -> str | None:
    """The sentence that names the answer's option, if it is the only one named and its letter was not read."""
    if {letter.upper() for letter in _OPTION.findall(masked(description))} != {answer[0].upper()}:
        return None
    label = re.compile(rf"\W{{0,2}}{re.escape(answer[0])}(?:\W|$)", re.IGNORECASE)
    if any(label.match(text.strip()) for text in ocr_texts or ()):
        return None
    return next((said for said in sentences(description) if _OPTION.search(masked(said))), None)


def _of_number(
    description: str, question: str, answer: str, ocr_texts: Sequence[str] | None, kind: AnswerType
) -> str | None:
    asked = list(_NUMBER.finditer(answer))
    if len(asked) != 1:
        return None
    wanted, unit = _value(asked[0]), _unit_after(answer, asked[0]) if kind == "quantity" else ""
    given = {number for text in (question, *(ocr_texts or ())) for number in _numbers(text)}
    if wanted in given:
        return None
    for said in sentences(description):
        # 3 Ω are not the 3 A that are asked for.
        places = [found for found in _NUMBER.finditer(said[:_LONGEST]) if _value(found) == wanted]
        if unit:
            places = [found for found in places if _unit_after(said, found) == unit]
        # In an equation as it is printed, a number of it may be the answer by chance.
        equals = any(said[: found.start()].rstrip().endswith(("=", "≈")) for found in places)
        # A value with a unit has to be read somewhere; a bare number may have been counted, or read off an axis.
        if places and (equals or _COMPUTED.search(said.lower()) or (unit and ocr_texts is not None)):
            return said
    return None


def _of_expression(description: str, question: str, answer: str, ocr_texts: Sequence[str] | None) -> str | None:
    wanted = _packed(answer)
    if len(wanted) < 3 or any(wanted in _packed(text) for text in (question, *(ocr_texts or ()))):
        return None
    return next((said for said in sentences(description) if wanted in _packed(said)), None)


def _numbers(text: str) -> list[Decimal]:
    return [_value(found) for found in _NUMBER.finditer(text[:_LONGEST])]


def _value(found: re.Match[str]) -> Decimal:
    return Decimal(found[0].replace(",", "").replace("−", "-"))


def _unit_after(text: str, found: re.Match[str]) -> str:
    """What stands behind a number of a text, as far as it may be a unit."""
    after = _UNIT.match(text, found.end())
    return after[1].lower() if after is not None else ""


def _packed(text: str) -> str:
    return _SPACES.sub("", text).replace("$", "").replace("−", "-").lower()
