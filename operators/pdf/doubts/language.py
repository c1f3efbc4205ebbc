"""Whether a book is in a language whose words for exercises and answers the rules know."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Words that stand in every English text, and in hardly one of another language; the least share of a text's words.
_ENGLISH = frozenset(
    (
        "the",
        "of",
        "and",
        "is",
        "are",
        "with",
        "that",
        "this",
        "what",
        "how",
        "which",
        "by",
        "if",
        "why",
        "find",
        "solve",
    )
)
_SHARE = 0.04
#: Fewer words, or Chinese characters, tell nothing.
_FEWEST = 100

#: Words in Latin, Greek and Cyrillic letters; Chinese characters; those that only Japanese and Korean have.
_WORD = re.compile("[A-Za-z\u00c0-\u024f]{2,}|[\u0370-\u03ff]{2,}|[\u0400-\u04ff]{2,}")
_HAN, _OTHER = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff\uac00-\ud7af]")


def is_known(texts: Iterable[str]) -> bool:
    """Whether texts are English, Chinese, both, or too few to tell.

    >>> is_known(["Find the sum of all numbers that divide 12."] * 20), is_known(["求函数的最小值"] * 20)
    (True, True)
    >>> is_known(["Bereken de afstand tussen de twee punten."] * 20), is_known(["次の問いに答えよ"] * 20)
    (False, False)
    """
    text = "\n".join(texts)
    words = [word.casefold() for word in _WORD.findall(text)]
    han, other = len(_HAN.findall(text)), len(_OTHER.findall(text))
    if max(len(words), han + other) < _FEWEST:
        return True
    if han + other > len(words):
        return 10 * other < han
    return sum(word in _ENGLISH for word in words) >= _SHARE * len(words)
