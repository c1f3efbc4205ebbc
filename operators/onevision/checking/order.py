"""Whether the words of a text stand in an order that means something, or were shuffled.

Two kinds of evidence: small words stand where they cannot (English), and words that the row's sources hold follow
each other as they do there (any language). In shuffled words neither holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from operators.onevision.checking.small_words import (
    AROUND_SIGNS_NEVER,
    ARTICLES,
    BEFORE_NOUNS,
    CHINESE_WORDS,
    ENDINGS_NEVER,
    FOLLOWS_NEVER,
    LINKS,
    OPENING,
    SIGNS,
    SIGNS_AFTER_NEVER,
    VERBS,
)
from operators.onevision.checking.words import folded, is_chinese, tokens, without_math

#: From so many misplaced words on, and such a share of the places where one could be.
_MISPLACED, _SHARE = 2, 0.12
#: From so many pairs of known words on, so many have to be known pairs: of Chinese characters, and of words.
_CHINESE, _CHINESE_KNOWN = 12, 0.18
_PAIRS, _KNOWN = 16, 0.06
#: With a word that is misplaced, fewer pairs do.
_FEWER, _KNOWN_THEN = 12, 0.12


def disorder_in(text: str, sources: Sequence[str]) -> str | None:
    """Why the words of a text look shuffled, said in a sentence; None if they do not."""
    plain = without_math(text)
    misplaced, places = _misplaced(tokens(plain))
    words = folded(plain)
    kept, pairs = _kept_pairs(words, sources)
    if misplaced >= _MISPLACED and misplaced > _SHARE * places:
        return f"{misplaced} of {places} small words and signs stand where they cannot"
    if 2 * sum(map(is_chinese, words)) > len(words):
        few, known = _CHINESE, _CHINESE_KNOWN
    else:
        few, known = (_FEWER, _KNOWN_THEN) if misplaced else (_PAIRS, _KNOWN)
    if pairs >= few and kept < known * pairs:
        return f"of {pairs} pairs of words known from its sources only {kept} stand in a known order"
    return None


def _misplaced(pieces: Sequence[str]) -> tuple[int, int]:
    """How many small English words and signs stand where none can, and how many places there were for that."""
    wrong = places = 0
    start = True
    large = sum(piece[0].isupper() for piece in pieces if piece.isalpha()) > 0
    padded = (*pieces, ".")
    for place, piece in enumerate(pieces):
        word, following = piece.casefold(), padded[place + 1]
        before = padded[place - 1] if place else "."
        if word in OPENING and len(piece) > 1 and (start or piece[0].isupper()):
            places += 1
            # Written large within a sentence, or small where one begins.
            wrong += (not start and before.isalnum()) if piece[0].isupper() else (large and before == "." and place > 0)
        if word in FOLLOWS_NEVER and (piece.islower() or start):
            places += 1
            wrong += _cannot_follow(word, following.casefold(), following)
        elif piece in SIGNS:
            places += 1
            wrong += (
                following in SIGNS_AFTER_NEVER
                or following.casefold() in AROUND_SIGNS_NEVER
                or before in AROUND_SIGNS_NEVER
            )
        elif piece[0].isdecimal() and following[0].isdecimal():
            places += 1
            wrong += 1
        start = not piece.isalnum() and piece in ".!?:;。！？：；\"“”'‘’()（）\n"
    return wrong, places


def _cannot_follow(word: str, following: str, piece: str) -> bool:
    if following in ".?!;":
        return word in ENDINGS_NEVER
    if len(piece) == 1 and (piece.isupper() or not piece.isalpha()):
        return False
    if word in ARTICLES:
        return following in BEFORE_NOUNS or following in LINKS or following in VERBS
    return following in FOLLOWS_NEVER[word]


def _kept_pairs(words: Sequence[str], sources: Sequence[str]) -> tuple[int, int]:
    """Of the neighbours that are both known from the sources, how many are neighbours there or in usual words."""
    vocabulary, neighbours = _known(tuple(sources))
    usual = _usual()
    kept = pairs = 0
    for left, right in pairwise(words):
        if left.isdecimal() or right.isdecimal() or left == right:
            continue
        chinese = is_chinese(left) and is_chinese(right)
        if chinese or (left in vocabulary and right in vocabulary):
            pairs += 1
            kept += (left, right) in neighbours or (chinese and left + right in usual)
    return kept, pairs


@lru_cache(maxsize=64)
def _known(sources: tuple[str, ...]) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    words = [folded(text) for text in sources]
    pairs = [pair for each in words for pair in pairwise(each)]
    return frozenset(word for each in words for word in each), frozenset(pairs)


@lru_cache(maxsize=1)
def _usual() -> frozenset[str]:
    """Pairs of characters that stand in usual Chinese words."""
    return frozenset(word[n : n + 2] for word in CHINESE_WORDS for n in range(len(word) - 1))
