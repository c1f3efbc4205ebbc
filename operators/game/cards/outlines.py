"""Three cards found in a question picture by their outlines alone."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.cards.pair import NotAPair
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: Cards are not smaller than this share of the picture's width, and stand below this share of its height.
_LEAST_WIDE, _BELOW = 0.06, 0.3


def boxes_of(question: Pixels) -> list[Box]:
    """The three cards, left to right, in pixels of the picture; raises NotAPair if no row of three is seen."""
    high = question.shape[0]
    rectangles = sorted(_rectangles(question))
    best: tuple[float, list[Box]] = (0.0, [])
    for three in combinations(rectangles, 3):
        (x0, y0, w0, h0), (x1, y1, w1, h1), (x2, y2, w2, h2) = three
        if max(w0, w1, w2) > 1.06 * min(w0, w1, w2) + 2 or max(h0, h1, h2) > 1.06 * min(h0, h1, h2) + 2:
            continue
        if max(y0, y1, y2) - min(y0, y1, y2) > 0.06 * h0 + 2 or abs((x1 - x0) - (x2 - x1)) > 0.06 * w0 + 2:
            continue
        if x1 - x0 < w0 or y0 + h0 / 2 < _BELOW * high:
            continue
        size = float(w0 * h0) * (1.0 + y0 / high)
        if size > best[0]:
            best = size, [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h in three]
    if not best[1]:
        raise NotAPair("no row of three cards is seen in the question picture")
    return best[1]


def _rectangles(question: Pixels) -> set[tuple[int, int, int, int]]:
    """Rectangles that outlines fill, x y width height, one for those that nearly agree."""
    wide = question.shape[1]
    found: list[tuple[int, int, int, int]] = []
    soft = cv2.GaussianBlur(question, (3, 3), 0)
    for low in (12, 30, 70):
        lines = cv2.Canny(soft, low, 2.5 * low)
        lines = cv2.dilate(lines, np.ones((3, 3), np.uint8))
        shapes, _ = cv2.findContours(lines, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for shape in shapes:
            x, y, w, h = cv2.boundingRect(shape)
            if not _LEAST_WIDE * wide <= w <= 0.33 * wide or not 0.4 <= w / h <= 3.0:
                continue
            if cv2.contourArea(shape) > 0.75 * w * h and not any(_same((x, y, w, h), other) for other in found):
                found.append((x, y, w, h))
    return set(found[:60])


def _same(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= max(3, 0.02 * one[2])
