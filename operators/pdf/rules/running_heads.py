"""Running heads among the text: lines beside a page number, and titles that repeat another one in another dress."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

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
