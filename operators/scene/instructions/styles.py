"""The styles of instructions, how often each is drawn, and what is asked of a model in each."""

from __future__ import annotations

import random
from collections.abc import Mapping

#: The share of short instructions; the others are detailed.
BRIEF = 0.5
#: Weights of the styles among the short ones and among the detailed ones.
BRIEF_WEIGHTS: Mapping[str, int] = {"A": 30, "B": 40, "C": 30}
DETAILED_WEIGHTS: Mapping[str, int] = {
    "specific": 25, "category": 20, "aesthetic": 20, "lifestyle": 15, "layout": 10, "mixed": 10,
}  # fmt: skip

#: What a model is told of each style.
WANTED: Mapping[str, str] = {
    "brief/A": "One short sentence of at most 15 words: the kind of room and how it should feel. No list of furniture.",
    "brief/B": "One short sentence of at most 20 words, a request to create or set up the room, that names two or "
    "three of its main pieces.",
    "brief/C": "One short sentence of at most 20 words: what the user needs, a style if the list bears it out, and one "
    "quality that the furniture gives (light, storage, a place to work).",
    "detailed/specific": "Three to five sentences with concrete pieces, their numbers, colours and materials.",
    "detailed/category": "Three to five sentences that go through sorts of furniture (sleeping, seating, storage, "
    "light) and what each has to do.",
    "detailed/aesthetic": "Three to five sentences about the look: style, colours, materials, mood; a few pieces.",
    "detailed/lifestyle": "Three to five sentences about what the user does in the room, each with the pieces for it.",
    "detailed/layout": "Three to five sentences about where things go and how one moves around; only places that the "
    "notes on the layout bear out.",
    "detailed/mixed": "Three to five sentences: some concrete pieces with numbers or materials, and some general "
    "goals for the room.",
    "edit/brief": "One or two short sentences that ask for exactly the changes listed, in a user's words.",
    "edit/detailed": "Two to five sentences that ask for exactly the changes listed, in a user's words, with colours "
    "or materials that tell the pieces apart, or with a reason.",
}
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
