"""Whether counting proves how a book was read: its questions count on, and no text is left over."""

from __future__ import annotations

from operators.pdf.doubts.units import SURE, Book

#: How the doubt begins that all rows of a book have that was read as misread ones are.
MISREAD = "its book was probably misread"
#: The share of a book's items that may be odd. Of 75 books by six authors those that were wrong in a fifth of their
#: questions or more have .07 and up, all that were right up to .06, and damaged ones whose damage is seen up to .10.
_ODD = 0.07


def doubt_misread(book: Book) -> None:
    """Note of all units that their book was probably misread, by gaps in its questions' numbers and text left over."""
    fit, items = book.reading.fit, len(book.listed)
    odd = fit.unread + fit.gaps
    # One wrong label leaves two gaps, which are doubted where they are.
    if items and odd > max(2, _ODD * items):
        for unit in book.units:
            unit.doubt(f"{MISREAD}: {odd:.0f} gaps or texts are left between its {items} items", SURE)
