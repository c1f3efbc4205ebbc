"""A book as the rules understand it, and what was taken for granted about it before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from operators.pdf.numbering.dress import Dress
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.fit import Fit, fit_of
from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import Line, Zone
from operators.pdf.rules.outline import Node


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


@dataclass
class Reading:
    """Lines, headings, chapters and items, which refer to lines by their places.

    ``given`` is what was taken for granted.
    """

    lines: list[Line]
    outline: dict[int, Node]
    chapters: list[Chapter]
    items: list[Item]
    given: Assumptions

    @cached_property
    def fit(self) -> Fit:
        """How well it accounts for the book."""
        return fit_of(self.lines, self.items, self.outline)

    def reply(self) -> list[ReplyChapter]:
        """The chapters and pairs, as a model would name them."""
        return _reply(self.lines, self.items)


def _reply(lines: Sequence[Line], items: Sequence[Item]) -> list[ReplyChapter]:
    replies: list[ReplyChapter] = []
    current = None
    told: dict[str, ReplyPair] = {}
    for item in items:
        if not item.question and not item.solution and not item.answer:
            continue
        pair = ReplyPair(
            item.label.label,
            [lines[i].block.id for i in item.question],
            item.answer,
            [lines[i].block.id for i in item.solution],
            lines[item.start].block.id,
        )
        if item.chapter is not current:
            again = _told_again(current, item)
            current = item.chapter
            if not again:
                replies.append(ReplyChapter([lines[i].block.id for i in current.title]))
                told = {}
        earlier = told.get(pair.label) if not pair.question else None
        if earlier is None:
            replies[-1].pairs.append(pair)
            told[pair.label] = pair
        else:
            earlier.answer = earlier.answer or pair.answer
            earlier.solution += pair.solution
    return replies


def _told_again(before: Chapter | None, item: Item) -> bool:
    """Whether an item opens a second pass over the answers of one chapter: first in short, then explained."""
    if before is None or item.chapter.zone is not Zone.ANSWERS or before.zone is not Zone.ANSWERS:
        return False
    return bool(before.title) and before.title == item.chapter.title
