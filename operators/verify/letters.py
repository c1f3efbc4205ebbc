"""Letters of options: which one, or which ones, an answer names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.verify.answer import Option

_LEAD = r"(?:(?:options?|choices?|answers?|letters?|选项|选择|选|答案|应选|故选)(?: is| are|是|为|:)?\s*)"
_ONE = re.compile(rf"{_LEAD}?[(\[]?\s*([A-Z])\s*[)\]]?[.):、]?", re.IGNORECASE)
_SURE = re.compile(rf"{_LEAD}[(\[]?\s*[A-Z]\s*[)\]]?[.):、]?|[(\[]\s*[A-Z]\s*[)\]][.:]?|[A-Z][.):、]", re.IGNORECASE)
_LEADING = re.compile(_LEAD, re.IGNORECASE)
_PIECE = re.compile(r"[A-Za-z]+|[^\sA-Za-z]")
_BETWEEN = frozenset([*",;、&/+()[]{}和与及", "and"])
_TIGHT = re.compile(rf"{_LEAD}?([A-Z]{{2,10}})")
_WITH_TEXT = re.compile(
    rf"{_LEAD}?(?:[(\[]\s*([A-Z])\s*[)\]]\s*[.:、]?|([A-Z])\s*[.):、](?![A-Z]\b))\s*(.+)", re.IGNORECASE | re.DOTALL
)
_LONGEST = 200


def letters_of(text: str, options: Sequence[Option] = ()) -> frozenset[str]:
    """The letters that a bare answer names, in upper case; none if it is no answer by letters.

    Several letters count only among ``options``; without them, one letter does if it is upper-case or in brackets.

    >>> sorted(letters_of("(b)")), sorted(letters_of("AC"))
    (['B'], [])
    >>> sorted(letters_of("AC", [Option("A", "1"), Option("B", "2"), Option("C", "3")]))
    ['A', 'C']
    """
    if not text or len(text) > _LONGEST:
        return frozenset()
    one = _ONE.fullmatch(text)
    if one:
        sure = options or one[1].isupper() or _SURE.fullmatch(text)
        return frozenset(one[1].upper()) if sure else frozenset()
    if not options:
        return frozenset()
    known = {option.letter.upper() for option in options}
    tight = _TIGHT.fullmatch(text)
    found = list(tight[1]) if tight else _apart(text)
    return frozenset(found) if set(found) <= known and len(set(found)) == len(found) else frozenset()


def _apart(text: str) -> list[str]:
    """The letters of "A, C and D"; none if anything else stands between them."""
    lead = _LEADING.match(text)
    pieces = [piece for piece in _PIECE.findall(text[lead.end() :] if lead else text) if piece.lower() not in _BETWEEN]
    return [piece.upper() for piece in pieces] if all(len(piece) == 1 and piece.isalpha() for piece in pieces) else []


def letter_and_text(text: str) -> tuple[str, str] | None:
    """The letter and the text of an answer that gives both, as "B. 60 N"."""
    found = _WITH_TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    return ((found[1] or found[2]).upper(), found[3].strip()) if found else None
