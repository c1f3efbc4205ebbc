"""Words of a vocabulary that a text has: of several that begin at one place the longest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[a-z][a-z'’]*(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class _Known:
    """Words of letters by themselves, the most of them in one, and those of other scripts as a pattern."""

    words: frozenset[str]
    most: int
    others: re.Pattern[str] | None


def nouns_in(text: str, nouns: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where each noun stands in a text of lower case, from left to right; English ones as whole words.

    >>> [word for _, _, word in nouns_in("a tv stand and 沙发床", {"tv", "tv stand", "沙发", "沙发床"})]
    ['tv stand', '沙发床']
    """
    known = _known(frozenset(nouns))
    tokens = list(_WORD.finditer(text))
    found, place = [], 0
    while place < len(tokens):
        for last in range(min(place + known.most, len(tokens)), place, -1):
            start, end = tokens[place].start(), tokens[last - 1].end()
            if text[start:end] in known.words:
                found.append((start, end, text[start:end]))
                place = last - 1
                break
        place += 1
    if known.others and not text.isascii():
        found += [(each.start(), each.end(), each[0]) for each in known.others.finditer(text)]
    yield from sorted(found)


@lru_cache(maxsize=32)
def _known(nouns: frozenset[str]) -> _Known:
    plain = frozenset(noun for noun in nouns if noun.isascii())
    others = sorted((noun for noun in nouns if not noun.isascii()), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, others))) if others else None
    return _Known(plain, max((noun.count(" ") + 1 for noun in plain), default=0), pattern)
