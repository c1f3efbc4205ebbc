"""Whether the reasoning names things that nothing else of the row speaks of.

It is cautious: only things that can be seen and stand in a list, and names in the middle of a sentence. Whether the
picture shows a thing is for a judge to tell, who sees it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text.general_words import general_words
from dataflow_ext.text.tokens import stem
from operators.onevision.checking.material import Material
from operators.onevision.checking.things import THINGS
from operators.onevision.checking.words import folded, is_chinese, listed, quoted, sentences, without_math
from operators.onevision.records import Check

_CODE = "rewrite.entity"
#: So many unknown names are a failure; fewer leave it open.
_NAMES = 2
_NEGATED = re.compile(
    r"\b(?:no|not|nor|neither|without|never|none|lacks?|absent|instead|rather|unlike|like|imagine|suppose|if|such as|"
    r"would|could|might|e\.g)\b|n't\b|没|不|无|非|假如|如果|例如|比如|像",
    re.IGNORECASE,
)
#: Figures of speech that name no thing.
_FIGURES = re.compile(r"\bas\s+the\s+crow\s+flies\b|\bcrow['’]s[\s-]f(?:oo|ee)t\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;，；]")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
#: Names that a reasoning may bring with it: of laws, units, months, places that all know.
_KNOWN_NAMES = listed(
    "pythagoras pythagorean newton newtonian ohm kirchhoff hooke archimedes euclid euclidean pascal joule celsius "
    "kelvin fahrenheit coulomb faraday gauss bernoulli boyle snell venn cartesian punnett mendel darwin earth moon "
    "january february march april june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday heron thales vieta laplace fourier euler lagrange hubble avogadro roman arabic "
    "english chinese latin greek american european asian african figure table chart option choice step"
)


@dataclass(frozen=True, slots=True)
class _Thing:
    """A thing by its names (stems, or Chinese words) and its kinds."""

    names: frozenset[str]
    kinds: frozenset[str]


def entity_check(row: Material) -> Check:
    """The check of the things and the names that a reasoning speaks of."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    known = _stems(row.sources)
    text = "\n".join(row.sources)
    plain = _FIGURES.sub(" ", without_math(row.thinking))
    for sentence in sentences(plain):
        if named := _invented(sentence, known, text):
            note = f"{quoted(named)} stands in none of its sources: {quoted(sentence, 80)}"
            return Check(_CODE, "failed", note)
    names = _names(plain, known)
    if len(names) >= _NAMES:
        return Check(_CODE, "failed", f"the names {', '.join(map(quoted, names[:4]))} stand in none of its sources")
    if names:
        return Check(_CODE, "unsure", f"the name {quoted(names[0])} stands in none of its sources")
    return Check(_CODE, "passed")


def _invented(sentence: str, known: frozenset[str], text: str) -> str | None:
    """A thing of a sentence that no source speaks of, unless the sentence says that it is not there."""
    for clause in _CLAUSE.split(sentence):
        if clause and not _NEGATED.search(clause) and (named := _unknown(clause, known, text)):
            return named
    return None


def _unknown(sentence: str, known: frozenset[str], text: str) -> str | None:
    english, chinese = _lexicon()
    words = [word for word in folded(sentence) if not _is_verb(word)]
    found = [(word, thing) for word in words if (thing := english.get(stem(word))) is not None]
    if not sentence.isascii():
        found += [(word, chinese[word]) for word in _chinese_names().findall(sentence)]
    for word, thing in found:
        if not _spoken_of(thing, known, text):
            return word
    return None


def _is_verb(word: str) -> bool:
    """Whether a word is the form of a verb that only shares its stem with a thing: "mirrored", "hammering"."""
    return word.endswith(("ed", "ing")) and word not in _written()


def _spoken_of(thing: _Thing, known: frozenset[str], text: str) -> bool:
    words = thing.names | thing.kinds
    return not known.isdisjoint(words) or any(is_chinese(word) and word in text for word in words)


def _names(text: str, known: frozenset[str]) -> list[str]:
    """The names within sentences that no source holds."""
    general = general_words()
    found = dict.fromkeys(_NAME.findall(text))
    return [
        name
        for name in found
        if name.lower() not in _KNOWN_NAMES and name.lower() not in general and stem(name.lower()) not in known
    ]


@lru_cache(maxsize=64)
def _stems(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(stem, {word for text in texts for word in folded(text)}))


@lru_cache(maxsize=1)
def _written() -> frozenset[str]:
    """The names as they are written in the list."""
    return frozenset(re.findall(r"[a-z]+", THINGS))


@lru_cache(maxsize=1)
def _chinese_names() -> re.Pattern[str]:
    """Any Chinese name, the longest first."""
    return re.compile("|".join(sorted(_lexicon()[1], key=lambda name: (-len(name), name))))


@lru_cache(maxsize=1)
def _lexicon() -> tuple[dict[str, _Thing], dict[str, _Thing]]:
    """The things by the stems of their English names and by their Chinese names."""
    english: dict[str, _Thing] = {}
    chinese: dict[str, _Thing] = {}
    for line in re.split(r"(?<![;:])\n", THINGS.strip()):
        kinds, _, entries = line.partition(":")
        for entry in entries.split(";"):
            words = [word for word in entry.split() if "_" not in word]
            thing = _Thing(frozenset(map(stem, words)), frozenset(map(stem, kinds.split())))
            for word in words:
                (chinese if is_chinese(word) else english).setdefault(stem(word), thing)
    return english, chinese
