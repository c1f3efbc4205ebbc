"""Closed vocabulary: words that mean the same, and families of words of which no two do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from operators.verify.families import FAMILIES


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a closed vocabulary: its family, and what it says there."""

    family: str
    value: str


#: Families of which a word never names what a word of another one does.
APART = frozenset(
    (
        "polarity",
        "undetermined",
        "colour",
        "weekday",
        "month",
        "season",
        "state of matter",
        "shape",
        "animal",
        "vehicle",
    )
)
_TERMS: Mapping[str, Term] = {
    way: Term(family, value)
    for family, values in FAMILIES.items()
    for value, ways in values.items()
    for way in ways.split("|")
}

#: Words that say nothing of their own.
ARTICLES = frozenset({"a", "an", "the"})
FILLER = frozenset(
    re.split(
        r"\s+",
        "a an the it its this that these those they there here is are was were be on in at to of for from by with "
        "side one ones which so thus shown seen depicted therefore we get have has as color 的 在 是 了 色",
    )
)
NEGATIONS = frozenset(
    re.split(r"\s+", "not no never without none neither nor cannot nobody nothing hardly unable fails lacks")
)
CHINESE_NEGATIONS = "不没无非未"
#: Beginnings that turn a word into its opposite.
OPPOSITES = ("un", "in", "im", "ir", "il", "dis", "non", "a")

_SPELLING = {
    "colour": "color",
    "colours": "colors",
    "grey": "gray",
    "centre": "center",
    "metre": "meter",
    "litre": "liter",
    "aluminium": "aluminum",
    "favourite": "favorite",
    "neighbour": "neighbor",
    "sulphur": "sulfur",
    "tyre": "tire",
    "theatre": "theater",
    "organise": "organize",
    "labelled": "labeled",
    "travelling": "traveling",
}
_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "geese": "goose",
    "teeth": "tooth",
    "feet": "foot",
    "leaves": "leaf",
    "knives": "knife",
    "wolves": "wolf",
    "shelves": "shelf",
    "halves": "half",
    "vertices": "vertex",
    "buses": "bus",
    "oxen": "ox",
    "news": "news",
    "physics": "physics",
    "mathematics": "mathematics",
    "series": "series",
    "species": "species",
    "lens": "lens",
    "gas": "gas",
}


def term_of(text: str) -> Term | None:
    """What a folded text says in a closed vocabulary.

    >>> term_of("grey"), term_of("红色")
    (Term(family='colour', value='gray'), Term(family='colour', value='red'))
    """
    return _TERMS.get(text) or _TERMS.get(singular(text)) if len(text) <= 60 else None


def american(word: str) -> str:
    """A word in the spelling that is used here."""
    return _SPELLING.get(word, word)


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """A noun in the singular, as far as its ending tells.

    >>> singular("boxes"), singular("cities"), singular("glass"), singular("people")
    ('box', 'city', 'glass', 'person')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]
