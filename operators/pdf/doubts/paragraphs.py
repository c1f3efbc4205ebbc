"""Doubts about the paragraphs of items: one more than their likes have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from operators.pdf.doubts.units import POSSIBLE, Book
from operators.pdf.numbering import option_letter, solution_marker, sub_label
from operators.pdf.rules.lines import Kind, Line
from operators.pdf.rules.words import ASKS

#: Up to this share, what an item has is odd.
_SELDOM = 0.1
#: Characters from which on a text is one of sentences.
_PROSE = 40


def doubt_paragraphs(book: Book) -> None:
    """Items that end in a paragraph more than their likes have, which asks nothing: told matter, or another item."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for n in book.listed:
        kinds[book.kind(n)].append(n)
    for among in kinds.values():
        for part in ("question", "solution"):
            told = {n: _told(book, n, getattr(book.items[n], part)) for n in among}
            have = [n for n in among if getattr(book.items[n], part)]
            odd(book, have, [told[n] > 1 for n in have], f"its {part} has a paragraph more than its likes", POSSIBLE)


def _told(book: Book, n: int, places: Sequence[int]) -> int:
    """How many paragraphs some lines of an item have that ask nothing, the first one counted with what it opens."""
    lines = [book.lines[i] for i in places if i != book.items[n].start]
    silent = [line for line in lines if _is_prose(line) and not ASKS.search(line.text) and not _opens_part(line.text)]
    return 1 + len(silent)


def _is_prose(line: Line) -> bool:
    return line.kind is Kind.TEXT and line.block.type in ("text", "list_item") and len(line.text) > _PROSE


def _opens_part(text: str) -> bool:
    return bool(option_letter(text) or sub_label(text) or solution_marker(text))


def odd(book: Book, among: Sequence[int], have: Sequence[bool], reason: str, weight: float) -> None:
    """Note what few of some items have."""
    if 0 < sum(have) <= max(1.0, _SELDOM * len(among)):
        for n, has in zip(among, have, strict=True):
            if has:
                book.unit(n).doubt(reason, weight)
