"""Cardinal numbers in digits and words, English and Chinese, and the table of the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files


def _table() -> Iterator[tuple[str, str, float]]:
    for line in (files(__package__) / "numbers.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        word, role, value = line.split("\t")
        yield word, role, float(value)


_ROWS = list(_table())


def words_of(*roles: str) -> dict[str, float]:
    """The words of the table that play one of the roles, with their values."""
    return {word: value for word, role, value in _ROWS if role in roles}


def hedges(where: str = "") -> dict[str, str]:
    """The words that widen a number, with the bound they make of it; ``where`` they stand: before it, inside, after."""
    bounds = ("about", "over", "under", "just over", "just under")
    roles = {f"{where} {bound}".strip(): bound for bound in bounds}
    return {word: roles[role] for word, role, _ in _ROWS if role in roles}


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first; words of letters stand alone."""
    found = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w) + (r"(?![A-Za-z])" if w[-1].isascii() and w[-1].isalpha() else "") for w in found)


_VALUES = words_of("number", "scale")
_SCALES = words_of("scale")
_DIGIT = {letter: n for n, letter in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_NUMERAL, _SCALE = f"(?:{any_of(_VALUES)})", f"(?:{any_of(_SCALES)})"

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
WORDS = (rf"(?:(?:(?:an?|one) (?={_SCALE}))?{_NUMERAL}"
         rf"(?:[ -]{_NUMERAL}|(?:(?<=hundred)|(?<=thousand)) and {_NUMERAL})*)")  # fmt: skip
HAN_DIGIT = "[零〇一二两三四五六七八九]"
HAN = rf"(?:[零〇一二两三四五六七八九十百][零〇一二两三四五六七八九十百千万]*(?:点{HAN_DIGIT}+)?)"
CARDINAL = rf"(?:{DIGITS}|{WORDS}|{HAN})"


def cardinal(text: str) -> tuple[float, float] | None:
    """The value of a cardinal number and half of its last digit; None if its words make no number.

    >>> cardinal("1,200.5"), cardinal("two hundred and five"), cardinal("一百零五"), cardinal("三四")
    ((1200.5, 0.05), (205.0, 0.5), (105.0, 0.5), None)
    """
    lower = text.lower().replace(",", "").replace("−", "-")
    if lower[-1].isdigit():
        return float(lower), 0.5 * 10 ** -len(lower.partition(".")[2])
    if lower in ("a", "an", "one"):
        return 1.0, 0.5
    value = _words(lower) if lower[0].isascii() else _han(lower)
    decimals = len(lower.partition("点")[2])
    return None if value is None else (value, 0.5 * 10**-decimals)


def digits_of(letters: str) -> str:
    """Digits that are told one by one, as digits.

    >>> digits_of("七五"), digits_of("75")
    ('75', '75')
    """
    return "".join(str(_DIGIT.get(each, each)) for each in letters)


def _words(words: str) -> float | None:
    total = part = 0.0
    for word in re.split(r"[ -]", words.replace(" and ", " ")):
        if word in ("a", "an", "one"):
            part = 1.0
        elif word not in _SCALES:
            if part % 10 or (part % 100 and _VALUES[word] >= 10):
                return None  # "two three"
            part += _VALUES[word]
        elif _SCALES[word] >= 1000:
            total, part = total + max(part, 1.0) * _SCALES[word], 0.0
        else:
            part = max(part, 1.0) * _SCALES[word]
    return total + part


def _han(letters: str) -> float | None:
    whole, _, decimals = letters.partition("点")
    total = part = 0.0
    digit: int | None = None
    for letter in whole:
        if letter == "万":
            total, part, digit = (total + part + (digit or 0)) * 10_000, 0.0, None
        elif letter in _PLACES:
            part += (1 if digit is None else digit) * _PLACES[letter]
            digit = None
        elif digit:
            return None  # "三四": two numbers
        else:
            digit = _DIGIT[letter]
    return total + part + (digit or 0) + (float(f"0.{digits_of(decimals)}") if decimals else 0.0)
