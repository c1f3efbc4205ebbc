"""The options of a question: where they are from, in another order, and how often guessing finds the right one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.verify.answer import Option
from operators.verify.normalising import bare
from operators.verify.options import letter_and_text, letters_of, options_in, stem_of
from operators.verify.worded_answers import polarity, said_term

#: How many options a choice question has, where only its answer tells that it is one.
_USUAL_OPTIONS = 4

#: Options that speak of the others by their places cannot change theirs.
_OF_PLACES = re.compile(
    r"\b(?:all|both|none|neither|either|any)\b.{0,20}\b(?:of|above|below|these|options|[A-H])\b"
    r"|\babove\b|\bbelow\b|\b[A-H] ?(?:and|or|&|,) ?[A-H]\b|以上|以下|上述|[A-H] ?[和与或、] ?[A-H]",
    re.IGNORECASE,
)


def choices_of(question: str, texts: Sequence[str], gold: str, kind: str | None) -> tuple[str, list[Option]]:
    """A question without its options, and these: as its row lists them, or as its text does.

    The text's count only if the gold answer is one of them and nothing follows them.

    >>> choices_of("How long? A. 3 m B. 4 m", [], "B", None)
    ('How long?', [Option(letter='A', text='3 m'), Option(letter='B', text='4 m')])
    >>> choices_of("How long?", ["3 m", "4 m"], "4 m", "choice")[1][1].letter
    'B'
    """
    inside = options_in(question)
    if len(texts) > 1:
        options = [Option(chr(ord("A") + n), text) for n, text in enumerate(_unlettered(texts))][:26]
        return (stem_of(question) if len(inside) == len(options) else question), options
    if kind not in (None, "", "choice") or not inside or not names_one(gold, inside):
        return question, []
    end = " ".join(question.split()).rstrip(" .;。；?？")
    return (stem_of(question), inside) if end.endswith(inside[-1].text.rstrip(" .")) else (question, [])


def _unlettered(texts: Sequence[str]) -> list[str]:
    """The options' texts without letters that only say their places."""
    both = [letter_and_text(text) for text in texts]
    lettered = all(each is not None and each[0] == chr(ord("A") + n) for n, each in enumerate(both))
    return [each[1] for each in both if each is not None] if lettered else list(texts)


def names_one(gold: str, options: Sequence[Option]) -> bool:
    """Whether an answer is a letter, or the text, of an option."""
    named = _letters(gold, options)
    return bool(named) or bare(gold) in {bare(option.text) for option in options}


def movable(options: Sequence[Option]) -> bool:
    """Whether options may change places: none speaks of others by their letters or places.

    >>> movable([Option("A", "3 m"), Option("B", "all of the above")]), movable([Option("A", "small"), Option("B", "")])
    (False, False)
    """
    return len(options) > 1 and all(o.text.strip() and not _OF_PLACES.search(o.text) for o in options)


def moved(options: Sequence[Option], places: int) -> list[Option]:
    """The options, each so many places further up, with letters from A on; those that fall off the top come last.

    >>> [f"{o.letter} {o.text}" for o in moved([Option("A", "x"), Option("B", "y"), Option("C", "z")], 1)]
    ['A y', 'B z', 'C x']
    """
    count = len(options)
    return [Option(options[n].letter, options[(n + places) % count].text) for n in range(count)]


def moved_gold(gold: str, options: Sequence[Option], places: int) -> str:
    """The gold answer in the letters of the moved options; one that is no letter stays as it is.

    >>> moved_gold("B", [Option("A", "x"), Option("B", "y"), Option("C", "z")], 1)
    'A'
    """
    named = _letters(gold, options)
    if not named:
        return gold
    place = {option.letter: n for n, option in enumerate(options)}
    return ", ".join(sorted(options[(place[letter] - places) % len(options)].letter for letter in named))


def guess_rate(gold: str, options: Sequence[Option]) -> float | None:
    """How often guessing finds the gold answer; None if there is nothing to choose from.

    A lone letter without options is taken for one of four, and what affirms or denies for one of two.

    >>> guess_rate("B", []), guess_rate("yes", []), guess_rate("7", [])
    (0.25, 0.5, None)
    """
    if options:
        several = len(_letters(gold, options)) > 1
        return 1 / (2 ** len(options) - 1) if several else 1 / len(options)
    if letters_of(bare(gold)):
        return 1 / _USUAL_OPTIONS
    term = said_term(gold)
    polar = polarity(bare(gold)) is not None or (term is not None and term.family == "polarity")
    return 1 / 2 if polar else None


def _letters(gold: str, options: Sequence[Option]) -> frozenset[str]:
    known = {option.letter for option in options}
    named = letters_of(bare(gold), options)
    if not named and (both := letter_and_text(bare(gold))) is not None:
        named = frozenset(both[0])
    return named if named <= known else frozenset()
