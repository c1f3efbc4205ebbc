"""The one who speaks in a turn: phrasings drawn from many, none of them twice."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from operators.scene.reasoning.phrases import PHRASES

#: A side is one that things are on, while they are in a corner.
_SIDE = re.compile(r"\b([iI])n (the \w+ side)\b")


class Voice:
    """Draws phrasings by their topic; one that was used in the turn comes again only when all were."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self._left: dict[str, list[str]] = {}

    def say(self, topic: str, **values: object) -> str:
        """A phrasing of the topic, filled.

        >>> Voice(random.Random(0)).say("clear.both").endswith(".")
        True
        """
        left = self._left.get(topic)
        if not left:
            left = self._left[topic] = list(PHRASES[topic])
        phrase = left.pop(self.draw.randrange(len(left)))
        return _SIDE.sub(lambda found: f"{'O' if found[1] == 'I' else 'o'}n {found[2]}", phrase.format_map(values))

    def chance(self, share: float) -> bool:
        """True in so many of all cases."""
        return self.draw.random() < share

    def among(self, options: Sequence[str]) -> str:
        """One of the options."""
        return options[self.draw.randrange(len(options))]
