"""The columns of a page: which parts are read one after the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.parser.captions import Figure
from operators.pdf.parser.cells import by_cells, option_cells, question_cells
from operators.pdf.parser.gutters import (
    WORDS_APART,
    Band,
    Part,
    are_columns,
    are_row_wise,
    by_labels,
    count_rows,
    downwards,
    gutters_of,
    widest,
)
from operators.pdf.parser.looks import LARGER
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.text_lines import BLANK, with_lines

#: Lines on the left between a head of both sides and where these go on.
_BETWEEN = 3
#: A number with the letter of an option, and so many of them in a line of a key.
_KEY = re.compile(r"(?<!\S)(\d{1,3})\s?[.．、:：)）\-–—]\s?[A-H](?![^\W_])")
_KEYS = 4
#: Rules that part what stands above from what stands below are as wide as the text, nearly.
_WIDE = 0.9
#: Between a heading's number and its words there is less room, in its size.
_GAP = 3
#: Ems above and below what ends a line, in which nothing else of a right column stands.
_ALONE = 0.6


@dataclass(slots=True)
class Region:
    """A part of a page that is read from top to bottom as one column."""

    runs: list[Run] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)


@dataclass(slots=True)
class _Columns:
    """The bands at one gutter, none if a page has no columns; ``score`` lines stand beside others."""

    bands: list[Band] = field(default_factory=list)
    gutter: float = 0.0
    score: int = 0

    def lined(self, body: float) -> int:
        """How many lines stand beside others, those of three columns twice, less those that lines across tear out."""
        inner = (side for band in self.bands if band.columns for side in (band.left, band.right))
        torn = sum(len(band.across) - count_rows(band.across) for band in self.bands)
        return self.score + sum(_columns(side, body).score for side in inner) - torn


def split_columns(
    runs: Sequence[Run],
    figures: Sequence[Figure],
    body: float,
    rules: Sequence[Box] = (),
    grids: Sequence[Sequence[Box]] = (),
) -> list[Region]:
    """The regions of a page in reading order.

    ``body`` is the size of its text in points, ``rules`` are drawn on it, ``grids`` are its cells of questions.
    """
    blanks = _blanks(runs, rules)
    parts: list[Part] = [*runs, *blanks, *figures]
    left, right = min((part.box[0] for part in parts), default=0.0), max((part.box[2] for part in parts), default=0.0)
    wide = [rule[1] for rule in rules if rule[2] - rule[0] > _WIDE * (right - left)]
    regions: list[Region] = []
    for walled, stretch in by_cells(parts, grids):
        for cell in [stretch] if walled else question_cells(stretch, _heads(stretch, body), body):
            regions += _split(cell, body, int(walled), wide)
    drawn = set(map(id, blanks))
    for region in regions if drawn else ():
        region.runs = [run for run in region.runs if id(run) not in drawn]
    return regions


def _blanks(runs: Sequence[Run], rules: Sequence[Box]) -> list[Run]:
    """What stands for the rules that fill the room between two words of a line, so that no gutter runs through them."""
    found: list[Run] = []
    for (x0, _, x1, _), line in with_lines(rules, [run for run in runs if not run.turned]):
        before = next((run for run in line if -1 < x0 - run.x1 < WORDS_APART * run.size), None)
        behind = next((run for run in line if -1 < run.x0 - x1 < WORDS_APART * run.size), None)
        if before is not None and behind is not None:
            end = max(x0, behind.x0 - 0.5 * behind.size)
            found.append(Run(BLANK, x0, end, before.base, before.size))
    return found


def _split(parts: list[Part], body: float, depth: int, rules: Sequence[float] = ()) -> list[Region]:
    cells = option_cells(parts, body) if depth < 3 else [parts]
    if len(cells) > 1:
        return [region for cell in cells for region in _split(cell, body, depth + 1)]
    cut = _cut(parts, body, rules) if depth == 0 else None
    if cut is not None:
        return _split(cut[0], body, depth, rules) + _split(cut[1], body, depth, rules)
    known: dict[tuple[int, ...], list[Region]] = {}

    def split(side: list[Part]) -> list[Region]:
        key = tuple(map(id, side))
        if key not in known:
            known[key] = _split(side, body, depth + 1)
        return known[key]

    def read(side: list[Part]) -> list[Run]:
        return [run for region in split(side) for run in downwards(region.runs)]

    bands = by_labels(_columns(parts, body).bands, read) if depth < 3 else []
    if not bands:
        return [_region(parts)]
    regions: list[Region] = []
    single: list[Part] = []
    for band in bands:
        single += band.across
        if band.columns:
            regions += (split(single) if single else []) + split(band.left) + split(band.right)
            single = []
        else:
            single += band.left + band.right
    return regions + (split(single) if single else [])


def _cut(parts: Sequence[Part], body: float, rules: Sequence[float]) -> tuple[list[Part], list[Part]] | None:
    """What stands above a head or a rule and from there on.

    Each is in columns of its own, and more lines then are in any.
    """
    best, most = None, -1
    for height in [head.top + head.bottom - head.size for head in _heads(parts, body)] + [2 * rule for rule in rules]:
        above = [part for part in parts if part.box[1] + part.box[3] < height]
        below = [part for part in parts if part.box[1] + part.box[3] >= height]
        one, two = _columns(above, body), _columns(below, body)
        if not one.bands or not two.bands or abs(one.gutter - two.gutter) < 2 * body:
            continue
        most = _columns(parts, body).lined(body) if most < 0 else most
        parted = one.lined(body) + two.lined(body)
        if parted > most:
            best, most = (above, below), parted
    return best


def _region(parts: Sequence[Part]) -> Region:
    return Region(
        [part for part in parts if isinstance(part, Run)],
        [part for part in parts if isinstance(part, Figure)],
    )


def _columns(parts: Sequence[Part], body: float) -> _Columns:
    """The columns of a page or column at the gutter that parts most of its lines."""
    heads = _heads(parts, body)
    best = _Columns()
    for gutter in gutters_of(parts, body):
        bands = _bands(parts, gutter, heads)
        for band in bands:
            band.columns = are_columns(band.left, band.right, body)
        score = sum(min(count_rows(band.left), count_rows(band.right)) for band in bands if band.columns)
        if score > best.score:
            best = _Columns(bands, gutter, score)
    for band in best.bands:
        # Once a page has columns, a short rest of them between two wide parts is read the same way.
        short = all(count_rows(side) > 1 and widest(side) >= 3 * body for side in (band.left, band.right))
        band.columns = band.columns or (short and not are_row_wise(band.left, band.right))
    return best


def _heads(parts: Sequence[Part], body: float) -> list[Run]:
    """Heavy or large lines with nothing beside them: heads of all columns, if these go on above and below.

    Two heads that happen to stand on one line in two columns have a gap between them that no number has.
    """
    found = []
    for run in parts:
        if not isinstance(run, Run) or not (run.bold or run.size > LARGER * body):
            continue
        low, high = run.top - 0.1 * run.size, run.bottom + 0.1 * run.size
        row = [part for part in parts if part.box[1] < high and part.box[3] > low]
        alike = all(isinstance(part, Run) and abs(part.base - run.base) < 1 and part.bold == run.bold for part in row)
        boxes = sorted(part.box for part in row) if alike else []
        if alike and all(two[0] - one[2] < _GAP * run.size for one, two in pairwise(boxes)):
            found.append(run)
    return found


def _heads_both(head: Run, parts: Sequence[Part], gutter: float) -> bool:
    """Whether both sides of a gutter stop above a head on one of them and go on below it at one height."""
    sides = [part.box for part in parts if part.box[2] <= gutter], [part.box for part in parts if part.box[0] > gutter]
    own, other = sides if head.x1 < gutter else sides[::-1]
    below = sorted(box[1] for box in own if box[1] >= head.bottom)
    beyond = min((box[1] for box in other if box[1] >= head.bottom), default=None)
    # One on the left is read first, even if nothing stands above on the right.
    above = own is sides[1] or any(box[3] <= head.top for box in other)
    # The end of a paragraph over both sides may stand between.
    return above and beyond is not None and any(abs(top - beyond) < 0.5 * head.size for top in below[:_BETWEEN])


def _heads_wide(head: Run, parts: Sequence[Part], gutter: float) -> bool:
    """Whether the right side ends above a head on the left, which is the last, or a line soon crosses the gutter."""
    below = sorted((part.box for part in parts if part.box[1] >= head.bottom), key=lambda box: box[1])
    wide = next((at for at, box in enumerate(below) if box[0] < gutter < box[2]), None)
    right = [part.box for part in parts if part.box[0] > gutter and part.box[3] > head.top]
    if not below:
        return not right
    return wide is not None and wide <= _BETWEEN and all(box[1] > below[wide][1] - 1 for box in right)


def _bands(parts: Sequence[Part], gutter: float, heads: Sequence[Run] = ()) -> list[Band]:
    """The bands from top to bottom; a new one begins with what crosses the gutter, or is a head of both sides."""
    bands = [Band()]
    # Everything in a crossing line goes with it, its numbers and short words too.
    tops = [(part.box[1], part.box[3]) for part in parts if part.box[0] < gutter < part.box[2]]
    ends = [
        head
        for head in heads
        if _heads_both(head, parts, gutter) or (head.x1 < gutter and _heads_wide(head, parts, gutter))
    ]
    tops += [(head.top, head.bottom) for head in ends]
    tops += [(run.top, run.bottom) for run in [*_line_ends(parts, gutter), *_keys_across(parts, gutter)]]
    for part in sorted(parts, key=lambda part: part.box[1] + part.box[3]):
        y = (part.box[1] + part.box[3]) / 2
        if any(top <= y <= bottom for top, bottom in tops):
            if bands[-1].left or bands[-1].right:
                bands.append(Band())
            bands[-1].across.append(part)
        elif part.box[2] <= gutter:
            bands[-1].left.append(part)
        else:
            bands[-1].right.append(part)
    return bands


def _keys_across(parts: Sequence[Part], gutter: float) -> list[Run]:
    """The runs of lines with answers in letters that count on from one side of a gutter to the other: 1-B 2-C  3-A."""
    rows: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run) and _KEY.search(part.text):
            rows[round(part.base)].append(part)
    found: list[Run] = []
    for row in rows.values():
        sides = [
            [int(n) for run in row if (run.x0 > gutter) == right for n in _KEY.findall(run.text)]
            for right in (False, True)
        ]
        numbers = sides[0] + sides[1]
        if all(sides) and len(numbers) >= _KEYS and all(two - one == 1 for one, two in pairwise(numbers)):
            found += row
    return found


def _line_ends(parts: Sequence[Part], gutter: float) -> list[Run]:
    """Points and the like at the right margin, alone there, behind a line that stands left of a gutter."""
    left = {round(part.base): part for part in parts if isinstance(part, Run) and part.x1 <= gutter}
    right = [part for part in parts if part.box[0] > gutter]
    margin = max((part.box[2] for part in right), default=gutter)
    ends = []
    for run in right:
        if not isinstance(run, Run) or round(run.base) not in left:
            continue
        short = run.x1 > margin - run.size and run.x0 - gutter > 0.5 * (margin - gutter)
        near = (run.top - _ALONE * run.size, run.bottom + _ALONE * run.size)
        if short and not any(part.box[1] < near[1] and part.box[3] > near[0] for part in right if part is not run):
            ends.append(run)
    return ends
