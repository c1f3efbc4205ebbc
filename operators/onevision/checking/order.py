"""Whether the words of a text stand in an order that means something, or were shuffled.

Two kinds of evidence: small words stand where they cannot (English), and words that the row's sources hold follow
each other as they do there (any language). In shuffled words neither holds.
"""

from __future__ import annotations

import re
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
from operators.onevision.checking.words import folded, is_chinese, quoted, sentences, tokens, without_math

#: From so many misplaced words on, and such a share of the places where one could be.
_MISPLACED, _SHARE = 2, 0.12
#: From so many pairs of known words on, so many have to be known pairs: of Chinese characters, and of words.
_CHINESE, _CHINESE_KNOWN = 12, 0.18
_PAIRS, _KNOWN = 16, 0.06
#: In one sentence, and in two that follow each other, so many misplaced words; and such a share of their places.
_IN_ONE, _IN_TWO, _SHARE_OF_ONE = 2, 3, 0.12
#: Two clauses of Chinese with so many pairs, none of which is known, are shuffled.
_IN_CLAUSES = 11
#: With a word that is misplaced, fewer pairs do.
_FEWER, _KNOWN_THEN = 12, 0.12

_SMALL_START = re.compile(r"[a-z]{2,}[\s,]")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|ca|cf|no|fig|eq|resp|min|max|sec|\w)\.|[^.!?])\Z", re.IGNORECASE
)
_CLAUSE = re.compile(r"(?<=[，。；,;！？])")
#: Within a sentence a formula stands for a thing: what is left of "and $x$." must not end at its "and".
_FORMULA = re.compile(r"\$[^$\n]{1,500}\$|\\\([^\n]{1,500}?\\\)")
_ITEM = re.compile(r"(?<![\w(（])(?:[A-Za-z]|\d{1,2}|[ivx]{1,4})[)）]")


def disorder_in(text: str, sources: Sequence[str]) -> str | None:
    """Why the words of a text look shuffled, said in a sentence; None if they do not."""
    plain = without_math(text)
    misplaced, places = _misplaced(tokens(plain))
    if found := _sentence_in_disorder(text):
        return found
    words = folded(plain)
    if found := _clauses_in_disorder(plain, sources):
        return found
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


def _sentence_in_disorder(text: str) -> str | None:
    """A single sentence that is shuffled among good ones; its last words may stand before the next one."""
    before, last = 0, ""
    for sentence in sentences(text):
        wrong, places = _misplaced(tokens(without_math(_FORMULA.sub(" X ", sentence))))
        wrong += _begins_small(sentence, last) + _torn_brackets(sentence)
        if wrong >= _IN_ONE and wrong > _SHARE_OF_ONE * places:
            return f"{wrong} words and signs stand where they cannot in {quoted(sentence)}"
        if wrong and before + wrong >= _IN_TWO:
            return f"{before + wrong} words and signs stand where they cannot around {quoted(sentence)}"
        before, last = wrong, sentence
    return None


def _clauses_in_disorder(plain: str, sources: Sequence[str]) -> str | None:
    """Two neighbouring clauses of Chinese in which no two characters stand as in the sources or in usual words."""
    if plain.isascii():
        return None
    clauses = [clause for clause in _CLAUSE.split(plain) if clause.strip()]
    counted = [_kept_pairs(folded(clause), sources) if not clause.isascii() else (1, 0) for clause in clauses]
    for (left, right), ((kept, pairs), (more, others)) in zip(pairwise(clauses), pairwise(counted), strict=True):
        if kept + more == 0 and pairs + others >= _IN_CLAUSES and sum(map(is_chinese, left + right)) > _IN_CLAUSES:
            return f"no pair of words in {quoted(left + right)} is known from anywhere"
    return None


def _begins_small(sentence: str, last: str) -> bool:
    """Whether an English sentence begins with a small word, behind a full stop that ends no abbreviation."""
    return bool(_SMALL_START.match(sentence)) and not _ABBREVIATED.search(last) and last.endswith((".", "!", "?"))


def _torn_brackets(sentence: str) -> bool:
    """Whether a bracket closes that was not opened, or the other way round; "a)" in a list is none."""
    plain = _ITEM.sub(" ", sentence)
    depth = 0
    for sign in plain:
        depth += (sign in "(（") - (sign in ")）")
        if depth < 0:
            return True
    return depth > 0


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
        if word in FOLLOWS_NEVER and (piece.islower() or start or (word in ARTICLES and len(piece) > 1)):
            places += 1
            wrong += _cannot_follow(word, following.casefold(), following)
        elif piece in SIGNS:
            places += 1
            wrong += (
                following in SIGNS_AFTER_NEVER
                or following.casefold() in AROUND_SIGNS_NEVER
                or (before in AROUND_SIGNS_NEVER and before != "a")
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
