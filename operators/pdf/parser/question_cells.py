"""Questions set side by side in rows, 1 2 3 over 4 5 6: what belongs to which of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Run

_Part = Run | Figure
_NUMBER = re.compile(r"(\d{1,3})\s?[.．、](?!\d)")
#: So many rows in which questions stand side by side at the same places are no chance.
_ROWS = 2
#: Ems between a cell and what stands left of it at least.
_GAP = 1.5


def question_cells(parts: Sequence[_Part], heads: Sequence[Run], body: float) -> list[list[_Part]]:
    """The parts of a page in stretches that are read one after the other: all in one if no questions stand in rows.

    A row reaches from the height of its numbers to that of the next one, or to a head or a line across its cells.
    """
    rows = _rows([part for part in parts if isinstance(part, Run)], body)
    edges = _edges(rows, body)
    if not edges:
        return [list(parts)]
    tops = _tops(rows, edges, body)
    own = {id(head) for head in heads}
    stretches: list[list[_Part]] = [[]]
    cells: list[list[_Part]] = []
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


def _rows(runs: Sequence[Run], body: float) -> list[list[Run]]:
    """The numbered runs on each level, from left to right, as far as their numbers run on from the first.

    Each but the first stands behind a gap, as no number inside a line does.
    """
    levels: dict[int, list[Run]] = defaultdict(list)
    for run in runs:
        levels[round(run.base / 2)].append(run)
    rows = []
    for level in levels.values():
        level.sort(key=lambda run: run.x0)
        row: list[Run] = []
        right = 0.0
        for run in level:
            number = _number(run)
            if number is not None and not row:
                row = [run]
            elif number is not None:
                if number != (_number(row[-1]) or 0) + 1 or run.x0 - right < _GAP * body:
                    break
                row.append(run)
            right = run.x1
        if row:
            rows.append(row)
    return rows


def _edges(rows: Sequence[Sequence[Run]], body: float) -> list[float]:
    """Where the second and later cells of rows begin: left edges that numbers of several rows share."""
    edges: list[float] = []
    for left in sorted(run.x0 for row in rows for run in row[1:]):
        if not edges or left - edges[-1] > body:
            edges.append(left)
    shared = {edge: sum(0 <= run.x0 - edge <= body for row in rows for run in row[1:]) for edge in edges}
    edges = [edge for edge in edges if shared[edge] >= _ROWS]
    held = sum(shared[edge] for edge in edges)
    # Numbers inside lines stand anywhere.
    return edges if 4 * held >= 3 * sum(len(row) - 1 for row in rows) else []


def _tops(rows: Sequence[Sequence[Run]], edges: Sequence[float], body: float) -> list[float]:
    """Where rows of cells begin, from top to bottom; one cell alone has to go on with the row above it."""
    tops: list[float] = []
    last: int | None = None
    for row in sorted(rows, key=lambda row: row[0].base):
        if any(0 <= run.x0 - edge <= body for run in row[1:] for edge in edges) or _number(row[0]) == (last or -1) + 1:
            tops.append(row[0].top)
            last = _number(row[-1])
    return tops


def _number(run: Run) -> int | None:
    found = _NUMBER.match(run.text)
    return int(found[1]) if found else None
