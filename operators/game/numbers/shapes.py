"""Boxes of the shapes in a screenshot that may be cards: filled or outlined, round or with corners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: Shapes are looked for at this many pixels of the longer side.
_SIDE = 960
#: Two pairs of bars for Canny's edges: plain ones, and faint ones such as a white card's on light grey.
_BARS = ((40, 100), (8, 24))
#: A card's sides, as shares of the picture's shorter side, and at most of its width, as in a column, and its height.
_LEAST, _WIDE, _HIGH = 0.05, 0.95, 0.5
#: How much of its box a shape fills at least; a disc fills 0.79, and the digits on a card are holes.
_FILLS_REGION, _FILLS_OUTLINE = 0.45, 0.7
#: Shapes that are told at most, the largest; a busy ground may have hundreds.
_KEPT = 160
#: Boxes that differ by less than this share of their size are the inside and the outside of one shape.
_SAME = 0.12


def shapes(pixels: Pixels) -> list[Box]:
    """The boxes of shapes that are neither tiny nor as high as half the picture, each once, outermost first."""
    height, width = pixels.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.GaussianBlur(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), (3, 3), 0)
    found: list[tuple[int, int, int, int]] = []
    for low, high in _BARS:
        edges = np.zeros(small.shape[:2], np.uint8)
        for channel in cv2.split(small):
            edges |= cv2.Canny(channel, low, high)
        wide: Any = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        found += _regions(wide) + _outlines(wide)
    least = _LEAST * min(size)
    fit = [b for b in found if least <= min(b[2:]) and b[2] <= _WIDE * size[0] and b[3] <= _HIGH * size[1]]
    back_x, back_y = width / size[0], height / size[1]
    return [(x * back_x, y * back_y, (x + w) * back_x, (y + h) * back_y) for x, y, w, h in _once(fit)]


def _regions(edges: Pixels) -> list[tuple[int, int, int, int]]:
    """Plain areas between edges, as x, y, width, height."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(255 - edges, connectivity=4)
    boxes = []
    for x, y, w, h, area in stats[1:count].tolist():
        if area >= _FILLS_REGION * w * h:
            # The widened edge took two pixels on each side.
            boxes.append((x - 2, y - 2, w + 4, h + 4))
    return boxes


def _outlines(edges: Pixels) -> list[tuple[int, int, int, int]]:
    """Closed lines, as x, y, width, height."""
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if min(w, h) > 8 and cv2.contourArea(cv2.convexHull(contour)) >= _FILLS_OUTLINE * w * h:
            boxes.append((x, y, w, h))
    return boxes


def _once(boxes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Each shape once, by its largest box."""
    kept: list[tuple[int, int, int, int]] = []
    for x, y, w, h in sorted(set(boxes), key=lambda b: (-b[2] * b[3], b)):
        near = _SAME * min(w, h)
        sides = (x, y, x + w, y + h)
        if not any(
            all(abs(a - b) <= near for a, b in zip(sides, (u, v, u + s, v + t), strict=True)) for u, v, s, t in kept
        ):
            kept.append((x, y, w, h))
            if len(kept) == _KEPT:
                break
    return kept
