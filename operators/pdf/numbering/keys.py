"""Keys that run on in one text, ``1 B, 2 C, 3 D``: labels in whatever dress, told by the count that they keep."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.numbering.labels import ItemLabel
from operators.pdf.numbering.numerals import narrow

#: A number that may be a label, and what stands around it. One in brackets on both sides numbers a part.
_NUMBER = re.compile(
    r"(?:(?<=[\s,，;；.。:：])|^)(?P<n>\d{1,3})(?P<close>\s?[.．、):）\-–—=](?![\d.．])|(?=\s)|(?=[A-H√×✓✗TF](?![A-Za-z])))\s*"
)
_DIGIT = re.compile(r"\d")
#: Numbers that a key has at least.
_FEWEST = 3
#: Letters of most answers, and of the longest answer and of the words before the first; of an option's letter.
_SHORT, _LONGEST, _LETTERS = 60, 200, 4


def key_labels(text: str, closes: str = ".．、:-–—=") -> list[ItemLabel]:
    """The labels of the answers that a text holds, none if it holds anything else.

    Numbers of one dress count on, and each has a short answer behind it; before the first one a heading may stand.
    ``closes`` are the signs that may stand behind a number.

    >>> text = "Test A  1 B, 2 C, 3 D"
    >>> [(found.label, text[found.end : found.end + 1]) for found in key_labels(text)]
    [('1', 'B'), ('2', 'C'), ('3', 'D')]
    >>> key_labels("If 1 and 2 are true then 3 is")
    []
    """
    if len(_DIGIT.findall(text)) < _FEWEST:
        return []
    dresses: dict[str, list[re.Match[str]]] = defaultdict(list)
    for found in _NUMBER.finditer(text):
        sign = narrow(found["close"].strip())
        if not sign or sign in closes:
            dresses[sign].append(found)
    chains = [_chain(text, among) for among in dresses.values()]
    best = max(chains, key=len, default=[])
    return [ItemLabel(str(int(m["n"])), m.end(), int(m["n"]), "", m.start()) for m in best]


def _chain(text: str, numbers: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The numbers that count on from the first one, if short answers stand between and behind them, and divide them.

    A bare number may stand in any sentence: behind an answer of more than a letter a sign or a wide space is before it.
    """
    chain: list[re.Match[str]] = []
    for found in numbers:
        if not chain:
            chain.append(found)
        elif int(found["n"]) == int(chain[-1]["n"]) + 1:
            sure = found["close"].strip() or found.start() - chain[-1].end() <= _LETTERS
            chain += [found] if sure or _separated(text, found.start()) else []
    head = text[: chain[0].start()] if chain else ""
    if len(chain) < _FEWEST or len(head) > _LONGEST or any(map(str.isdecimal, head)):
        return []
    told = [text[one.end() : two.start()].strip() for one, two in pairwise(chain)] + [text[chain[-1].end() :]]
    short = 2 * sum(len(answer) <= _SHORT for answer in told) >= len(told)
    return chain if short and all(len(answer) <= _LONGEST and any(map(str.isalnum, answer)) for answer in told) else []


def _separated(text: str, at: int) -> bool:
    """Whether a sign or a wide space stands before a number."""
    before = text[:at].rstrip()
    return not before or before[-1] in ",，;；.。、" or at - len(before) > 1
