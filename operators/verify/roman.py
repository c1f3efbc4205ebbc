"""Words and Roman digits that may stand for a number: "twice", "II"."""

from __future__ import annotations

import re

from operators.verify.quantities import Quantity

_TIMES = {"once": 1, "twice": 2, "double": 2, "doubled": 2, "thrice": 3, "triple": 3, "tripled": 3, "两倍": 2}
_ROMAN = re.compile(r"[IVXLC]{1,12}")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def may_say(words: str, number: Quantity) -> bool:
    """Whether a word as "twice" or Roman digits may stand for the number."""
    times = _TIMES.get(words.lower())
    if times is None and _ROMAN.fullmatch(words):
        digits = [_ROMAN_DIGITS[letter] for letter in words]
        times = sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))
    return times is not None and times == number.value.amount
