"""What the ink of a line tells of it: where its letters begin and end, how large and how heavy they are.

Sizes and baselines of the pieces of text on a page are evened out as print has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from operators.pdf.parser.runs import Box

#: Characters by how far they reach above and below their baseline, in ems.
_SHAPES: tuple[tuple[str, float, float], ...] = (
    ("一—–―-−－_~～…", 0.4, -0.3),
    (".．", 0.12, 0.0),
    ("。，、,;；", 0.15, 0.08),
    ("：:·", 0.5, 0.0),
    ("（）()[]{}【】［］《》〈〉「」|/／∫", 0.78, 0.15),
    ("acemnorsuvwxzπαεικνστυω", 0.48, 0.0),
    ("gpqyγημρφχψ", 0.48, 0.21),
    ("j", 0.68, 0.21),
    ("=＝≈", 0.5, -0.16),
    ("+＋×÷<>＜＞≤≥±∓", 0.6, -0.04),
    ("°′″'\"“”‘’²³¹⁰⁴⁵⁶⁷⁸⁹*", 0.72, -0.4),
    ("二三工土", 0.76, 0.02),
)
_REACH = {char: (up, down) for chars, up, down in _SHAPES for char in chars}
_LATIN = (0.7, 0.0)
_IDEOGRAPH = (0.83, 0.07)
_OTHER = (0.74, 0.06)


#: The rows that the ideographs of a line fill, above and below the baseline.
_CORE = (0.8, 0.04)
_CORE_SHARE = 0.25
#: Shares of a line's height.
_GAP = 0.5
_BLANK = 0.38
_SMALL_DIGIT = 0.36


@dataclass(slots=True)
class Ink:
    """The ink of one line, in pixels: its rectangle, the rows that most of its letters fill, its gaps.

    ``gaps`` are stretches (x0, x1) without ink, wider than half the height; ``blanks`` those as wide as the
    narrowest blank between ideographs; ``points`` are the widths of the stretches behind points and commas,
    from left to right; ``raised`` holds the middles (x) of what stands as high as an exponent. ``contrast``
    is the distance from the paper (0 to 255), ``stroke`` the mean width of its strokes.
    """

    box: Box
    core: tuple[float, float]
    gaps: list[tuple[float, float]]
    blanks: list[tuple[float, float]]
    points: list[float]
    raised: list[float]
    contrast: float
    stroke: float

    def size(self, text: str) -> tuple[float, float, float]:
        """The size of the letters, if they spell this text; the y of their feet; these below the baseline, in ems."""
        x0, y0, x1, y1 = self.box
        if count_ideographs(text) < 4 or count_ideographs(text) < 0.4 * len(text):
            up, down = reach(text)
            return (y1 - y0) / (up + down), y1, down
        size = (self.core[1] - self.core[0]) / sum(_CORE)
        # Letters may be set wide, never narrow: rings and boxes around words do not make them larger.
        size = min(size, 1.03 * (x1 - x0) / sum(map(advance, text)))
        return size, self.core[1], _CORE[1]


def count_ideographs(text: str) -> int:
    """The number of ideographs that are as high as a line."""
    return sum("\u4e00" <= char <= "\u9fff" and char not in _REACH for char in text)


def advance(char: str) -> float:
    """The usual width of a character, in ems."""
    return 1.0 if "\u4e00" <= char <= "\u9fff" else 0.25 if char in " .,:;'|Iijl" else 0.5


def reach(text: str) -> tuple[float, float]:
    """How far the letters of a text reach above and below their baseline, in ems.

    >>> reach("acx"), reach("Apg"), reach("题2")
    ((0.48, 0.0), (0.7, 0.21), (0.83, 0.07))
    """
    pairs = [_of(char) for char in text if not char.isspace()]
    return max(up for up, _ in pairs), max(down for _, down in pairs)


def _of(char: str) -> tuple[float, float]:
    if char in _REACH:
        return _REACH[char]
    if "\u4e00" <= char <= "\u9fff":
        return _IDEOGRAPH
    return _LATIN if char.isascii() else _OTHER


def read_ink(grey: NDArray[np.uint8], box: Box, rules: Sequence[Box]) -> Ink | None:
    """The ink in a box of a grey picture, rules (in pixels) left out; None if there is none."""
    high, wide = grey.shape
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), wide), min(int(np.ceil(box[3])), high)
    if right - left < 2 or bottom - top < 2:
        return None
    cut = grey[top:bottom, left:right]
    dark, light = (float(one) for one in np.percentile(cut, (3, 97)))
    inverse = float(np.median(cut)) < (dark + light) / 2
    ink = cut > (dark + light) / 2 if inverse else cut < (dark + light) / 2
    for x0, y0, x1, y1 in rules:
        # With their soft edges.
        across = slice(max(int(x0) - 1 - left, 0), max(int(x1) + 2 - left, 0))
        ink[max(int(y0) - 2 - top, 0) : max(int(y1) + 3 - top, 0), across] = False
    ink = _own(ink)
    rows = np.flatnonzero(ink.any(axis=1))
    if not len(rows):
        return None
    y0, y1 = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(ink[y0:y1].any(axis=0))
    steps = np.flatnonzero(np.diff(columns) > _BLANK * (y1 - y0))
    blanks = [(float(left + columns[one] + 1), float(left + columns[one + 1])) for one in steps]
    gaps = [gap for gap in blanks if gap[1] - gap[0] + 1 > _GAP * (y1 - y0)]
    box = (float(left + columns[0]), float(top + y0), float(left + columns[-1] + 1), float(top + y1))
    counts = ink[y0:y1].sum(axis=1)
    full = np.flatnonzero(counts > _CORE_SHARE * np.percentile(counts, 80))
    core = (float(top + y0 + full[0]), float(top + y0 + full[-1] + 1))
    marks = list(_marks(ink[y0:y1], columns))
    points, raised = _points(marks, y1 - y0), [left + x for x in _raised(marks, y1 - y0)]
    return Ink(box, core, gaps, blanks, points, raised, light - dark, _stroke(ink[y0:y1]))


def _marks(ink: NDArray[np.bool_], columns: NDArray[np.intp]) -> Iterator[tuple[int, int, int, int]]:
    """The marks of a line from left to right: first column and the one behind, first row and the one behind."""
    for part in np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1):
        start, end = int(part[0]), int(part[-1]) + 1
        rows = np.flatnonzero(ink[:, start:end].any(axis=1))
        yield start, end, int(rows[0]), int(rows[-1]) + 1


def _points(marks: Sequence[tuple[int, int, int, int]], high: int) -> list[float]:
    """The widths of the gaps behind marks that stand low and are narrow."""
    return [
        float(after[0] - end)
        for (start, end, top, _), after in pairwise(marks)
        if end - start < 0.35 * high and top >= int(0.55 * high)
    ]


def _raised(marks: Sequence[tuple[int, int, int, int]], high: int) -> list[float]:
    """The middles of the marks that stand high and are no lower than small digits, as signs and primes are."""
    return [
        (start + end) / 2
        for start, end, top, bottom in marks
        if bottom < 0.72 * high and bottom - top > _SMALL_DIGIT * high and end - start < 0.6 * high
    ]


def _own(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The ink without small marks cut off by the edge: feet and heads of what stands beside, above and below."""
    _, marks, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    high, wide = ink.shape
    x, y = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    across, down = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    at_edge = (x == 0) | (y == 0) | (x + across == wide) | (y + down == high)
    foreign = at_edge & (across < 0.4 * high) & (down < 0.4 * high)
    foreign[0] = True
    kept = ~foreign
    return np.asarray(kept[marks] if kept.any() else ink, np.bool_)


def _stroke(ink: NDArray[np.bool_]) -> float:
    """The mean width of strokes: a stroke's area is its length by its width, its outline twice its length."""
    solid = ink.astype(np.uint8)
    inner = cv2.erode(solid, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    area, outline = int(solid.sum()), int(solid.sum() - inner.sum())
    return 2.0 * area / outline if outline else 0.0


#: Pieces of one printed line: their bases differ by less than this, in ems.
_LEVEL = 0.22
#: Sizes within this factor are one size.
_SAME = 1.1


@dataclass(slots=True)
class Piece:
    """A stretch of text as measured, in points.

    ``high`` is the height of its ink, ``foot`` where it ends, ``below`` how far that should be below the
    baseline, in ems.
    ``tall`` is the number of letters that tell its size (an ideograph counts twice), ``contrast`` its
    distance from the paper (0 to 255), ``stroke`` the width of its strokes.
    """

    text: str
    x0: float
    x1: float
    high: float
    foot: float
    below: float
    size: float
    tall: int
    contrast: float
    stroke: float
    base: float = 0.0


def even_sizes(pieces: Sequence[Piece]) -> float:
    """Give the pieces whose size is that of the page's text exactly this size; it is returned, in points.

    Other sizes that are nearly the same become the same.
    """
    telling = [piece for piece in pieces if piece.tall >= 8] or pieces
    body = middle_size([(piece.size, len(piece.text)) for piece in telling])
    others = []
    for piece in pieces:
        lower, upper = _tolerance(piece.tall)
        if lower * body <= piece.size <= upper * body:
            piece.size = body
        else:
            others.append(piece)
    group: list[Piece] = []
    for piece in sorted(others, key=lambda piece: piece.size):
        if group and piece.size > _SAME * group[0].size:
            _level_sizes(group)
            group = []
        group.append(piece)
    _level_sizes(group)
    return body


def middle_size(sizes: Sequence[tuple[float, int]]) -> float:
    """The size of which half of the letters are larger and half are smaller, by sizes (at least one) and their letters.

    >>> middle_size([(12.0, 4), (10.0, 20), (8.0, 9)])
    10.0
    """
    ordered = sorted(sizes)
    counts = list(accumulate(count for _, count in ordered))
    return next(size for (size, _), count in zip(ordered, counts, strict=True) if 2 * count >= counts[-1])


def _tolerance(tall: int) -> tuple[float, float]:
    """How far from the size of the text a piece may be measured though it has it: few letters tell little."""
    if not tall:
        return 0.0, float("inf")
    return (0.86, 1.13) if tall >= 8 else (0.82, 1.18) if tall >= 4 else (0.76, 1.3)


def _level_sizes(group: Sequence[Piece]) -> None:
    if group:
        size = median(piece.size for piece in group)
        for piece in group:
            piece.size = size


def even_bases(pieces: Sequence[Piece]) -> None:
    """Find the base of each piece, the same for the pieces of one size on one printed line."""
    for piece in pieces:
        piece.base = piece.foot - piece.below * piece.size
    rows: list[list[Piece]] = []
    # Long pieces lead: they tell best where the line is.
    for piece in sorted(pieces, key=lambda piece: (piece.x0 - piece.x1, piece.base, piece.x0)):
        fits = [row for row in rows if row[0].size == piece.size and _shift(piece, row[0]) < _LEVEL * piece.size]
        if fits:
            min(fits, key=lambda row: _shift(piece, row[0])).append(piece)
        else:
            rows.append([piece])
    for row in rows:
        wide = sum(piece.x1 - piece.x0 for piece in row)
        base = sum(piece.base * (piece.x1 - piece.x0) for piece in row) / wide
        for piece in row:
            piece.base = base


def _shift(one: Piece, two: Piece) -> float:
    return abs(one.base - two.base)
