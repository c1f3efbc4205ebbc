"""The objects that a number of a sentence may be about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.world import World

_PRONOUN = re.compile(
    r"\b(?:it|its|them|they|their|this|that|which|each other|one another|both|these|those|he|other)\b"
)


@dataclass
class Scope:
    """The objects that a number may be about: those of its clause, and others that may stand beside them."""

    here: list[frozenset[str]]
    beside: list[frozenset[str]]
    told_of_it: bool = False

    @property
    def ids(self) -> set[str]:
        """All objects of the clause, and those beside if it names none or tells of "it"."""
        return set().union(*self.here, *(self.beside if self.told_of_it or not self.here else ()))

    def couples(self) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        """Pairs of mentions, of which at least one is of the clause."""
        for i, one in enumerate(self.here):
            yield from ((one, other) for other in (*self.here[i + 1 :], *self.beside))
            if len(one) > 1:
                yield one, one
        if not self.here:
            for i, one in enumerate(self.beside):
                yield from ((one, other) for other in self.beside[i:])


def scope_of(
    sentence: Sentence, region: tuple[int, int], found: Sequence[Mention], carried: Sequence[Mention], world: World
) -> Scope:
    """The objects that a number of a region of a sentence may be about."""
    start, end = region
    named = [m for m in found if m.ids and m.families is None]
    here = [m for m in named if start <= sentence.tokens[m.start].start < end]
    beside = [m.ids for m in named if m not in here]
    if _PRONOUN.search(sentence.text[start:end]) or (len(here) < 2 and not beside):
        beside += [m.ids for m in carried if m.ids and m.families is None]
    told_of_it = re.match(r"(?:and |but |so )?(?:its|it|their|they)\b", sentence.text[start:end]) is not None
    if not beside and world.called and (told_of_it or not here):
        beside = [frozenset(world.called)]
    return Scope([m.ids for m in here], beside, told_of_it)
