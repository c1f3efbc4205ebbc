"""Letters of options: which one, or which ones, an answer names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.verify.answer import Option

_LEAD = r"(?:(?:options?|choices?|answers?|letters?|选项|选择|选|答案|应选|故选)(?: is| are|是|为|:)?\s*)"
_ONE = re.compile(rf"{_LEAD}?[(\[]?\s*([A-Z])\s*[)\]]?[.):、]?", re.IGNORECASE)
_SURE = re.compile(rf"{_LEAD}[(\[]?\s*[A-Z]\s*[)\]]?[.):、]?|[(\[]\s*[A-Z]\s*[)\]][.:]?|[A-Z][.):、]", re.IGNORECASE)
_MANY = re.compile(
    rf"{_LEAD}?[(\[{{]?\s*([A-Z])\s*[)\]]?((?:\s*(?:,|;|、|&|/|\+|\band\b|和|与|及|\s)*\s*[(\[]?\s*[A-Z]\s*[)\]}}]?){{1,25}})",
    re.IGNORECASE,
)
_TIGHT = re.compile(rf"{_LEAD}?([A-Z]{{2,10}})")
_WITH_TEXT = re.compile(rf"{_LEAD}?(?:[(\[]\s*([A-Z])\s*[)\]]\s*[.:、]?|([A-Z])\s*[.):、])\s*(.+)", re.IGNORECASE | re.DOTALL)
_LONGEST = 200


def letters_of(text: str, options: Sequence[Option] = ()) -> frozenset[str]:
    """The letters that a bare answer names, in upper case; none if it is no answer by letters.

    Several letters count only among ``options``; without them, one letter does if it is upper-case or in brackets.

    >>> sorted(letters_of("(b)")), sorted(letters_of("AC", [Option(each, "") for each in "ABC"])), sorted(letters_of("AC"))
    (['B'], ['A', 'C'], [])
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
    many = _MANY.fullmatch(text) if not tight else None
    if tight:
        found = list(tight[1])
    elif many:
        rest = re.sub(r"\band\b", " ", many[2], flags=re.IGNORECASE)
        found = [many[1].upper(), *re.findall(r"[A-Z]", rest.upper())]
    else:
        return frozenset()
    return frozenset(found) if set(found) <= known and len(set(found)) == len(found) else frozenset()


def letter_and_text(text: str) -> tuple[str, str] | None:
    """The letter and the text of an answer that gives both, as "B. 60 N"."""
    found = _WITH_TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    return ((found[1] or found[2]).upper(), found[3].strip()) if found else None
