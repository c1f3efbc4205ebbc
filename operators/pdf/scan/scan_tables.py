"""Ruled tables of a scanned page: its strokes and lines given to the finder of tables of the text layer."""

from __future__ import annotations

from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.boxes import holds, near, scaled
from operators.pdf.parser.grid import Table, find_tables
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.open_tables import find_open_tables
from operators.pdf.parser.runs import Box, Run

#: The baseline of a line stands this share of its box's height above the lower edge.
_FOOT = 0.22
#: Strokes of letters and small boxes are no rules of a table, in ems.
_NARROWEST = 6.0


def scan_tables(
    level: Sequence[Box], upright: Sequence[Box], lines: Sequence[OCRLine], em: float, scale: float
) -> list[Table]:
    """The ruled tables that strokes (in pixels) make, in points, with the words in their cells."""
    strokes = [*level, *upright]
    drawings = [Drawing(scaled(box, 1 / scale), [scaled(box, 1 / scale)]) for box in strokes]
    drawings = [one for one in drawings if one.level_rule or one.upright_rule]
    runs = [run for line in lines for run in _cells(line, upright, em, scale)]
    tables = find_tables(drawings, runs)
    ruled = {id(one) for table in tables for one in table.drawings}
    walls = [one.box for one in drawings if one.upright_rule]
    free = [
        one
        for one in drawings
        # Rules between the sides of a box are no table: words in it run on as text.
        if id(one) not in ruled
        and not any(holds(table.box, one.box) for table in tables)
        and not any(near(one.box, wall, 1) for wall in walls)
    ]
    tables += find_open_tables(free, runs, em / scale)
    return [table for table in tables if table.box[2] - table.box[0] >= _NARROWEST * em / scale]


def _cells(line: OCRLine, upright: Sequence[Box], em: float, scale: float) -> list[Run]:
    """A line as a run, or as one for each cell if it runs across the walls between cells."""
    x0, y0, x1, y1 = line.box
    middle = (y0 + y1) / 2
    walls = sorted(
        (wall[0] + wall[2]) / 2
        for wall in upright
        if x0 + 0.5 * em < wall[0] and wall[2] < x1 - 0.5 * em and wall[1] < middle < wall[3]
    )
    cuts = [_cut(line, wall) for wall in walls]
    ends, places = [0, *cuts, len(line.text)], [x0, *walls, x1]
    runs = []
    for number in range(len(places) - 1):
        text = line.text[ends[number] : ends[number + 1]].strip()
        if text:
            left, right = places[number] / scale, places[number + 1] / scale
            runs.append(Run(text, left, right, (y1 - _FOOT * (y1 - y0)) / scale, 0.8 * (y1 - y0) / scale))
    return runs


def _cut(line: OCRLine, wall: float) -> int:
    """The place in a line's text where a wall parts it: the blank nearest to its share of the width."""
    x0, _, x1, _ = line.box
    guess = (wall - x0) / (x1 - x0) * len(line.text)
    spaces = [index for index, char in enumerate(line.text) if char.isspace() and abs(index - guess) <= 3]
    return min(spaces, key=lambda index: abs(index - guess), default=round(guess))
