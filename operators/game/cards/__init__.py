"""Which of three cards a result picture marks as the correct one, by what differs from the question picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.cards.aligning import Cards, aligned
from operators.game.cards.deciding import Bars, Decision, decide
from operators.game.cards.evidence import changes_of
from operators.game.cards.regions import NotAPair, Pair, pair_of, row_of
from operators.game.rounds import Box, Found, Look, told

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

__all__ = ["look_at_card"]

#: The shorter side of the copies that are looked at, in pixels.
_SIDE, _CLOSER = 720, 1080
#: The bars of a closer look.
_LOWER = Bars(green=0.15, red=0.15, other=0.15, change=0.2)

#: What is seen around a card of a triangle at most, as a share of its width.
_AROUND = 0.35


def look_at_card(
    question: Pixels, result: Pixels, cards: Sequence[Box] | None, selected: int | None = None, *, closer: bool = False
) -> Found:
    """Which card the result picture marks as the correct one: 0, 1, 2 or None, with the look that tells why.

    ``cards`` are the boxes of the cards or of their digits, in pixels of the question; None if they are to be
    found by their outlines. ``selected`` is the card that the player tapped, as far as known. ``closer``
    looks at more pixels, with lower bars.
    """
    try:
        pair = pair_of(question, result, _CLOSER if closer else _SIDE)
        boxes = boxes_of(pair.question) if cards is None else _scaled(cards, pair.scale)
        laid, there = side_by_side(pair, boxes)
        near = aligned(laid, row_of(laid.question, there))
        evidence = changes_of(near)
        decision = decide(evidence, twins_of(near), selected, _LOWER if closer else Bars())
    except NotAPair as error:
        decision, evidence = Decision(None, 0.0, str(error)), None
    look = Look("difference", told(decision.card), decision.confidence, decision.reason)
    return Found(decision.card, look, columns={"marks": evidence})


def _scaled(boxes: Sequence[Box], scale: float) -> list[Box]:
    return [(x0 * scale, y0 * scale, x1 * scale, y1 * scale) for x0, y0, x1, y1 in boxes]


def twins_of(cards: Cards) -> frozenset[tuple[int, int]]:
    """The pairs of cards whose insides looked alike in the question: equal numbers."""
    pairs = ((0, 1), (0, 2), (1, 2))
    return frozenset(pair for pair in pairs if _alike(cards, *pair))


def _alike(cards: Cards, i: int, j: int) -> bool:
    one, other = cards.row.cards[i], cards.row.cards[j]
    inset_x, inset_y = round(0.15 * one.width), round(0.15 * one.height)
    piece = cards.question[one.y0 + inset_y : one.y1 - inset_y, one.x0 + inset_x : one.x1 - inset_x, 0]
    field = cards.question[other.y0 : other.y1, other.x0 : other.x1, 0]
    if piece.std() < 0.5 or piece.shape[0] > field.shape[0] or piece.shape[1] > field.shape[1]:
        return False
    return float(cv2.matchTemplate(field, piece, cv2.TM_CCOEFF_NORMED).max()) > 0.93


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
