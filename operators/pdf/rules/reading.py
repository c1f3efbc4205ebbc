"""A book as the rules understand it, and what was taken for granted about it before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from operators.pdf.numbering.dress import Dress
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.fit import Fit, fit_of
from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import Line, Zone
from operators.pdf.rules.nesting import Node


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


class Reading:
    """Lines, headings, chapters and items, which refer to lines by their places.

    ``given`` is what was taken for granted. Items are looked for by ``find_items`` when they are first asked for, or
    the lines, some of which they mark: who wants the headings alone does without.
    """

    def __init__(
        self,
        lines: list[Line],
        outline: dict[int, Node],
        given: Assumptions,
        find_items: Callable[[], tuple[list[Chapter], list[Item]]],
    ) -> None:
        self.outline, self.given = outline, given
        self._lines, self._find_items = lines, find_items

    @cached_property
    def _found(self) -> tuple[list[Chapter], list[Item]]:
        return self._find_items()

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def lines(self) -> list[Line]:
        """All lines, with what items say of them."""
        self._found  # noqa: B018 - marks them
        return self._lines

    @property
    def chapters(self) -> list[Chapter]:
        """The chapters of items."""
        return self._found[0]

    @property
    def items(self) -> list[Item]:
        """The questions, worked examples and answers."""
        return self._found[1]

    def headings(self) -> dict[int, list[str]]:
        """The headings by their blocks' ids, each with those it stands under; also items that are set as headings."""
        return {self._lines[i].block.id: node.path(self._lines) for i, node in self.outline.items()}

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
