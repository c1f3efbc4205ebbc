"""Where a page may be parted into a left and a right column: the room before edges that lines share."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from operators.pdf.parser.bands import Part
from operators.pdf.parser.runs import Run

#: Gutters of a page that are tried at most.
_MAX_GUTTERS = 8
#: How far before the edge that lines share a gutter is, in ems.
_OFF = 0.4
#: Between columns there is more room than between words, in ems.
WORDS_APART = 0.7
#: A label and nothing else, with a word or without.
BARE = re.compile(r"(?:[^\W\d_]{2,14}\.?\s)?[（(]?\d{1,3}\s?[.．、:)）]?")
#: A number of a question; those in brackets may be of equations, at the right end of a column.
_NUMBER = re.compile(r"\d{1,3}\s?[.．、)）](?!\d)")
#: A number before words.
_COUNTED = re.compile(r"[（(]?(\d{1,3})\s?(?:[.．、)）](?!\d)|(?=\s[^\d\s]))")


def gutters_of(parts: Sequence[Part], body: float) -> list[float]:
    """Where a right column may begin, the likeliest first: no room behind numbers, nor that between two words."""
    return [
        gutter
        for gutter in _edges(parts, body)
        if not _behind_numbers(parts, gutter, body) and not _in_lines(parts, gutter, body)
    ]


def _behind_numbers(parts: Sequence[Part], gutter: float, body: float) -> bool:
    """Whether what stands right of a gutter are mostly the words of numbers, or of heavy labels, left of it."""
    texts = [part for part in parts if isinstance(part, Run)]
    near = [run for run in texts if run.x1 <= gutter + 1 and gutter - run.x1 < 3 * body]
    beyond = [run for run in texts if gutter <= run.x0 < gutter + 2 * body]
    levels = {round(run.base) for run in near if BARE.fullmatch(run.text)}
    levels |= {round(run.base) for run in near if run.bold} - {round(run.base) for run in beyond if run.bold}
    right = {round(run.base) for run in beyond}
    return len(levels) >= 2 and 2 * len(levels & right) >= len(right)


def _in_lines(parts: Sequence[Part], gutter: float, body: float) -> bool:
    """Whether the room at a gutter is no wider than that between words, in most lines that go on behind it."""
    lines: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run):
            lines[round(part.base)].append(part)
    gaps: list[float] = []
    for runs in lines.values():
        ends = [run.x1 for run in runs if run.x1 <= gutter + 1]
        begins = [run.x0 for run in runs if run.x0 >= gutter - 1]
        if ends and begins:
            gaps.append(min(begins) - max(ends))
    return 2 * sum(gap < WORDS_APART * body for gap in gaps) > len(gaps)


def _edges(parts: Sequence[Part], body: float) -> list[float]:
    """The room before left edges in the middle that lines share, or where a count goes on."""
    going_on = [run.x0 - _OFF * body for run in _going_on(parts)]
    if len(parts) < 6:
        return going_on
    left, right = min(part.box[0] for part in parts), max(part.box[2] for part in parts)
    wide = right - left
    if wide < 20 * body:
        return going_on
    # Displays are centred, or set in from the edge: they are no lines of a column.
    edges = sorted(part.x0 for part in parts if isinstance(part, Run) and not part.text.startswith("$$"))
    found: list[tuple[int, float]] = []
    for edge in edges:
        if not left + 0.2 * wide < edge < right - 0.2 * wide or (found and edge - found[-1][1] < 4):
            continue
        # Numbers hang to the left of their lines, so the edge need not be that of every line.
        shared = bisect_left(edges, edge + 4 * body) - bisect_left(edges, edge)
        if shared >= 3:
            found.append((shared, edge))
    # What stands behind hanging numbers is no left edge of a column.
    numbered = [part.x0 for part in parts if isinstance(part, Run) and _NUMBER.match(part.text)]
    numbers = [edge for _, edge in found if any(0 <= left - edge < 4 for left in numbered)]
    found = [one for one in found if not any(0 < one[1] - number < 4 * body for number in numbers)]
    found.sort(reverse=True)
    before = [edge - _OFF * body for _, edge in found[:_MAX_GUTTERS]]
    narrow = [_middle(edge, parts) for _, edge in found[:_MAX_GUTTERS]]
    # In wide room its middle parts what the place before the edge does.
    return [
        *dict.fromkeys(before + going_on + [middle for middle, at in zip(narrow, before, strict=True) if middle > at])
    ]


def _middle(edge: float, parts: Sequence[Part]) -> float:
    """The middle of the room before a left edge."""
    end = max((part.box[2] for part in parts if part.box[2] <= edge), default=edge)
    return (end + edge) / 2


def _going_on(parts: Sequence[Part]) -> list[Run]:
    """The runs whose numbers follow those of runs that stand lower on the page, left of them."""
    numbers: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run) and (found := _COUNTED.match(part.text)):
            numbers[int(found[1])].append(part)
    return [
        run
        for number, runs in list(numbers.items())
        for run in runs
        if any(one.x1 < run.x0 and one.base > run.base + run.size for one in numbers.get(number - 1, ()))
    ]
