"""Words and sentences of a text, English and Chinese, as places in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

#: Abbreviations, whose points end no sentence, and those of which that is so before a number.
_ANYWHERE = ("e.g.", "i.e.", "approx.", "ca.", "cf.", "vs.", "dr.", "mr.", "mrs.", "st.", "resp.")
_NUMBERED = ("no.", "fig.", "eq.", "p.")
_ABBREVIATION, _BEFORE_NUMBER = (
    re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})$", re.IGNORECASE) for words in (_ANYWHERE, _NUMBERED)
)
#: Most sentences end otherwise, and are not looked at twice.
_SHORTENED = _ANYWHERE + _NUMBERED
#: Letters before a point that tell whether it is one of these; the pattern looks at the letter before them, too.
_LONGEST = 12
#: One sign first, by which a pattern finds its places fast; then what may follow each.
_END = re.compile(r"[.!?。！？\n](?:(?<=[.!?])[.!?]*[\"'”’)]*(?=\s|$)|(?<=[。！？])[。！？]*[”’」）]*|(?<=\n)\n*)")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends, without the blanks around it.

    >>> text = "It leaves 0.41 m, e.g. for a chair. 床靠墙。好"
    >>> [text[start:end] for start, end in sentences(text)]
    ['It leaves 0.41 m, e.g. for a chair.', '床靠墙。', '好']
    """
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if found[0] == "." and _goes_on(text, max(start, end - _LONGEST), end):
            continue
        yield from _trimmed(text, start, end)
        start = end
    yield from _trimmed(text, start, len(text))


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the point before ``end`` is that of an abbreviation."""
    if not text[start:end].lower().endswith(_SHORTENED):
        return False
    if _ABBREVIATION.search(text, start, end):
        return True
    return _BEFORE_NUMBER.search(text, start, end) is not None and text[end:].lstrip()[:1].isdigit()


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end].rstrip()
    if part:
        yield start + len(part) - len(part.lstrip()), start + len(part)


_WORD = re.compile(r"[a-z][a-z'’]*(?:-[a-z]+)*")
#: The most words that a noun has.
_MOST = 6


def nouns_in(text: str, nouns: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where each noun stands in a text of lower case, from left to right; English ones as whole words.

    >>> [word for _, _, word in nouns_in("a tv stand and 沙发床", {"tv", "tv stand", "沙发", "沙发床"})]
    ['tv stand', '沙发床']
    """
    tokens = list(_WORD.finditer(text))
    found, place = [], 0
    while place < len(tokens):
        for last in range(min(place + _MOST, len(tokens)), place, -1):
            start, end = tokens[place].start(), tokens[last - 1].end()
            if text[start:end] in nouns:
                found.append((start, end, text[start:end]))
                place = last - 1
                break
        place += 1
    if not text.isascii() and (others := _others(frozenset(nouns))):
        found += [(each.start(), each.end(), each[0]) for each in others.finditer(text)]
    yield from sorted(found)


@lru_cache(maxsize=32)
def _others(nouns: frozenset[str]) -> re.Pattern[str] | None:
    """The nouns of other scripts, which have no blanks around them."""
    words = sorted((noun for noun in nouns if not noun.isascii()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words))) if words else None
