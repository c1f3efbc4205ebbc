"""The figures of one PDF page: raster pictures and clusters of vector paths, labels and captions bound."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from operators.pdf.parser.boxes import area, group, holds, inside, near, union
from operators.pdf.parser.captions import OPENS_ITEM, Figure, bind_captions, is_caption, is_stacked, joined
from operators.pdf.parser.cells import question_grids
from operators.pdf.parser.formula_pictures import stack_fractions
from operators.pdf.parser.formula_places import drawn_signs
from operators.pdf.parser.frames import free_rules, text_frames
from operators.pdf.parser.ink import Drawing, Ink, Raster
from operators.pdf.parser.runs import Box, Run, body_size
from operators.pdf.parser.tables import find_open_tables, find_tables

#: An item's number, and nothing else.
_NUMBER = re.compile(r"\d{1,3}(?:[.\-–]\d{1,3})+|\d{1,3}[.)]")
_ICON = 11.0
#: How often labels beside labels are looked for.
_ROUNDS = 2
_GAP = 7.0
#: Parts of one drawing are so far above each other, in points.
_STACK_GAP = (-1.0, 14.0)
#: Letters of a figure are smaller than those of the text, by this at least, where their words are long.
_SMALL = 0.93


@dataclass(slots=True)
class PageFigures:
    """What a page's drawn things turned out to be, and the runs and level rules that remain as text.

    ``signs`` are the boxes of drawn roots and braces, which belong to formulas in the text, ``grids`` the cells of
    questions.
    """

    figures: list[Figure]
    runs: list[Run]
    rules: list[Box]
    signs: list[Box] = field(default_factory=list)
    grids: list[list[Box]] = field(default_factory=list)


def find_figures(runs: Sequence[Run], ink: Ink, width: float, height: float) -> PageFigures:
    """The figures and ruled tables of a page, with the runs that belong to none of them."""
    body = body_size(runs)
    sheet = width * height
    rasters = [one for one in ink.rasters if area(one.box) < 0.8 * sheet and _sides(one.box)[0] >= 4]
    drawings = [one for one in ink.drawings if area(one.box) < 0.6 * sheet]
    grids = question_grids(drawings, runs, body)
    walls = {id(one) for grid in grids for one in grid.drawings}
    drawings = [one for one in drawings if id(one) not in walls]
    tables = find_tables(drawings, runs)
    ruled = {id(one) for table in tables for one in table.drawings}
    open_tables = find_open_tables([one for one in drawings if id(one) not in ruled], runs, body)
    # Some classes draw a table's rules twice.
    tables += [one for n, one in enumerate(open_tables) if all(one.box != two.box for two in open_tables[:n])]
    figures = [Figure("table", table.box, _digest(table.drawings, []), html=table.html) for table in tables]
    used = {id(one) for table in tables for one in (*table.runs, *table.drawings)}
    free = [run for run in runs if id(run) not in used]
    drawings = [one for one in drawings if id(one) not in used]
    rasters = [one for one in rasters if not any(holds(table.box, one.box) for table in tables)]
    frames = text_frames(drawings, free, body, width)
    parts = [one for one in drawings if id(one) not in frames]
    rules = free_rules(parts)
    shapes: list[tuple[Box, bool]] = []
    for members, pictures in _clusters(parts, rasters):
        figure = _judge(members, pictures, free, body)
        if figure is None:
            shapes += [(one.box, one.slanted) for one in members]
            continue
        figure.labels, figure.box = _labels(figure.box, free, body)
        figures.append(figure)
        gone = {id(run) for run in figure.labels}
        free = [run for run in free if id(run) not in gone]
    figures = _merged(figures)
    # The boxes of a circuit or a plan may look like tables.
    wide = [figure.box for figure in figures if figure.kind == "image"]
    figures = [figure for figure in figures if figure.kind == "image" or not any(_covers(b, figure.box) for b in wide)]
    figures, free = bind_captions(figures, free, body)
    figures.sort(key=lambda figure: (figure.box[1], figure.box[0]))
    figures = _stacked(figures, free)
    rules = [rule for rule in rules if not any(holds(figure.box, rule) for figure in figures)]
    signs = drawn_signs(shapes, free, body)
    return PageFigures(figures, *stack_fractions(free, rules, body), signs, [grid.cells for grid in grids])


def _sides(box: Box) -> tuple[float, float]:
    """The shorter and the longer side."""
    wide, high = box[2] - box[0], box[3] - box[1]
    return min(wide, high), max(wide, high)


def _covers(outer: Box, inner: Box) -> bool:
    return holds(outer, inner) and near(outer, inner, -2) and area(inner) < 0.5 * area(outer)


def _clusters(drawings: Sequence[Drawing], rasters: Sequence[Raster]) -> list[tuple[list[Drawing], list[Raster]]]:
    """Drawings and rasters that lie together, from top to bottom."""
    parts: list[Drawing | Raster] = [*drawings, *rasters]
    found = []
    for members in group([part.box for part in parts], _GAP):
        own = [parts[index] for index in members]
        drawn, pictures = (
            [one for one in own if isinstance(one, Drawing)],
            [one for one in own if isinstance(one, Raster)],
        )
        found.append((drawn, pictures))
    return found


def _judge(drawings: Sequence[Drawing], rasters: Sequence[Raster], runs: Sequence[Run], body: float) -> Figure | None:
    """The figure that a cluster makes; None for rules, underlines, boxes around words and signs in a line."""
    if rasters:
        # Rules beside a picture are not part of it unless they overlap it.
        box = union([one.box for one in rasters])
        shapes = [one for one in drawings if not one.level_rule or near(one.box, box, 0)]
        whole = union([box, *(one.box for one in shapes)])
        short, long = _sides(whole)
        if short < 6 or long < 8:
            return None
        inline = whole[3] - whole[1] < 2.2 * body and _beside_text(whole, runs, body)
        if inline and long < _ICON * 1.5:
            return None
        return Figure("equation" if inline else "image", whole, _digest(shapes, rasters))
    box = union([one.box for one in drawings])
    if not _is_diagram(drawings, box, body) or _is_sign(drawings, box, runs, body):
        return None
    return Figure("image", box, _digest(drawings, rasters))


def _is_diagram(drawings: Sequence[Drawing], box: Box, body: float) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    solid = [one for one in drawings if not one.level_rule]
    if not solid:
        return False
    if any(one.slanted for one in solid):
        return (wide >= 14 and high >= 14) or (wide >= 40 and high >= 3)
    upright = [one for one in drawings if one.upright_rule]
    if len(upright) == len(drawings):
        # Column rules and margin lines; three and more side by side are bars.
        return len(upright) >= 3 and wide >= 20 and high >= 14
    if wide >= 40 and len(upright) >= 3 and high >= 3:
        return True
    return wide >= 1.6 * body and high >= 1.6 * body and wide >= 16


def _is_sign(drawings: Sequence[Drawing], box: Box, runs: Sequence[Run], body: float) -> bool:
    """Whether a cluster is a root sign, a ring round a number, or a badge behind or a box round words."""
    wide, high = box[2] - box[0], box[3] - box[1]
    held = [run for run in runs if inside(*run.middle, box)]
    words = sum(area(run.box) for run in held)
    if any(one.oblique for one in drawings):
        return False  # a triangle, whatever stands at its angles
    if held and len(drawings) <= 4 and words > 0.3 * area(box):
        return True
    if len(held) == 1 and _NUMBER.fullmatch(held[0].text) and not any(one.slanted for one in drawings):
        return True  # the shaded cell of an item's number
    if _is_ruled(drawings, held):
        return True
    # One plain box with words in it that are no corner labels.
    if len(drawings) <= 2 and held and sum(len(run.text) for run in held) >= 12:
        return True
    return high < 2.2 * body and wide < 8 * body and len(drawings) <= 4 and _beside_text(box, runs, body)


def _is_ruled(drawings: Sequence[Drawing], runs: Sequence[Run]) -> bool:
    """Whether rules part the cells of a table without a grid: in three rows or more words stand on both their sides."""
    if not all(one.level_rule or one.upright_rule for one in drawings):
        return False
    walls = {one.box[0] for one in drawings if one.upright_rule}
    return any(
        len({round(run.base) for run in runs if run.x1 < wall} & {round(run.base) for run in runs if run.x0 > wall}) > 2
        for wall in walls
    )


def _beside_text(box: Box, runs: Sequence[Run], body: float) -> bool:
    """Whether letters of a line stand right beside or in a small cluster."""
    return any(
        run.top < box[3]
        and run.bottom > box[1]
        and run.x0 - 0.8 * body < box[2]
        and run.x1 + 0.8 * body > box[0]
        and len(run.text) > 2
        for run in runs
    )


def _labels(box: Box, runs: Sequence[Run], body: float) -> tuple[list[Run], Box]:
    """The runs that label a figure (inside it, or short and right beside it), and the box around all."""
    within = [run for run in runs if inside(*run.middle, box, 1)]
    if sum(len(run.text) for run in within) > 150:
        within = [run for run in within if len(run.text) <= 8]
    taken = {id(run) for run in within}
    labels, whole = within, box
    for _ in range(_ROUNDS):  # what stands beside a label belongs to the figure as well
        beside = [
            run
            for run in runs
            if id(run) not in taken
            and len(run.text) <= 8
            and near(run.box, whole, 0.6 * body)
            and not OPENS_ITEM.match(run.text)
            and not is_caption(run.text)
            and not _has_neighbour(run, runs, whole)
        ]
        labels = labels + beside
        taken |= {id(run) for run in beside}
        whole = union([box, *(run.box for run in labels)])
    free = [run for run in runs if id(run) not in taken]
    labels += [run for run in free if _names_axis(run, whole, body) and not _has_neighbour(run, runs, whole)]
    return labels, union([box, *(run.box for run in labels)])


def _names_axis(run: Run, box: Box, body: float) -> bool:
    """Whether a run in small letters stands right below the middle of a figure, and is no caption with a number."""
    middle = (run.x0 + run.x1) / 2
    centred = abs(middle - (box[0] + box[2]) / 2) < max(body, 0.1 * (box[2] - box[0])) and run.x0 > box[0]
    small = run.size < _SMALL * body and not any(map(str.isdigit, run.text)) and not OPENS_ITEM.match(run.text)
    return small and centred and run.x1 < box[2] and -body < run.top - box[3] < body


def _has_neighbour(run: Run, runs: Sequence[Run], box: Box) -> bool:
    """Whether the run goes on in a line of text outside the figure."""
    reach = 1.6 * run.size
    return any(
        other is not run
        and abs(other.base - run.base) < 0.5 * run.size
        and other.x0 - reach < run.x1
        and run.x0 < other.x1 + reach
        and (len(other.text) > 8 or OPENS_ITEM.match(other.text))
        and not inside(*other.middle, box)
        for other in runs
    )


def _merged(figures: list[Figure]) -> list[Figure]:
    """Figures whose boxes came to overlap through their labels, as one; tables stay as they are."""
    pictures = [figure for figure in figures if figure.kind != "table"]
    merged = [figure for figure in figures if figure.kind == "table"]
    for members in group([figure.box for figure in pictures], -1.0):
        own = [pictures[index] for index in members]
        one = joined(own)
        one.kind = "image" if len(own) > 1 else own[0].kind
        merged.append(one)
    return sorted(merged, key=lambda figure: (figure.box[1], figure.box[0]))


def _stacked(figures: list[Figure], runs: Sequence[Run]) -> list[Figure]:
    """Parts of one drawing that stand close above each other, with nothing between, as one figure."""
    done: list[Figure] = []
    words = [(*run.middle, *run.middle) for run in runs]
    for figure in figures:
        above = done[-1] if done and done[-1].kind == figure.kind == "image" and not done[-1].captions else None
        if above and is_stacked(above.box, figure.box, _STACK_GAP, words):
            above.box = union([above.box, figure.box])
            above.digest = zlib.crc32(b"%d %d" % (above.digest, figure.digest))
            above.captions = figure.captions
            above.labels += figure.labels
        else:
            done.append(figure)
    return done


def _digest(drawings: Sequence[Drawing], rasters: Sequence[Raster]) -> int:
    """A fingerprint of shapes, taken from the cluster's own corner."""
    boxes = [one.box for one in drawings] + [one.box for one in rasters]
    x, y = min((box[0] for box in boxes), default=0.0), min((box[1] for box in boxes), default=0.0)
    shapes = [(one.slanted, one.filled, len(one.edges)) for one in drawings]
    places = [(round(box[0] - x), round(box[1] - y), round(box[2] - x), round(box[3] - y)) for box in boxes]
    return zlib.crc32(repr((places, shapes, [one.digest for one in rasters])).encode())
