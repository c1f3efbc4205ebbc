"""A text taken apart for its end: steps that argue, without sentences that only repeat the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dataflow_ext.text import lists, patterns
from dataflow_ext.text.nouns import singular
from dataflow_ext.text.sentences import sentences
from operators.verify.arithmetic import Equation, equations_in
from operators.verify.vocabulary import CHINESE_NEGATIONS, NEGATIONS

#: Characters from a text's end that are looked at.
LONGEST = 6_000
_TOKEN = re.compile(r"[A-Za-zÀ-ɏ]+|[㐀-鿿]|\d+(?:[.,:]\d+)*")
_PATTERNS = patterns(__package__, "patterns.tsv")
#: Words of a sentence that says which answer is given and nothing besides.
FORMULA = lists("operators.verify", "data/lists.tsv")["formula"]
#: A sentence that only tries the answer behind the steps.
_TRIES = re.compile(_PATTERNS["tries"], re.IGNORECASE)
#: A sentence that draws a conclusion, so that what it states has to follow from what stands before.
_CONCLUDES = re.compile(_PATTERNS["concludes"], re.IGNORECASE)
#: Where a conclusion begins within a sentence: "It reads 7 km, so the lake is 7 km away."
_WITHIN = re.compile(r"[,，;；]\s*(?=(?:so|thus|hence|therefore)\b|所以|因此|于是|故)", re.IGNORECASE)
_CLAUSE = re.compile(_PATTERNS["clause"], re.IGNORECASE)
#: What takes out the things of its clause: verbs of a proof by exclusion.
_EXCLUDED = re.compile(_PATTERNS["excluded"], re.IGNORECASE)
#: Words that speak of what was said before in the sentence.
PRONOUN = re.compile(r"\b(?:they|them|these|those|both|others?|it|this|that)\b|它|这|其他", re.IGNORECASE)
_NOT = re.compile(r"n['’]t\b|\bcannot\b", re.IGNORECASE)
#: Sentences that are remembered: a source and what is made of it have most of them in common.
_REMEMBERED = 16_384


@dataclass(frozen=True)
class Clause:
    """A part of a sentence, and its words in the singular."""

    text: str

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(map(singular, tokens(self.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """How its longer words begin, and the others."""
        return frozenset(each[:4] for each in self.said)

    @cached_property
    def excludes(self) -> bool:
        """Whether it takes out what it speaks of."""
        return _EXCLUDED.search(self.text) is not None

    @cached_property
    def negated(self) -> bool:
        """Whether it denies by a short form."""
        return _NOT.search(self.text) is not None

    @cached_property
    def negations(self) -> int:
        """How often it denies."""
        return sum(each in NEGATIONS or each in CHINESE_NEGATIONS for each in self.said) + len(_NOT.findall(self.text))


@dataclass(frozen=True)
class Sentence:
    """A sentence, analysed once for all that look at it."""

    text: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its words, characters and numbers, folded."""
        return tuple(tokens(self.text))

    @cached_property
    def telling(self) -> frozenset[str]:
        """Those that say more than that there is an answer."""
        return frozenset(self.tokens) - FORMULA

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its parts."""
        return tuple(Clause(part) for part in _CLAUSE.split(self.text) if part and part.strip())

    @cached_property
    def excluded(self) -> bool:
        """Whether a part of it takes out what the others speak of."""
        return any(each.excludes and PRONOUN.search(each.text) for each in self.clauses)


@lru_cache(maxsize=_REMEMBERED)
def sentence_of(text: str) -> Sentence:
    """The analysis of a sentence."""
    return Sentence(text)


@dataclass(frozen=True)
class Steps:
    """The sentences of a text that argue, in order; ``closings`` are those that only say the answer."""

    sentences: tuple[str, ...]
    closings: tuple[str, ...]

    @property
    def analysed(self) -> list[Sentence]:
        """The sentences with what was found out about them."""
        return [sentence_of(each) for each in self.sentences]

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The words of all steps in the singular."""
        return tuple(singular(each) for sentence in self.analysed for each in sentence.tokens)

    @cached_property
    def text(self) -> str:
        """All steps as one text."""
        return "\n".join(self.sentences)

    @cached_property
    def computed(self) -> list[Equation]:
        """What the steps compute, in order."""
        return [each for each in equations_in(self.text) if each.relation in ("=", "≈")]

    @property
    def conclusion(self) -> int:
        """Where in the last step its conclusion begins."""
        within = _WITHIN.search(self.sentences[-1])
        return within.end() if within is not None else 0

    def concludes(self, place: int) -> bool:
        """Whether a step draws a conclusion from others."""
        return len(self.sentences) > 1 and _CONCLUDES.search(self.sentences[place]) is not None


def steps_of(text: str, said: Sequence[str]) -> Steps:
    """The steps of a text, where ``said`` are the ways in which its answer may be written.

    >>> steps_of("6 - 2 = 4. Four are left. So the answer is 4.", ["4"]).closings
    ('So the answer is 4.',)
    """
    every = list(sentences(text[-LONGEST:]))
    while len(every) > 1 and _TRIES.match(every[-1]):
        every.pop()
    known = {word for each in said for word in tokens(each)}
    closings = [each for each in every if known.issuperset(sentence_of(each).telling)]
    return Steps(tuple(each for each in every if each not in closings), tuple(closings))


def tokens(text: str) -> list[str]:
    """The words, characters and numbers of a text, folded.

    >>> tokens("The bar is 5.5 m, 高")
    ['the', 'bar', 'is', '5.5', 'm', '高']
    """
    return _TOKEN.findall(text.casefold())
