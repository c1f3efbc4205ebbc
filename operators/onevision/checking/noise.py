"""Whether the reasoning is running text: broken encodings, loops, letters that make no words, words out of order."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from operator import eq

from dataflow_ext.text.tokens import general_words
from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, is_chinese, quoted, sentences, tokens, without_math
from operators.onevision.model.records import Check

_CODE = "rewrite.gibberish"


def gibberish_check(row: Material) -> Check:
    """The check for noise and for words without order."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    if found := noise_in(row.thinking, row.sources):
        return Check(_CODE, "failed", found)
    return Check(_CODE, "passed")


#: What UTF-8 looks like when it is read as something else, and what stands for letters that were lost.
_BROKEN = re.compile(
    r"�|[ÃÂ][\x80-¿]|â(?:€|\x80)[™œ\x9d\x99\x9c“”¦]?|ï¿½|锟斤拷|锟?斤拷|烫烫烫|屯屯屯|[鐨鍦鏄][勫ㄤ]|[\x00-\x08\x0e-\x1f]"
)
#: What of it may stand in ASCII.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
#: The most times in a row that the same words may follow each other, by their number, and that signs and numbers may.
_LOOPS = {1: 4, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3}
_SIGNS = 11
#: Where a sentence ends, and where the next word is a small one; so many of these, and half of all, are out of order.
_END = re.compile(r"[a-z]{3,}[)\"”]?[.!?]\s+(?:([a-z])|[^\sa-z])")
_SMALL = 2
#: Signs that may stand in a row: lines of tables, dots.
_DRAWN = frozenset("-_*|.…~#—")
#: How often a sentence of some words may stand in a text.
_SAME = 3
#: A pair of letters that fewer words hold is no usual one; so many of a word's pairs are usual, on average.
_USUAL, _LEAST = 6, 0.72
#: So many words, and such a share of all, have to be no words.
_FEW, _SHARE = 4, 0.12
#: Of so many words and more, no larger share may be unknown, if one of them is no word.
_ENOUGH, _UNKNOWN = 10, 0.7


def noise_in(text: str, sources: Sequence[str] = ()) -> str | None:
    """What is noise in a text, said in a sentence; None if nothing is. Words of its ``sources`` are none."""
    if broken := (_CONTROL if text.isascii() else _BROKEN).search(text):
        return f"broken letters: {quoted(text[max(broken.start() - 10, 0) : broken.end() + 10])}"
    words = folded(without_math(text))
    looped = _loop(words, _LOOPS) or _loop(tokens(text), dict.fromkeys(_LOOPS, _SIGNS))
    return looped or _repeated(text) or _letters(words, sources) or _strewn(text) or _shuffled(text)


def _loop(words: Sequence[str], loops: Mapping[int, int]) -> str | None:
    """Words that follow each other again and again."""
    numbers = loops[1] == _SIGNS
    # Most texts hold too few pairs of words twice.
    twice = len(words) - 1 - len(set(pairwise(words)))
    for length, most in loops.items():
        if twice < length * (most - 1) - 1:
            continue
        if sum(map(eq, words, words[length:])) < length * (most - 1):
            continue
        run = 0
        for place in range(length, len(words)):
            run = run + 1 if words[place] == words[place - length] else 0
            if run < length * (most - 1) or (not numbers and words[place].isdecimal()):
                continue
            looped = words[place - length + 1 : place + 1]
            if not _DRAWN.issuperset(looped):
                return f"{quoted(' '.join(looped))} over and over"
    return None


def _repeated(text: str) -> str | None:
    """A sentence that stands there again and again."""
    counted = Counter(each.casefold() for each in sentences(text) if len(each) > 12)
    for sentence, count in counted.most_common(1):
        if count >= _SAME:
            return f"{quoted(sentence)} {count} times"
    return None


def _letters(words: Sequence[str], sources: Sequence[str]) -> str | None:
    """Words whose letters do not follow each other as letters of words do."""
    general = general_words()
    odd = [word for word in words if len(word) > 3 and word not in general and _is_odd(word)]
    if not odd:
        return None
    known = frozenset().union(*map(folded, sources))
    odd = [word for word in odd if word not in known]
    if len(odd) >= _FEW and len(odd) >= _SHARE * len(words):
        return f"letters that make no words: {quoted(' '.join(odd[:4]))}"
    strange = [word for word in words if len(word) > 1 and word.isascii() and word.isalpha()]
    unknown = [word for word in strange if word not in known and word not in general]
    if odd and len(unknown) > _UNKNOWN * len(strange) and len(strange) >= _ENOUGH:
        return f"hardly a known word: {quoted(' '.join(unknown[:4]))}"
    return None


def _is_odd(word: str) -> bool:
    """Whether a word in Latin letters has few usual pairs of them."""
    if not (word.isascii() and word.isalpha()):
        return False
    usual = _usual_pairs()
    pairs = [word[n : n + 2] for n in range(len(word) - 1)]
    return sum(pair in usual for pair in pairs) < _LEAST * len(pairs)


def _strewn(text: str) -> str | None:
    """Signs instead of words."""
    bare = without_math(text)
    pieces = tokens(bare)
    if len(pieces) <= 20:
        return None
    if len(pieces) - len(folded(bare)) > 0.6 * len(pieces):
        return "hardly any words"
    words = (each for each in pieces if each[0].isalpha() and (len(each) > 1 or is_chinese(each)))
    least = math.ceil(0.15 * len(pieces))
    return None if sum(1 for _ in islice(words, least)) == least else "hardly any words"


def _shuffled(text: str) -> str | None:
    """Sentences that go on with small letters behind their full stops, as those of shuffled words do."""
    small = [found[1] is not None for found in _END.finditer(text)]
    if sum(small) >= _SMALL and 2 * sum(small) >= len(small):
        return f"{sum(small)} of {len(small)} sentences begin with a small letter"
    return None


@lru_cache(maxsize=1)
def _usual_pairs() -> frozenset[str]:
    """The pairs of letters that several general words hold."""
    counted = Counter(pair for word in general_words() for pair in {word[n : n + 2] for n in range(len(word) - 1)})
    return frozenset(pair for pair, count in counted.items() if count >= _USUAL)
