"""Equations in words: sums, differences, averages, parts and multiples that a sentence states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from .tokens import number_value
from .units import unit_at
from .values import Refused
from .word_lists import words
from .wording import CHINESE_SIGNS, ONES, TENS, chinese, english, english_part

_TENS = "|".join(TENS)
_WORDED = "|".join(sorted({*ONES, *TENS, "hundred", "thousand"}, key=lambda word: (-len(word), word)))
_N = rf"(?:[-]?\d+(?:,\d{{3}})*(?:\.\d+)?(?![\d:/^])|(?:(?:{_TENS})[ -])?(?:{_WORDED})(?![\w-]))"
# Units are short words here; unit_at tells which they are.
_U = r"(?:\s?(?!(?:and|is|of|than|to|more|less)\b)[A-Za-z°/²³]{1,12}(?:\^\d)?|%)?"
_IS = r"\s*(?:is|equals|=|is equal to|gives|comes to|makes)\s*(?:exactly |then |therefore |thus )?\$?"
_LIST = rf"\$?{_N}{_U}(?:,\s*\$?{_N}{_U}){{0,12}},?\s+and\s+\$?{_N}{_U}"
_PART = (
    r"(?:half|(?:a|one|two|three|four|five)[ -](?:halves|half|thirds?|quarters?"
    r"|fourths?|fifths?|sixths?|eighths?|tenths?))"
)
_ENGLISH = re.compile(
    rf"\b(?:(?:the\s+)?(?P<name>sum|total|difference|product|quotient|average|mean)\s+(?:of|between)\s+(?P<list>{_LIST})"
    rf"|(?P<multiple>twice|double|triple)\s+\$?(?P<single>{_N}){_U}"
    rf"|(?P<part>{_PART})\s+of\s+\$?(?P<whole>{_N}){_U}"
    rf"|(?P<root>(?:the\s+)?(?:square|cube) (?:root )?of)\s+(?P<rooted>{_N}){_U}"
    rf"|(?P<offset>{_N}){_U}\s+(?P<way>more|less|fewer|greater)\s+than\s+\$?(?P<from>{_N}){_U}"
    rf"){_IS}(?P<result>{_N})(?P<after>{_U}\s*[^\s.,;]*)",
    re.IGNORECASE,
)
_C = rf"(?:\d+(?:,\d{{3}})*(?:\.\d+)?(?![\d:/^])|[{CHINESE_SIGNS}]+)"
_CU = r"(?:%|(?!的|和|与|跟|及|是|为)[\u4e00-\u9fff/]{1,4}?)?"
_CIS = r"\s*(?:等于|是|为|=)\s*"
_CHINESE = re.compile(
    rf"(?:(?P<list>{_C}{_CU}(?:[,，、]\s*{_C}{_CU}){{0,12}}\s*(?:和|与|跟|及)\s*{_C}{_CU})的(?P<name>和|差|积|商|平均数|平均值|均值|总和|乘积)"
    rf"|(?P<whole>{_C}){_CU}的(?P<part>一半|[二三四五六七八九十百]+分之[一二三四五六七八九十百]+|{_C}倍|{_C}%|平方根|平方|立方)"
    rf"){_CIS}(?P<result>{_C})(?P<after>{_CU}\s*[^\s,，。;]?)"
)
_LETTERS = re.compile("[a-z]+")
_HINTS = frozenset(
    words(
        "sum total difference product quotient average mean twice double triple half halves third thirds quarter "
        "quarters fourth fourths fifth fifths sixth sixths eighth eighths tenth tenths square cube than"
    )
)
_COUNTS = re.compile(rf"{_N}|{_C}")
_NUMBERS = re.compile(_N, re.IGNORECASE)
_CHINESE_NUMBERS = re.compile(_C)
_CHINESE_NAMES = {
    "和": "sum", "总和": "sum", "差": "difference", "积": "product", "乘积": "product", "商": "quotient",
    "平均数": "average", "平均值": "average", "均值": "average",
}  # fmt: skip
_MOST = 40
Claim = tuple[int, int, str, str, bool | None]


def phrases_in(sentence: str) -> Iterator[Claim]:
    """The claims in words of a narrowed sentence: where, what is computed, what it is said to be, and whether so."""
    if not _HINTS.isdisjoint(_LETTERS.findall(sentence.lower())):
        for match, _ in zip(_ENGLISH.finditer(sentence), range(_MOST), strict=False):
            yield from _claim(match, _english_value(match), _number(match.group("result")))
    if "的" in sentence:
        for match, _ in zip(_CHINESE.finditer(sentence), range(_MOST), strict=False):
            yield from _claim(match, _chinese_value(match), _number(match.group("result")))


def _claim(match: re.Match[str], computed: Fraction | None, stated: Fraction | None) -> Iterator[Claim]:
    if computed is None or stated is None:
        return
    left = match.group()[: match.start("result") - match.start()].rstrip("= ")
    right = match.group()[match.start("result") - match.start() :]
    after = match.group("after").strip()
    yield match.start(), match.end(), left, right, _held(computed, stated, match.group("result"), after, match.group())


def _held(computed: Fraction, stated: Fraction, written: str, after: str, phrase: str) -> bool | None:
    _, _, digits = written.partition(".")
    if abs(computed - stated) <= Fraction(1, 2 * 10 ** len(digits)) and (
        computed == stated or computed.denominator > 1
    ):
        return True
    units = {unit.text for match in _COUNTS.finditer(phrase) if (unit := unit_at(phrase, match.end())) is not None}
    doubtful = len(units) > 1 or phrase.count("%") > 1 or after[:1] in "+-*/^:千百万亿倍多" if after else len(units) > 1
    near = abs(computed - stated) < Fraction(1, 10 ** len(digits)) and computed.denominator > 1
    scaled = (
        after.split()[-1].lower() in ("hundred", "thousand", "million", "billion", "dozen", "times", "plus", "minus")
        if after
        else False
    )
    return None if doubtful or near or scaled else False


def _number(text: str) -> Fraction | None:
    text = text.strip()
    if text[:1].isdigit() or text[:1] == "-":
        try:
            value = Fraction(number_value(text.lstrip("-").rstrip(",")))
        except (Refused, ValueError):
            return None
        return -value if text.startswith("-") else value
    return english(text) if text.isascii() else chinese(text)


def _english_value(match: re.Match[str]) -> Fraction | None:
    if match.group("name"):
        return _combined(match.group("name").lower(), [_number(n) for n in _NUMBERS.findall(match.group("list"))])
    if match.group("multiple"):
        single = _number(match.group("single"))
        return None if single is None else single * (3 if match.group("multiple").lower() == "triple" else 2)
    if match.group("part"):
        part, whole = english_part(match.group("part")), _number(match.group("whole"))
        return None if part is None or whole is None else part * whole
    if match.group("root"):
        return _rooted(match.group("root").lower(), _number(match.group("rooted")))
    offset, base = _number(match.group("offset")), _number(match.group("from"))
    if offset is None or base is None:
        return None
    return base + (offset if match.group("way").lower() in ("more", "greater") else -offset)


def _rooted(words: str, value: Fraction | None) -> Fraction | None:
    if value is None or abs(value) > 10**9:
        return None
    degree = 2 if "square" in words else 3
    if "root" not in words:
        return value**degree
    if value < 0:
        return None
    near = round(float(value) ** (1 / degree))
    return Fraction(near) if near**degree == value else Fraction(float(value) ** (1 / degree))


def _chinese_value(match: re.Match[str]) -> Fraction | None:
    if match.group("name"):
        numbers = [_number(n) for n in _CHINESE_NUMBERS.findall(match.group("list"))]
        return _combined(_CHINESE_NAMES[match.group("name")], numbers)
    whole, part = _number(match.group("whole")), match.group("part")
    if whole is None:
        return None
    if part == "平方根":
        return _rooted("square root", whole)
    if part in ("平方", "立方"):
        return _rooted("square" if part == "平方" else "cube", whole)
    if part.endswith(("%", "倍")):
        share = _number(part[:-1])
        return None if share is None else whole * share / (100 if part.endswith("%") else 1)
    share = chinese(part)
    return None if share is None else whole * share


def _combined(name: str, numbers: list[Fraction | None]) -> Fraction | None:
    values = [number for number in numbers if number is not None]
    if len(values) != len(numbers) or len(values) < 2:
        return None
    if name in ("sum", "total"):
        return sum(values, Fraction(0))
    if name in ("average", "mean"):
        return sum(values, Fraction(0)) / len(values)
    if name == "product":
        made = Fraction(1)
        for value in values:
            made *= value
        return made
    if len(values) != 2 or (name == "quotient" and values[1] == 0):
        return None
    return abs(values[0] - values[1]) if name == "difference" else values[0] / values[1]
