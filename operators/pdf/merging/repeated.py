"""Answers that print their question once more, as the same sheet with solutions does."""

from __future__ import annotations

import re
from functools import lru_cache

#: Signs of the shortest question that is known again: shorter ones may open any answer.
_FEWEST = 12


def beyond_question(question: str, told: str, label: str = "") -> str:
    """What an answer says behind its question, all of it if its first lines are not that question, sign for sign.

    Either may open with the label. What follows may be nothing.

    >>> beyond_question("4. Find the area of a square.", "Find the area of a square.\\nSolution: it is 9.", "4")
    'Solution: it is 9.'
    >>> beyond_question("4. Find the area of a square.", "The area of a square is 9.", "4")
    'The area of a square is 9.'
    """
    if len(told) < _FEWEST:
        return told
    words, answer = _own_words(question, label), _own_words(told, label)
    if words.lstrip()[:1] != answer.lstrip()[:1]:
        return told
    asked, lines = "".join(words.split()), answer.split("\n")
    seen = ""
    for place, line in enumerate(lines if len(asked) >= _FEWEST else ()):
        seen += "".join(line.split())
        if seen == asked:
            return "\n".join(lines[place + 1 :])
        if not asked.startswith(seen):
            break
    return told


def _own_words(text: str, label: str) -> str:
    """A text without the label that it opens with."""
    found = _opening(label).match(text) if label else None
    return text[found.end() :] if found else text


@lru_cache(maxsize=1024)
def _opening(label: str) -> re.Pattern[str]:
    return re.compile(rf"\W*{re.escape(label)}\s*[.．、:：)）]?\s*")
