"""How likely a chapter was misread as a whole: books are mostly right as a whole or wrong as a whole."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from operators.pdf.doubts.units import SURE, Book
from operators.pdf.rules.items import Item

#: How the doubt begins that all rows of such a chapter have.
MISREAD = "its chapter was probably misread"
#: From which share on it is told.
_PROBABLY = 0.5
#: What an item's worth of oddness counts, in the book and in the chapter, and what is left where nothing is odd: fitted
#: to 2,828 chapters of 72 books by seven authors, read by these rules and by ten crippled kinds of them. On the authors
#: left out, of chapters at 0 to 10 % 4 % had most of their rows wrong, at 25 to 50 % 20 %, above 75 % 85 %.
_BOOK, _CHAPTER, _NOTHING = 4.8, 2.8, -3.95


@dataclass(slots=True)
class _Stretch:
    """A chapter from its heading to the next one's: the block that it begins at, its items and what is odd there."""

    first: int
    items: int = 0
    odd: float = 0.0


def doubt_misread(book: Book) -> None:
    """Note of all units of a chapter that it was probably misread, by what counting leaves odd in it and in the book.

    Whatever the language says: numbers left out, questions and answers that do not match, text that nothing explains.
    """
    stretches = _stretches(book)
    firsts = [stretch.first for stretch in stretches]
    whole = min(1.0, book.reading.fit.odd / max(1, len(book.listed)))
    for unit in book.units:
        likely = share_misread(whole, stretches[max(0, bisect_right(firsts, unit.first) - 1)])
        if likely >= _PROBABLY:
            unit.doubt(f"{MISREAD}: {likely:.0%} of the chapters that are so odd were", SURE)


def share_misread(book: float, stretch: _Stretch) -> float:
    """The share of the chapters like this that were misread, in books that leave this much odd for each item.

    >>> [round(share_misread(*odd), 2) for odd in ((0.0, _Stretch(0, 4)), (0.3, _Stretch(0, 4, 1)), (0.9, _Stretch(0)))]
    [0.02, 0.14, 0.59]
    """
    own = min(1.0, stretch.odd / max(1, stretch.items))
    return 1 / (1 + exp(-(_BOOK * book + _CHAPTER * own + _NOTHING)))


def _stretches(book: Book) -> list[_Stretch]:
    found = [_Stretch(0)]
    last: Item | None = None
    for n in book.listed:
        item = book.items[n]
        if last is not None and item.chapter is not last.chapter:
            found.append(_Stretch(min(_head(book, item), book.head(n))))
        found[-1].items += 1
        last = item
    firsts = [stretch.first for stretch in found]
    for index, weight in book.reading.fit.places.items():
        found[bisect_right(firsts, book.lines[index].block.id) - 1].odd += weight
    return found


def _head(book: Book, item: Item) -> int:
    """The block of an item's heading, or the item's own if the heading stands elsewhere."""
    own = book.lines[item.start].block.id
    title = min((book.lines[i].block.id for i in item.chapter.title), default=own)
    return title if title <= own else own


def misread_chapters(doubts: Sequence[Sequence[str]], titles: Sequence[str]) -> Counter[str]:
    """How many rows of each chapter have the doubt, by its title.

    >>> misread_chapters([[], [f"{MISREAD}: 77 % of …"], [f"{MISREAD}: 77 % of …"]], ["1 Sums", "2 Sets", "2 Sets"])
    Counter({'2 Sets': 2})
    """
    told = (any(doubt.startswith(MISREAD) for doubt in some) for some in doubts)
    return Counter(title for title, is_told in zip(titles, told, strict=True) if is_told)
