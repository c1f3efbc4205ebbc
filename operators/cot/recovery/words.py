"""Words of recoveries, goals and outcomes: their stems, and those with which an order may begin."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from dataflow_ext.text import tokens
from operators.cot.tables import lists_of

LISTS = lists_of(Path(__file__).with_name("words.tsv"))
_WORDS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 14)
def is_order(word: str) -> bool:
    """Whether a clause that begins with the word may be an order: a verb in its plain form."""
    bare = word.removeprefix("re").removeprefix("-") if word.startswith("re") else word
    return not LISTS["orders"].isdisjoint((word, word.replace("-", ""), bare))


def words_of(text: str) -> list[str]:
    """The words of a text or of a name in lower case; underscores part words."""
    return _WORDS.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """What is common to a word's forms; "readable" and "reading" have one stem."""
    bare = word.lower()
    for ending in ("able", "ible"):
        if bare.endswith(ending) and len(bare) > 6:
            bare = bare.removesuffix(ending)
    return tokens.stem(bare)


@lru_cache(maxsize=1 << 14)
def stems_of(*texts: str) -> frozenset[str]:
    """The stems of the words that tell what texts are about."""
    return frozenset(map(stem, (word for text in texts for word in words_of(text)))) - _SMALL


_SMALL = frozenset(map(stem, LISTS["small"]))
