"""Whether a reasoning is one: no gibberish, loop or copy, no other language, and no phrase that leaks or guesses."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from operator import eq
from string import ascii_lowercase

from dataflow_ext.text import general_words, patterns
from operators.onevision.checking.material import (
    Material,
    folded,
    is_chinese,
    quoted,
    size,
    tokens,
    without_math,
)
from operators.onevision.model.language import language_of, sentences
from operators.onevision.model.records import Check
from operators.onevision.rewriting.sentences import is_vague

_CODE = "rewrite.gibberish"


def gibberish_check(row: Material, text: str) -> Check:
    """The check for noise and for words without order; the words of the question and the picture are no noise."""
    broken = (_CONTROL if text.isascii() else _BROKEN).search(text)
    if broken is not None:
        around = quoted(text[max(broken.start() - 10, 0) : broken.end() + 10])
        return Check(_CODE, "failed", f"broken letters: {around}")
    found = _loop(tokens(text.casefold())) or _repeated(text) or _letters(row, text) or _strewn(text) or _shuffled(text)
    return Check(_CODE, "failed", found) if found else Check(_CODE, "passed")


#: What UTF-8 looks like when it is read as something else, and what stands for letters that were lost.
_BROKEN = re.compile(
    r"�|[ÃÂ][\x80-¿]|â(?:€|\x80)[™œ\x9d\x99\x9c“”¦]?|ï¿½|锟斤拷|锟?斤拷|烫烫烫|屯屯屯|[鐨鍦鏄][勫ㄤ]|[\x00-\x08\x0e-\x1f]"
)
#: What of it may stand in ASCII.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
#: The most times in a row that the same tokens may follow each other, by their number; with numbers in them, or signs
#: alone, they may be an equation's or a table's.
_LOOPS = {1: 4, **dict.fromkeys(range(2, 10), 3)}
_NUMBERED = 11
#: Where a sentence ends, and where the next word is a small one; so many of these, and half of all, are out of order.
_END = re.compile(r"[a-z]{3,}[)\"”]?[.!?]\s+(?:([a-z])|[^\sa-z])")
_SMALL = 2
#: Signs that may stand in a row: lines of tables, dots.
_DRAWN = frozenset("-_*|.…~#—")
#: How often a sentence of some words may stand in a text.
_SAME = 3
#: So many words, and such a share of all, have to be unknown and to have letters that make no words.
_FEW, _SHARE = 4, 0.12
#: How much likelier a pair of letters has to be as one of English words than as one drawn at random (logarithm): words
#: of ten other European languages have -0.3 to 0.9 in the mean, letters drawn at random -2.1 to -1.
_LIKELY = -0.5
#: Of so many words of an English row and more, no larger share may be unknown.
_ENOUGH, _UNKNOWN = 10, 0.7


def _loop(words: Sequence[str]) -> str | None:
    """Tokens that follow each other again and again."""
    # Most texts hold too few pairs of tokens twice.
    twice = len(words) - 1 - len(set(pairwise(words)))
    for length, few in _LOOPS.items():
        if twice < length * (few - 1) - 1 or sum(map(eq, words, words[length:])) < length * (few - 1):
            continue
        run = 0
        for place in range(length, len(words)):
            run = run + 1 if words[place] == words[place - length] else 0
            if run < length * (few - 1):
                continue
            looped = words[place - length + 1 : place + 1]
            plain = any(map(str.isalpha, looped)) and not any(each[0].isdigit() for each in looped)
            if run >= length * ((few if plain else _NUMBERED) - 1) and not _DRAWN.issuperset(looped):
                return f"{quoted(' '.join(looped))} over and over"
    return None


def _repeated(text: str) -> str | None:
    """A sentence that stands there again and again."""
    counted = Counter(each.casefold() for each in sentences(text) if len(each) > 12)
    for sentence, count in counted.most_common(1):
        if count >= _SAME:
            return f"{quoted(sentence)} {count} times"
    return None


def _letters(row: Material, text: str) -> str | None:
    """Words that nothing knows, and whose letters follow each other as drawn letters do, not as those of words."""
    words = folded(without_math(text))
    plain = [word for word in words if len(word) > 1 and word.isascii() and word.isalpha()]
    unknown = [word for word in plain if word not in general_words()]
    if len(unknown) < _FEW or len(unknown) < _SHARE * len(words):
        return None
    known = frozenset().union(*map(folded, row.shown))
    unknown = [word for word in unknown if word not in known]
    odd = [word for word in dict.fromkeys(unknown) if len(word) > 3]
    likely = [_likelihoods()[one + two] for word in odd for one, two in pairwise(word)]
    if len(odd) >= max(_FEW, _SHARE * len(words)) and sum(likely) < _LIKELY * len(likely):
        return f"letters that make no words: {quoted(' '.join(odd[:4]))}"
    if len(plain) >= _ENOUGH and len(unknown) > _UNKNOWN * len(plain) and language_of(row.question) == "en":
        return f"hardly a known word: {quoted(' '.join(unknown[:4]))}"
    return None


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
def _likelihoods() -> dict[str, float]:
    """How much likelier each pair of letters is in general words than if its second letter were drawn."""
    pairs = Counter(one + two for word in general_words() for one, two in pairwise(word))
    firsts = Counter(word[n] for word in general_words() for n in range(len(word) - 1))
    letters = ascii_lowercase
    return {
        one + two: math.log((pairs[one + two] + 0.5) / (firsts[one] / len(letters) + 0.5))
        for one in letters
        for two in letters
    }


#: The shortest reasoning, in letters.
_SHORTEST = 30
#: How much shorter and longer than its source a reasoning may be, and the length that is never too long.
_LEAST, _MOST, _ALWAYS = 0.25, 4.0, 1200
#: A reasoning of which less is new is the source's, whatever it left out.
_NEW = 0.05
#: How many words in a row make a piece that was taken over.
_RUN = 3
#: So much of the source in a reasoning is the source, unless so many pairs of words come from the picture alone.
_KEPT, _FACTS = 0.82, 3


def insufficient_check(row: Material) -> Check:
    """The check of what the rewriter said of its own work, and whether there is any."""
    code = "rewrite.insufficient"
    if row.rewrite_state == "insufficient":
        note = "the description does not hold what the reasoning needs, or the source does not argue for its answer"
        return Check(code, "failed", note)
    return Check(code, "passed") if row.thinking is not None else Check(code, "failed", "there is no reasoning")


def length_check(row: Material, thinking: str) -> Check:
    """The check of the length, beside the source's."""
    have, source = size(thinking), size(row.reasoning)
    if have < _SHORTEST:
        return Check("rewrite.length", "failed", f"it has {len(thinking)} characters")
    if source and not _LEAST * source <= have <= max(_MOST * source, _ALWAYS):
        return Check("rewrite.length", "failed", f"it has {have / source:.0%} of its source's length")
    return Check("rewrite.length", "passed")


def copying_check(row: Material, thinking: str) -> Check:
    """Whether the source stands in a reasoning that adds no fact and takes no guess away, or hardly a word is new."""
    words, own = folded(thinking), folded(row.reasoning)
    if not own:
        return Check("rewrite.copied", "not run", "the source has no reasoning")
    if words == own:
        return Check("rewrite.copied", "failed", "it is the source's reasoning word for word")
    if sum(map(is_vague, sentences(thinking))) < sum(map(is_vague, sentences(row.reasoning))):
        return Check("rewrite.copied", "passed", "it guesses less than its source")
    fresh = _fresh(words, own, folded(row.conclusion))
    if fresh < max(_NEW * len(words), 2):
        return Check("rewrite.copied", "failed", f"only {fresh} of its {len(words)} words are not the source's")
    kept = len(own) - _fresh(own, words)
    if kept >= _KEPT * len(own) and _facts(words, row) < _FACTS:
        return Check("rewrite.copied", "failed", f"{kept} of the source's {len(own)} words stand in it in their runs")
    return Check("rewrite.copied", "passed", f"{fresh / max(len(words), 1):.0%} of it is new")


def _fresh(words: tuple[str, ...], *sources: tuple[str, ...]) -> int:
    """How many words stand in no run of three that a source has, too."""
    taken = {run for source in sources for run in _runs(source)}
    covered = [False] * len(words)
    for start, run in enumerate(_runs(words)):
        if run in taken:
            covered[start : start + _RUN] = [True] * _RUN
    return covered.count(False)


def _runs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(_RUN)), strict=False)


def _facts(words: Sequence[str], row: Material) -> int:
    """How many pairs of neighbours among some words only the description or the picture's text holds."""
    seen = set(pairwise(folded(row.description))).union(*(pairwise(folded(text)) for text in row.read))
    return len(set(pairwise(words)).difference(pairwise(folded(row.reasoning))) & seen)


_LANGUAGE = "rewrite.language"
_NAMES = {"en": "English", "zh": "Chinese", "other": "another language"}
#: From such a share on, sentences in another language are a failure.
_STRANGE = 0.4
#: Shorter sentences tell no language.
_TELLS = 20


def language_check(row: Material, thinking: str) -> Check:
    """The check of the language, of the whole and of its sentences."""
    asked = language_of(row.question)
    if asked is None:
        return Check(_LANGUAGE, "not run", "the question's language cannot be told")
    whole = language_of(thinking)
    if whole is not None and whole != asked:
        return Check(_LANGUAGE, "failed", f"the question is in {_NAMES[asked]}, the reasoning in {_NAMES[whole]}")
    strange, told, first = 0.0, 0.0, ""
    for sentence in sentences(without_math(thinking)):
        if size(sentence) < _TELLS or (language := language_of(sentence)) is None:
            continue
        told += size(sentence)
        if language != asked:
            strange += size(sentence)
            first = first or sentence
    if told and strange >= _STRANGE * told:
        return Check(_LANGUAGE, "failed", f"{strange / told:.0%} of it is not in {_NAMES[asked]}: {quoted(first)}")
    return Check(_LANGUAGE, "passed")


#: What takes its answer from elsewhere; talk of the text that describes the picture, which who looks at the
#: picture does not have; tags and talk about the task; and what each of them holds.
_PATTERNS = patterns(__package__, "phrases.tsv")
_LEAK = re.compile(rf"\b(?:{_PATTERNS['leak']})", re.IGNORECASE)
_LEAK_CHINESE = re.compile(_PATTERNS["leak, Chinese"])
_DESCRIBED = re.compile(rf"\b(?:{_PATTERNS['described']})", re.IGNORECASE)
_DESCRIBED_CHINESE = re.compile(_PATTERNS["described, Chinese"])
_TAG = re.compile(_PATTERNS["tag"], re.IGNORECASE | re.MULTILINE)
_OF_LEAKS, _OF_TAGS = (_PATTERNS[name].split("|") for name in ("near leak", "near tag"))
_NOUNS = ("description", "caption", "描述")


def phrase_checks(row: Material, thinking: str) -> list[Check]:
    """The checks of leaks and tags, which are none where the question uses them itself, and of guesses."""
    low = " ".join(thinking.lower().split())
    leak = _found(_LEAK, thinking, row.question) if any(map(low.__contains__, _OF_LEAKS)) else None
    if not thinking.isascii():
        leak = leak or _found(_LEAK_CHINESE, thinking, row.question)
    leak = leak or _described(row, thinking)
    tag = _found(_TAG, thinking, row.question) if any(map(low.__contains__, _OF_TAGS)) else None
    vague = next((each for each in sentences(thinking) if is_vague(each)), None)
    return [
        _check("rewrite.leak", leak, "it takes its answer from elsewhere: {}"),
        _check("rewrite.tags", tag, "it holds {}"),
        _check("rewrite.vague", vague, "it guesses: {}"),
    ]


def _found(pattern: re.Pattern[str], text: str, question: str) -> str | None:
    """The first place of a pattern in a text that does not stand in the question, too."""
    for found in pattern.finditer(text):
        if found[0].casefold() not in question.casefold():
            return found[0]
    return None


def _described(row: Material, thinking: str) -> str | None:
    """Where a reasoning speaks of the picture's description, unless the picture or the question has one of its own."""
    shown = "\n".join((row.question, row.description, *row.read, *(option.text for option in row.options))).casefold()
    if not any(noun in thinking.casefold() for noun in _NOUNS):
        return None
    for pattern in (_DESCRIBED, _DESCRIBED_CHINESE):
        for found in pattern.finditer(thinking):
            if all(noun not in shown for noun in _NOUNS if noun in found[0].casefold()):
                return found[0]
    return None


def _check(code: str, found: str | None, note: str) -> Check:
    return Check(code, "failed", note.format(quoted(found))) if found is not None else Check(code, "passed")
