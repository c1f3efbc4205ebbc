"""Drawn pieces of a scanned page grouped to figures with the lines that label them; what is no figure is left out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.boxes import area, centre, common, group, holds, near, union
from operators.pdf.parser.captions import OPENS_ITEM, is_caption, is_stacked
from operators.pdf.parser.runs import Box
from operators.pdf.scan.ink_pieces import Piece

_NAME = re.compile(r"[\dA-Za-z.,，′'’°()（）+\-−=xyπ%/\s]{1,8}$")
_LONGEST = 8
#: Words inside a drawing beyond this number of letters are text that it was drawn around.
_MANY = 150
#: Distances in ems.
_BESIDE = 0.75
_ROW = 1.6


def is_name(text: str) -> bool:
    """Whether words may name a point, a length or an angle: a few letters and digits.

    >>> [is_name(text) for text in ("A", "6 cm", "D'", "小明")]
    [True, True, True, False]
    """
    return _NAME.match(text) is not None


def labels_of(box: Box, lines: Sequence[tuple[int, OCRLine]], em: float) -> set[int]:
    """The numbers of the lines that label the drawing in ``box``; all places in pixels."""
    within = [(index, line) for index, line in lines if _lies_in(line, box) and not is_caption(line.text)]
    if sum(len(line.text) for _, line in within) > _MANY:
        within = [(index, line) for index, line in within if len(line.text) <= _LONGEST]
    taken = {index for index, _ in within}
    for index, line in lines:
        if (
            index not in taken
            and len(line.text) <= _LONGEST
            and near(line.box, box, _BESIDE * em - 0.15 * (line.box[3] - line.box[1]))
            and not OPENS_ITEM.match(line.text)
            and not is_caption(line.text)
            and not _goes_on(line, lines, box, em)
        ):
            taken.add(index)
    return taken


def _lies_in(line: OCRLine, box: Box) -> bool:
    """Whether a line is in a drawing; text that runs past a slanting side begins or ends outside."""
    common = min(line.box[2], box[2]) - max(line.box[0], box[0])
    return holds(box, line.box) and common > 0.6 * (line.box[2] - line.box[0])


def _goes_on(line: OCRLine, lines: Sequence[tuple[int, OCRLine]], box: Box, em: float) -> bool:
    """Whether a short line is a stretch of a row of text outside the drawing."""
    middle = centre(line.box)[1]
    return any(
        other is not line
        and other.box[1] < middle < other.box[3]
        and other.box[0] - _ROW * em < line.box[2]
        and line.box[0] < other.box[2] + _ROW * em
        and (len(other.text) > _LONGEST or OPENS_ITEM.match(other.text) is not None)
        and not holds(box, other.box)
        for _, other in lines
    )


#: Lengths in ems.
_GAP = 0.65
_SMALLEST = 1.5
_INLINE = 2.2
_BRACKET = 0.75
_LETTER = 1.4
_ROW_GAP = 2.0
_STACK_GAP = 1.3
_CAPTION_REACH = 3.5
_BANNER = 5.0
#: A box with so many letters in it is a frame.
_SENTENCE = 12
_UNREAD = 8.0
_THIN = 0.2
_DASH = 0.35
_PAGE_RULE = 20.0
_COLUMN_RULE = 12.0
#: Words that cover more of a drawing's box than this are framed or backed by it.
_WORDY = 0.3
#: The same for a low area filled with ink.
_BACKED = 0.08


@dataclass(slots=True)
class Group:
    """Pieces that make one drawing, its rectangle in pixels, and the indices of the lines that label it."""

    pieces: list[Piece]
    box: Box
    labels: set[int] = field(default_factory=set)


def find_groups(
    parts: Sequence[Piece], letters: Sequence[Piece], lines: Sequence[OCRLine], em: float, ink: NDArray[np.uint8]
) -> list[Group]:
    """The figures that drawn pieces make, labels included; places are in pixels."""
    rows = text_rows(lines, em)
    parts = [piece for piece in parts if not is_frame(piece.box, rows, em) and not _parts_page(piece, em)]
    found = []
    free = set(range(len(lines)))
    for members in group([piece.box for piece in parts], _GAP * em):
        own = [parts[index] for index in members]
        one = Group(own, union([piece.box for piece in own]))
        plain = _is_plain_box(one, lines, ink, em)
        if not plain and is_figure(one, lines, rows, em) and not _is_code(one, em, ink):
            found.append(one)
    for one in found:
        one.labels = labels_of(one.box, [(index, lines[index]) for index in sorted(free)], em)
        free -= one.labels
        one.box = union([one.box, *_ink_of(one.labels, lines, letters, em)])
    return _shared(_stacked(_merged(found), lines, em), lines, em)


def text_rows(lines: Sequence[OCRLine], em: float) -> list[Box]:
    """Rectangles of the rows of text: lines beside each other joined, names of points and numbers left out."""
    boxes: list[Box] = []
    for line in sorted(lines, key=lambda line: line.box[0]):
        if is_name(line.text):
            continue
        x0, y0, _, y1 = line.box
        for index, row in enumerate(boxes):
            level = row[1] < (y0 + y1) / 2 < row[3] and y0 < (row[1] + row[3]) / 2 < y1
            if level and x0 - row[2] <= _ROW_GAP * em:
                boxes[index] = union([row, line.box])
                break
        else:
            boxes.append(line.box)
    return boxes


def is_frame(box: Box, rows: Sequence[Box], em: float) -> bool:
    """Whether a piece of ink only frames or backs rows of text."""
    if box[2] - box[0] < 4 * em or box[3] - box[1] < em:
        return False
    held = [row for row in rows if holds(box, row)]
    long = [row for row in held if row[2] - row[0] > 8 * em]
    return len(long) > 1 or any(row[2] - row[0] > 0.5 * (box[2] - box[0]) for row in long)


def _parts_page(piece: Piece, em: float) -> bool:
    """Whether a piece is a long rule that parts columns or sections; one with anything on it is thicker."""
    long, thin = max(piece.wide, piece.high), min(piece.wide, piece.high)
    return thin <= _THIN * em + 0.004 * long and long >= (_PAGE_RULE if piece.wide > piece.high else _COLUMN_RULE) * em


def is_figure(one: Group, lines: Sequence[OCRLine], rows: Sequence[Box], em: float) -> bool:
    """Whether a group of pieces is a drawing, and no rule, bracket, sign, ring or ornament round words."""
    wide, high = (one.box[2] - one.box[0]) / em, (one.box[3] - one.box[1]) / em
    if max(wide, high) < _SMALLEST or wide < _BRACKET:
        return False
    if high < 1.0:
        return wide > 4 and high > 0.25 and _is_scale(one.box, lines, em)
    if _are_letters(one.pieces, em):
        return False
    words = sum(common(row, one.box) for row in rows) / area(one.box)
    filled = high < _BANNER and max(piece.area for piece in one.pieces) > 0.6 * area(one.box)
    if words > (_BACKED if filled else _WORDY):
        return False
    inline = high < _INLINE and wide < 8 and _beside_text(one.box, lines, em)
    return not inline


def _is_plain_box(one: Group, lines: Sequence[OCRLine], ink: NDArray[np.uint8], em: float) -> bool:
    """Whether a drawing is nothing but a box with a sentence in it."""
    held = [line for line in lines if not is_name(line.text) and holds(one.box, line.box)]
    if sum(len(line.text) for line in held) < _SENTENCE:
        return False
    x0, y0, x1, y1 = (int(side) for side in one.box)
    part = ink[y0:y1, x0:x1].copy()
    for line in held:
        left, top, right, bottom = (int(side) for side in line.box)
        part[max(top - y0, 0) : max(bottom - y0, 0), max(left - x0, 0) : max(right - x0, 0)] = 0
    rim = max(int(0.3 * em), 2)
    return int(part[rim:-rim, rim:-rim].sum()) < 0.1 * int(part.sum())


def _is_scale(box: Box, lines: Sequence[OCRLine], em: float) -> bool:
    """Whether a flat drawing has numbers or names along it, as a number line has."""
    along = (box[0] - em, box[1] - 1.3 * em, box[2] + em, box[3] + 1.3 * em)
    places = [centre(line.box)[0] for line in lines if len(line.text) <= 3 and holds(along, line.box)]
    return len(places) >= 2 and max(places) - min(places) >= 2 * em


def _are_letters(pieces: Sequence[Piece], em: float) -> bool:
    """Whether most ink is in low pieces that are no dashes: letters that were not read, and dots."""
    if any(piece.high > _LETTER * em or piece.wide > _UNREAD * em for piece in pieces):
        return False
    dashes = sum(piece.area for piece in pieces if _is_dash(piece, em))
    return dashes < 0.5 * sum(piece.area for piece in pieces)


def _is_dash(piece: Piece, em: float) -> bool:
    long = math.hypot(piece.wide, piece.high)
    return long >= _DASH * em and piece.area <= _THIN * em * long


def _beside_text(box: Box, lines: Sequence[OCRLine], em: float) -> bool:
    around = (box[0] - 0.8 * em, box[1], box[2] + 0.8 * em, box[3])
    return any(len(line.text) > 2 and near(line.box, around, 0) and _level(line.box, box) for line in lines)


def _level(one: Box, two: Box) -> bool:
    return min(one[3], two[3]) - max(one[1], two[1]) > 0.4 * min(one[3] - one[1], two[3] - two[1])


def _is_code(one: Group, em: float, ink: NDArray[np.uint8]) -> bool:
    """Whether a group is a QR code."""
    x0, y0, x1, y1 = (int(side) for side in one.box)
    wide, high = x1 - x0, y1 - y0
    if min(wide, high) < 2.5 * em or max(wide, high) > 1.2 * min(wide, high) or len(one.pieces) < 8:
        return False
    # A code needs its white rim.
    crop = np.pad(255 * (1 - ink[y0:y1, x0:x1]), int(em), constant_values=255)
    return bool(cv2.QRCodeDetector().detect(crop)[0])


def _ink_of(labels: set[int], lines: Sequence[OCRLine], letters: Sequence[Piece], em: float) -> list[Box]:
    """The rectangles of the labels' ink; boxes of lines are wider than their letters."""
    boxes = []
    for index in labels:
        box = lines[index].box
        own = [piece.box for piece in letters if holds(box, piece.box, 0.1 * em)]
        boxes.append(union(own) if own else box)
    return boxes


def _merged(groups: Sequence[Group]) -> list[Group]:
    """Drawings whose rectangles came to overlap through their labels, as one."""
    return [_joined([groups[index] for index in members]) for members in group([one.box for one in groups], -1.0)]


def _joined(groups: Sequence[Group]) -> Group:
    return Group(
        [piece for one in groups for piece in one.pieces],
        union([one.box for one in groups]),
        set().union(*(one.labels for one in groups)),
    )


def _stacked(groups: Sequence[Group], lines: Sequence[OCRLine], em: float) -> list[Group]:
    """Parts of one drawing that stand close above each other, with nothing between, as one."""
    done: list[Group] = []
    reach, words = (-0.1 * em, _STACK_GAP * em), [line.box for line in lines]
    for one in sorted(groups, key=lambda one: one.box[1]):
        above = next((other for other in reversed(done) if is_stacked(other.box, one.box, reach, words)), None)
        if above is None:
            done.append(one)
        else:
            done[done.index(above)] = _joined([above, one])
    return done


def _shared(groups: list[Group], lines: Sequence[OCRLine], em: float) -> list[Group]:
    """Parts of one figure that stand side by side, as one: their caption is below the white between them."""
    for line in lines:
        if not is_caption(line.text):
            continue
        middle, top = centre(line.box)[0], line.box[1]
        above = [one for one in groups if top - _CAPTION_REACH * em < one.box[3] < top + 0.5 * em]
        left = [one for one in above if one.box[2] < middle]
        right = [one for one in above if one.box[0] > middle]
        if len(above) == len(left) + len(right) and left and right:
            parts = [max(left, key=lambda one: one.box[2]), min(right, key=lambda one: one.box[0])]
            x0, _, x1, _ = union([one.box for one in parts])
            if abs((x0 + x1) / 2 - middle) < em and not _captioned(parts, lines, em):
                groups = [one for one in groups if one not in parts] + [_joined(parts)]
    return groups


def _captioned(parts: Sequence[Group], lines: Sequence[OCRLine], em: float) -> bool:
    """Whether any of some drawings has a caption right below it."""
    below = [(one.box[0], one.box[3] - 0.5 * em, one.box[2], one.box[3] + _CAPTION_REACH * em) for one in parts]
    return any(is_caption(line.text) and holds(box, line.box) for line in lines for box in below)
