"""Cards that stand in no row, laid side by side, so that one look serves all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from operators.game.cards.regions import Pair
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: What is seen around a card of a triangle at most, as a share of its width.
_AROUND = 0.35


def side_by_side(pair: Pair, boxes: Sequence[Box]) -> tuple[Pair, Sequence[Box]]:
    """The pictures with their cards from left to right, and the cards' boxes there; a row stays as it is.

    Of a column the pictures are turned over their diagonal; of a triangle the cards are cut out, each with as much
    around it as is nearer to it than to the next.
    """
    if len(boxes) != 3 or not np.isfinite(boxes).all():
        return pair, boxes
    centres = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
    across, down = ([float(at[axis]) for at in centres] for axis in (0, 1))
    wide, high = (max(box[axis + 2] - box[axis] for box in boxes) for axis in (0, 1))
    if max(down) - min(down) < high:
        return pair, boxes
    if max(across) - min(across) < 0.5 * wide:
        turned = [(y0, x0, y1, x1) for x0, y0, x1, y1 in boxes]
        return replace(pair, question=_turned(pair.question), result=_turned(pair.result)), turned
    gaps = [
        max(abs(p[0] - q[0]) - wide, abs(p[1] - q[1]) - high)
        for p, q in ((centres[i], centres[i - 1]) for i in range(3))
    ]
    around = max(2, round(min(_AROUND * wide, max(0.0, min(gaps)) / 2)))
    tile = round(wide) + 2 * around, round(high) + 2 * around
    if max(tile) > max(pair.question.shape):
        return pair, boxes  # no cards of this picture
    corners = [(round(x - tile[0] / 2), round(y - tile[1] / 2)) for x, y in centres]
    laid = [
        (box[0] - x + place * tile[0], box[1] - y, box[2] - x + place * tile[0], box[3] - y)
        for place, (box, (x, y)) in enumerate(zip(boxes, corners, strict=True))
    ]
    cut = [np.concatenate([_part(picture, corner, tile) for corner in corners], axis=1)
           for picture in (pair.question, pair.result)]  # fmt: skip
    return replace(pair, question=cut[0], result=cut[1]), laid


def _turned(picture: Pixels) -> Pixels:
    return np.ascontiguousarray(picture.transpose(1, 0, 2))


def _part(picture: Pixels, corner: tuple[int, int], size: tuple[int, int]) -> Pixels:
    """A part of a picture; what lies beyond it is its edge."""
    high, wide = picture.shape[:2]
    xs, ys = (np.clip(np.arange(start, start + side), 0, most - 1)
              for start, side, most in zip(corner, size, (wide, high), strict=True))  # fmt: skip
    return np.ascontiguousarray(picture[np.ix_(ys, xs)])
