"""Common leads: texts before several items that say which of these they serve, as a figure's does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dataflow_ext.text import rows

#: Letters of a lead at most, and items that it may serve.
_LONGEST, MOST = 400, 20
_N = r"\d{1,3}(?:\.\d{1,3}){0,2}"
#: Between the first number and the last: a dash or a word; more numbers may stand before that.
_TO = r"\s*(?:[~～\-–—－−至到和及与]|(?:,\s*)?[^\W\d_]{1,7}\.?(?=\s))\s*第?\s*"
_RANGE = re.compile(
    rf"(?P<word>第|[^\W\d_]\.?|^)\s*(?P<low>{_N})(?:\s*[,，、]\s*第?\s*{_N})*(?:(?P<to>{_TO})(?P<high>{_N}))?(?![\w.]?\d)"
)
#: In Chinese the word stands behind the numbers, and what tells their kind or uses their results serves none of them.
_BEHIND = re.compile(r"\s*(?:小?题|各题)(?!的结|为|是|每|均|共)")
_FORMULA = re.compile(r"\$[^$]*\$")
_LAST = re.compile(rf"{_N}$")
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
#: Words between a number and "next".
_APART = 2


def serves(text: str, coming: Sequence[str], last: bool) -> int:
    """How many of the items that come next a text serves, 0 if it is no common lead; ``coming`` are their labels.

    Their numbers prove it, in any language: the first one is that of the next item, and the last one comes, too. One
    that counts them, "the next two problems", is told by its words if it is the ``last`` text before them.

    >>> serves("Die Aufgaben 7 bis 9 beziehen sich auf die Abbildung.", ["7", "8", "9", "10"], False)
    3
    >>> serves("阅读下图，回答第 7～8 题。", ["7", "8"], True), serves("第 7、8 题为选择题。", ["7", "8"], True)
    (2, 0)
    >>> serves("3–8 Find the critical numbers.", ["3", "4", "8"], False)
    3
    >>> serves("The next two problems refer to this chart.", ["3", "4", "5"], True)
    2
    """
    if len(coming) < 2:
        return 0
    plain = _FORMULA.sub(" ", text)
    numbers = [found[0] if (found := _LAST.search(label)) else "" for label in coming]
    for found in _RANGE.finditer(plain) if numbers[0] and numbers[0] in plain else ():
        named = re.findall(_N, found[0])
        chinese = _IDEOGRAPH.search(found["word"] + plain[found.end() :][:4]) is not None
        told = _BEHIND.match(plain, found.end()) if chinese else found["to"]
        if told and len(named) > 1 and named[0] == numbers[0] and named[-1] in numbers[1:]:
            return numbers.index(named[-1]) + 1
    return min(_counted(plain), len(coming)) if last else 0


def may_serve(text: str, number: int | None) -> bool:
    """Whether a text may be a lead of the item with this number: it has it, or a word that says "next"."""
    if len(text) > _LONGEST:
        return False
    return str(number) in text or any(word in text for word in _following())


@lru_cache(maxsize=1)
def _following() -> tuple[str, ...]:
    return tuple(word for word, number in _numbers().items() if not number)


def _counted(text: str) -> int:
    """How many items a text says come next."""
    numbers = _numbers()
    words = re.findall(r"[^\W\d_]+|\d", text.casefold())
    following = [at for at, word in enumerate(words) if numbers.get(word) == 0]
    for at in following:
        for word in words[max(0, at - _APART) : at + _APART + 1]:
            if number := numbers.get(word, int(word) if word.isdecimal() else 0):
                return number
    return 0


@lru_cache(maxsize=1)
def _numbers() -> dict[str, int]:
    """The words of `leads.tsv` with their numbers, 0 for those that say "next"."""
    return {word: int(number) for number, words in rows(__package__, "leads.tsv") for word in words.split(", ")}
