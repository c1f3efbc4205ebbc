"""Ruled tables, also with level lines only, with the words in their cells as simple HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.parser.boxes import area, centre, group, inside, near, union
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.text_lines import make_lines, text_of

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
    level, upright, xs, ys = rules_of(edges)
    if len(level) < 2 or len(upright) < 2:
        return None
    # Tables without outer sides: the level rules reach beyond the first and last upright one.
    left, right = min(edge[0] for edge in level), max(edge[2] for edge in level)
    xs = ([left] if left < xs[0] - 8 else []) + xs + ([right] if right > xs[-1] + 8 else [])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > _MAX_CELLS:
        return None
    if not _meets(level, xs, 0):
        return None
    homes = [_cell(run, xs, ys) for run in runs]
    # TeX rules its tables row by row: what no level rule parts may be rows as well.
    if not _meets(upright, ys, 1) and (not _meets(_joined(upright), ys, 1) or _has_rows(homes, runs)):
        return None
    if len(set(homes)) < 0.3 * rows * columns:
        return None
    spans = cell_spans(xs, ys, level, upright)
    if spans is None:
        return ""
    if len(spans) == 1:
        return None  # a frame around a drawing with level and upright lines
    return _html(spans, homes, runs)


def rules_of(edges: Sequence[Box]) -> tuple[list[Box], list[Box], list[float], list[float]]:
    """The level and the upright ones of some rules, and where the upright ones and the level ones stand."""
    level = [edge for edge in edges if edge[2] - edge[0] >= edge[3] - edge[1]]
    upright = [edge for edge in edges if edge[2] - edge[0] < edge[3] - edge[1]]
    return level, upright, steps([centre(edge)[0] for edge in upright]), steps([centre(edge)[1] for edge in level])


def _joined(upright: Sequence[Box]) -> list[Box]:
    """Upright rules, those that go on from each other as one."""
    found: list[Box] = []
    for edge in sorted(upright, key=lambda edge: (round(edge[0]), edge[1])):
        if found and abs(found[-1][0] - edge[0]) < 1 and edge[1] <= found[-1][3] + _NEAR:
            found[-1] = union([found[-1], edge])
        else:
            found.append(edge)
    return found


def _has_rows(homes: Sequence[tuple[int, int]], runs: Sequence[Run]) -> bool:
    """Whether the cells between two level rules have two lines or more each, on the same heights."""
    cells: dict[int, dict[int, list[Run]]] = {}
    for (row, column), run in zip(homes, runs, strict=True):
        cells.setdefault(row, {}).setdefault(column, []).append(run)
    for band in cells.values():
        lines = [[line.base for line in make_lines(own)] for own in band.values()]
        if len(lines) > 1 and len(lines[0]) > 1 and all(_are_level(lines[0], own) for own in lines):
            return True
    return False


def _are_level(one: Sequence[float], two: Sequence[float]) -> bool:
    return len(one) == len(two) and all(abs(a - b) < _NEAR for a, b in zip(one, two, strict=True))


def _meets(edges: Sequence[Box], steps: Sequence[float], axis: int) -> bool:
    """Whether the rules of one direction end at rules of the other: the wires of a circuit do not."""
    ends = [edge[side] for edge in edges for side in (axis, axis + 2)]
    met = sum(any(abs(end - step) <= 2 * _NEAR for step in steps) for end in ends)
    return met >= 0.9 * len(ends)


def steps(places: list[float]) -> list[float]:
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


def cell_spans(
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
        text = html.escape(text_of(texts[row, column]), quote=False)
        rowspan = f' rowspan="{high}"' if high > 1 else ""
        colspan = f' colspan="{wide}"' if wide > 1 else ""
        parts.append(f"<td{rowspan}{colspan}>{text}</td>")
    return "".join([*parts, "</tr></table>"])


_BESIDE = 3.0
_NARROW = 80.0
#: Lines wider than this share of their table are text between rules, unless the table has a head.
_WIDE = 0.6
#: A page with more long rules than this is a drawing.
_MANY = 200


def find_open_tables(drawings: Sequence[Drawing], runs: Sequence[Run], body: float) -> list[Table]:
    """Tables of three or more rules of one width with rows of two or more columns between them."""
    rules = [one for one in drawings if one.level_rule and one.box[2] - one.box[0] > _NARROW]
    if len(rules) > _MANY:
        return []
    rules.sort(key=lambda one: one.box[1])
    tables: list[Table] = []
    index = 0
    while index + 2 < len(rules):
        stack = [rules[index]]
        for rule in rules[index + 1 :]:
            if _same_width(rule.box, stack[-1].box) and rule.box[1] - stack[-1].box[1] > 0.8 * body:
                stack.append(rule)
        table = _table(stack, runs, body) if len(stack) >= 3 else None
        if table is None:
            index += 1
        else:
            tables.append(table)
            taken = {id(one) for one in table.drawings}
            rules = [one for one in rules[index:] if id(one) not in taken]
            index = 0
    return tables


def _same_width(one: Box, two: Box) -> bool:
    return abs(one[0] - two[0]) < _BESIDE and abs(one[2] - two[2]) < _BESIDE


def _table(stack: list[Drawing], runs: Sequence[Run], body: float) -> Table | None:
    box = union([one.box for one in stack])
    held = [run for run in runs if inside(*run.middle, box)]
    lines = make_lines(held)
    if len(lines) < 2 or any(_is_empty(one.box, two.box, held) for one, two in pairwise(stack)):
        return None
    # Rows that stand far apart are text between rules, not a table.
    if any(two.base - one.base > 4 * body for one, two in pairwise(lines)):
        return None
    edges = _columns(held, body)
    if len(edges) < 2:
        return None
    rows = [[run for run in held if abs(run.base - line.base) < 0.5 * line.size] for line in lines]
    if any(run.x1 - run.x0 > _WIDE * (box[2] - box[0]) for run in held):
        rows = _wrapped_rows(stack, held, edges)
    if not rows:
        return None
    cells = ([[run for run in row if _column(run, edges) == number] for number in range(len(edges))] for row in rows)
    markup = ["".join(f"<td>{html.escape(text_of(cell), quote=False)}</td>" for cell in row) for row in cells]
    return Table(box, f"<table>{''.join(f'<tr>{row}</tr>' for row in markup)}</table>", held, list(stack))


def _wrapped_rows(stack: Sequence[Drawing], runs: Sequence[Run], edges: Sequence[float]) -> list[list[Run]]:
    """The rows of a table whose cells hold lines of text, none if its head does not tell that it is one.

    A row begins at a rule, and between rules at each line with words in the first column.
    """
    bands = []
    for one, two in pairwise(stack):
        band = [run for run in runs if one.box[1] < run.base - 0.3 * run.size < two.box[1]]
        begins = [line.base - line.size for line in make_lines([run for run in band if not _column(run, edges)])]
        rows: list[list[Run]] = [[] for _ in begins or [0]]
        for run in band:
            rows[max(sum(run.base > top for top in begins) - 1, 0)].append(run)
        bands.append(rows)
    head = bands[0][0]
    named = {_column(run, edges) for run in head} == set(range(len(edges)))
    if not named or len(bands[0]) > 1 or any(map(str.isdecimal, "".join(run.text for run in head))):
        return []
    return [row for rows in bands for row in rows]


def _column(run: Run, edges: Sequence[float]) -> int:
    """The number of the column that a run stands in, 0 for the first."""
    return max(sum(run.middle[0] >= left for left in edges) - 1, 0)


def _is_empty(upper: Box, lower: Box, runs: Sequence[Run]) -> bool:
    return not any(upper[1] < run.base - 0.3 * run.size < lower[1] for run in runs)


def _columns(runs: Sequence[Run], body: float) -> list[float]:
    """The left edges of the columns: stretches that no white gap from top to bottom parts."""
    edges: list[float] = []
    reach = -1e9
    for run in sorted(runs, key=lambda run: run.x0):
        if run.x0 > reach + 0.8 * body:
            edges.append(run.x0 - 1)
        reach = max(reach, run.x1)
    return edges
