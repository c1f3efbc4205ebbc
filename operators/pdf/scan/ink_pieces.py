"""The ink of a scanned page: its mask, its connected pieces told apart, and rough prints of drawings.

By its print the same ornament is known again on other scanned pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Box
from operators.pdf.scan.line_ink import middle_size
from operators.pdf.scan.picture import PagePicture

#: The light is judged on a picture this many times smaller.
_COARSE = 8
#: Dark areas narrower than this, in ems, are ink on paper and no darker paper.
_PAPER_REACH = 24.0
#: Paper is nowhere darker than this share of the page's usual paper.
_DARKEST_PAPER = 0.4
#: A pixel is ink from this share of the darkness of the page's letters on; watermarks stay below it.
_INK = 0.26
_FAINTEST = 0.14
#: Letters of a box are about this share of its height.
_LETTERS = 0.8
#: The size of text where nothing was read, in points.
_USUAL_SIZE = 10.5


def text_size(picture: PagePicture, lines: Sequence[OCRLine]) -> float:
    """The em of a page's text in pixels, from the heights of its lines; 10.5 points if there are none."""
    heights = [(line.box[3] - line.box[1], len(line.text)) for line in lines if len(line.text) > 3]
    heights = heights or [(line.box[3] - line.box[1], len(line.text)) for line in lines]
    if not heights:
        return _USUAL_SIZE * picture.scale
    return max(_LETTERS * middle_size(heights), 0.5 * _USUAL_SIZE * picture.scale)


def ink_mask(picture: PagePicture, lines: Sequence[OCRLine], em: float) -> NDArray[np.uint8]:
    """1 where a page has ink, else 0: height x width of uint8, pale watermarks left out."""
    # Coloured ink is dark in one channel at least.
    red, green, blue = cv2.split(picture.pixels)
    darkest = np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8)
    light = np.asarray(cv2.divide(darkest, _paper(darkest, em), scale=255), np.uint8)
    level = round(255 * (1 - max(_INK * _letter_darkness(light, lines), _FAINTEST)))
    return np.asarray(cv2.threshold(light, level, 1, cv2.THRESH_BINARY_INV)[1], np.uint8)


def _paper(darkest: NDArray[np.uint8], em: float) -> NDArray[np.uint8]:
    """The lightness of the paper at each pixel, as if nothing were printed on it."""
    height, width = darkest.shape
    small = cv2.resize(darkest, (max(width // _COARSE, 1), max(height // _COARSE, 1)), interpolation=cv2.INTER_AREA)
    reach = max(int(_PAPER_REACH * em / _COARSE), 3) | 1
    # Light goes on falling beyond the border: the closing must not take it for ink there.
    rim = min(reach, *(side - 1 for side in small.shape))
    wide = np.pad(small.astype(np.int16), rim, mode="reflect", reflect_type="odd") if rim > 0 else small
    closed = cv2.morphologyEx(
        np.clip(wide, 0, 255).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)
    )
    paper = closed[rim : closed.shape[0] - rim, rim : closed.shape[1] - rim]
    usual = float(np.percentile(paper, 75))
    paper = np.maximum(cv2.blur(paper, (5, 5)), np.uint8(_DARKEST_PAPER * usual))
    return np.asarray(cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _letter_darkness(light: NDArray[np.uint8], lines: Sequence[OCRLine]) -> float:
    """How dark the page's letters are, from 0 to 1."""
    samples = []
    for line in lines[:: max(len(lines) // 40, 1)]:
        x0, y0, x1, y1 = (max(int(side), 0) for side in line.box)
        part = light[y0:y1:2, x0:x1:2]
        if part.size:
            samples.append(float(np.percentile(part, 3)))
    return 1 - float(np.median(samples)) / 255 if samples else 0.8


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


_GRID = 8
#: Two scans of one drawing have less than this share of their ink in other fields, and differ so little in size.
_INK_OFF = 0.12
_SIZE_OFF = 0.06
_SMALL_OFF = 2.0


def print_of(ink: NDArray[np.uint8], box: Box) -> int:
    """The print of what a mask of ink holds in ``box`` (in pixels): how full each field of a grid is.

    It is 64 bytes as one whole number. Noise changes it a little: :func:`same_prints` evens that out.
    """
    x0, y0, x1, y1 = (round(side) for side in box)
    part = ink[max(y0, 0) : y1, max(x0, 0) : x1]
    if not part.size:
        return 0
    grid = cv2.resize(part.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
    return int.from_bytes(np.round(255 * grid).astype(np.uint8).tobytes(), "big")


def same_prints(pages: Sequence[Sequence[Figure]]) -> None:
    """Give one digest to figures of a scanned book that are the same drawing; digests are prints before."""
    known: list[tuple[Figure, NDArray[np.float64]]] = []
    for figure in (figure for figures in pages for figure in figures):
        fields = _fields(figure.digest)
        twin = next((other for other, print_ in known if _alike(figure, fields, other, print_)), None)
        if twin is None:
            known.append((figure, fields))
        else:
            figure.digest = twin.digest


def _fields(digest: int) -> NDArray[np.float64]:
    """The share of its ink that each field of a print holds: thicker strokes of a darker scan leave it as it is."""
    fields = np.frombuffer(digest.to_bytes(_GRID * _GRID, "big"), np.uint8).astype(float)
    return np.asarray(fields / max(float(fields.sum()), 1.0))


def _alike(one: Figure, fields: NDArray[np.float64], two: Figure, print_: NDArray[np.float64]) -> bool:
    for axis in (0, 1):
        first, second = one.box[axis + 2] - one.box[axis], two.box[axis + 2] - two.box[axis]
        if abs(first - second) > _SIZE_OFF * max(first, second) + _SMALL_OFF:
            return False
    return float(np.abs(fields - print_).sum()) / 2 <= _INK_OFF
