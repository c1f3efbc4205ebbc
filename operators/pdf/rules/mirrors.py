"""Words for questions and for answers, in any language: behind Uppgift 1.1, 1.2, 1.3 stand Svar 1.1, 1.2, 1.3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from operators.pdf.numbering.dress import Dress

#: So many numbers that both words count, so large a share of the answers', and of the questions' (often every other).
_FEWEST, _SURE, _ANSWERED = 3, 0.8, 0.5

_Numbers = tuple[int, ...]


def find_mirrors(
    marks: Mapping[Dress, Sequence[tuple[_Numbers, int]]], asks: Mapping[Dress, int]
) -> dict[Dress, Dress]:
    """The dresses of answers whose word no table has, each with that of the questions that they answer.

    ``marks`` are the numbers with a word before them and their lines, ``asks`` how many of these ask. Answers count
    as the questions do, each stands behind its question, and fewer than half as many of them ask.

    >>> asking, told = (Dress(word, "", "", "1", "") for word in ("uppgift", "svar"))
    >>> lines = {asking: [((n,), n) for n in (1, 2, 3)], told: [((n,), n + 9) for n in (1, 2, 3)]}
    >>> {one.word: other.word for one, other in find_mirrors(lines, {asking: 3, told: 0}).items()}
    {'svar': 'uppgift'}
    """
    places = {dress: _counted(found) for dress, found in marks.items() if len(found) >= _FEWEST}
    mirrors: dict[Dress, Dress] = {}
    for told, behind in places.items():
        for asking, before in places.items():
            both = behind.keys() & before.keys()
            if told.role or told.word == asking.word or told.shape != asking.shape or 2 * asks[told] >= asks[asking]:
                continue
            many = len(both) >= max(_FEWEST, _SURE * len(behind), _ANSWERED * len(before))
            if many and all(before[number] < behind[number] for number in both):
                mirrors[told] = asking
    return {told: asking for told, asking in mirrors.items() if asking not in mirrors}


def _counted(marks: Sequence[tuple[_Numbers, int]]) -> dict[tuple[_Numbers, int], int]:
    """The lines by their number, and by how often it was there before."""
    times: dict[_Numbers, int] = defaultdict(int)
    found = {}
    for numbers, line in sorted(marks, key=lambda mark: mark[1]):
        found[numbers, times[numbers]] = line
        times[numbers] += 1
    return found
