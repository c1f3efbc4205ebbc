"""Running heads among the text: lines beside a page number, and titles that repeat another one in another dress."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from operators.pdf.blocks import Block
from operators.pdf.numbering.titles import heading_key
from operators.pdf.rules.lines import Kind, Line

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
    for line in lines:
        box = line.block.box if line.kind is Kind.HIDDEN else None
        if box is not None and _on_top(line) and line.text.strip("-–— ").isdecimal():
            numbers.setdefault((line.block.file, line.block.page), []).append(box[1])
    for line in lines if numbers else ():
        box = line.block.box
        if line.kind is Kind.PICTURE or (line.label is not None and line.kind is Kind.TEXT):
            continue
        heights = numbers.get((line.block.file, line.block.page), ())
        if box is not None and any(abs(box[1] - height) <= _SAME for height in heights):
            line.kind, line.label, line.running_head = Kind.HIDDEN, None, True


def _hide_with_numbers(lines: Sequence[Line]) -> None:
    """Titles with a page number before or behind them: "48 Chapter 4. Sets", where "Chapter 4 Sets" is a title."""
    titles: set[str] = set()
    last, before = None, ""
    for line in lines:
        if (last is None or last.page != line.block.page or last.file != line.block.file) and _on_top(line):
            bare = _PAGE_NUMBER.sub("", line.text)
            if bare != line.text and heading_key(bare) in titles:
                line.kind, line.label, line.running_head = Kind.HIDDEN, None, True
        last = line.block
        if line.kind in _TITLES:
            key = heading_key(line.text)
            titles |= {key, before + key}
            before = key


def hide_running_heads(lines: Sequence[Line]) -> None:
    """Make furniture of each line at the top of its page that stands beside a page number or repeats a title.

    That is one of a page before in another dress ("CHAPTER 1. SETS" for "Chapter 1" over "Sets"), or one that is
    printed further down on the same page, whose section begins there.
    """
    _hide_beside_numbers(lines)
    _hide_with_numbers(lines)
    # Groups of one name, as 巩固练习, may head several lessons on a page.
    keys = [heading_key(line.text) if line.kind in _CHAPTERS else "" for line in lines]
    first: dict[tuple[int, str], int] = {}
    here = Counter((line.block.file, line.block.page, key) for line, key in zip(lines, keys, strict=True) if key)
    last: Block | None = None
    for index, (line, key) in enumerate(zip(lines, keys, strict=True)):
        block = line.block
        before, last = last, last if line.kind is Kind.HIDDEN else block
        if not key:
            continue
        if (before is None or before.page != block.page or before.file != block.file) and _on_top(line):
            title = lines[first.get((block.file, key), index)]
            other = title.text != line.text and title.block.page < block.page
            # The same part, 巩固练习, may be in two lessons of a page.
            if other or (line.kind is not Kind.PART and here[block.file, block.page, key] > 1):
                line.kind, line.label, line.running_head = Kind.HIDDEN, None, True
                here[block.file, block.page, key] -= 1
                last = None
                continue
        first.setdefault((block.file, key), index)
        if index and keys[index - 1]:
            # "Chapter 1" over "Sets" is one title.
            first.setdefault((block.file, keys[index - 1] + key), index - 1)
