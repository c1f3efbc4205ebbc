"""Rules that do the model's job without a model: blocks in, chapters and pairs of block ids out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules.answers import read_answers
from operators.pdf.rules.chapters import Chapter, group
from operators.pdf.rules.figures import hand_out
from operators.pdf.rules.items import Item, read_items
from operators.pdf.rules.lines import Kind, Line, Zone, read_lines
from operators.pdf.rules.order import put_in_order
from operators.pdf.rules.runs import accept_labels
from operators.pdf.rules.sections import mark_zones

__all__ = ["Reading", "find_pairs", "read_book"]


@dataclass(slots=True)
class Reading:
    """A book as the rules understand it; numbers in chapters and items are places in ``lines``."""

    lines: list[Line]
    chapters: list[Chapter]
    items: list[Item]

    def reply(self) -> list[ReplyChapter]:
        """The chapters and pairs, as a model would name them."""
        return _reply(self.lines, self.items)


def find_pairs(blocks: Sequence[Block]) -> list[ReplyChapter]:
    """The questions, worked examples and answers of a book, each under the heading its number counts in.

    ``blocks`` are all blocks of a document in reading order. Answers printed apart are pairs without
    question ids. A block that holds several items, or the end of a question and the start of its
    solution, is named in each. An item with a heading of its own, such as 思维与拓展1, has the heading's
    block as its first id. Nothing is found in front matter, contents pages and summaries.

    >>> texts = ["3.1 Circles", "1. Find the area.", "(A) 3", "2. Why?", "Answers", "1. A", "2. Because."]
    >>> for chapter in find_pairs([Block(i, "text", t) for i, t in enumerate(texts)]):
    ...     print(chapter.title, [(p.label, p.question, p.answer) for p in chapter.pairs])
    [0] [('1', [1, 2], ''), ('2', [3], '')]
    [0] [('1', [], 'A'), ('2', [], 'Because')]
    """
    return read_book(blocks).reply()


def read_book(blocks: Sequence[Block], told: Mapping[int, bool] | None = None) -> Reading:
    """How the rules come to what :func:`find_pairs` finds.

    ``told`` holds block ids that are known to head a chapter, true where it is a chapter of answers.
    """
    lines = put_in_order(read_lines(blocks))
    zones: dict[int, Zone] = {}
    for index, line in enumerate(lines) if told else ():
        if told and line.block.id in told:
            line.kind, line.label, line.running_head = Kind.TITLE, None, False
            zones[index] = Zone.ANSWERS if told[line.block.id] else Zone.BODY
    mark_zones(lines, zones)
    starts = accept_labels(lines)
    chapters = group(lines, starts)
    items, pictures = read_items(lines, chapters)
    hand_out(lines, items, pictures)
    read_answers(lines, items)
    return Reading(lines, chapters, items)


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
