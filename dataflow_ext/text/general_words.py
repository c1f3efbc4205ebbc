"""Words that any text may use whatever it is about, and how words that belong together are found."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from dataflow_ext.text.tokens import stem

_AGENTIVE = re.compile(r"(?:er|or)s?$")
_AMERICAN = [
    (re.compile(r"(?<=\w{3})is(?=(?:e|ed|es|ing|ation|ations)$)"), "iz"),
    (re.compile(r"(?<=\w{2})our(?=\w*$)"), "or"),
    (re.compile(r"(?<=[^aeiou])tre(?=s?$)"), "ter"),
    (re.compile(r"(?<=\w{3})ll(?=(?:ed|ing)$)"), "l"),
    (re.compile(r"grey"), "gray"),
]

_COMPARED, _EASTERN = "adjectives with their comparatives and superlatives", "Chinese and Japanese"


@lru_cache(maxsize=1)
def _listed() -> dict[str, list[str]]:
    """The words of ``general_words.tsv`` by their kind.

    No tools, materials, foods, places, people, animals, colours, numbers, and no verbs of the hand are among them.
    """
    kinds: dict[str, list[str]] = {}
    for line in (files(__package__) / "general_words.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        kind, words = line.split("\t")
        kinds.setdefault(kind, []).extend(words.split())
    return kinds


@lru_cache(maxsize=1)
def general_words() -> frozenset[str]:
    """English words that say nothing of their own about a scene, whatever a plan is about, in small letters.

    Of adjectives what is more or most so is among them.
    """
    plain = (word for kind, words in _listed().items() if kind not in (_COMPARED, _EASTERN) for word in words)
    return frozenset(plain).union(*map(_compared, _listed()[_COMPARED]))


def eastern_words() -> list[str]:
    """Chinese and Japanese words of the same kind, for plans in those languages."""
    return _listed()[_EASTERN]


def _compared(adjective: str) -> tuple[str, ...]:
    """An adjective of one or two syllables, its comparative and its superlative.

    >>> _compared("safe"), _compared("easy"), _compared("strong")
    (('safe', 'safer', 'safest'), ('easy', 'easier', 'easiest'), ('strong', 'stronger', 'strongest'))
    """
    root = re.sub("(?<=[^aeiou])y$", "i", adjective.removesuffix("e"))
    return adjective, f"{root}er", f"{root}est"


@lru_cache(maxsize=1)
def general_roots() -> frozenset[str]:
    """The roots of the list's words."""
    return frozenset(root_of(word) for word in general_words())


@lru_cache(maxsize=1 << 16)
def root_of(word: str) -> str:
    """What the forms of an English word have in common; one who does is not what he does.

    >>> root_of("labelled") == root_of("labels"), root_of("organise") == root_of("organizing")
    (True, True)
    >>> root_of("container") == root_of("contained"), root_of("containers") == root_of("container")
    (False, True)
    """
    if not word.isascii():
        return word
    for british, american in _AMERICAN:
        word = british.sub(american, word)
    root, bare = stem(word), word.removesuffix("s")
    return bare if _AGENTIVE.search(word) and len(root) < len(bare) else root
