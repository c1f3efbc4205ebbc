"""Doubts about the paragraphs of items: one more than their likes have, or one that ends within a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.doubts.units import POSSIBLE, Book
from operators.pdf.numbering import option_letter, solution_marker, sub_label
from operators.pdf.rules.lines import Kind, Line
from operators.pdf.rules.words import ASKS

#: Up to this share, what an item has is odd.
_SELDOM = 0.1
#: Texts that tell how a book's texts end.
_ENOUGH = 5
#: Characters from which on a text is one of sentences; and the share of such texts that end with a stop.
_PROSE, _ENDED = 40, 0.95
_STOPS = tuple(".。．?？!！:：;；…")


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


def doubt_ends(book: Book) -> None:
    """Texts that end within a sentence, in a book whose texts do not, and behind which nothing goes on."""
    ended: list[tuple[int, bool]] = []
    for n in book.listed:
        own = book.own(n)
        for line, following in pairwise([*own, None]):
            goes_on = following is not None and following.kind is Kind.PICTURE
            if line is not None and _is_prose(line) and not goes_on and not line.text.endswith("$"):
                ended.append((n, line.text.rstrip("）)]』」”’\"'").endswith(_STOPS)))
    whole = sum(end for _, end in ended)
    if len(ended) >= _ENOUGH and whole >= _ENDED * len(ended):
        for n, end in ended:
            if not end:
                book.unit(n).doubt("a text of it ends within a sentence", POSSIBLE)


def odd(book: Book, among: Sequence[int], have: Sequence[bool], reason: str, weight: float) -> None:
    """Note what few of some items have."""
    if 0 < sum(have) <= max(1.0, _SELDOM * len(among)):
        for n, has in zip(among, have, strict=True):
            if has:
                book.unit(n).doubt(reason, weight)
