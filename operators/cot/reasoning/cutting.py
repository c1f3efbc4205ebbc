"""Sentences that name nothing of the plan: between required sentences they are cut."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import zip_longest

from dataflow_ext.claims.sentences import sentences
from operators.cot.anchors import spoken
from operators.cot.plan import Plan, Same
from operators.cot.recovery.words import stem
from operators.cot.rules.required import placed
from operators.cot.support.facts import things_of

#: Words of a goal that may stand for what it is about: long enough to be none of "with", "into", "then".
_WORD = re.compile(r"[^\W\d_]{5,}")
_PART = re.compile(r"[^\W_]{3,}")
#: Words that speak of reasoning rather than of a plan's things, though a goal may have them.
_ABOUT_REASONING = frozenset(map(stem, ("answer", "step", "steps", "plan", "action", "order", "option", "another")))


def names_of(plan: Plan) -> frozenset[str]:
    """The stems of the words by which a text speaks of a plan: of its things' names, and of its goals."""
    return _names(Same(plan))


def cut(reasoning: str, anchors: Sequence[str], names: Set[str]) -> str:
    """A reasoning without the sentences that name nothing of the plan; required ones stay.

    >>> cut("None of this matters. The tube is flat. It is on. So be it.", ["It is on."], frozenset(["tube"]))
    'The tube is flat. It is on.'
    """
    found = placed(reasoning, anchors)
    if found.problems or len(found.between) != len(anchors) + 1:
        return reasoning
    parts = [_naming(text.strip(), names) for text in found.between]
    return " ".join(part for pair in zip_longest(parts, anchors, fillvalue="") for part in pair if part)


def _naming(text: str, names: Set[str]) -> str:
    kept = [
        text[start:end]
        for start, end in sentences(text)
        if not names.isdisjoint(map(stem, _PART.findall(text[start:end].lower()))) or not text[start:end].isascii()
    ]
    return " ".join(kept)


@lru_cache(maxsize=1 << 8)
def _names(plan: Same) -> frozenset[str]:
    things = (word for name in things_of(plan.it) for word in _PART.findall(spoken(name).lower()))
    goals = (word for step in plan.it.steps for word in _WORD.findall(step.step_goal.lower()))
    return frozenset(map(stem, (*things, *goals))) - _ABOUT_REASONING
