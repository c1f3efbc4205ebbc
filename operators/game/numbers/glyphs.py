"""Boxes of what may be digits by its ink alone: a detector of text overlooks thin, large and lone digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from operators.game.numbers.digits import Piece, joined

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: Ink is looked for at this many pixels of the longer side, the ground around it at a part of that.
_SIDE, _PART = 720, 4
#: The ground is the median of squares with this side, as a share of the picture's shorter side.
_AROUND = 0.25
#: How far ink is from its ground in one channel at least.
_INK = 45
#: Levels of grey above and below which ink is looked for too: cards hide the ground of their digits.
_LEVELS = (48, 88, 128, 168, 208)
#: How high digits are, as shares of the shorter side, and how wide one is (a lamp is wider) and a number, in heights.
_LEAST, _MOST, _WIDEST, _NUMBER = 0.025, 0.3, 0.95, 4.0
#: A digit fills less of its box than this, unless it is as slim as a 1; more is a lamp or a button.
_FILLED, _SLIM = 0.72, 0.42
#: Boxes that differ by less than this share of their height are one glyph.
_SAME = 0.2
#: Glyphs that are told at most, the tallest; a busy ground may have hundreds.
_KEPT = 120

_Place = tuple[int, int, int, int]


def glyphs(pixels: Pixels) -> list[Piece]:
    """Places of the size and the fill of digits, those of one number joined; nothing in them is read."""
    height, width = pixels.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small: Any = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    least, most = _LEAST * min(size), _MOST * min(size)
    fit: list[_Place] = []
    for ink in _inks(small):
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
        high = stats[(stats[:, 3] >= least) & (stats[:, 3] <= most)].tolist()
        fit += [(x, y, w, h) for x, y, w, h, area in high if _digit(w, h, area)]
    back_x, back_y = width / size[0], height / size[1]
    boxes = [(x * back_x, y * back_y, (x + w) * back_x, (y + h) * back_y) for x, y, w, h in _once(fit)]
    numbers = joined(Piece(None, 0.0, box, "", whole=False) for box in boxes)
    return [piece for piece in numbers if piece.width <= _NUMBER * piece.height]


def _inks(small: Pixels) -> Iterator[Any]:
    """What may be ink, as masks: what is off the ground around it, and what is lighter or darker than a level."""
    height, width = small.shape[:2]
    tiny = cv2.resize(small, (max(1, width // _PART), max(1, height // _PART)), interpolation=cv2.INTER_AREA)
    ground: Any = cv2.medianBlur(tiny, max(3, int(_AROUND * min(height, width) / _PART) | 1))
    off = cv2.absdiff(small, cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR)).max(axis=2)
    yield (off > _INK).astype(np.uint8)
    grey: Any = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    for level in _LEVELS:
        light = (grey > level).astype(np.uint8)
        yield from (light, 1 - light)


def _digit(width: int, height: int, area: int) -> bool:
    return width <= _WIDEST * height and (area <= _FILLED * width * height or width <= _SLIM * height)


def _once(places: Sequence[_Place]) -> list[_Place]:
    """Each glyph once, the tallest first."""
    kept: list[_Place] = []
    for x, y, w, h in sorted(set(places), key=lambda place: (-place[3], place)):
        if not any(_near((x, y, x + w, y + h), (u, v, u + s, v + t), _SAME * h) for u, v, s, t in kept):
            kept.append((x, y, w, h))
            if len(kept) == _KEPT:
                break
    return kept


def _near(one: _Place, other: _Place, most: float) -> bool:
    """Whether all four sides of two boxes are that near."""
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))
