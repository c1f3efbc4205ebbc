"""The best of several captions on one picture, with what the others tell besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from operators.onevision.describing.leaks import without_leaks
from operators.onevision.rewriting.facts import words_of
from operators.onevision.rewriting.sentences import sentences_of

#: Captions that are compared.
_MOST = 30
#: A sentence of another caption is added if it speaks of the same things and most of it is new: the bounds of the share
#: of its words that were told already.
_SAME, _NEW = 0.25, 0.6
#: Sentences that are added.
_ADDED = 3


def best_caption(captions: Sequence[str]) -> str:
    """The caption of which most words stand in others, too, without leaks; then what those tell besides.

    Where no other one bears any out, the longest. The order of the captions makes no difference.

    >>> best_caption(["A cat sits on a red chair.", "A cat on a chair sleeps beside a lamp.", "A ship."])
    'A cat on a chair sleeps beside a lamp. A cat sits on a red chair.'
    """
    clean = sorted({text for text, _ in map(without_leaks, captions[:_MOST]) if text} or set(captions[:1]))
    if len(clean) < 2:
        return clean[0] if clean else ""
    words = {text: words_of(text) for text in clean}
    often = Counter(word for each in words.values() for word in each)
    borne = {text: sum(often[word] > 1 for word in words[text]) for text in clean}
    best = max(clean, key=lambda text: (borne[text], len(words[text]), text))
    told, added = set(words[best]), 0
    for text in sorted(clean, key=lambda text: (-borne[text], text)):
        for sentence in sentences_of(text) if text != best else ():
            said = words_of(sentence)
            if added < _ADDED and said and _SAME <= len(said & told) / len(said) <= _NEW:
                best, added = f"{best} {sentence}", added + 1
                told |= said
    return best
