"""Whether a book is in a language whose words for exercises and answers the rules know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from operators.pdf.numbering.label_words import languages, words

#: Words that stand in every text of a language, in small letters, and the least share that they have of its words.
_COMMON = [frozenset(found) for language in languages() if (found := words("common", language=language))]
_SHARE = 0.08
#: Fewer words, or Chinese characters, tell nothing.
_FEWEST = 100

#: Words in Latin, Greek and Cyrillic letters; Chinese characters; those that only Japanese and Korean have.
_WORD = re.compile("[A-Za-z\u00c0-\u024f]{2,}|[\u0370-\u03ff]{2,}|[\u0400-\u04ff]{2,}")
_HAN, _OTHER = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff\uac00-\ud7af]")


def is_known(texts: Iterable[str]) -> bool:
    """Whether texts are in languages whose words the rules know, or too few to tell.

    >>> is_known(["Find the sum of all numbers that divide 12."] * 20), is_known(["求函数的最小值"] * 20)
    (True, True)
    >>> is_known(["Bereken de afstand tussen twee punten."] * 20), is_known(["Kalkulatu bi puntuen distantzia."] * 30)
    (True, False)
    """
    text = "\n".join(texts)
    found = [word.casefold() for word in _WORD.findall(text)]
    han, other = len(_HAN.findall(text)), len(_OTHER.findall(text))
    if max(len(found), han + other) < _FEWEST:
        return True
    if han + other > len(found):
        return True
    counts = Counter(found)
    return max(sum(counts[word] for word in common) for common in _COMMON) >= _SHARE * len(found)
