"""Answers that are left when nothing else could compare them: words, and a number beside words."""

from __future__ import annotations

import re

from operators.verify.answer import Equivalence
from operators.verify.normalising import clipped
from operators.verify.numbers import numbers_in
from operators.verify.quantities import quantity_of
from operators.verify.roman import may_say
from operators.verify.words import compare_words, said_term, words_of

_SHORT_MULTIPLE = re.compile(r"\d ?[MBKkTm]\b")


def compare_rest(one: str, other: str) -> Equivalence:
    """Two answers of which at most one is a number, and that nothing else could compare."""
    for text, instead in ((one, other), (other, one)):
        number = quantity_of(text)
        if number is not None:
            return _number_and_words(text, instead)
        term = said_term(text)
        if term is not None and term.family == "polarity" and quantity_of(instead) is not None:
            return Equivalence("no", "One says yes or no, the other gives a number.", "words")
    return compare_words(one, other)


def _number_and_words(number: str, words: str) -> Equivalence:
    mine = quantity_of(number)
    found = numbers_in(words)
    if mine is None or any(each.value == mine.value.amount for each in found) or mine.noun in words_of(words).tokens:
        in_words = compare_words(number, words)
        if in_words.verdict == "no":
            return in_words
        return Equivalence("unsure", "One says all that the other says, and more.", "words")
    if may_say(words, mine):
        return Equivalence("unsure", "One says in words or Roman digits what may be the other's number.", "number")
    if _SHORT_MULTIPLE.search(words) or _SHORT_MULTIPLE.search(number):
        return Equivalence("unsure", "A letter behind a number may stand for thousands or millions.", "number")
    told = f'One gives a number, and "{clipped(words)}" does not hold it.'
    return Equivalence("no" if not found or len(found) == 1 else "unsure", told, "number")
