"""Lists of items that hang: what stands left of their numbers is no part of them."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.numbering import option_letter, solution_marker, sub_label
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone

#: How far labels of one list lie apart at most, and text left of it at least, in thousandths of the page's width.
_ALIGNED, _LEFT = 4.0, 8.0
#: A block so many times as high as the lowest one has several lines.
_SEVERAL = 1.6
#: Items that make a list.
_FEWEST = 2


def left_of_lists(lines: Sequence[Line], chapters: Sequence[Chapter]) -> frozenset[int]:
    """The places of lines that stand below an item of a hanging list, and left of its number.

    A list hangs if its numbers are aligned although some items have several lines and others one.
    """
    found: set[int] = set()
    for chapter in chapters:
        starts = sorted({start.line for start in chapter.starts})
        if chapter.zone is Zone.BODY and _hangs([lines[i] for i in starts]):
            for start in starts:
                found.update(_left_of(lines, start))
    return frozenset(found)


def _hangs(items: Sequence[Line]) -> bool:
    boxes = [line.block.box for line in items if line.block.box is not None]
    if len(boxes) < _FEWEST or len(boxes) < len(items):
        return False
    pages = {(line.block.file, line.block.page) for line in items}
    heights = [y1 - y0 for _, y0, _, y1 in boxes]
    lefts = [x0 for x0, *_ in boxes]
    several = min(heights) * _SEVERAL < max(heights)
    return several and len(pages) == 1 and max(lefts) - min(lefts) <= _ALIGNED


def _left_of(lines: Sequence[Line], start: int) -> list[int]:
    """The first line below an item, up to the next item or heading, that stands left of it on its page."""
    item = lines[start].block
    for index in range(start + 1, len(lines)):
        line, box = lines[index], lines[index].block.box
        if line.label is not None or line.kind in HEADINGS or line.block.page != item.page:
            break
        if line.kind is not Kind.TEXT or box is None or item.box is None:
            continue
        if option_letter(line.text) or sub_label(line.text) or solution_marker(line.text):
            break
        if box[1] >= item.box[3] - 1 and box[2] > item.box[0] and box[0] < item.box[0] - _LEFT:
            return [index]
    return []
