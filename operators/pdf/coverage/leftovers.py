"""What of a block's words is in none of the pairs that name it, as where a block is split at its labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_TAG = re.compile(r"</?[a-z][^<>]*>")
#: A word, a Chinese character, or a letter of several answers in a row, "CABBD"; tags of tables are none.
_WORD = re.compile(r"</?[a-z][^<>]*>|(?P<word>[A-H](?=[A-H]*\b)|[^\W_\u3400-\u9fff]+|[\u3400-\u9fff])")
#: Fewer letters than this are labels, points and words such as 答案, which pairs need not keep.
_FEWEST = 8


def left_over(text: str, pairs: Sequence[str]) -> str:
    """The stretch of a text from the first to the last word that no pair has, "" for hardly any.

    Of a table they are those words alone, such as the heads of its columns.

    >>> left_over("12. Find x. See the appendix on roots. 13. Find y.", ["12. Find x.", "13. Find y."])
    'See the appendix on roots'
    >>> left_over("答案：1~5 CABBD 6. 求值", ["C", "A", "B", "B", "D", "6. 求值"])
    ''
    """
    if any(text in pair for pair in pairs):
        return ""
    there = Counter(found["word"] for pair in pairs for found in _WORD.finditer(pair))
    missing = []
    for found in _WORD.finditer(text):
        if found["word"]:
            there[found["word"]] -= 1
            missing += [found] if there[found["word"]] < 0 else []
    if sum(len(found["word"]) for found in missing) < _FEWEST:
        return ""
    if "<tr" in text:
        return " ".join(found["word"] for found in missing)
    return " ".join(_TAG.sub(" ", text[missing[0].start() : missing[-1].end()]).split())
