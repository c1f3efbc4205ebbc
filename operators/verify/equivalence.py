"""Whether two answers mean the same: decided by type first, letters, closed words, numbers and units, then the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from operators.verify.answer import AnswerType, Compare, Equivalence, Option, Sameness, worst
from operators.verify.lists import compare_collections, is_list
from operators.verify.normalising import bare, too_long
from operators.verify.options import letter_and_text, letters_of
from operators.verify.quantities import compare_angles, compare_quantities, counted, quantity_of
from operators.verify.questions import Asked, asked
from operators.verify.relations import (
    compare_equations,
    compare_expressions,
    compare_intervals,
    intervals_of,
    is_formula,
    range_of,
)
from operators.verify.times import compare_times, dates_of, ratio_of, time_of
from operators.verify.worded_answers import compare_rest, compare_terms, core_of, polarity, said_term

#: Options of a question that count; those behind them are no part of it.
MOST_OPTIONS = 100
#: Answers within answers that are looked into.
_DEEPEST = 3
#: Options that speak of the others.
_ELSE = re.compile(r"(?:none|all|both|neither|any|other|以上|都|均)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around two answers; ``depth`` counts how deep in them a comparison is."""

    asked: Asked = field(default_factory=Asked)
    options: tuple[Option, ...] = ()
    depth: int = 0

    def inside(self, *, options: bool = False) -> _Around:
        return _Around(self.asked, self.options if options else (), self.depth + 1)

    def verdict_on(self, one: str, other: str) -> Sameness:
        return _compared(one, other, self).verdict if one.strip() and other.strip() else "unsure"


def equivalent(answer: str, reference: str, *, question: str = "", options: Sequence[Option] = ()) -> Equivalence:
    """Whether two bare answers to a question mean the same, with the reason in one sentence.

    The verdict is the same with the two changed over. Nothing in them makes it slow: a longer text than an answer can
    be is compared letter by letter.

    >>> equivalent("0.06 kN", "60 N")
    Equivalence(verdict='yes', reason='In one unit, the numbers are the same.', kind='quantity')
    >>> equivalent("B", "60 N", options=[Option("A", "6 N"), Option("B", "60 N")]).verdict
    'yes'
    >>> equivalent("60 kg", "60 N").verdict, equivalent("60", "60 N").verdict
    ('no', 'unsure')
    """
    if not answer.strip() or not reference.strip():
        return Equivalence("unsure", "One of the answers is empty.", "words")
    if too_long(answer) or too_long(reference):
        if answer.split() == reference.split():
            return Equivalence("yes", "The texts are the same.", "words")
        told = "One of the answers is too long to be compared otherwise than letter by letter."
        return Equivalence("unsure", told, "words")
    return _remembered(answer, reference, question, tuple(options[:MOST_OPTIONS]))


@lru_cache(maxsize=4096)
def _remembered(answer: str, reference: str, question: str, options: tuple[Option, ...]) -> Equivalence:
    return _compared(answer, reference, _Around(asked(question), options))


def type_of(text: str, *, options: Sequence[Option] = ()) -> AnswerType:
    """What type of answer a text is.

    >>> type_of("B"), type_of("60 N"), type_of("1,234"), type_of("x^2 + 1"), type_of("{1, 2}"), type_of("a cat")
    ('letter', 'quantity', 'number', 'expression', 'list', 'words')
    """
    return _type(bare(text), tuple(options[:MOST_OPTIONS])) if not too_long(text) else "words"


def _compared(answer: str, reference: str, around: _Around) -> Equivalence:
    one, other = sorted((bare(answer) or answer.strip(), bare(reference) or reference.strip()))
    if one == other:
        return Equivalence("yes", "The answers are written alike.", _type(one, around.options))
    if around.depth > _DEEPEST:
        return Equivalence("unsure", "The answers lie too deep in each other.", "words")
    parts = around.inside().verdict_on
    return (
        _letters(one, other, around)
        or compare_terms(one, other)
        or compare_angles(one, other)
        or compare_times(one, other, around.asked)
        or _intervals(one, other)
        or _ranges(one, other, parts)
        or _numbers(one, other, around.asked)
        or compare_equations(one, other, parts)
        or compare_collections(one, other, around.asked, parts)
        or compare_expressions(one, other)
        or _in_sentences(one, other, around)
        or compare_rest(one, other)
    )


def _letters(one: str, other: str, around: _Around) -> Equivalence | None:
    first, second = _named(one, around), _named(other, around)
    if not first and not second:
        return None
    if "?" in first | second:
        return Equivalence("unsure", "The letter of an answer has another text than its option.", "letter")
    if first and second:
        if first != second:
            return Equivalence("no", f"{_told(first)} is not {_told(second)}.", "letter")
        mine, its = letter_and_text(one), letter_and_text(other)
        if mine and its and not around.options and _compared(mine[1], its[1], around.inside()).verdict != "yes":
            return Equivalence("unsure", "The letters are the same, but not what stands behind them.", "letter")
        return Equivalence("yes", f"Both name {_told(first)}.", "letter")
    letters, text = (first, other) if first else (second, one)
    return _letter_and_words(letters, text, around)


def _named(text: str, around: _Around) -> frozenset[str]:
    """The letters that an answer names, also by an option's text; "?" where letter and text contradict each other."""
    options = around.options
    if any(text == bare(option.text) for option in options) and not letters_of(text, options):
        return frozenset(_by_text(text, around)[0])
    found = letters_of(text, options)
    if found:
        return found
    both = letter_and_text(text)
    if both is None or (options and both[0] not in {option.letter for option in options}):
        return frozenset()
    if options:
        said = next(option.text for option in options if option.letter == both[0])
        return frozenset(both[0] if _compared(said, both[1], around.inside()).verdict == "yes" else "?")
    return frozenset(both[0])


def _by_text(text: str, around: _Around) -> tuple[list[str], bool]:
    """The letters of the options whose text means the same, and whether there are others for which it is unsure."""
    verdicts = [(option.letter, _compared(option.text, text, around.inside()).verdict) for option in around.options]
    alike = [letter for letter, verdict in verdicts if verdict == "yes"]
    return alike, any(verdict == "unsure" for _, verdict in verdicts)


def _letter_and_words(letters: frozenset[str], text: str, around: _Around) -> Equivalence:
    """A letter, and an answer that is none: an option's text, perhaps."""
    texts = {option.letter: option.text for option in around.options}
    if not texts:
        return Equivalence(
            "unsure", "One of them is a letter, and no options are there to tell what it means.", "letter"
        )
    if not letters <= set(texts):
        return Equivalence("unsure", f"{_told(letters)} is none of the options.", "letter")
    alike, doubtful = _by_text(text, around)
    if len(alike) == 1:
        if letters == {alike[0]}:
            return Equivalence("yes", f"It is the text of option {alike[0]}.", "letter")
        return Equivalence("no", f"It is the text of option {alike[0]}, not of {_told(letters)}.", "letter")
    if len(letters) > 1 or len(alike) > 1 or doubtful:
        return Equivalence("unsure", "It may be the text of more than one option, or of none.", "letter")
    [letter] = letters
    if not _ELSE.match(bare(texts[letter])) and _compared(texts[letter], text, around.inside()).verdict == "no":
        return Equivalence("no", f"It is not the text of option {letter}, nor of another one.", "letter")
    return Equivalence("unsure", "It is the text of none of the options.", "letter")


def _intervals(one: str, other: str) -> Equivalence | None:
    found = compare_intervals(one, other)
    if found is not None:
        return found
    for text, instead in ((one, other), (other, one)):
        interval = intervals_of(text)
        if interval is not None and not interval.pair and quantity_of(instead) is not None:
            return Equivalence("no", "One of them is an interval, the other a single number.", "list")
    return None


def _ranges(one: str, other: str, compare: Compare) -> Equivalence | None:
    first, second = range_of(one), range_of(other)
    if first is None and second is None:
        return None
    if first and second:
        verdict = worst(map(compare, first, second))
        return Equivalence(verdict, f"The ranges are {'' if verdict == 'yes' else 'not surely '}the same.", "list")
    single = other if first else one
    if quantity_of(single) is None:
        return None
    ends = [quantity_of(end) for end in first or second or ()]
    if all(ends) and ends[0] and ends[1] and ends[0].value.amount < ends[1].value.amount:
        return Equivalence("no", "One of them is a range, the other a single number.", "list")
    return Equivalence("unsure", "One of them may be a score or a difference.", "list")


def _numbers(one: str, other: str, about: Asked) -> Equivalence | None:
    if dates_of(one) or dates_of(other):
        return None
    first, second = quantity_of(counted(one, about)), quantity_of(counted(other, about))
    if first is not None and second is not None:
        return compare_quantities(first, second, about)
    if first is None and second is None:
        return None
    number, text = (first, other) if first is not None else (second, one)
    assert number is not None  # noqa: S101 - one of them is
    term = said_term(text)
    if term is not None and term.family == "amount" and term.value == "none":
        return Equivalence(
            "no" if number.value.amount else "unsure", "One says none, the other gives a number.", "number"
        )
    if term is not None and term.family == "ordinal":
        same = number.bare and number.value.amount == int(term.value)
        return Equivalence(
            "unsure" if same else "no", "One of them counts, the other gives a place in an order.", "number"
        )
    return None


def _in_sentences(one: str, other: str, around: _Around) -> Equivalence | None:
    """What two answers come to where one is a sentence that says the other, in the words of the question."""
    cores = core_of(one, around.asked.words), core_of(other, around.asked.words)
    if cores == (one, other):
        return None
    return _compared(*cores, around.inside(options=True))


@lru_cache(maxsize=4096)
def _type(text: str, options: tuple[Option, ...]) -> AnswerType:
    if letters_of(text, options):
        return "letter"
    if dates_of(text):
        return "words"
    quantity = quantity_of(text)
    if quantity is not None:
        return "number" if quantity.bare else "quantity"
    if time_of(text) is not None:
        return "quantity"
    if ratio_of(text):
        return "number"
    if said_term(text) is not None or polarity(text) is not None:
        return "words"
    if intervals_of(text) is not None or is_list(text):
        return "list"
    return "expression" if is_formula(text) or ("=" in text and is_formula(text.replace("=", "-"))) else "words"


def _told(letters: frozenset[str]) -> str:
    return ", ".join(sorted(letters))
