"""The rules' reading of a book, judged unit by unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from operators.pdf.blocks import Block
from operators.pdf.doubts.answers import doubt_answers
from operators.pdf.doubts.counts import doubt_counts, doubt_titles
from operators.pdf.doubts.language import is_known
from operators.pdf.doubts.proof import doubt_misread
from operators.pdf.doubts.texts import doubt_texts
from operators.pdf.doubts.units import SURE, Book
from operators.pdf.rules import read_book
from operators.pdf.rules.reading import NOTHING, Assumptions


def judge(blocks: Sequence[Block], told: Mapping[int, bool] | None = None) -> Book:
    """A book in units, each with what speaks against the rules' reading of it.

    ``told`` holds block ids that are known to head a chapter, true where it is a chapter of answers.

    >>> texts = ["Chapter 1 Sets", "1. Find x.", "2. Find y.", "l3. Find z.", "4. Find t."]
    >>> for unit in judge([Block(i, "text", text) for i, text in enumerate(texts)]).units:
    ...     print(unit.first, round(unit.confidence, 2), [*unit.reasons])
    0 1.0 []
    1 1.0 []
    2 0.4 ['number missing between 2 and 4: 3']
    4 0.4 ['its label leaves a gap behind 2']
    """
    book = Book(read_book(blocks, Assumptions(titles=told) if told else NOTHING), len(blocks))
    segments = doubt_counts(book)
    doubt_titles(book)
    doubt_texts(book, segments)
    doubt_answers(book)
    doubt_misread(book)
    reasons = () if book.listed else ("no item was found",)
    if not (book.is_counted_out or is_known(block.text for block in blocks)):
        reasons = (*reasons, "the rules do not know the words of its language")
    for unit, reason in product(book.units, reasons):
        unit.doubt(reason, SURE)
    return book
