"""Words of a vocabulary that a text has: of several that begin at one place the longest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

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
