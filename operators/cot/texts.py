"""Texts and names of plans: how they are compared, how they are spoken of, and the words that a plan has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property, lru_cache

from dataflow_ext.text import stem, tokens
from operators.cot.plan import Plan, chains_of, texts_of

_STOPS = ".!?。！？ "
_LETTER = re.compile(r"[^\W\d_]")
#: A run of letters and digits; names with underscores are several words.
WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 14)
def one_line(text: str) -> str:
    """A text with one space for every run of spaces and line breaks of any kind, and none at its ends."""
    return " ".join(text.split())


@lru_cache(maxsize=1 << 14)
def bare(text: str) -> str:
    """A text on one line without the stop at its end, as it is named within a sentence.

    >>> bare("The lid\\nslips.")
    'The lid slips'
    """
    return one_line(text).rstrip(_STOPS)


@lru_cache(maxsize=1 << 14)
def normalised(text: str) -> str:
    """A text as it is compared with others: case, width, spaces and the stop at its end make no difference.

    >>> normalised("  Open the\\u2028ＤＯＯＲ. ") == normalised("open the door")
    True
    """
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return one_line(folded).rstrip(_STOPS)


def spoken(name: str) -> str:
    """A name as it is said: underscores are spaces."""
    return " ".join(name.replace("_", " ").split())


def tokens_key(name: str) -> str:
    """A name in one spelling."""
    return " ".join(tokens(name))


def like(goal: str, text: str) -> str:
    """``text`` with the stop at its end that ``goal`` has."""
    return f"{text}." if goal.endswith(".") else text


@lru_cache(maxsize=1 << 13)
def in_latin(text: str) -> bool:
    """Whether English words can be added to the text: most of its letters are those of English.

    >>> in_latin("Stir the crème brûlée."), in_latin("把水倒进水壶。")
    (True, False)
    """
    letters: list[str] = _LETTER.findall(text)
    return 2 * sum(map(str.isascii, letters)) > len(letters)


def stems_of(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the texts' words."""
    return frozenset(map(stem, {word for text in texts for word in tokens(text)}))


def words_of(text: str) -> list[str]:
    """The words of a text or of a name in lower case; underscores part words."""
    return WORD.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def root(word: str) -> str:
    """What is common to a word's forms, abilities among them: "readable" and "reading" have one root."""
    bare = word.lower()
    for ending in ("able", "ible"):
        if bare.endswith(ending) and len(bare) > 6:
            bare = bare.removesuffix(ending)
    return stem(bare)


@lru_cache(maxsize=1 << 14)
def roots_of(*texts: str) -> frozenset[str]:
    """The roots of the texts' words."""
    return frozenset(root(word) for text in texts for word in words_of(text))


class PlanWords:
    """What a plan speaks of: its goals, its agents, and which words it has anywhere."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.goals = [one_line(step.step_goal) for step in plan.steps]

    @cached_property
    def keys(self) -> list[str]:
        """The steps' goals as they are compared."""
        return [normalised(goal) for goal in self.goals]

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words that the plan has anywhere."""
        return stems_of(texts_of(self.plan))

    @cached_property
    def agents(self) -> frozenset[str]:
        """The names of those who act."""
        chains = [chain for step in self.plan.steps for chain in chains_of(step)]
        return frozenset(tokens_key(chain.agent) for chain in chains if chain.agent.strip())
