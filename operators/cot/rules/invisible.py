"""Characters that are not to be seen, or are no characters at all."""

from __future__ import annotations

import re
import unicodedata

from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary

#: What Python and readers of text files take for a line break.
LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

#: Blank or hidden, though Unicode counts them among letters, marks and symbols; and what stands for a broken character.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd\U000e0100-\U000e01ef]"
)

_SHOWN = 3


def control_problems(text: str, where: str, known: Vocabulary) -> list[Problem]:
    """``text.control`` if a text has hidden characters that the plan has not.

    Line breaks are the concern of other rules. Lone surrogates are never right: they cannot be written as UTF-8.
    """
    if text.replace("\n", " ").isprintable() and (text.isascii() or not _BLANK.search(text)):
        return []
    hidden = dict.fromkeys(each for each in text if not each.isprintable() or _BLANK.match(each))
    odd = [each for each in hidden if each not in LINE_BREAKS]
    odd = [each for each in odd if each not in known.characters or unicodedata.category(each) == "Cs"]
    if not odd:
        return []
    names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".rstrip() for each in odd]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return [Problem("text.control", f"{where} has hidden characters: {', '.join(names[:_SHOWN])}{more}")]
