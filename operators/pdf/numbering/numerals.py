"""Numerals as books print them, full-width, circled, Chinese and Roman, read as integers."""

from __future__ import annotations

import re
from functools import lru_cache

from dataflow_ext.text import FULL_WIDTH
from dataflow_ext.text import NUMBER_WORDS as SMALL_NUMBERS

#: Chinese numerals from one to ninety-nine are built from these.
CHINESE = "一二三四五六七八九十百"
#: Circled numerals, U+24EA, U+2460 to U+2473, U+3251 to U+325F, U+32B1 to U+32BF; their values run on from 0.
CIRCLED = "⓪" + "".join(map(chr, (*range(0x2460, 0x2474), *range(0x3251, 0x3260), *range(0x32B1, 0x32C0))))

_UNITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CIRCLED_VALUE = {c: i for i, c in enumerate(CIRCLED)}
# Solid and bracketed forms, for comparing only.
_CIRCLED_VALUE |= {chr(0x2776 + i): i + 1 for i in range(10)} | {chr(0x2474 + i): i + 1 for i in range(20)}
_ROMAN = re.compile(r"(?=[IVXLC])(C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN_VALUE = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ROMAN_SIGNS = {0x2160 + i: s for i, s in enumerate(_ROMANS)}
_ROMAN_SIGNS |= {0x2170 + i: s.lower() for i, s in enumerate(_ROMANS)}
# Full-width ASCII to ASCII; ideographic space to space; single-sign Roman numerals to letters.
_NARROW = FULL_WIDTH | {0x3000: 0x20} | _ROMAN_SIGNS


def narrow(text: str) -> str:
    """The text with full-width letters, digits and signs in ASCII and one-sign Roman numerals in letters.

    >>> narrow("（５）Ⅳ")
    '(5)IV'
    """
    return text if text.isascii() else text.translate(_NARROW)


#: No book counts further; longer runs of digits are something else, and may be meant to cost time.
_LONGEST = 12


#: Numbers in words, as headings have them: Chapter One.
NUMBER_WORDS = {word: value for value, word in enumerate(SMALL_NUMBERS[:13]) if value}


@lru_cache(maxsize=4096)
def number(text: str) -> int | None:
    """The value of a numeral in ASCII, full-width, circled or Chinese signs; None for anything else.

    >>> [number(t) for t in ("12", "３", "⑫", "十二", "二十", "一百零三", "二〇", "iv", "")]
    [12, 3, 12, 12, 20, 103, 20, None, None]
    """
    if len(text) > _LONGEST:
        return None
    if text.isdecimal():
        return int(text)
    if len(text) == 1 and text in _CIRCLED_VALUE:
        return _CIRCLED_VALUE[text]
    return _chinese(text) if text else None


def roman(text: str) -> int | None:
    """The value of a Roman numeral below 400, None for anything else.

    >>> [roman(t) for t in ("IV", "xii", "IIX", "MIX", "Ⅲ")]
    [4, 12, None, None, 3]
    """
    signs = narrow(text).upper()
    if not _ROMAN.fullmatch(signs):
        return None
    values = [_ROMAN_VALUE[s] for s in signs]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def _chinese(text: str) -> int | None:
    total, unit = 0, None
    for sign in text:
        if sign in _UNITS:
            # 二〇二四 spells digits, not a sum.
            unit = (unit or 0) * 10 + _UNITS[sign]
        elif sign in "十百":
            total += (1 if unit is None else unit) * (10 if sign == "十" else 100)
            unit = None
        else:
            return None
    return total + (unit or 0)
