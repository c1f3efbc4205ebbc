"""Answers in words: what is left of them when only what they say is kept, and when two say the same."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text.nouns import singular
from dataflow_ext.well_formed import short
from operators.verify.answer import Equivalence
from operators.verify.normalising import MEANT, MINUS, is_symbolic, with_meant_signs
from operators.verify.numbers_in_text import numbers_in
from operators.verify.quantities import Quantity, quantity_of
from operators.verify.vocabulary import (
    APART,
    ARTICLES,
    CHINESE_NEGATIONS,
    FILLER,
    NEGATIONS,
    OPPOSITES,
    Term,
    american,
    term_of,
)

_LONGEST = 1000
#: Letters of a text that are told of it.
_SHOWN = 40
_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|[^\w\s]|_", re.UNICODE)
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_CHINESE = re.compile(r"[㐀-鿿]")
_NOT = (
    (re.compile(r"\b(can)'t\b|\b(can)not\b"), r"can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'s\b"), " s"),
)
_DROPPED = frozenset(".,;:!?'\"()[]-…_")
_ACRONYM = re.compile(r"\b(?:[a-z]\.){2,}(?:[a-z]\b)?", re.IGNORECASE)
_POLAR = re.compile(
    r"(?!no\.? ?\d)"
    r"(yes|no|true|false|correct|incorrect|是的|是|否|不是|对的|对|错误|错|不对|正确|不正确)\s*[,.;:!，。；：、-]\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE = re.compile(
    r"(?P<before>.{1,200}?)(?P<copula>\b(?:is|are|was|were|equals|is equal to)\b|=|等于|为|是)\s*(?P<said>.{1,120})",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"(?:it|that|this)'s (?=\S)", re.IGNORECASE)
#: What makes of what stands before "is" more than one thing, or a supposition.
_OFFERS = frozenset(("or", "and", "but", "if", "than", "或", "和"))
_THERE = re.compile(r"there (?:is|are|was|were) (?P<said>[^,;]{1,80})", re.IGNORECASE)

_SHORT_MULTIPLE = re.compile(r"\d ?[MBKkTm]\b")

_TIMES = {"once": 1, "twice": 2, "double": 2, "doubled": 2, "thrice": 3, "triple": 3, "tripled": 3, "两倍": 2}
_ROMAN = re.compile(r"[IVXLC]{1,12}")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class Words:
    """What a text says: its tokens without articles, stops and plurals, and how many of them say "not"."""

    tokens: tuple[str, ...]
    negations: int


@lru_cache(maxsize=1024)
def words_of(text: str) -> Words:
    """A text's words, folded; negations are counted and left out.

    >>> words_of("The cats aren't black."), words_of("不是猫")
    (Words(tokens=('cat', 'be', 'black'), negations=1), Words(tokens=('是', '猫'), negations=1))
    """
    text = with_meant_signs(text[:_LONGEST]).casefold()
    if "'" in text or "can" in text:
        for pattern, plain in _NOT:
            text = pattern.sub(plain, text)
    if "." in text:
        text = _ACRONYM.sub(lambda found: found[0].replace(".", ""), text)
    tokens: list[str] = []
    negations = 0
    for found in _TOKEN.finditer(text):
        for token in found[0] if _CHINESE.search(found[0]) else (found[0],):
            if token in NEGATIONS or token in CHINESE_NEGATIONS:
                negations += 1
            elif token not in _DROPPED and token not in ARTICLES:
                tokens.append("be" if token in ("is", "are", "was", "were") else american(singular(token)))
    return Words(tuple(tokens), negations)


def said_term(text: str) -> Term | None:
    """The word of a closed vocabulary that a text says, with nothing but filler around it."""
    if len(text) > 60 or not MEANT.isdisjoint(with_meant_signs(text)):
        return None
    folded = " ".join(text.casefold().replace("'", "").split()).strip(" .,;:!?\"'()")
    found = term_of(folded)
    if found is not None:
        return found
    words = folded.split()
    while words and words[0] in FILLER:
        words.pop(0)
    while words and words[-1] in FILLER:
        words.pop()
    return term_of(" ".join(words)) if words else None


def polarity(text: str) -> tuple[str, str] | None:
    """Yes or no, where a text begins with it, and what comes after."""
    found = _POLAR.fullmatch(text) if len(text) <= _LONGEST else None
    term = term_of(found[1].casefold()) if found else None
    if not found or term is None or term.family != "polarity":
        return None
    against = any(
        (other := term_of(word)) is not None and other.family == "polarity" and other.value != term.value
        for word in re.findall(r"[a-z]+", found[2].casefold())
    )
    return None if against else (term.value, found[2])


def core_of(text: str, question: frozenset[str]) -> str:
    """What a sentence gives as the answer, where all else in it is filler or words of the question; else the text.

    >>> core_of("The animal on the mat is a cat", frozenset(("animal", "mat")))
    'a cat'
    """
    if len(text) > 300 or _negated(text):
        return text
    known = FILLER | question
    short = _IT_IS.match(text)
    if short:
        return text[short.end() :]
    there = _THERE.match(text)
    if there:
        said, words = there["said"], there["said"].split()
        for size in range(1, min(4, len(words)) + 1):
            if all(word in known for word in _plain_words(" ".join(words[size:]) + text[there.end() :])):
                return " ".join(words[:size])
        return said if all(word in known for word in _plain_words(text[there.end() :])) else text
    for found in _SENTENCE.finditer(text):
        before = _plain_words(found["before"])
        if before and all(word in known or singular(word) in known for word in before) and _OFFERS.isdisjoint(before):
            rest = text[found.start("said") :].strip()
            return rest if rest and not _negated(rest) else text
        break
    return text


def compare_terms(one: str, other: str) -> Equivalence | None:
    """Whether two texts say the same word of a closed vocabulary; None unless both say one."""
    first, second = said_term(one), said_term(other)
    polar, other_polar = polarity(one), polarity(other)
    if polar is not None or other_polar is not None:
        return _polar(polar, first, other_polar, second)
    if first is None or second is None:
        return None
    if first == second:
        return Equivalence("yes", f"Both say {first.value!r}.", "words")
    if first.family == second.family:
        if first.value in second.value or second.value in first.value:
            unlike = first.family in ("turning", "polarity", "sex")
            return Equivalence("no" if unlike else "unsure", "One says more exactly what the other says.", "words")
        return Equivalence("no", f"{first.value!r} is not {second.value!r}.", "words")
    if first.family in APART and second.family in APART:
        return Equivalence("no", f"One is a {first.family}, the other a {second.family}.", "words")
    return None


def compare_words(one: str, other: str) -> Equivalence:
    """Whether two texts say the same in words."""
    first, second = words_of(one), words_of(other)
    apart = (first.negations - second.negations) % 2 == 1
    mine, its = Counter(first.tokens), Counter(second.tokens)
    if apart:
        content, more = (set(mine) - FILLER - {"be"}, set(its) - FILLER - {"be"})
        if content and more and (content <= more or more <= content):
            return Equivalence("no", "One of them says not what the other says.", "words")
        return Equivalence("unsure", "One of them holds a negation, and the words differ.", "words")
    if not first.tokens or not second.tokens:
        return Equivalence("unsure", "No words are left to compare.", "words")
    if first.tokens == second.tokens or _joined(one) == _joined(other):
        if first.negations == second.negations and not _only_case(one, other):
            return Equivalence("yes", "The words are the same.", "words")
        return Equivalence("unsure", "The words are the same, but not in all that may matter.", "words")
    for mine_too, its_too, text in ((first.tokens, second.tokens, other), (second.tokens, first.tokens, one)):
        if mine_too == (MINUS, *its_too) and is_symbolic(text):
            return Equivalence("no", "One of them is the other with a minus before it.", "words")
    return _differing(first.tokens, second.tokens)


def _differing(one: tuple[str, ...], other: tuple[str, ...]) -> Equivalence:
    mine, its = Counter(one) - Counter(other), Counter(other) - Counter(one)
    if not mine and not its:
        return Equivalence("unsure", "The words are the same, but in another order.", "words")
    numbers, others = {word for word in mine if word[0].isdigit()}, {word for word in its if word[0].isdigit()}
    if numbers and others and len(numbers) == len(mine) and len(others) == len(its):
        return Equivalence("no", "The words are the same, but not the numbers in them.", "words")
    if len(one) == len(other) and len(mine) == len(its) == 1:
        [word], [instead] = mine, its
        first, second = term_of(word), term_of(instead)
        if first is not None and second is not None and first.family == second.family and first != second:
            return Equivalence("no", f"One says {first.value!r}, the other {second.value!r}.", "words")
        if _opposite(word, instead) or _opposite(instead, word):
            return Equivalence("no", "One says the opposite of the other.", "words")
    if not mine or not its:
        return Equivalence("unsure", "One says all that the other says, and more.", "words")
    return Equivalence("unsure", "The words differ, but may name the same.", "words")


def _polar(
    one: tuple[str, str] | None, first: Term | None, other: tuple[str, str] | None, second: Term | None
) -> Equivalence | None:
    mine = one[0] if one else first.value if first is not None and first.family == "polarity" else None
    its = other[0] if other else second.value if second is not None and second.family == "polarity" else None
    if mine is None or its is None:
        return None
    if mine != its:
        return Equivalence("no", "One says yes, the other says no.", "words")
    if one is None or other is None or words_of(one[1]) == words_of(other[1]):
        return Equivalence("yes", f"Both say {mine}.", "words")
    return Equivalence("unsure", f"Both say {mine}, but go on differently.", "words")


def _plain_words(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text.casefold()) if token not in _DROPPED]


def _negated(text: str) -> bool:
    words = set(_plain_words(text.replace("n't", " not")))
    return bool(words & NEGATIONS) or any(sign in text for sign in CHINESE_NEGATIONS)


def _joined(text: str) -> str:
    """The letters of a text whose words may be joined by hyphens; with a digit or a sign in it, the text."""
    joined = _HYPHEN.sub("", with_meant_signs(text).casefold()).replace(" ", "")
    return joined if joined.isalpha() and len(joined) > 5 else text


def _only_case(one: str, other: str) -> bool:
    """Whether two texts differ in case, and are too much like a symbol for that to be nothing: Co and CO."""
    if one == other or one.casefold() != other.casefold() or " " in one:
        return False
    return len(one) <= 2 or any(letter.isdigit() for letter in one)


def _opposite(word: str, other: str) -> bool:
    return any(word == start + other for start in OPPOSITES) and len(other) >= 4


def compare_rest(one: str, other: str) -> Equivalence:
    """Two answers of which at most one is a number, and that nothing else could compare."""
    for text, instead in ((one, other), (other, one)):
        number = quantity_of(text)
        if number is not None:
            return _number_and_words(text, instead)
        term = said_term(text)
        if term is not None and term.family == "polarity" and quantity_of(instead) is not None:
            return Equivalence("no", "One says yes or no, the other gives a number.", "words")
    return compare_words(one, other)


def _number_and_words(number: str, words: str) -> Equivalence:
    mine = quantity_of(number)
    found = numbers_in(words)
    if mine is None or any(each.value == mine.value.amount for each in found) or mine.noun in words_of(words).tokens:
        in_words = compare_words(number, words)
        if in_words.verdict == "no":
            return in_words
        return Equivalence("unsure", "One says all that the other says, and more.", "words")
    if _may_say(words, mine):
        return Equivalence("unsure", "One says in words or Roman digits what may be the other's number.", "number")
    if _SHORT_MULTIPLE.search(words) or _SHORT_MULTIPLE.search(number):
        return Equivalence("unsure", "A letter behind a number may stand for thousands or millions.", "number")
    told = f'One gives a number, and "{_clipped(words)}" does not hold it.'
    return Equivalence("no" if not found or len(found) == 1 else "unsure", told, "number")


def _clipped(text: str) -> str:
    """A text for a sentence about it: short, on one line, of signs that can be printed."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return short("".join(letter if letter.isprintable() else "?" for letter in line), _SHOWN)


def _may_say(words: str, number: Quantity) -> bool:
    """Whether a word as "twice" or Roman digits may stand for the number."""
    times = _TIMES.get(words.lower())
    if times is None and _ROMAN.fullmatch(words):
        digits = [_ROMAN_DIGITS[letter] for letter in words]
        times = sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))
    return times is not None and times == number.value.amount
