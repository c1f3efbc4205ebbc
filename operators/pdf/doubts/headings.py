"""Doubts about headings: one that is missing, that was taken for a line of an item, or that heads nothing."""

from __future__ import annotations

import re
from collections import defaultdict

from operators.pdf.doubts.counts import opens_chapter
from operators.pdf.doubts.units import SURE, Book
from operators.pdf.numbering.titles import read_title, title_rank
from operators.pdf.rules.lines import Kind, Line, Zone

#: Up to one chapter in so many that is headed by a part alone is odd.
_FEW_PARTS = 4
#: From this share of headings of one kind on that have items, those without are odd; fewer headings tell nothing.
_USUAL, _ENOUGH = 0.8, 3
#: No heading of a textbook is longer.
_LONGEST = 60
_NUMBERED = re.compile(r"(?P<lead>\D{0,20}?)(?P<n>\d{1,3})(?P<point>\s*[:：.、．]?\s*)(?=[^\W\d_])")
_DOTTED = re.compile(r"\D*(\d+)(?:\.\d+)+")
_ENDS = tuple("。.？?！!；;，,：:")


def doubt_headings(book: Book) -> None:
    """Note items that stand under no heading or the wrong one, as far as headings and labels tell."""
    _untitled(book)
    _swallowed(book)
    _foreign_labels(book)
    _empty(book)


def _untitled(book: Book) -> None:
    """Chapters without a title, in a book that has titles, or that begin at a part's heading as few do."""
    opening = [n for m, n in zip([-1, *book.listed], book.listed, strict=False) if opens_chapter(book, m, n)]
    titled = sum(bool(book.items[n].chapter.title) for n in opening)
    parts = [any(book.lines[i].kind is Kind.PART for i in book.items[n].chapter.title) for n in opening]
    for n, part in zip(opening, parts, strict=True):
        if book.answers_again(n) or (book.mirrored and book.kind(n) == "answer"):
            continue
        if not book.items[n].chapter.title and 2 * titled > len(opening):
            book.before(n).doubt_with(f"no heading was found for {book.label(n)} and what follows", SURE)
            book.unit(n).doubt("no heading was found for it", SURE)
            book.doubt_all(book.mates(n), "no heading was found for it")
        elif part and sum(parts) * _FEW_PARTS <= len(opening):
            book.before(n).doubt_with("a part's heading was taken for that of a chapter", SURE)
            book.unit(n).doubt("it stands under a part's heading, as few do in this book", SURE)
            book.doubt_all(book.mates(n), "it stands under a part's heading, as few do in this book")
            book.unsure_titles.add(tuple(book.lines[i].block.id for i in book.items[n].chapter.title))


def _swallowed(book: Book) -> None:
    """Items in which a line reads like the heading that comes next: what follows stands under the wrong one."""
    for n in book.listed:
        title = book.title(n)
        for line in book.own(n)[1:] if title else ():
            if line.kind is Kind.TEXT and line.label is None and follows(title, line.text):
                book.unit(n).doubt(f"a line in it reads like the next heading: “{line.text[:30]}”", SURE)
                break


def follows(title: str, text: str) -> bool:
    """Whether a text is worded as the heading that comes after one, by its number.

    >>> follows("Worksheet 1: Cells", "Worksheet 2: Numbers"), follows("1 The Plane", "2 Maps of the Plane")
    (True, True)
    >>> follows("第二节 压强", "第三节 简单机械"), follows("1 The Plane", "2 apples cost more than one.")
    (True, False)
    """
    if not title or len(text) > _LONGEST or text.endswith(_ENDS):
        return False
    one, other = _NUMBERED.match(title), _NUMBERED.match(text)
    if one and other:
        alike = (one["lead"], one["point"]) == (other["lead"], other["point"])
        return alike and int(other["n"]) == int(one["n"]) + 1
    before, behind = read_title(title), read_title(text)
    if not before.kind or before.kind != behind.kind or not before.numbers or title_rank(text) is None:
        return False
    return behind.numbers == (*before.numbers[:-1], before.numbers[-1] + 1)


def _foreign_labels(book: Book) -> None:
    """Labels such as 2.1 under chapter 1, where others are 1.1 and 1.2: a heading between them was missed."""
    own: set[tuple[int, int]] = set()
    wrong = []
    for n in book.listed:
        chapter = book.items[n].chapter
        numbers = read_title(book.title(n)).numbers
        dotted = _DOTTED.fullmatch(book.label(n))
        if not numbers or not dotted:
            continue
        if int(dotted[1]) == numbers[0]:
            own.add((id(chapter), numbers[0]))
        else:
            wrong.append((n, (id(chapter), numbers[0])))
    for n, key in wrong:
        if key in own:
            book.unit(n).doubt(f"label out of order: {book.label(n)} stands under heading {key[1]}", SURE)


def _empty(book: Book) -> None:
    """Headings under which no item was found, where nearly all of their kind have some."""
    starts = {book.items[n].start for n in book.listed}
    kinds: dict[tuple[int | None, str], list[tuple[Line, bool]]] = defaultdict(list)
    heading: Line | None = None
    filled = False
    for index, line in enumerate([*book.lines, None]):
        if line is None or (line.kind is Kind.TITLE and not line.running_head):
            if heading is not None and heading.zone is Zone.BODY:
                kinds[title_rank(heading.text), read_title(heading.text).kind].append((heading, filled))
            heading, filled = line, False
        filled = filled or index in starts
    for among in kinds.values():
        if len(among) >= _ENOUGH and _USUAL * len(among) <= sum(has for _, has in among) < len(among):
            for line, has in among:
                if not has:
                    why = f"no item was found under the heading beside it: “{line.text[:30]}”"
                    book.units[book.place(line.block.id)].doubt(why, SURE)
