"""A book: draws titles, items and answers through the page flow and writes down the gold as it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from drawn.gold import Figure, Gold, Item
from drawn.page import Flow
from drawn.pen import Drawing
from drawn.pictures import badge


class Book:
    """One PDF file and the gold it adds to; ``chapter`` is the title that new items stand under."""

    def __init__(self, flow: Flow, gold: Gold) -> None:
        self.flow, self.gold = flow, gold
        self.chapter = ""
        self.titles: Counter[str] = Counter()
        self.ornament = badge()

    def contents(self, title: str, lines: Sequence[tuple[str, int, int]]) -> None:
        """The contents page; its lines look like headings and must not become items or titles."""
        self.rubric(title, 2)
        for text, level, number in lines:
            self.gold.not_items.append(self.flow.leaders(text, number, 14 * (level - 1)))

    def title(self, text: str, level: int = 1, *, room: float = 90) -> None:
        """A heading under which labels start anew."""
        self.chapter = text
        self.titles[text] += 1
        self.gold.not_items.append(self.flow.heading(text, level, room=room))

    def rubric(self, text: str, level: int = 3) -> None:
        """A heading that is not the title of a lesson: labels run on below it."""
        self.gold.not_items.append(self.flow.heading(text, level, listed=False, room=60))

    def decorated(self, text: str) -> None:
        """A rubric with the workbook's ornament before it."""
        self.flow.badge(self.ornament, 15)
        self.gold.not_items.append(self.flow.heading(text, 3, listed=False, room=60, indent=20))

    def prose(self, text: str, **style: float) -> None:
        self.flow.para(text, **style)  # type: ignore[arg-type]

    def summary(self, lines: Sequence[str]) -> None:
        """Numbered lines that state facts and ask nothing."""
        for line in lines:
            self.gold.not_items.append(self.flow.para(line, indent=6, hang=14, after=2))
        self.flow.gap(6)

    def item(
        self,
        label: str,
        printed: str,
        text: str,
        *,
        options: Sequence[str] = (),
        per_line: int = 1,
        parts: Sequence[str] = (),
        figures: Sequence[Drawing] = (),
        captions: Sequence[str] = (),
        bold: bool = False,
        hang: float | None = None,
    ) -> Item:
        """Draws a question or worked example with its options, sub-questions and own figures."""
        item = Item(label, self.chapter, nth=self.titles[self.chapter] - 1)
        hang = hang if hang is not None else 0 if bold else 14
        room = self.flow.size * 1.6 * (2 + len(options) / per_line + len(parts)) + self.flow.height_of(figures)
        self.flow.need(room)
        head, body = (printed, text) if bold else ("", printed + text)
        item.question.append(self.flow.para(body, bold=head, hang=hang, after=2 if options or parts else 6))
        if options:
            item.question.append(self.flow.options(options, per_line=per_line))
        for part in parts:
            item.question.append(self.flow.para(part, indent=14, hang=16, after=1))
        if parts:
            self.flow.gap(5)
        if figures:
            item.figures += self.flow.figures(*figures, captions=captions)
        self.gold.items.append(item)
        return item

    def solution(self, item: Item, bold: str, text: str, *, keep: bool = True, hang: float = 0) -> None:
        """A printed part of the solution, with its lead word such as ``Solution`` or ``解``."""
        item.solution.append(self.flow.para(text, bold=bold, hang=hang, keep=keep, after=7))

    def worked(self, label: str, text: str, *, chapter: str, nth: int = 0) -> None:
        """A worked answer in the answers section, for the item with this label."""
        printed = self.flow.para(text, hang=14, after=3)
        if item := self.gold.find(label, chapter, nth):
            item.solution.append(printed)

    def answers(self, title: str, texts: Sequence[tuple[str, str, str]], *, chapter: str = "", nth: int = 0) -> None:
        """Short answers, each printed as lead plus answer, given to the items of ``chapter``.

        ``texts`` holds label, printed lead and answer; labels without an item become orphans.
        """
        for label, lead, answer in texts:
            self.flow.para(lead + answer, hang=14, after=2)
            self.gold.give(title, answer, label, chapter, nth)

    def answer_range(self, title: str, lead: str, first: int, letters: str, *, chapter: str = "", nth: int = 0) -> None:
        """A line such as ``1-5 BCADA`` that answers several items at once."""
        self.flow.para(lead + letters, after=2)
        for k, letter in enumerate(letters.replace(" ", "")):
            self.gold.give(title, letter, str(first + k), chapter, nth)


def share(figure: Figure, *items: Item) -> None:
    """One figure that belongs to several items."""
    for item in items:
        item.figures.append(figure)
