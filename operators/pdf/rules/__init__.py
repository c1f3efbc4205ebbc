"""Rules that do the model's job without a model: blocks in, chapters and pairs of block ids out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules.answers import read_answers
from operators.pdf.rules.chapters import Chapter, group
from operators.pdf.rules.contents import Listing, follow_contents, mark_contents
from operators.pdf.rules.counted_headings import count_letters, count_sections
from operators.pdf.rules.figures import hand_out
from operators.pdf.rules.footnotes import add_footnotes
from operators.pdf.rules.grammar import learn_labels, spell_answers
from operators.pdf.rules.instructions import find_instructions
from operators.pdf.rules.items import Item, read_items
from operators.pdf.rules.lines import Kind, Line, Zone, read_lines
from operators.pdf.rules.order import put_in_order
from operators.pdf.rules.outline import read_outline
from operators.pdf.rules.running_heads import hide_running_heads
from operators.pdf.rules.runs import accept_labels
from operators.pdf.rules.sections import mark_zones

__all__ = ["Reading", "find_headings", "find_pairs", "read_book", "read_marked"]


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
    lines, listing = _marked(blocks, told or {})
    starts = accept_labels(lines)
    spell_answers(lines, starts)
    chapters = group(lines, starts, read_outline(lines, listing))
    items, pictures = read_items(lines, chapters)
    hand_out(lines, items, pictures)
    add_footnotes(lines, items)
    read_answers(lines, items)
    return Reading(lines, chapters, items)


def find_headings(blocks: Sequence[Block]) -> dict[int, list[str]]:
    """The headings of a book by their blocks' ids: each with those it stands under, the outermost first.

    A heading in two blocks, "Chapter 3" over "Circles", is one. The book's own title has nothing under it.

    >>> texts = ["Chapter 1 Numbers", "1.1 Sums", "1. Add.", "1.2 Products", "1. Multiply.", "Chapter 2 Circles"]
    >>> for block, path in find_headings([Block(i, "text", t) for i, t in enumerate(texts)]).items():
    ...     print(block, path)
    0 ['Chapter 1 Numbers']
    1 ['Chapter 1 Numbers', '1.1 Sums']
    3 ['Chapter 1 Numbers', '1.2 Products']
    5 ['Chapter 2 Circles']
    """
    lines, listing = _marked(blocks, {})
    return {lines[i].block.id: node.path(lines) for i, node in read_outline(lines, listing).items()}


def read_marked(blocks: Sequence[Block]) -> list[Line]:
    """The lines of a book in reading order, each with its kind and the zone that it stands in."""
    return _marked(blocks, {})[0]


def _marked(blocks: Sequence[Block], told: Mapping[int, bool]) -> tuple[list[Line], Listing]:
    """The lines of a book in reading order, each with its kind and zone, and what the contents pages list."""
    lines = put_in_order(read_lines(blocks))
    hide_running_heads(lines)
    listing = Listing(mark_contents(lines))
    follow_contents(lines, listing)
    count_sections(lines)
    count_letters(lines)
    zones = find_instructions(lines)
    for index, line in enumerate(lines) if told else ():
        if line.block.id in told:
            line.kind, line.label, line.running_head = Kind.TITLE, None, False
            zones[index] = Zone.ANSWERS if told[line.block.id] else Zone.BODY
    mark_zones(lines, zones)
    learn_labels(lines)
    return lines, listing


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
