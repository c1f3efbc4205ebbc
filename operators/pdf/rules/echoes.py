"""Answers told from questions in any language: what answers a question takes up its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set

from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import Line

#: Items of a run that have to echo those of another, and which share of them.
_FEWEST, _SHARE = 3, 0.5
#: Runs with the same numbers that one is compared with at most.
_RUNS = 40
#: From this share of common words on, two items are the same question, asked again.
_SAME = 0.6
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{4,}|(?=([\u3400-\u9fff]{2}))")


def echoes(lines: Sequence[Line], items: Sequence[Item]) -> list[Item]:
    """The items that answer others of the same numbers, in runs before: most share more words with just these.

    Each is compared with all items of that run, and words that many of them have count little.
    """
    numbered = [run for run in _runs(items) if len(run) >= _FEWEST]
    words = {id(item): _words(lines, item) for run in numbered for item in run.values()}
    found: list[Item] = []
    for place, run in enumerate(numbered):
        before = [other for other in numbered[:place] if run.keys() <= other.keys()][-_RUNS:]
        hits = max((_hits(run, other, words) for other in before), key=len, default=[])
        if len(hits) >= max(_FEWEST, _SHARE * len(run)):
            found += run.values()
    return found


def _runs(items: Sequence[Item]) -> list[dict[int, Item]]:
    """The items by their numbers, as far as these rise behind one word."""
    runs: list[dict[int, Item]] = []
    last: tuple[str, int] | None = None
    for item in items:
        word, number = item.label.prefix, item.label.number
        if number is None:
            continue
        if last is None or last[0] != word or number <= last[1]:
            runs.append({})
        runs[-1][number] = item
        last = word, number
    return runs


def _hits(run: dict[int, Item], other: dict[int, Item], words: dict[int, Set[str]]) -> list[int]:
    """The numbers whose items share more with each other than with any other item."""
    often = Counter(word for item in other.values() for word in words[id(item)])
    hits: list[int] = []
    for number, item in run.items():
        own = words[id(item)]
        shared = {n: sum(1 / often[word] for word in own & words[id(asked)]) for n, asked in other.items()}
        best = max(shared, key=lambda n: shared[n])
        theirs = words[id(other[number])]
        again = len(own & theirs) >= _SAME * max(1, len(own | theirs))
        if best == number and shared[best] >= 1 and not again:
            hits.append(number)
    return hits


def _words(lines: Sequence[Line], item: Item) -> Set[str]:
    texts = [lines[i].text[item.label.end if i == item.start else 0 :] for i in item.lines]
    return {(found[1] or found[0]).casefold() for text in texts for found in _WORD.finditer(text)}
