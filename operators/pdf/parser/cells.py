"""Questions or options side by side, in ruled cells, on cards or in rows: what belongs to which of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operators.pdf.parser.boxes import centre, holds, inside, near, touching, union
from operators.pdf.parser.gutters import Part
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.tables import cell_spans, rules_of, steps
from operators.pdf.parser.text_lines import make_lines

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
        if ordered and not any(holds(grid.box, ordered[0]) for grid in grids):
            grids.append(Grid(ordered, [one for one in walls if any(near(one.box, cell, _JOINT) for cell in ordered)]))
    return sorted(grids, key=lambda grid: grid.box[1])


def _ruled(drawings: Sequence[Drawing], body: float) -> Iterator[tuple[list[Box], list[Drawing]]]:
    """The cells between rules that touch each other."""
    straight = [(one, edge) for one in drawings if not one.slanted for edge in one.edges]
    ruled = [pair for pair in straight if _length(pair[1]) > _HIGH * body]
    ruled = sorted(ruled, key=lambda pair: -_length(pair[1]))[:_EDGES]
    for members in touching([edge for _, edge in ruled], _JOINT):
        level, upright, xs, ys = rules_of([ruled[at][1] for at in members])
        if len(level) < 2 or len(upright) < 3:
            continue
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
    return other is not one and apart > 4 and holds(one.box, other.box) and other.box[2] < one.box[2] + 1


def by_cells(parts: Sequence[Part], grids: Sequence[Sequence[Box]]) -> list[tuple[bool, list[Part]]]:
    """The parts of a page in stretches that are read one after the other, and whether each is what a cell holds.

    What stands in no cell is read before those that begin below it.
    """
    stretches: list[tuple[bool, list[Part]]] = []
    left = list(parts)
    for cells in grids:
        held = [(cell, [part for part in left if holds(cell, part.box)]) for cell in cells]
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


_NUMBER = re.compile(r"(\d{1,3})\s?[.．、](?!\d)")
_LETTER = re.compile(r"[（(]?([A-Ha-h])[)）]|([A-H])[.．、]")
#: So many rows in which questions stand side by side at the same places are no chance.
_ROWS = 2
#: Ems between a cell and what stands left of it at least.
_GAP = 1.5
#: What stands in the last cell is no wider than the cells before it by more than this.
_WIDER = 1.3


def question_cells(parts: Sequence[Part], heads: Sequence[Run], body: float) -> list[list[Part]]:
    """The parts of a page in stretches that are read one after the other: all in one if no questions stand in rows.

    A row reaches from the height of its numbers to that of the next one, or to a head or a line across its cells.
    """
    return _cells(parts, _number, heads, body)


def option_cells(parts: Sequence[Part], body: float) -> list[list[Part]]:
    """The same for (a) (b) over (c) (d), where one of them has several lines: rows of one line are read as lines."""
    stretches: list[list[Part]] = [list(parts)]
    rows = sorted(_rows(parts, 0, _letter), key=lambda row: row[0].base)
    for group in _groups(rows):
        edges = _edges(group, body)
        if not edges or not _wrapped(parts, group, edges, body) or _are_lists(rows, group, body):
            continue
        top = group[0][0].top
        above = [part for part in stretches[-1] if part.box[1] + part.box[3] < 2 * top]
        below = [part for part in stretches[-1] if part.box[1] + part.box[3] >= 2 * top]
        stretches[-1:] = [above, *_in_cells(below, group, edges, (), body, _letter)]
    return [stretch for stretch in stretches if stretch]


def _are_lists(rows: Sequence[Sequence[Run]], group: Sequence[Sequence[Run]], body: float) -> bool:
    """Whether rows of (a) (b) and (c) (d) are two columns of lists beside each other: (b) stands below (a), too."""
    first, last = group[0][0], group[-1][0]
    own = {id(row) for row in group}
    below = (row[0] for row in rows if id(row) not in own and first.base < row[0].base <= last.base + 2 * last.size)
    return any(abs(run.x0 - first.x0) < body and _letter(run) != 1 for run in below)


def _groups(rows: Sequence[list[Run]]) -> list[list[list[Run]]]:
    """Rows whose letters run on from one to the next, each group from its (a) on."""
    groups: list[list[list[Run]]] = []
    last = 0
    for row in rows:
        first = _letter(row[0])
        if first == 1:
            groups.append([row])
        elif groups and first == last + 1:
            groups[-1].append(row)
        else:
            continue
        last = _letter(row[-1]) or 0
    return groups


def _cells(
    parts: Sequence[Part], place: Callable[[Run], int | None], heads: Sequence[Run], body: float
) -> list[list[Part]]:
    rows = _rows(parts, _GAP * body, place)
    edges = _edges(rows, body)
    return _in_cells(parts, rows, edges, heads, body, place) if edges and _count_across(rows, place) else [list(parts)]


def _count_across(rows: Sequence[Sequence[Run]], place: Callable[[Run], int | None]) -> bool:
    """Whether numbers go on from row to row, or each begins a count: else columns happen to stand level."""
    several = sorted((row for row in rows if len(row) > 1), key=lambda row: row[0].base)
    ends = [(place(row[0]), place(row[-1]) or 0) for row in several]
    return all(first == 1 for first, _ in ends) or any(two[0] == one[1] + 1 for one, two in pairwise(ends))


def _in_cells(
    parts: Sequence[Part],
    rows: Sequence[Sequence[Run]],
    edges: Sequence[float],
    heads: Sequence[Run],
    body: float,
    place: Callable[[Run], int | None],
) -> list[list[Part]]:
    tops = _tops(rows, edges, body, place)
    own = {id(head) for head in heads}
    stretches: list[list[Part]] = [[]]
    cells: list[list[Part]] = []
    row = 0
    for part in sorted(parts, key=lambda part: part.box[1] + part.box[3]):
        at = bisect_right(tops, (part.box[1] + part.box[3]) / 2)
        x0, _, x1, _ = part.box
        if not at or id(part) in own or any(x0 < edge - 1 and edge + 1 < x1 for edge in edges):
            if cells:
                stretches.append([])
            cells, row = [], at
            stretches[-1].append(part)
        elif at == row and not cells:
            stretches[-1].append(part)
        else:
            if at > row:
                cells, row = [[] for _ in range(len(edges) + 1)], at
                stretches += cells
            cells[bisect_right(edges, x0 + 1)].append(part)
    return [stretch for stretch in stretches if stretch]


def _rows(parts: Sequence[Part], gap: float, place: Callable[[Run], int | None]) -> list[list[Run]]:
    """The labelled runs on each level, from left to right, as far as their labels run on from the first.

    Each but the first stands behind a gap, as no number inside a line does.
    """
    levels: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run):
            levels[round(part.base / 2)].append(part)
    rows = []
    for level in levels.values():
        level.sort(key=lambda run: run.x0)
        row: list[Run] = []
        right = 0.0
        for run in level:
            label = place(run)
            if label is not None and not row:
                row = [run]
            elif label is not None:
                if label != (place(row[-1]) or 0) + 1 or run.x0 - right < gap:
                    break
                row.append(run)
            right = run.x1
        if row:
            rows.append(row)
    return rows


def _edges(rows: Sequence[Sequence[Run]], body: float) -> list[float]:
    """Where the second and later cells of rows begin: left edges that labels of several rows share."""
    edges: list[float] = []
    for left in sorted(run.x0 for row in rows for run in row[1:]):
        if not edges or left - edges[-1] > body:
            edges.append(left)
    shared = {edge: sum(0 <= run.x0 - edge <= body for row in rows for run in row[1:]) for edge in edges}
    edges = [edge for edge in edges if shared[edge] >= _ROWS]
    held = sum(shared[edge] for edge in edges)
    # Labels inside lines stand anywhere.
    return edges if 4 * held >= 3 * sum(len(row) - 1 for row in rows) else []


def _wrapped(parts: Sequence[Part], rows: Sequence[Sequence[Run]], edges: Sequence[float], body: float) -> bool:
    """Whether an option goes on below its letter, and nothing stands left or right of all of them."""
    left = rows[0][0].x0
    width = max(right - left for left, right in pairwise((left, *edges)))
    low = rows[-1][0].bottom
    near = [part for part in parts if part.box[1] < low and part.box[3] > rows[0][0].top]
    if any(part.box[0] < left - body or part.box[2] > edges[-1] + _WIDER * width for part in near):
        return False
    levels = [row[0].base for row in rows]
    return any(
        isinstance(part, Run)
        and all(abs(part.base - level) > 0.6 * body for level in levels)
        and not any(part.x0 < edge - 1 and edge + 1 < part.x1 for edge in edges)
        for part in near
    )


def _tops(
    rows: Sequence[Sequence[Run]], edges: Sequence[float], body: float, place: Callable[[Run], int | None]
) -> list[float]:
    """Where rows of cells begin, from top to bottom; one cell alone has to go on with the row above it."""
    tops: list[float] = []
    last: int | None = None
    for row in sorted(rows, key=lambda row: row[0].base):
        if any(0 <= run.x0 - edge <= body for run in row[1:] for edge in edges) or place(row[0]) == (last or -1) + 1:
            tops.append(row[0].top)
            last = place(row[-1])
    return tops


def _number(run: Run) -> int | None:
    found = _NUMBER.match(run.text)
    return int(found[1]) if found else None


def _letter(run: Run) -> int | None:
    found = _LETTER.match(run.text)
    return ord((found[1] or found[2]).upper()) - 64 if found else None
