"""Tables ruled by level lines only (a rule above, one below the head, one at the foot), as simple HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.parser.boxes import inside, union
from operators.pdf.parser.grid import Table
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.lines import join_lines, make_lines
from operators.pdf.parser.runs import Box, Run

_NEAR = 3.0
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
    return abs(one[0] - two[0]) < _NEAR and abs(one[2] - two[2]) < _NEAR


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
    told = ([join_lines([line.text for line in make_lines(cell)]) for cell in row] for row in cells)
    markup = ["".join(f"<td>{html.escape(cell, quote=False)}</td>" for cell in row) for row in told]
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
