"""Numbers missing in a chapter's count: a book's own, or a label that was lost on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.reply import ReplyChapter


@dataclass(frozen=True, slots=True)
class Gap:
    """Labels that a chapter skips: ``after`` is the label before them, "" if the count begins late."""

    title: tuple[int, ...]
    after: str
    missing: tuple[str, ...]


def find_gaps(chapters: Sequence[ReplyChapter]) -> list[Gap]:
    """The gaps in the plain numbers of all chapters, in order.

    >>> from operators.pdf.reply import ReplyPair
    >>> find_gaps([ReplyChapter([3], [ReplyPair("1", [4]), ReplyPair("例1", [5]), ReplyPair("4", [6])])])
    [Gap(title=(3,), after='1', missing=('2', '3'))]
    """
    gaps = []
    for chapter in chapters:
        numbers = sorted({int(p.label) for p in chapter.pairs if p.label.isascii() and p.label.isdecimal()})
        for before, number in zip([0, *numbers], numbers, strict=False):
            if number > before + 1:
                missing = tuple(str(n) for n in range(before + 1, number))
                gaps.append(Gap(tuple(chapter.title), str(before) if before else "", missing))
    return gaps
