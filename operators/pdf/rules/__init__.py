"""Rules that do the model's job without a model: blocks in, chapters and pairs of block ids out."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache, partial
from operator import attrgetter, eq

from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter
from operators.pdf.rules.accepted_labels import accept_labels, mends_kinds
from operators.pdf.rules.answers import read_answers
from operators.pdf.rules.chapters import Chapter, group
from operators.pdf.rules.contents import Listing, follow_contents, mark_contents
from operators.pdf.rules.counted_headings import (
    count_groups,
    count_holding,
    count_labelled,
    count_numbers,
    count_on,
    count_sections,
    count_series,
    count_words,
    name_numbers,
    repeat_headings,
    shown_lines,
)
from operators.pdf.rules.figures import add_footnotes, hand_out
from operators.pdf.rules.grammar import learn_labels
from operators.pdf.rules.instructions import find_instructions
from operators.pdf.rules.items import Item, read_items
from operators.pdf.rules.keys import find_keys
from operators.pdf.rules.kinds import BlockKind, kinds_of
from operators.pdf.rules.late_labels import hidden_labels, spell_answers
from operators.pdf.rules.lines import Kind, Line, Zone, page_turns, read_lines
from operators.pdf.rules.mirrors import mirrors
from operators.pdf.rules.openers import free_openers
from operators.pdf.rules.outline import read_outline
from operators.pdf.rules.page_lines import hide_running_heads, put_in_order
from operators.pdf.rules.reading import NOTHING, Assumptions, Reading, choose
from operators.pdf.rules.sections import find_answers, mark_zones

__all__ = ["Reading", "find_headings", "find_kinds", "find_pairs", "read_book"]


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


def read_book(blocks: Sequence[Block], given: Assumptions = NOTHING) -> Reading:
    """The likeliest reading of a book, how the rules come to what :func:`find_pairs` finds; not to be changed."""
    return choose(partial(_read, blocks), given) if given is not NOTHING else _chosen(_Book(blocks))


_READ = attrgetter("id", "type", "text", "level", "page", "box", "caption", "file", "shown", "marked")


class _Book:
    """A book's blocks, which are compared by all that the rules look at: several steps read each book."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.hash = hash(tuple([b.text for b in blocks]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Book) or len(self.blocks) != len(other.blocks):
            return False
        return all(map(eq, map(_READ, self.blocks), map(_READ, other.blocks)))

    def __hash__(self) -> int:
        return self.hash


@lru_cache(maxsize=4)
def _chosen(book: _Book) -> Reading:
    return choose(partial(_read, book.blocks), NOTHING)


def _read(blocks: Sequence[Block], given: Assumptions) -> Reading:
    lines, listing = _marked(blocks, given)
    # Labels take a fifth of the time, and who wants the headings alone can mostly do without.
    early = accept_labels(lines) if mends_kinds(lines) else None
    outline = read_outline(lines, listing)

    def find_items() -> tuple[list[Chapter], list[Item]]:
        starts = accept_labels(lines) if early is None else early
        spell_answers(lines, starts)
        chapters = group(lines, starts, outline)
        if hidden := hidden_labels(lines, chapters):
            starts = sorted([*starts, *hidden], key=lambda start: (start.line, start.label.start))
            chapters = group(lines, starts, outline)
        items, pictures = read_items(lines, chapters)
        hand_out(lines, items, pictures)
        add_footnotes(lines, items)
        read_answers(lines, items)
        return chapters, items

    return Reading(lines, outline, given, find_items)


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
    return read_book(blocks).headings()


def find_kinds(blocks: Sequence[Block], used: Set[int], titles: Set[int] = frozenset()) -> dict[int, BlockKind]:
    """What each block is whose id is not ``used`` by rows; ``titles`` are headings that rows name.

    >>> texts = ["Chapter 1 Sums", "Sums are easy to learn.", "1. Add.", "[2 points]", "Answers", "1. Six.", "Why?"]
    >>> find_kinds([Block(i, "text", text) for i, text in enumerate(texts)], {2, 5})
    {0: 'heading', 1: 'theory', 3: 'furniture', 4: 'heading', 6: 'unread'}
    """
    return kinds_of(read_book(blocks).lines, used, titles)


def _marked(blocks: Sequence[Block], given: Assumptions) -> tuple[list[Line], Listing]:
    """The lines of a book in reading order, each with its kind and zone, and what the contents pages list.

    Passes over all lines, each of which may change what the ones before it set: kinds by the line alone, running heads,
    contents pages, then headings that only counts tell (``count_…``), zones (instructions, answers by counts and keys),
    and at last the labels that the book teaches, which also mend zones.
    """
    read = read_lines(blocks)
    turns = page_turns(read)  # lines are sorted within their pages alone
    lines = put_in_order(read, turns)
    hide_running_heads(lines, turns)
    listing = Listing(mark_contents(lines, turns))
    follow_contents(lines, listing)
    marked = [(n, line, mark) for n, line in enumerate(lines) if (mark := line.mark) is not None]
    count_labelled(lines, marked)
    count_holding(lines, marked)
    count_sections(lines)
    count_words(lines, marked)
    shown = shown_lines(lines)
    name_numbers(shown)
    count_numbers(shown)
    count_on(lines, marked)
    count_groups(shown)
    count_series(shown)
    repeat_headings(shown)
    free_openers(lines)
    mirrored = mirrors(lines)
    zones = find_instructions(lines) | find_answers(lines, mirrored) | find_keys(lines)
    for index, line in enumerate(lines) if given is not NOTHING else ():
        block = line.block.id
        if block in given.titles:
            line.kind, line.label, line.running_head = Kind.TITLE, None, False
            zones[index] = Zone.ANSWERS if given.titles[block] else Zone.BODY
        if block in given.zones:
            zones[index] = given.zones[block]
    mark_zones(lines, zones)
    learn_labels(lines, given.dresses, {dress for mirror in mirrored for dress in mirror.dresses})
    return lines, listing
