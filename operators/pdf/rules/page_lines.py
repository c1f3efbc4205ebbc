"""Lines put right by their pages: running heads are hidden, and the order is mended where boxes prove it wrong."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.numbering.titles import heading_key
from operators.pdf.rules.lines import Kind, Line

#: What a title stands above on its page.
_BELOW = frozenset({Kind.TEXT, Kind.PART, Kind.SUMMARY, Kind.HEADING})
#: Below which numbers begin anew.
_ANEW = frozenset({Kind.TITLE, Kind.HEADING, Kind.ANSWERS})
_WIDE = 520.0
_MIDDLE = 500.0


def put_in_order(lines: list[Line], turns: Sequence[int]) -> list[Line]:
    """The lines, those of a page sorted by place if its labels count backwards as listed, but not as placed.

    A title listed below the first item that it stands above is moved up to it. Pages begin at ``turns``.
    """
    ordered: list[Line] = []
    counted = [index for index, line in enumerate(lines) if line.label is not None or line.kind in _ANEW]
    behind = 0
    for start, end in pairwise(turns):
        first, behind = behind, bisect_left(counted, end, behind)
        some = [lines[index] for index in counted[first:behind]]
        odd = not _counts_up(some) or any(line.kind is Kind.TITLE for line in some)
        page = lines[start:end]
        if odd and len(page) < 200 and None not in [line.block.box for line in page]:
            page = _titles_up(_sorted_page(page))
        ordered += page
    return ordered


def _sorted_page(page: list[Line]) -> list[Line]:
    if _counts_up(page):
        return page
    placed = _by_place(page)
    return placed if _counts_up(placed) else page


def _counts_up(page: Sequence[Line]) -> bool:
    """Whether plain labels between two headings never go back."""
    last = 0
    for line in page:
        if line.kind in _ANEW:
            last = 0
        elif line.label is not None and not line.label.prefix and line.kind is Kind.TEXT and line.label.number:
            if line.label.number < last and line.label.number > 1:
                return False
            last = line.label.number
    return True


def _by_place(page: Sequence[Line]) -> list[Line]:
    """Top to bottom, the left column before the right one between lines that go across both."""
    boxes = [line.block.box or (0.0, 0.0, 0.0, 0.0) for line in page]
    columns = [0 if x1 - x0 > _WIDE else 1 if (x0 + x1) / 2 < _MIDDLE else 2 for x0, _, x1, _ in boxes]
    two = columns.count(2) >= 2 and columns.count(1) >= 2
    order = sorted(range(len(page)), key=lambda i: (boxes[i][1], i))
    if two:
        band = 0
        bands = {}
        for i in order:
            band += columns[i] == 0
            bands[i] = 2 * band - (columns[i] == 0)
        order.sort(key=lambda i: (bands[i], columns[i], boxes[i][1], i))
    return [page[i] for i in order]


def _titles_up(page: list[Line]) -> list[Line]:
    """Each title before the first text below it in its column, if all texts of it listed before are below."""
    for at in [at for at, line in enumerate(page) if line.kind is Kind.TITLE and not line.running_head]:
        line = page[at]
        before = [i for i, other in enumerate(page[:at]) if other.kind in _BELOW and _in_its_column(line, other)]
        if before and all(_stands_above(line, page[i]) for i in before):
            page.insert(before[0], page.pop(at))
    return page


def _in_its_column(title: Line, other: Line) -> bool:
    upper, lower = title.block.box, other.block.box
    return upper is not None and lower is not None and upper[0] < lower[2] and lower[0] < upper[2]


def _stands_above(title: Line, other: Line) -> bool:
    upper, lower = title.block.box, other.block.box
    return upper is not None and lower is not None and upper[3] <= lower[1] + 2


#: Running heads stand above this height, in thousandths of the page: LaTeX's classes set theirs at 60 to 110.
_TOP = 120.0
#: How far the tops of two pieces of one line lie apart at most.
_SAME = 6.0
_PAGE_NUMBER = re.compile(r"^\d{1,4}\s+|\s+\d{1,4}$")
_CHAPTERS = frozenset({Kind.TITLE, Kind.HEADING, Kind.ANSWERS})
_TITLES = _CHAPTERS | {Kind.PART}


def _on_top(line: Line) -> bool:
    return line.block.box is not None and line.block.box[1] < _TOP


def _hide_beside_numbers(lines: Sequence[Line]) -> None:
    numbers: dict[tuple[int, int], list[float]] = {}
    for line in [line for line in lines if line.kind is Kind.HIDDEN]:
        box = line.block.box
        if box is not None and _on_top(line) and line.text.strip("-–— ").isdecimal():
            numbers.setdefault((line.block.file, line.block.page), []).append(box[1])
    for line in lines if numbers else ():
        box = line.block.box
        if line.kind is Kind.PICTURE or (line.label is not None and line.kind is Kind.TEXT):
            continue
        heights = numbers.get((line.block.file, line.block.page), ())
        if box is not None and any(abs(box[1] - height) <= _SAME for height in heights):
            line.kind, line.label, line.running_head = Kind.HIDDEN, None, True


def _hide_with_numbers(lines: Sequence[Line], turns: Sequence[int]) -> None:
    """Titles with a page number before or behind them: "48 Chapter 4. Sets", where "Chapter 4 Sets" is a title."""
    titles: set[str] = set()
    before = ""
    tops = {turn for turn in turns if turn < len(lines) and _on_top(lines[turn])}
    for index in sorted({*tops, *(n for n, line in enumerate(lines) if line.kind in _TITLES)}):
        line = lines[index]
        if index in tops:
            bare = _PAGE_NUMBER.sub("", line.text)
            if bare != line.text and heading_key(bare) in titles:
                line.kind, line.label, line.running_head = Kind.HIDDEN, None, True
        if line.kind in _TITLES:
            key = heading_key(line.text)
            titles |= {key, before + key}
            before = key


def _show_numbers(lines: Sequence[Line]) -> None:
    """Chapter 1, Chapter 2 that parsers list as furniture, each right above a heading of its page, are titles."""
    found: list[Line] = []
    for index in [n for n, line in enumerate(lines[:-1]) if line.kind is Kind.HIDDEN]:
        line, below = lines[index], lines[index + 1]
        mark, block = line.mark, line.block
        alone = mark is not None and mark.dress.word and mark.end == len(line.text)
        if alone and below.kind is Kind.HEADING and (block.file, block.page) == (below.block.file, below.block.page):
            found.append(line)
    numbers = [line.mark.numbers for line in found if line.mark is not None]
    if len(found) > 1 and numbers == [(n,) for n in range(1, len(found) + 1)]:
        for line in found:
            line.kind = Kind.TITLE


def hide_running_heads(lines: Sequence[Line], turns: Sequence[int]) -> None:
    """Make furniture of each line at the top of its page that stands beside a page number or repeats a title.

    That is one of a page before in another dress ("CHAPTER 1. SETS" for "Chapter 1" over "Sets"), or one that is
    printed further down on the same page, whose section begins there. Pages begin at ``turns``.
    """
    _show_numbers(lines)
    _hide_beside_numbers(lines)
    _hide_with_numbers(lines, turns)
    # Groups of one name, as 巩固练习, may head several lessons on a page.
    heads = [(index, heading_key(line.text)) for index, line in enumerate(lines) if line.kind in _CHAPTERS]
    keys = {index: key for index, key in heads if key}
    first: dict[tuple[int, str], int] = {}
    here: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for index, key in keys.items():
        here[lines[index].block.file, lines[index].block.page, key].append(index)
    hidden = -1  # the last one that was made furniture
    for index, key in keys.items():
        line, block = lines[index], lines[index].block
        shown = (lines[at].block for at in range(index - 1, hidden, -1) if lines[at].kind is not Kind.HIDDEN)
        before = next(shown, None)
        if (before is None or before.page != block.page or before.file != block.file) and _on_top(line):
            title = lines[first.get((block.file, key), index)]
            other = title.text != line.text and title.block.page < block.page
            # The same part, 巩固练习, may be in two lessons of a page, and Answers below two of its exercises.
            again = line.kind is Kind.PART or (line.kind is Kind.ANSWERS and block.level is not None)
            below = [lines[at] for at in here[block.file, block.page, key] if at > index]
            if other or (not again and any(_is_as_large(title, line) for title in below)):
                line.kind, line.label, line.running_head = Kind.HIDDEN, None, True
                hidden = index
                continue
        first.setdefault((block.file, key), index)
        if index - 1 in keys:
            # "Chapter 1" over "Sets" is one title.
            first.setdefault((block.file, keys[index - 1] + key), index - 1)


def _is_as_large(title: Line, head: Line) -> bool:
    """Whether a title is set as large as what repeats it above, or larger, as far as levels tell."""
    own, other = title.block.level, head.block.level
    return own is None or other is None or own <= other
