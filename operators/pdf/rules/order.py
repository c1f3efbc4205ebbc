"""Reading order put right where a page proves that its list has it wrong, by the boxes on that page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

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
