"""The connected pieces of a page's ink, told apart: letters, drawn things, thin level strokes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Lengths in ems.
_SPECK = 0.09
_THIN = 0.2
_SHORTEST_RULE = 0.55
_LETTER = 1.3
_GRAIN = 0.2
#: A page with more grains in an area of one em by one em is a noisy scan, and they are left out.
_GRAINS = 0.1
#: A single character in a box as high as this is a drawing that was taken for a letter.
_TALL_LETTER = 2.3
#: At a line's end this much may not have been read.
_UNREAD = 2.2
#: The share of a piece's ink that lies in the boxes of lines.
_MOSTLY = 0.5
_WHOLLY = 0.9


@dataclass(slots=True)
class Piece:
    """Ink that hangs together: its rectangle in pixels, its number of pixels, and its number in the map."""

    box: Box
    area: int
    number: int

    @property
    def wide(self) -> float:
        """Width in pixels."""
        return self.box[2] - self.box[0]

    @property
    def high(self) -> float:
        """Height in pixels."""
        return self.box[3] - self.box[1]


@dataclass(slots=True)
class Pieces:
    """All ink of a page: ``map`` holds at each pixel the number of its piece, 0 on paper.

    ``drawn`` are pieces of drawings, ``letters`` those of words, ``bars`` thin level strokes of either.
    """

    map: NDArray[np.int32]
    drawn: list[Piece]
    letters: list[Piece]
    bars: list[Piece]


def find_pieces(ink: NDArray[np.uint8], lines: Sequence[OCRLine], em: float) -> Pieces:
    """The pieces of a page's ink; specks and the dark edges of a scan are left out."""
    count, found_map, found_stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8, ltype=cv2.CV_32S)
    numbers, stats = np.asarray(found_map, np.int32), np.asarray(found_stats, np.int32)
    left, top, wide, high, area = (stats[:, column] for column in range(5))
    longest = np.maximum(wide, high)
    kept = (longest >= _SPECK * em) & (area >= max((0.6 * _SPECK * em) ** 2, 3))
    kept &= ~_edges(stats, ink.shape)
    kept[0] = False
    words = word_mask(ink.shape, lines, em)
    within = np.bincount(numbers[words > 0], minlength=count)
    share = within / np.maximum(area, 1)
    reach = np.where(share >= _WHOLLY, np.inf, 2 * em)
    is_text = (share >= _MOSTLY) & (longest <= reach)
    thin = (high <= _THIN * em) & (wide >= _SHORTEST_RULE * em) & (wide >= 3 * high) & (area >= 0.5 * wide * high)
    grains = np.count_nonzero(kept & ~is_text & (longest <= _GRAIN * em))
    noisy = grains > _GRAINS * ink.size / em**2
    found = Pieces(numbers, [], [], [])
    for number in np.flatnonzero(kept):
        x, y = float(left[number]), float(top[number])
        piece = Piece((x, y, x + float(wide[number]), y + float(high[number])), int(area[number]), int(number))
        if thin[number]:
            found.bars.append(piece)
        if longest[number] <= _GRAIN * em and noisy and not is_text[number]:
            continue
        (found.letters if is_text[number] else found.drawn).append(piece)
    return found


def mask_of(pieces: Sequence[Piece], numbers: NDArray[np.int32]) -> NDArray[np.uint8]:
    """1 where some pieces have ink, else 0."""
    chosen = np.zeros(int(numbers.max()) + 1, np.uint8)
    chosen[[piece.number for piece in pieces]] = 1
    return chosen[numbers]


def is_word(line: OCRLine, em: float) -> bool:
    """Whether a line is text, and no drawing that was read as one huge letter."""
    return len(line.text) > 2 or line.box[3] - line.box[1] <= _TALL_LETTER * em


def word_mask(shape: tuple[int, ...], lines: Sequence[OCRLine], em: float) -> NDArray[np.uint8]:
    """1 in the boxes of lines and just around them, else 0."""
    mask = np.zeros(shape[:2], np.uint8)
    for line in lines:
        if is_word(line, em):
            x0, y0, x1, y1 = (int(side) for side in line.box)
            grow = int(0.1 * em)
            mask[max(y0 - grow, 0) : y1 + grow, max(x0 - grow, 0) : x1 + grow] = 1
    return mask


def _edges(stats: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pieces are the shadow of a book's fold, the dark beside the paper, or cut off at the border."""
    height, width = shape[:2]
    left, top, wide, high, _ = (stats[:, column] for column in range(5))
    sides = (left <= 1) | (left + wide >= width - 1)
    ends = (top <= 1) | (top + high >= height - 1)
    band = (sides & (wide <= 0.1 * width) & (high >= wide)) | (ends & (high <= 0.1 * height) & (wide >= high))
    around = (sides | ends) & (wide >= 0.7 * width) & (high >= 0.7 * height)
    return np.asarray(band | around, np.bool_)


def release_letters(pieces: Pieces, rows: Sequence[Box], em: float) -> None:
    """Make letters of the small drawn pieces that go on in a row of text: letters and stops that were not read."""
    reach = [[*row, row[2] + _UNREAD * em] for row in rows]
    drawn: list[Piece] = []
    for piece in sorted(pieces.drawn, key=lambda piece: piece.box[0]):
        small = max(piece.wide, piece.high) <= _LETTER * em
        (pieces.letters if small and _goes_on(piece.box, reach, em) else drawn).append(piece)
    pieces.drawn = drawn


def _goes_on(box: Box, rows: Sequence[list[float]], em: float) -> bool:
    x0, y0, x1, y1 = box
    for row in rows:
        level = row[1] - 0.1 * em <= (y0 + y1) / 2 <= row[3] + 0.1 * em
        if level and row[0] - em <= x1 <= row[4] and x0 <= row[2] + 0.7 * em:
            row[2] = max(row[2], x1)
            return True
    return False
