"""Which number of the sources stands among the same words as one of the reasoning."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from dataflow_ext.text.tokens import stem
from operators.onevision.checking.places import Place, places_in
from operators.onevision.checking.words import is_chinese, listed, tokens_at

#: Words on each side that are looked at, and what the nearest of them counts.
_WORDS, _NEAREST = 3, 2
#: So much another number has to fit, and so much better than this one.
_FITS, _BETTER = 3, 3
#: Numbers of a text that are looked at.
_MOST = 300
_SCALE = 1000
_SMALL = listed(
    "a an the of in on at to by for from with and or is are was were be been as it its that this these those there so "
    "then hence thus therefore which while we i here has have had not but than into over under image picture shown see "
    "= + - − × ÷ * / . , : ; ( ) 的 了 是 有 和 与 为 在 得 着 写 标 到 个 ， 、 。 ： “ ” 所 以 因 此 图 中"
)

#: A word, and on which side of a number it stands.
Word = tuple[str, str]


@lru_cache(maxsize=512)
def contexts_in(text: str) -> tuple[tuple[float, Mapping[Word, int]], ...]:
    """The numbers of a text with the words around them and what these count."""
    spans = tokens_at(text)
    # A bare "million" is no number of things.
    return tuple(
        (math.inf if place.word and place.value >= _SCALE else place.value, _around(text, spans, place))
        for place in places_in(text)[:_MOST]
    )


def better(value: float, words: Mapping[Word, int], sources: Iterable[str], beside: frozenset[float]) -> float | None:
    """The value of a source's number that stands among these words, where no number of this ``value`` does.

    None if it stands ``beside`` this one in the reasoning, too.
    """
    best: dict[float, int] = {}
    for source in sources:
        for theirs, there in contexts_in(source):
            score = sum(min(weight, there[word]) for word, weight in words.items() if word in there)
            best[theirs] = max(best.get(theirs, 0), score)
    best.pop(math.inf, None)
    mine = best.pop(value, 0)
    other = max(best, key=lambda each: (best[each], -each), default=None)
    if other is None or best[other] < _FITS or best[other] < mine + _BETTER:
        return None
    return None if beside.intersection(each for each, score in best.items() if score == best[other]) else other


def _around(text: str, spans: Sequence[tuple[int, int]], place: Place) -> Mapping[Word, int]:
    """The words on both sides of a number, within its sentence."""
    first = bisect_left(spans, (place.start, 0))
    after = bisect_left(spans, (place.end, 0))
    found: dict[Word, int] = {}
    for side, order in (("left", range(first - 1, -1, -1)), ("right", range(after, len(spans)))):
        count = 0
        for at in order:
            word = text[slice(*spans[at])].casefold()
            if word in ".!?。！？;；" or count == _WORDS:
                break
            if word in _SMALL:
                continue
            key = (side, word if is_chinese(word) or not word.isascii() else stem(word))
            found[key] = max(found.get(key, 0), _NEAREST if count == 0 else 1)
            count += 1
    return found
