"""The numbers of a text, each with the words that stand around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from operators.cot.support.tokens import stem
from operators.onevision.checking.words import is_chinese
from operators.verify.numbers import numbers_in

_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；;])|\n")
_NEXT = re.compile(r"[\s\-°]{0,2}([A-Za-z°Ωμ%]{1,20}|[㐀-鿿])?[\s\-]?([A-Za-z]{1,20}|[㐀-鿿])?")
#: A label before a number, and the small words and signs that may stand between the two.
_BEFORE = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,20}|[㐀-鿿]{1,2})\s?(?:[:=：＝]|is|are|was|has|had|of|marked|at|为|是|有)?\s{0,2}\Z")
_LIST = re.compile(r"(?:\A|\n)\s*\(?\Z")
_LISTED = re.compile(r"[.)、．:：]\s|\)")
_STEP = re.compile(r"\b(?:steps?|case|part|method|equation|figure|fig\.?|question|row|column|option|no\.)\s*\(?\Z|[第步图式题]\s?\(?\Z", re.IGNORECASE)
#: Words that tell nothing of what a number counts.
_SMALL = frozenset("and or of the a an is are was in on at to by so which that then for from with as it".split())


@dataclass(frozen=True, slots=True)
class Place:
    """A number of a text: how it stands there, its value without sign, and what stands around it.

    ``unit`` is the word or sign behind it, ``what`` the two words behind it, ``label`` the word before it; ``digits``
    are the digits behind its decimal point, ``marker`` tells whether it counts steps or items of a list.
    """

    text: str
    value: Fraction
    start: int
    end: int
    sentence: int
    unit: str
    what: str
    label: str
    digits: int
    word: bool
    percent: bool
    marker: bool


@lru_cache(maxsize=512)
def places_in(text: str) -> tuple[Place, ...]:
    """The numbers of a text in their order.

    >>> [(place.text, place.unit, place.label) for place in places_in("Mass m is 6 kg, and AC = 5.")]
    [('6', 'kg', 'm'), ('5', '', 'ac')]
    """
    ends = [found.end() for found in _END.finditer(text)]
    return tuple(_place(text, number.text, number.value, number.start, number.end, ends) for number in numbers_in(text))


def _place(text: str, written: str, value: Fraction, start: int, end: int, ends: list[int]) -> Place:
    bare = _own_end(text, start, end)
    first, second = _following(text, bare)
    before = text[max(start - 40, 0) : start]
    label = _BEFORE.search(before)
    decimals = re.search(r"[.．](\d+)", text[start:bare])
    marker = bool(_STEP.search(before)) or (bool(_LIST.search(before)) and bool(_LISTED.match(text, bare)))
    return Place(
        text=" ".join(text[start : max(end, bare)].split()),
        value=abs(value),
        start=start,
        end=end,
        sentence=bisect_right(ends, start),
        unit=first,
        what=f"{first} {second}" if first and second else "",
        label=stem(label[1].casefold()) if label and label[1].casefold() not in _SMALL else "",
        digits=len(decimals[1]) if decimals else 0,
        word=not any(letter.isdigit() for letter in text[start:bare]),
        percent=first == "%" or first.startswith("percent") or written.rstrip().endswith(("%", "％")),
        marker=marker,
    )


def _own_end(text: str, start: int, end: int) -> int:
    """Where the digits of a number end, if its unit counts as part of it."""
    place = start
    while place < end and not (text[place].isascii() and text[place].isalpha()) and text[place] not in "%％°":
        place += 1
    return end if place == start else place


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
