"""What is taken for granted about a book before it is read: told by a model, or tried because the book may be so."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from operators.pdf.numbering.dress import Dress
from operators.pdf.rules.lines import Zone


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Places are ids of blocks.

    ``titles`` are headings of chapters, true where answers stand under them. ``zones`` begin at blocks, whatever
    these are; ``dresses`` are those of labels, of answers if true.
    """

    titles: Mapping[int, bool] = field(default_factory=dict)
    zones: Mapping[int, Zone] = field(default_factory=dict)
    dresses: Set[tuple[Dress, bool]] = frozenset()

    def also(self, other: Assumptions) -> Assumptions:
        """Both; where they contradict each other, the other's."""
        return Assumptions(
            {**self.titles, **other.titles},
            {**self.zones, **other.zones},
            self.dresses | other.dresses,
        )


#: What a book is read with at first.
NOTHING = Assumptions()
