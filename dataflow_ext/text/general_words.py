"""Words that any text may use whatever it is about."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

_COMPARED = "adjectives with their comparatives and superlatives"


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
    plain = (word for kind, words in _listed().items() if kind != _COMPARED for word in words)
    return frozenset(plain).union(*map(_compared, _listed()[_COMPARED]))


def _compared(adjective: str) -> tuple[str, ...]:
    """An adjective of one or two syllables, its comparative and its superlative.

    >>> _compared("safe"), _compared("easy"), _compared("strong")
    (('safe', 'safer', 'safest'), ('easy', 'easier', 'easiest'), ('strong', 'stronger', 'strongest'))
    """
    root = re.sub("(?<=[^aeiou])y$", "i", adjective.removesuffix("e"))
    return adjective, f"{root}er", f"{root}est"
