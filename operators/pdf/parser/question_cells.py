"""Questions or options set side by side in rows, 1 2 3 over 4 5 6: what belongs to which of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

from operators.pdf.parser.bands import Part
from operators.pdf.parser.runs import Run

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
