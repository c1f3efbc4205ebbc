"""The words of a plan: its goals, its agents, and which words it has anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from dataflow_ext.text import stem, tokens
from operators.cot.plan import Plan, chains_of, texts_of
from operators.cot.tasks.task import normalised, one_line

_LETTER = re.compile(r"[^\W\d_]")


class Vocabulary:
    """What a plan speaks of."""

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


def stems_of(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the texts' words."""
    return frozenset(map(stem, {word for text in texts for word in tokens(text)}))


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
