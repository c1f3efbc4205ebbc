"""The boxes of text in a map of how likely each pixel is text: differentiable binarization, as PP-OCR has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    #: Four corners, x and y, clockwise from the top left.
    Quad = NDArray[np.float32]
    #: Middle, sides and angle.
    Rectangle = tuple[Sequence[float], Sequence[float], float]

#: The bars for a pixel and for a box. RapidOCR has 0.3 and 0.5, which loses the digits of stacked fractions in a
#: picture made smaller; what is no text falls to ``min_score`` when it is read.
_PIXEL_BAR = 0.2
_BOX_BAR = 0.35

#: How far a box grows beyond what the detector marks. RapidOCR has 1.6 with its own bars; lower bars mark more.
_GROWTH = 1.4

#: Boxes looked at, their least side before and after they grew, and in the picture.
_MOST, _LEAST, _LEAST_GROWN, _LEAST_SIDE = 1000, 3.0, 5.0, 3

#: Boxes whose upper corners differ by less, in pixels, are of one row.
_ROW = 10


def text_boxes(likely: NDArray[np.float32], size: tuple[int, int]) -> list[Quad]:
    """The boxes of text in a picture of that height and width, row by row; ``likely`` is the detector's map of it."""
    height, width = likely.shape
    mask = cv2.dilate((likely > _PIXEL_BAR).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask * 255, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    quads: list[Quad] = []
    for contour in contours[:_MOST]:
        points, side = _corners(cv2.minAreaRect(contour))
        if side < _LEAST or _score(likely, points) < _BOX_BAR:
            continue
        grown, side = _corners(_grown(points))
        if side < _LEAST_GROWN:
            continue
        placed = np.round(grown / (width, height) * (size[1], size[0]))
        quad = _clockwise(np.clip(placed, 0, (size[1] - 1, size[0] - 1)).astype(np.float32))
        if min(int(np.linalg.norm(quad[0] - quad[1])), int(np.linalg.norm(quad[0] - quad[3]))) > _LEAST_SIDE:
            quads.append(quad)
    return _row_by_row(quads)


def _corners(rectangle: Rectangle) -> tuple[Quad, float]:
    """The corners of a turned rectangle, clockwise from the top left, and its shorter side."""
    left, other, third, right = sorted(cv2.boxPoints(rectangle), key=lambda point: point[0])
    top, low = (left, other) if other[1] > left[1] else (other, left)
    top_right, low_right = (third, right) if right[1] > third[1] else (right, third)
    return np.array([top, top_right, low_right, low], np.float32), min(rectangle[1])


def _grown(points: Quad) -> Rectangle:
    """The rectangle that is larger by a share of its area by its circumference on each side."""
    area = cv2.contourArea(points)
    length = float(np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).sum())
    middle, (wide, high), angle = cv2.minAreaRect(points.astype(np.int32))
    more = 2 * area * _GROWTH / max(length, 1e-6)
    return (middle[0], middle[1]), (wide + more, high + more), angle


def _score(likely: NDArray[np.float32], points: Quad) -> float:
    """How likely the pixels in a box are text, on average."""
    height, width = likely.shape
    x0, y0 = np.clip(np.floor(points.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    x1, y1 = np.clip(np.ceil(points.max(axis=0)).astype(int), 0, (width - 1, height - 1))
    mask = np.zeros((y1 - y0 + 1, x1 - x0 + 1), np.uint8)
    cv2.fillPoly(mask, [(points - (x0, y0)).astype(np.int32)], 1)
    return float(cv2.mean(likely[y0 : y1 + 1, x0 : x1 + 1], mask)[0])


def _clockwise(points: Quad) -> Quad:
    """The corners from the top left on, by which two are left."""
    by_x = points[np.argsort(points[:, 0])]
    left, right = by_x[:2], by_x[2:]
    top_left, low_left = left[np.argsort(left[:, 1])]
    top_right, low_right = right[np.argsort(right[:, 1])]
    return np.array([top_left, top_right, low_right, low_left], np.float32)


def _row_by_row(quads: list[Quad]) -> list[Quad]:
    """From top to bottom, and in a row from left to right."""
    if not quads:
        return []
    quads = sorted(quads, key=lambda quad: float(quad[0, 1]))
    steps = np.diff([quad[0, 1] for quad in quads]) >= _ROW
    rows = np.concatenate([[0], np.cumsum(steps)])
    order = sorted(range(len(quads)), key=lambda i: (rows[i], float(quads[i][0, 0])))
    return [quads[i] for i in order]
