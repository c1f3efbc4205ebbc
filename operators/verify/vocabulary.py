"""Closed vocabulary: words that mean the same, and families of words of which no two do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import lists, rows
from dataflow_ext.text.nouns import singular


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a closed vocabulary: its family, and what it says there."""

    family: str
    value: str


#: Families of which a word never names what a word of another one does.
APART = frozenset(("polarity", "undetermined", "colour", "weekday", "month", "season", "state of matter", "shape",
                   "animal", "vehicle"))  # fmt: skip
#: Of each family of ``data/families.tsv`` what may be said, by the ways to say it, in English and Chinese.
_TERMS: Mapping[str, Term] = {
    way: Term(family, value)
    for family, value, ways in rows("operators.verify", "data/families.tsv")
    for way in ways.split("|")
}

#: Words that say nothing of their own.
ARTICLES = frozenset({"a", "an", "the"})
_LISTS = lists("operators.verify", "data/lists.tsv")
FILLER, NEGATIONS = _LISTS["filler"], _LISTS["negations"]
CHINESE_NEGATIONS = "不没无非未"
#: Beginnings that turn a word into its opposite.
OPPOSITES = ("un", "in", "im", "ir", "il", "dis", "non", "a")

#: The American spelling of words.
_SPELLING: dict[str, str] = dict(rows("operators.verify", "data/spelling.tsv"))


@lru_cache(maxsize=1 << 14)
def term_of(text: str) -> Term | None:
    """What a folded text says in a closed vocabulary.

    >>> term_of("grey"), term_of("红色")
    (Term(family='colour', value='gray'), Term(family='colour', value='red'))
    """
    return _TERMS.get(text) or _TERMS.get(singular(text)) if len(text) <= 60 else None


def american(word: str) -> str:
    """A word in the spelling that is used here."""
    return _SPELLING.get(word, word)
