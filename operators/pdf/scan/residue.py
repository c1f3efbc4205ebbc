"""What is left of a scanned page when its text is taken away: figures, tables, and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.boxes import holds, near, scaled
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.tables import Table, find_open_tables, find_tables
from operators.pdf.scan.drawings import find_groups
from operators.pdf.scan.ink_pieces import Pieces, find_pieces, ink_mask, mask_of, print_of, release_letters, text_size
from operators.pdf.scan.picture import PagePicture
from operators.pdf.scan.strokes import release_bars, straight_strokes

#: Shorter strokes in no figure and no fraction are parts of letters, in ems.
_RULE = 1.2


@dataclass(slots=True)
class Residue:
    """The ink of a page that is no text, sorted out; places are in points.

    ``figures`` are pictures and tables (``html`` filled for these), captions not bound yet; ``rules`` are
    level strokes that may be bars of fractions or blanks to fill in; ``inside`` holds the indices of the
    lines that are words of a figure or a table and no text of the page.
    """

    figures: list[Figure] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)


def find_residue(picture: PagePicture, lines: Sequence[OCRLine]) -> Residue:
    """The figures, tables and rules of a page; ``lines`` are what OCR read on this very picture."""
    em, scale = text_size(picture, lines), picture.scale
    ink = ink_mask(picture, lines, em)
    pieces = find_pieces(ink, lines, em)
    residue = Residue()
    for table in _tables(pieces, lines, em, scale):
        residue.figures.append(Figure("table", table.box, print_of(ink, scaled(table.box, scale)), html=table.html))
    tables = [scaled(figure.box, scale) for figure in residue.figures]
    residue.inside.update(index for index, line in enumerate(lines) if _held(line.box, tables))
    bars = set(release_bars(pieces, lines, em))
    rows = [line.box for line in lines if len(line.text) > 2]
    release_letters(pieces, [*rows, *((x0, y1 - em, x1, y1 + 0.1 * em) for x0, _, x1, y1 in bars)], em)
    parts = [piece for piece in pieces.drawn if not _held(piece.box, tables)]
    free = [index for index in range(len(lines)) if index not in residue.inside]
    groups = find_groups(parts, pieces.letters, [lines[index] for index in free], em, ink)
    for one in groups:
        residue.figures.append(Figure("image", scaled(one.box, 1 / scale), print_of(ink, one.box)))
        residue.inside.update(free[index] for index in one.labels)
    drawn = {piece.number for piece in pieces.drawn}
    bars.update(bar.box for bar in pieces.bars if bar.number in drawn and bar.wide >= _RULE * em)
    whole = [*tables, *(one.box for one in groups)]
    residue.rules = sorted(scaled(bar, 1 / scale) for bar in bars if not _held(bar, whole))
    residue.figures.sort(key=lambda figure: (figure.box[1], figure.box[0]))
    return residue


def _tables(pieces: Pieces, lines: Sequence[OCRLine], em: float, scale: float) -> list[Table]:
    # Rules of tables are pieces of some length; the rest need not be searched.
    long = [piece for piece in pieces.drawn if max(piece.wide, piece.high) >= 2 * em]
    if not long:
        return []
    level, upright = straight_strokes(mask_of(long, pieces.map), em)
    return scan_tables(level, upright, lines, em, scale)


def _held(box: Box, places: Sequence[Box]) -> bool:
    return any(holds(place, box, 1) for place in places)


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
