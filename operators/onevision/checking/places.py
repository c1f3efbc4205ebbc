"""The numbers of a text, each with the words that stand around it."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from dataflow_ext.text.tokens import stem
from operators.onevision.checking.words import is_chinese, listed
from operators.verify.numbers import Number, numbers_in

_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_NEXT = re.compile(r"[ \-°]{0,2}([A-Za-z°Ωμ%]{1,20}|[㐀-鿿])?[ \-]?([A-Za-z]{1,20}|[㐀-鿿])?")
#: A label before a number, and the small words and signs that may stand between the two.
_BEFORE = re.compile(
    r"([A-Za-z][A-Za-z0-9_]{0,20}|[㐀-鿿]{1,2})\s?(?:[:=：＝]|is|are|was|has|had|of|marked|at|为|是|有)?\s{0,2}\Z"
)
#: The first word behind a number that is no small one.
_OF = re.compile(r" (?:(?:for|of|in|at|to|are|is|on|the|a|by|go)\s){1,3}([A-Za-z]{3,20})")
_LIST = re.compile(r"(?:\A|\n)\s*\(?\Z")
_LISTED = re.compile(r"[.)、．:：]\s|\)")
_STEP = re.compile(
    r"\b(?:steps?|case|part|method|equation|figure|fig\.?|question|row|column|option|no\.)\s*\(?\Z|[第步图式题]\s?\(?\Z",
    re.IGNORECASE,
)
#: What puts numbers together to one, and the numbers that it puts together.
_TOGETHER = re.compile(r"[/／÷:：\\]|illion|thousand|[万亿]")
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_DECIMALS = re.compile(r"\.(\d+)")
#: What is said of a number in the place of a unit.
_NO_MEASURE = frozenset(("", "time", "ordinal"))
#: Words that tell nothing of what a number counts.
_SMALL = listed(
    "and or of the a an is are was in on at to by so which that then for from with as it there "
    "these those they this here we"
)


class Place(NamedTuple):
    """A number of a text: how it stands there, its value without sign, and what stands around it.

    Of a fraction, a time and a number with a scale (million) it is the digits, and ``whole`` is the value of all.
    ``measure`` is its unit of measure, ``unit`` this or the word behind it, ``what`` the two words behind it,
    ``of`` the first word behind it that says something, ``label`` the word before it, ``assigned`` whether it is what
    its label equals. ``digits`` are those behind the decimal point; a ``marker`` counts steps or the items of a list.
    """

    text: str
    value: float
    whole: float
    start: int
    end: int
    sentence: int
    measure: str
    unit: str
    what: str
    of: str
    label: str
    assigned: bool
    digits: int
    word: bool
    time: bool
    marker: bool

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.measure in ("%", "percent") or self.unit == "percent"


@lru_cache(maxsize=512)
def places_in(text: str) -> tuple[Place, ...]:
    """The numbers of a text in their order.

    >>> [(place.text, place.unit, place.label) for place in places_in("Mass m is 6 kg, and AC = 5/8.")]
    [('6', 'kg', 'm'), ('5', '', 'ac'), ('8', '', '')]
    """
    numbers = numbers_in(text)
    ends = [found.end() for found in _END.finditer(text)] if numbers else []
    places = []
    for number in numbers:
        sentence = bisect_right(ends, number.start)
        for start, end, value in _parts(number):
            places.append(_place(text, number, (start, end), value, sentence))
    return tuple(places)


def as_float(value: Fraction) -> float:
    """A number without its sign; infinite if it is too large.

    >>> as_float(Fraction(-7, 2)), as_float(Fraction(10) ** 400)
    (3.5, inf)
    """
    try:
        return abs(float(value))
    except OverflowError:
        return math.inf


def _parts(number: Number) -> list[tuple[int, int, float]]:
    """The digits of a number that is put together, each with its place; the number itself if it is not."""
    if not _TOGETHER.search(number.text):
        return [(number.start, number.end, as_float(number.value))]
    found = list(_DIGITS.finditer(number.text))
    if not found:
        return [(number.start, number.end, as_float(number.value))]
    return [(number.start + each.start(), number.start + each.end(), float(each[0].replace(",", ""))) for each in found]


def _place(text: str, number: Number, span: tuple[int, int], value: float, sentence: int) -> Place:
    start, end = span
    before = text[max(start - 40, 0) : start]
    label = _BEFORE.search(before[-32:])
    name = stem(label[1].casefold()) if label and label[1].casefold() not in _SMALL else ""
    first, second = _following(text, end)
    measure = "" if number.unit in _NO_MEASURE else number.unit.casefold()
    behind = _OF.match(text, end)
    decimals = _DECIMALS.search(text[start:end])
    listed = _LISTED.match(text, end) is not None and _LIST.search(before) is not None
    return Place(
        text=text[start:end],
        value=value,
        whole=as_float(number.value),
        start=start,
        end=end,
        sentence=sentence,
        measure=measure,
        unit=measure or first,
        what=f"{first} {second}" if first and second else "",
        of=_plain(behind[1]) if behind else "",
        label=name,
        assigned=bool(name) and before.rstrip()[-1:] in ("=", "＝"),
        digits=len(decimals[1]) if decimals else 0,
        word=not any(letter.isdigit() for letter in text[start:end]),
        time=number.unit == "time" and "：" not in number.text,
        marker=listed
        or (text[end : end + 1] == "月" and value <= 12)
        or number.unit == "ordinal"
        or _STEP.search(before[-12:]) is not None,
    )


def _following(text: str, place: int) -> tuple[str, str]:
    found = _NEXT.match(text, place)
    first, second = (found[1] or "", found[2] or "") if found else ("", "")
    first, second = (_plain(word) for word in (first, second))
    return (first, second) if first else ("", "")


def _plain(word: str) -> str:
    lowered = word.casefold()
    if is_chinese(word):
        return "" if word in "的和是与，在为而也了则" else word
    return "" if lowered in _SMALL else stem(lowered)
