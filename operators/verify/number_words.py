"""Numbers in English and Chinese words."""

from __future__ import annotations

import re
from fractions import Fraction

from dataflow_ext.text import NUMBER_WORDS

ONES = {word: value for value, word in enumerate(NUMBER_WORDS)}
TENS = {
    word: 10 * value
    for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "twelfth": 12, "twentieth": 20, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
PARTS = _PARTS | {word + "s": value for word, value in _PARTS.items() if word not in ("half", "halves")}
_WORDS = "|".join(sorted({*ONES, *TENS, *SCALES}, key=lambda word: (-len(word), word)))
_DIGIT = "|".join(list(ONES)[:10])
# No numeral has more words than this; longer runs may be meant to cost time.
_RUN = re.compile(
    rf"(?:{_WORDS})(?:(?:\s|-|\sand\s)(?:{_WORDS})){{0,12}}(?:\spoint(?:\s(?:{_DIGIT})){{1,12}})?(?![A-Za-z])",
    re.IGNORECASE,
)
_BELOW = "|".join(sorted(PARTS, key=lambda word: (-len(word), word)))
_FRACTION = re.compile(
    rf"(?:(?P<above>{'|'.join(ONES)}|an?)[\s-])?(?P<below>{_BELOW})(?![A-Za-z])",
    re.IGNORECASE,
)
_FIRST = frozenset(word[:2] for word in (*ONES, *TENS, *SCALES))


def number_word(text: str, start: int) -> tuple[Fraction, int] | None:
    """The number that stands here in English words, and where it ends; None if there is none.

    >>> number_word("is twenty-five apples", 3)
    (Fraction(25, 1), 14)
    """
    if text[start : start + 2].lower() not in _FIRST:
        return None
    match = _RUN.match(text, start)
    if match is None:
        return None
    value = english(match.group())
    return None if value is None else (value, match.end())


def english(words: str) -> Fraction | None:
    """The value of an English numeral in words, None for anything else.

    >>> [int(english(words)) for words in ("seven", "Twenty-five", "two hundred and six", "three million")]
    [7, 25, 206, 3000000]
    """
    whole, point, digits = words.lower().partition(" point ")
    total = group = last = 0
    for word in whole.replace("-", " ").split():
        if word in ONES or word in TENS:
            value = ONES.get(word, TENS.get(word, 0))
            # "three four" is no number, "twenty four" is.
            if last and not (last % 100 == 0 or (last in TENS.values() and 0 < value < 10)):
                return None
            group, last = group + value, value
        elif word in SCALES:
            scale = SCALES[word]
            group = max(group, 1) * scale
            if scale > 100:
                total, group = total + group, 0
            last = 100
        elif word != "and":
            return None
    made = Fraction(total + group)
    if point:
        places = digits.split()
        made += Fraction(int("".join(str(ONES[place]) for place in places)), 10 ** len(places))
    return made


def english_part(text: str) -> Fraction | None:
    """The value of a fraction in English words: "half", "two thirds", "a quarter", "three-quarters".

    >>> english_part("two thirds"), english_part("half"), english_part("third")
    (Fraction(2, 3), Fraction(1, 2), None)
    """
    match = _FRACTION.fullmatch(text.strip())
    if match is None:
        return None
    above = match.group("above")
    below = match.group("below").lower()
    if above is None:
        return Fraction(1, 2) if below == "half" else None
    return Fraction(ONES.get(above.lower(), 1), PARTS[below])


def part_word(text: str, start: int) -> tuple[Fraction, int] | None:
    """The fraction or round number that stands here in words, and where it ends: "half", "two thirds", "a dozen".

    >>> part_word("in two thirds of", 3)
    (Fraction(2, 3), 13)
    """
    dozen = _DOZEN.match(text, start)
    if dozen is not None:
        word = dozen.group("word").lower()
        return Fraction(12 if word == "dozen" else SCALES[word]), dozen.end()
    match = _FRACTION.match(text, start)
    value = english_part(match.group()) if match is not None else None
    return None if match is None or value is None else (value, match.end())


_DOZEN = re.compile(r"(?:an?\s)?(?P<word>dozen|(?<=a )(?:hundred|thousand|million|billion))(?![A-Za-z])", re.IGNORECASE)
_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "幺": 1}
_MULTIPLES = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
CHINESE_SIGNS = "零〇一二两三四五六七八九十百千万亿"


def chinese(text: str) -> Fraction | None:
    """The value of a Chinese numeral, None for anything else.

    >>> [str(chinese(t)) for t in ("一百二十", "三分之二", "百分之五", "两万三千", "三点一四", "半", "二〇二四")]
    ['120', '2/3', '1/20', '23000', '157/50', '1/2', '2024']
    """
    if len(text) > 24 or not text:
        return None
    if text in ("半", "一半"):
        return Fraction(1, 2)
    if "分之" in text:
        below, _, above = text.partition("分之")
        bottom, top = (_whole(below) if below != "百" else 100), chinese(above)
        return None if not bottom or top is None else top / bottom
    if "点" in text:
        before, _, after = text.partition("点")
        whole = _whole(before)
        if whole is None or not after or any(sign not in _DIGITS for sign in after):
            return None
        return whole + Fraction(int("".join(str(_DIGITS[sign]) for sign in after)), 10 ** len(after))
    number = _whole(text)
    return None if number is None else Fraction(number)


def _whole(text: str) -> int | None:
    if not text:
        return None
    if len(text) > 1 and all(sign in _DIGITS for sign in text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    total = section = 0
    digit: int | None = None
    # The worth of a last digit whose unit is left out: 一百二 is 120, 一万二 is 12000, but 一百零二 is 102.
    last = 1
    for sign in text:
        if sign in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[sign]
            last = last if digit else 1
        elif sign in _MULTIPLES:
            section += (1 if digit is None else digit) * _MULTIPLES[sign]
            digit, last = None, _MULTIPLES[sign] // 10
        elif sign in _MYRIADS:
            if not section and digit is None:
                return None
            total = (total + section + (digit or 0) * last) * _MYRIADS[sign]
            section, digit, last = 0, None, _MYRIADS[sign] // 10
        else:
            return None
    return total + section + (digit or 0) * last
