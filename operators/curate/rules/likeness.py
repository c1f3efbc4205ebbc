"""How alike two questions are: their texts in pieces, and what must be the same whatever else is alike."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

from dataflow_ext.text import general_words
from operators.curate.rules.cues import BLANK, PICTURE, cue, rows_of
from operators.curate.rules.question_parts import runs_in

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[一-鿿]|[^\s\w]", re.UNICODE)
_COMMAND = re.compile(
    r"\\(?:left|right|displaystyle|quad|qquad|,|;|:|!|mathrm|text|rm|mathbf|operatorname|dfrac|tfrac)(?![a-z])"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SIGNS = re.compile(r"[|+=<>≤≥≠×÷√∫∑]|(?<=[\da-z)}\s])-(?=\s*[\da-z(\\])(?<![a-z]{2}-)")
_SIZE = 3
#: Letters of words of content that one of two copies may have more.
_LONG = 24


def folded(text: str) -> str:
    """A text in which spelling that means nothing is gone: width, case, labels of parts, links, layout of formulas."""
    for marker in sorted((m for run in runs_in(text) for m in run.markers), key=lambda m: m.start, reverse=True):
        text = f"{text[: marker.start]} {text[marker.end :]}"
    text = PICTURE.sub(" ", BLANK.sub(" ", text))
    text = unicodedata.normalize("NFKC", text).lower().replace("\\cdot", "×").replace("\\times", "×")
    text = (
        text.replace("\\div", "÷").replace("\\leq", "≤").replace("\\geq", "≥").replace("\\le", "≤").replace("\\ge", "≥")
    )
    text = text.replace("−", "-").replace("–", "-").replace("⁄", "/").replace("·", "×")
    text = _COMMAND.sub(lambda m: r"\frac" if m[0] in ("\\dfrac", "\\tfrac") else " ", text)
    return re.sub(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2", text)


def tokens_of(text: str) -> list[str]:
    """The words, numbers and Chinese characters of a folded text; signs and punctuation are left out.

    >>> tokens_of(folded("Find $x^2$ 的值。"))
    ['find', 'x', '2', '的', '值']
    """
    return [token for token in _TOKEN.findall(text) if token[0].isalnum()]


def shingles_of(text: str) -> frozenset[str]:
    """Each three characters that follow each other in a folded text without spaces and punctuation."""
    bare = "".join(tokens_of(text))
    return frozenset(bare[n : n + _SIZE] for n in range(max(1, len(bare) - _SIZE + 1)))


def numbers_of(text: str) -> list[str]:
    """The numbers of a folded text in their order, 2.50 as 2.5."""
    return [number.rstrip("0").rstrip(".") if "." in number else number for number in _NUMBER.findall(text)]


def signs_of(text: str) -> list[str]:
    """The signs of calculation of a folded text."""
    return _SIGNS.findall(text)


def signature(text: str) -> tuple[object, ...]:
    """What two copies of a question share exactly: numbers, signs of calculation, words that turn a question round."""
    numbers, signs = numbers_of(text), signs_of(text)
    words, han = _contrasts()
    found = Counter(token for token in tokens_of(text) if token in words)
    found.update({word: text.count(word) for word in han if word in text})
    return tuple(numbers), tuple(signs), tuple(sorted(found.items()))


@cache
def _contrasts() -> tuple[frozenset[str], tuple[str, ...]]:
    words = {row[0] for row in rows_of("contrasts.tsv")}
    return frozenset(w for w in words if w.isascii()), tuple(sorted(w for w in words if not w.isascii() and len(w) > 1))


@cache
def _opposed() -> frozenset[str]:
    """Chinese characters of which none stands for another by mistake."""
    return frozenset(row[0] for row in rows_of("contrasts.tsv") if len(row[0]) == 1)


def similar_pairs(sets: Sequence[frozenset[str]], least: float) -> Iterator[tuple[int, int, float]]:
    """Every pair of sets whose Jaccard similarity is at least so much, with it; none is missed.

    Two such sets share one of the rarest pieces of each: of n pieces the n - ceil(least * n) + 1 rarest ones.

    >>> sets = [frozenset("abcd"), frozenset("abce"), frozenset("xyz")]
    >>> list(similar_pairs(sets, 0.6))
    [(0, 1, 0.6)]
    """
    counts = Counter(piece for pieces in sets for piece in pieces)
    holders: dict[str, list[int]] = defaultdict(list)
    for number, pieces in enumerate(sets):
        rare = sorted(pieces, key=lambda piece: (counts[piece], piece))
        rare = rare[: len(rare) - math.ceil(least * len(rare)) + 1]
        near = {other for piece in rare for other in holders[piece]}
        for other in sorted(near):
            small, large = sorted((len(pieces), len(sets[other])))
            if small < least * large:
                continue
            shared = len(pieces & sets[other])
            if shared and (share := shared / (len(pieces) + len(sets[other]) - shared)) >= least:
                yield other, number, share
        for piece in rare:
            holders[piece].append(number)


def differs_in_words(one: Sequence[str], other: Sequence[str], *, within: bool = False) -> bool:
    """Whether words of content were exchanged between two texts, rather than misspelt, left out, or said otherwise.

    ``within`` looks for the one in the other, which may say more.

    >>> differs_in_words("find the speed of the car".split(), "find the mass of the car".split())
    True
    >>> differs_in_words("find the speed of the car".split(), "calculate the spead of a car".split())
    False
    """
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        left, right = [w for w in one[a:b] if not _plain(w)], [w for w in other[c:d] if not _plain(w)]
        if tag != "equal" and not (left and right and _misspelt("".join(left), "".join(right))):
            gone, come = gone + left, come if within and tag == "insert" else come + right
    moved = Counter(gone) & Counter(come)
    left, right = list((Counter(gone) - moved).elements()), list((Counter(come) - moved).elements())
    return bool(left and right) or sum(len(w) if w.isascii() else 3 for w in (*left, *right)) > _LONG


@lru_cache(maxsize=65536)
def _plain(word: str) -> bool:
    """Whether a word says nothing of its own: a function word, or one that only tells to answer."""
    if not word.isascii():
        return word in "的了是在有请问试求算计解出则若如果这那个一已知现其中为下列各"
    return word in general_words() or cue("calculation").fullmatch(word) is not None or word in ("please", "given")


def _misspelt(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if not one.isascii() or not other.isascii():
        return len(one) == len(other) == 1 and not {one, other} & _opposed()
    return shorter > 2 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.75
