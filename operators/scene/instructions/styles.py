"""The styles of instructions, how often each is drawn, and what is asked of a model in each."""

from __future__ import annotations

import random
from collections.abc import Mapping

from operators.scene.data import rows

#: The share of short instructions; the others are detailed.
BRIEF = 0.5
#: Weights of the styles among the short ones and among the detailed ones.
BRIEF_WEIGHTS: Mapping[str, int] = {"A": 30, "B": 40, "C": 30}
DETAILED_WEIGHTS: Mapping[str, int] = {
    "specific": 25, "category": 20, "aesthetic": 20, "lifestyle": 15, "layout": 10, "mixed": 10,
}  # fmt: skip

#: What a model is told of each style.
WANTED: Mapping[str, str] = {row[0]: row[1] for row in rows("styles.tsv")}
#: The least and the most words of each sort.
WORDS: Mapping[str, tuple[int, int]] = {"brief": (3, 35), "detailed": (15, 160), "edit": (3, 160)}


def drawn_style(rng: random.Random, furnished: bool) -> str:
    """A style by its share: of a room, or, where the room is ``furnished`` at the start, of a change.

    >>> drawn_style(random.Random(1), False), drawn_style(random.Random(2), True)
    ('brief/C', 'edit/detailed')
    """
    brief = rng.random() < BRIEF
    if furnished:
        return "edit/brief" if brief else "edit/detailed"
    weights = BRIEF_WEIGHTS if brief else DETAILED_WEIGHTS
    (style,) = rng.choices(list(weights), list(weights.values()))
    return f"{'brief' if brief else 'detailed'}/{style}"
