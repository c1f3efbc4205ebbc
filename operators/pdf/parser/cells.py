"""Questions in ruled cells or on cards, several in a row: each cell is read whole, as no text goes through a wall."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operators.pdf.parser.bands import Part
from operators.pdf.parser.boxes import centre, inside, near, touching, union
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.lines import make_lines
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.tables import cell_spans, steps

#: What a cell of a question begins with: Q1, 12., (3), Card 7; no amount.
_OPENING = re.compile(r"[（(【\[]?\s?(?:[^\W\d_]{1,12}\.?\s?)?(\d{1,3})(?!\d|[.,:/]\d|\s?[%°])")
#: The size of a cell at least, in ems, and how far the tops of those in one row are apart at most.
_WIDE, _HIGH, _LEVEL = 6.0, 2.0, 1.0
#: So many cells whose numbers count on are no chance; of all cells with words they are this share, and this share of
#: them has more lines than a short answer.
_CELLS, _COUNTED, _LONG = 3, 0.75, 0.5
#: Rules touch within so many points; of a page of more edges the longest are looked at, and as many frames.
_JOINT, _EDGES = 1.5, 400
#: What stands around so many other frames is no card: a card may hold a picture that is framed.
_SEVERAL = 2
#: Straight edges cover this share of the sides of a card at least: its corners may be round.
_SIDES = 0.6


@dataclass(slots=True)
class Grid:
    """The cells of questions, in the order in which they are read, and the drawings that make their walls."""

    cells: list[Box]
    drawings: list[Drawing]

    @property
    def box(self) -> Box:
        """The rectangle around all cells."""
        return union(self.cells)


def question_grids(drawings: Sequence[Drawing], runs: Sequence[Run], body: float) -> list[Grid]:
    """The grids of a page whose cells hold questions: those that stand side by side open with numbers that count on."""
    found = [*_ruled(drawings, body), *_cards(drawings, body)]
    grids: list[Grid] = []
    for cells, walls in found:
        large = [box for box in cells if _is_large(box, body)]
        held = [(box, [run for run in runs if inside(*run.middle, box)]) for box in large]
        ordered = _in_order([(box, own) for box, own in held if own], body)
        if ordered and not any(inside(*centre(ordered[0]), grid.box) for grid in grids):
            grids.append(Grid(ordered, [one for one in walls if any(near(one.box, cell, _JOINT) for cell in ordered)]))
    return sorted(grids, key=lambda grid: grid.box[1])


def _ruled(drawings: Sequence[Drawing], body: float) -> Iterator[tuple[list[Box], list[Drawing]]]:
    """The cells between rules that touch each other."""
    straight = [(one, edge) for one in drawings if not one.slanted for edge in one.edges]
    ruled = [pair for pair in straight if _length(pair[1]) > _HIGH * body]
    ruled = sorted(ruled, key=lambda pair: -_length(pair[1]))[:_EDGES]
    for members in touching([edge for _, edge in ruled], _JOINT):
        edges = [ruled[at][1] for at in members]
        level = [edge for edge in edges if edge[2] - edge[0] >= edge[3] - edge[1]]
        upright = [edge for edge in edges if edge[2] - edge[0] < edge[3] - edge[1]]
        if len(level) < 2 or len(upright) < 3:
            continue
        xs = steps([(edge[0] + edge[2]) / 2 for edge in upright])
        ys = steps([(edge[1] + edge[3]) / 2 for edge in level])
        spans = cell_spans(xs, ys, level, upright) or {}
        cells = [(xs[x], ys[y], xs[x + wide], ys[y + high]) for (y, x), (high, wide) in spans.items()]
        yield cells, list({id(ruled[at][0]): ruled[at][0] for at in members}.values())


def _is_large(box: Box, body: float) -> bool:
    return box[2] - box[0] > _WIDE * body and box[3] - box[1] > _HIGH * body


def _length(edge: Box) -> float:
    return max(edge[2] - edge[0], edge[3] - edge[1])


def _cards(drawings: Sequence[Drawing], body: float) -> Iterator[tuple[list[Box], list[Drawing]]]:
    """The frames and coloured grounds that are single drawings, neither around several others nor within one."""
    frames = [one for one in drawings if _is_large(one.box, body) and _is_frame(one)][:_EDGES]
    held = {id(one): [id(other) for other in frames if _holds(one, other)] for one in frames}
    cards = [one for one in frames if len(held[id(one)]) < _SEVERAL]
    within = {other for one in cards for other in held[id(one)]}
    cards = [one for one in cards if id(one) not in within]
    cells = dict.fromkeys(tuple(map(round, one.box)) for one in cards)
    yield [(float(a), float(b), float(c), float(d)) for a, b, c, d in cells], cards


def _is_frame(one: Drawing) -> bool:
    x0, y0, x1, y1 = one.box
    across = [edge for edge in one.edges if edge[2] - edge[0] > _SIDES * (x1 - x0)]
    down = [edge for edge in one.edges if edge[3] - edge[1] > _SIDES * (y1 - y0)]
    return len(across) >= 2 and len(down) >= 2


def _holds(one: Drawing, other: Drawing) -> bool:
    """Whether another frame stands well inside of one."""
    apart = abs(one.box[0] - other.box[0]) + abs(one.box[2] - other.box[2]) + abs(one.box[1] - other.box[1])
    return other is not one and apart > 4 and inside(*centre(other.box), one.box) and other.box[2] < one.box[2] + 1


def by_cells(parts: Sequence[Part], grids: Sequence[Sequence[Box]]) -> list[tuple[bool, list[Part]]]:
    """The parts of a page in stretches that are read one after the other, and whether each is what a cell holds.

    What stands in no cell is read before those that begin below it.
    """
    stretches: list[tuple[bool, list[Part]]] = []
    left = list(parts)
    for cells in grids:
        held = [(cell, [part for part in left if inside(*centre(part.box), cell)]) for cell in cells]
        own = {id(part) for _, some in held for part in some}
        top = min(cell[1] for cell in cells)
        stretches.append((False, [part for part in left if id(part) not in own and centre(part.box)[1] < top]))
        stretches += [(True, some) for _, some in held]
        done = own | {id(part) for part in stretches[-len(held) - 1][1]}
        left = [part for part in left if id(part) not in done]
    return [(cell, some) for cell, some in [*stretches, (False, left)] if some]


def _in_order(held: Sequence[tuple[Box, Sequence[Run]]], body: float) -> list[Box]:
    """The cells row by row or column by column, as their numbers count on; none if these do not."""
    if len(held) < _CELLS:
        return []
    tops, lefts = (steps([box[side] for box, _ in held]) for side in (1, 0))
    rows = sorted(held, key=lambda cell: (bisect_right(tops, cell[0][1]), cell[0][0]))
    if not any(abs(one[0][1] - two[0][1]) < _LEVEL * body for one, two in pairwise(rows)):
        return []
    columns = sorted(held, key=lambda cell: (bisect_right(lefts, cell[0][0]), cell[0][1]))
    long = sum(len(make_lines(list(own))) > 1 for _, own in held)
    counts = {way: _counted([own for _, own in cells]) for way, cells in enumerate((rows, columns))}
    way = max(counts, key=lambda way: counts[way])
    if counts[way] < max(_CELLS, _COUNTED * len(held)) or long < _LONG * len(held):
        return []
    return [box for box, _ in (rows, columns)[way]]


def _counted(cells: Sequence[Sequence[Run]]) -> int:
    """How many cells open with the number that follows the one before, or with the same, as a card's answer does."""
    numbers: list[int] = []
    for runs in cells:
        found = _OPENING.match(make_lines(list(runs))[0].text)
        numbers += [int(found[1])] if found else []
    return sum(two - one in (0, 1) for one, two in pairwise(numbers)) + 1 if len(set(numbers)) >= _CELLS else 0
