"""A text taken apart for its end: steps that argue, what they speak of last, and whether they deny it.

Sentences that only repeat the answer are no steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from dataflow_ext.text import lists, patterns
from dataflow_ext.text.nouns import singular
from dataflow_ext.text.sentences import sentences
from operators.verify.arithmetic import Equation, equations_in
from operators.verify.vocabulary import ARTICLES, CHINESE_NEGATIONS, FILLER, NEGATIONS, term_of

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
#: "Answer yes or no." is no part of what is asked.
_INSTRUCTION = re.compile(
    r"[^.?!。？！]*\b(?:yes\W+(?:or\W+)?no|true\W+(?:or\W+)?false)\b[^.?!。？！]*[.?!]?|请?回答?是[或还]?否。?",
    re.IGNORECASE,
)
#: What every such request holds, and few questions do.
_INSTRUCTS = re.compile(r"yes|true|否", re.IGNORECASE)
_ANY = re.compile(r"(?:any|some|every|no)(body|one|thing|where)")
_LEADS = frozenset({"because", "since", "due", "因", "为"})
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


def words_of(text: str) -> list[str]:
    """The words of an answer that tell it from others, in the singular.

    >>> words_of("the red sphere"), words_of("Bags")
    (['red', 'sphere'], ['bag'])
    """
    every = [singular(each) for each in tokens(text)]
    return [each for each in every if each not in ARTICLES and each not in FILLER and each not in _LEADS] or every


def last_named(steps: Steps, text: str, others: Sequence[str] | None = None) -> int:
    """How far into the steps a thing is spoken of for the last time without being denied; -1 if never.

    A thing is spoken of where a clause holds all of its words; with ``others`` to tell it from, half of those that they
    do not have. Places count clauses.
    """
    rivals = [words_of(other) for other in others or ()]
    known = {word for words in rivals for word in words}
    least = 1.0 if others is None else 0.5
    wanted, found = [each for each in words_of(text) if each not in known] or words_of(text), -1
    place = 0
    stems, chinese = {each[:4] for each in wanted}, all(map(_is_chinese, wanted))
    for sentence in steps.analysed:
        for clause in sentence.clauses:
            place += 1
            if stems.isdisjoint(clause.stems) and not chinese:
                continue
            if sentence.excluded or not _stands(wanted, clause, least) or _denied(clause, wanted):
                continue
            # A clause that lists several of them chooses none.
            if all(_denied(clause, words) for words in rivals if _stands(words, clause, 1.0)):
                found = place
    return found


def all_spoken(steps: Steps, texts: Sequence[str]) -> bool:
    """Whether each of some things is spoken of somewhere in the steps; numbers and Chinese as they stand in it."""
    return all(_spoken(text, steps.said) for text in texts)


def speaks(sentence: str, text: str) -> bool:
    """Whether a sentence holds half of a text's words, or of its pairs of Chinese characters."""
    said = [singular(each) for each in tokens(sentence)]
    words = words_of(text) if text.isascii() else [one + two for one, two in pairwise(tokens(text))]
    known = {*said, *(one + two for one, two in pairwise(said))}
    return 2 * sum(each in known for each in words) >= len(words)


def rivals_of(text: str, steps: Steps) -> tuple[str, list[str]]:
    """The word of a closed family in an answer, and what the steps name besides of it: other colours for a colour."""
    own = {each: term for each in words_of(text) if (term := term_of(each)) is not None}
    if len(own) != 1:
        return "", []
    [(word, mine)] = own.items()
    found = []
    for each in dict.fromkeys(steps.said):
        term = term_of(each)
        if term is not None and term.family == mine.family and term.value != mine.value:
            found.append(each)
    return word, found


def polarity_of(steps: Steps, question: str) -> bool | None:
    """Whether the steps affirm what is asked (True) or deny it (False), by the last of them that speaks of it.

    It speaks of it if it says yes or no itself, or holds two of the question's words and half of them.
    """
    question = _INSTRUCTION.sub(" ", question) if _INSTRUCTS.search(question) else question
    asked = set(map(_anybody, words_of(question))) - NEGATIONS
    denies = Clause(question).negations % 2
    for clause in reversed([each for sentence in steps.analysed for each in sentence.clauses]):
        terms = [term for each in clause.said if (term := term_of(each)) is not None and term.family == "polarity"]
        if terms and sum(each not in FORMULA for each in clause.said if term_of(each) is None) <= 1:
            return terms[-1].value in ("yes", "true")
        shared = asked.intersection(map(_anybody, clause.said))
        if len(shared) >= 2 and 2 * len(shared) >= len(asked):
            return clause.negations % 2 == denies
    return None


def _anybody(word: str) -> str:
    """ "Nobody" denies what "anybody" asks: the same word for both."""
    found = _ANY.fullmatch(word)
    return found[1] if found else word


def _stands(wanted: Sequence[str], clause: Clause, least: float) -> bool:
    if all(_is_chinese(each) for each in wanted):
        return "".join(wanted) in "".join(clause.said)
    found = sum(each[:4] in clause.stems and any(_alike(each, other) for other in clause.said) for each in wanted)
    return found >= least * len(wanted) > 0


def _spoken(text: str, said: Sequence[str]) -> bool:
    # Numbers have to stand word for word, and Chinese, whose words are not set apart.
    if any(each.isdigit() or _is_chinese(each) for each in text):
        wanted = [singular(each) for each in tokens(text)]
        size = len(wanted)
        return any(list(said[at : at + size]) == wanted for at in range(len(said) - size + 1))
    wanted = words_of(text)
    return 3 * sum(any(_alike(each, other) for other in said) for each in wanted) >= 2 * len(wanted) > 0


def _alike(word: str, other: str) -> bool:
    """Whether two words are one, or forms of one: boil, boils, boiling."""
    least = min(len(word), len(other))
    return word == other or (least >= 4 and word[:4] == other[:4] and word[: least - 1] == other[: least - 1])


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word <= "\u9fff"


def _denied(clause: Clause, wanted: Sequence[str]) -> bool:
    if clause.excludes or clause.negated:
        return True
    at = next((place for place, each in enumerate(clause.said) if each in wanted), len(clause.said))
    return any(each in NEGATIONS or each in CHINESE_NEGATIONS for each in clause.said[:at])
