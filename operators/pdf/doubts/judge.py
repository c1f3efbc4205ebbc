"""The rules' reading of a book, judged unit by unit."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.blocks import Block
from operators.pdf.doubts.answers import doubt_answers
from operators.pdf.doubts.counts import SURE, doubt_counts
from operators.pdf.doubts.texts import doubt_texts
from operators.pdf.doubts.units import Book
from operators.pdf.rules import Reading, read_book


def judge(blocks: Sequence[Block], sure_from: float = 0.7) -> tuple[Book, dict[int, bool]]:
    """A book in units, each with what speaks against the rules' reading of it.

    Also gives the headings of chapters that were read as answers after all, because fewer units are then
    below ``sure_from``.

    >>> texts = ["Chapter 1 Sets", "1. Find x.", "2. Find y.", "l3. Find z.", "4. Find t."]
    >>> book, _ = judge([Block(i, "text", text) for i, text in enumerate(texts)])
    >>> for unit in book.units:
    ...     print(unit.first, round(unit.confidence, 2), [*unit.reasons])
    0 1.0 []
    1 1.0 []
    2 0.4 ['a number is missing behind it']
    4 0.4 ['the number leaves a gap']
    """
    book, telling = _judged(read_book(blocks), len(blocks))
    if telling:
        told = dict.fromkeys(telling, True)
        other, _ = _judged(read_book(blocks, told), len(blocks))
        if _unsure(other, sure_from) < _unsure(book, sure_from):
            return other, told
    return book, {}


def _judged(reading: Reading, size: int) -> tuple[Book, list[int]]:
    book = Book(reading, size)
    segments = doubt_counts(book)
    doubt_texts(book, segments)
    telling = doubt_answers(book)
    if not book.listed:
        for unit in book.units:
            unit.doubt("no item was found", SURE)
    return book, telling


def _unsure(book: Book, sure_from: float) -> int:
    return sum(unit.confidence < sure_from for unit in book.units)
