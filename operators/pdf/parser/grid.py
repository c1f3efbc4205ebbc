"""Ruled tables: grids of level and upright lines, with the words in their cells, as simple HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from operators.pdf.parser.boxes import area, group, inside, near, union
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.lines import join_lines, make_lines
from operators.pdf.parser.runs import Box, Run

_NEAR = 2.5
_MAX_CELLS = 2_000


@dataclass(slots=True)
class Table:
    """A ruled table; ``html`` is empty if its cells do not make a clear grid."""

    box: Box
    html: str
    runs: list[Run] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)


def find_tables(drawings: Sequence[Drawing], runs: Sequence[Run]) -> list[Table]:
    """The ruled tables of a page, each with the runs and drawings it holds."""
    ruled = [one for one in drawings if one.edges and not one.slanted]
    slanted = [one for one in drawings if one.slanted]
    edges = [edge for one in ruled for edge in one.edges]
    owners = [one for one in ruled for _ in one.edges]
    tables = []
    for members in group(edges, 1.5):
        if len(members) < 5:
            continue
        own = [edges[index] for index in members]
        box = union(own)
        held = [run for run in runs if inside(*run.middle, box)]
        markup = _markup(own, held)
        if markup is None:
            continue
        crossing = [one for one in slanted if near(one.box, box, -2)]
        if any(area(one.box) > 0.04 * area(box) for one in crossing):
            continue
        parts = {id(owners[index]): owners[index] for index in members}
        tables.append(Table(box, markup, held, [*parts.values(), *crossing]))
    return tables


def _markup(edges: Sequence[Box], runs: Sequence[Run]) -> str | None:
    """The table's HTML, empty if its grid is not clear; None if it is no table at all."""
    level = [edge for edge in edges if edge[2] - edge[0] >= edge[3] - edge[1]]
    upright = [edge for edge in edges if edge[2] - edge[0] < edge[3] - edge[1]]
    if len(level) < 2 or len(upright) < 2:
        return None
    ys = _steps([(edge[1] + edge[3]) / 2 for edge in level])
    xs = _steps([(edge[0] + edge[2]) / 2 for edge in upright])
    # Tables without outer sides: the level rules reach beyond the first and last upright one.
    left, right = min(edge[0] for edge in level), max(edge[2] for edge in level)
    xs = ([left] if left < xs[0] - 8 else []) + xs + ([right] if right > xs[-1] + 8 else [])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > _MAX_CELLS:
        return None
    if not _meets(level, xs, 0) or not _meets(upright, ys, 1):
        return None
    homes = [_cell(run, xs, ys) for run in runs]
    if len(set(homes)) < 0.3 * rows * columns:
        return None
    spans = _spans(xs, ys, level, upright)
    if spans is None:
        return ""
    if len(spans) == 1:
        return None  # a frame around a drawing with level and upright lines
    return _html(spans, homes, runs)


def _meets(edges: Sequence[Box], steps: Sequence[float], axis: int) -> bool:
    """Whether the rules of one direction end at rules of the other: the wires of a circuit do not."""
    ends = [edge[side] for edge in edges for side in (axis, axis + 2)]
    met = sum(any(abs(end - step) <= 2 * _NEAR for step in steps) for end in ends)
    return met >= 0.9 * len(ends)


def _steps(places: list[float]) -> list[float]:
    """Places from low to high, those that nearly coincide taken as one."""
    steps: list[float] = []
    for place in sorted(places):
        if not steps or place - steps[-1] > _NEAR:
            steps.append(place)
    return steps


def _cell(run: Run, xs: list[float], ys: list[float]) -> tuple[int, int]:
    x, y = run.middle
    row = sum(y >= place for place in ys[1:-1])
    return row, sum(x >= place for place in xs[1:-1])


def _spans(
    xs: list[float], ys: list[float], level: Sequence[Box], upright: Sequence[Box]
) -> dict[tuple[int, int], tuple[int, int]] | None:
    """For each cell's first place its number of rows and columns; None if a cell is not a rectangle."""

    def wall(x: float, y: float) -> bool:
        return any(abs((e[0] + e[2]) / 2 - x) <= _NEAR and e[1] - 1 <= y <= e[3] + 1 for e in upright)

    def floor(x: float, y: float) -> bool:
        return any(abs((e[1] + e[3]) / 2 - y) <= _NEAR and e[0] - 1 <= x <= e[2] + 1 for e in level)

    rows, columns = len(ys) - 1, len(xs) - 1
    home: dict[tuple[int, int], tuple[int, int]] = {}
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(rows):
        for column in range(columns):
            if (row, column) in home:
                continue
            middle = (ys[row] + ys[row + 1]) / 2
            wide = 1
            while column + wide < columns and not wall(xs[column + wide], middle):
                wide += 1
            centre = (xs[column] + xs[column + 1]) / 2
            high = 1
            while row + high < rows and not floor(centre, ys[row + high]):
                high += 1
            places = [(row + down, column + across) for down in range(high) for across in range(wide)]
            if any(place in home for place in places):
                return None
            home.update(dict.fromkeys(places, (row, column)))
            spans[row, column] = (high, wide)
    return spans


def _html(spans: dict[tuple[int, int], tuple[int, int]], homes: Sequence[tuple[int, int]], runs: Sequence[Run]) -> str:
    texts: dict[tuple[int, int], list[Run]] = {}
    for (row, column), (high, wide) in spans.items():
        texts[row, column] = [
            run
            for run, home in zip(runs, homes, strict=True)
            if row <= home[0] < row + high and column <= home[1] < column + wide
        ]
    parts = ["<table>"]
    open_row = -1
    for (row, column), (high, wide) in sorted(spans.items()):
        if row != open_row:
            parts.append("</tr><tr>" if open_row >= 0 else "<tr>")
            open_row = row
        text = html.escape(join_lines([line.text for line in make_lines(texts[row, column])]), quote=False)
        rowspan = f' rowspan="{high}"' if high > 1 else ""
        colspan = f' colspan="{wide}"' if wide > 1 else ""
        parts.append(f"<td{rowspan}{colspan}>{text}</td>")
    return "".join([*parts, "</tr></table>"])
