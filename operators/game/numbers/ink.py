"""The numbers on cards whose places are known, by their ink: no text is looked for, and nothing but digits is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np

from dataflow_ext.ocr.memory import read_digits
from operators.game.numbers.digits import MOST_DIGITS, Piece
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr import OCREngine
    from dataflow_ext.ocr.engine import Pixels

    Place: TypeAlias = tuple[int, int, int, int]

#: What a card is scaled to fit in, in pixels; and what is left out above and below it as its outline, as a share.
_WIDE, _HIGH, _RIM = 400, 160, 0.04
#: How far around a card its part of the row reaches at most, as a share of its width.
_AROUND = 0.3
#: The middle of a card, as shares of its sides, which tells its ground; ink is off that by what parts the two best, or
#: by this share of it, but no less than so many levels.
_MIDDLE, _LESS, _FAINT = (0.1, 0.15), 0.55, 16
#: Parts of a digit, such as its segments or strokes, are apart by less than so many pixels.
_SEAM = 5
#: Digits are at least this high, as a share of the card and of the tallest there, and reach into this middle part of
#: it; their gaps are narrower than this share of their height.
_LEAST, _TALLEST, _BAND, _GAP = 0.12, 0.55, 0.3, 0.8
#: What touches a side of a card is its outline unless its middle is this near the card's; a frame is, in any case.
_CENTRAL, _FRAME = 0.25, 0.9
#: How much around the ink is read with it, in heights of it.
_MARGIN = 0.18
#: A reading counts from here on; one that another contradicts is no surer than the second.
_COUNTS, _DISPUTED = 0.2, 0.5
#: Places whose sides are this near, as a share of their height, are the same.
_SAME = 0.1


def numbers_by_ink(screens: Iterable[tuple[Pixels, Sequence[Box]]], engine: OCREngine) -> list[list[Piece | None]]:
    """The number on each card of each screen, with the place of its digits; None where none is read surely enough."""
    inked = [[list(_inked(pixels, box)) for box in whole_parts(cards)] for pixels, cards in screens]
    texts = iter(read_digits(engine, [part for cards in inked for card in cards for part, _ in card]))
    return [[_number([(*next(texts), box) for _, box in card]) for card in cards] for cards in inked]


def whole_parts(cards: Sequence[Box]) -> list[Box]:
    """Each card with its part of the row, which ends midway to the next card, so that no digit is cut off."""
    wide = cards[1][2] - cards[1][0]
    more = min(_AROUND * wide, max(0.0, ((cards[2][0] - cards[0][0]) / 2 - wide) / 2))
    return [(x0 - more, y0, x1 + more, y1) for x0, y0, x1, y1 in cards]


def _number(readings: Sequence[tuple[str, float, Box]]) -> Piece | None:
    """The surest reading of a card's ink, of those equally sure the longest; unsure if another differs."""
    good = [each for each in readings if each[0] and not (each[0][0] == "0" and len(each[0]) > 1)]
    good = [each for each in good if each[1] >= _COUNTS and len(each[0]) <= MOST_DIGITS]
    if not good:
        return None
    text, score, box = max(good, key=lambda each: (round(each[1], 1), len(each[0])))
    disputed = any(other != text for other, *_ in good)
    return Piece(int(text), min(score, _DISPUTED) if disputed else score, box, text)


def _inked(pixels: Pixels, box: Box) -> Iterator[tuple[Pixels, Box]]:
    """The part of a card that its digits fill, scaled, and its place in the picture, by each way to tell its ink."""
    x0, y0, x1, y1 = box
    rim = _RIM * (y1 - y0)
    left, top = max(0, round(x0)), max(0, round(y0 + rim))
    part = pixels[top : max(0, round(y1 - rim)), left : max(0, round(x1))]
    if min(part.shape[:2]) < 6:
        return
    scale = min(_HIGH / part.shape[0], _WIDE / part.shape[1])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    known: list[Place] = []
    for digits in filter(None, map(_digits, _inks(small))):
        a, b, c, d = digits
        if any(max(abs(p - q) for p, q in zip(digits, other, strict=True)) <= _SAME * (d - b) for other in known):
            continue
        known.append(digits)
        more = round(_MARGIN * (d - b))
        place = (left + a / scale, top + b / scale, left + c / scale, top + d / scale)
        yield small[max(0, b - more) : d + more + 1, max(0, a - more) : c + more + 1], place


def _inks(part: Pixels) -> Iterator[Any]:
    """What is off the ground of a card, as masks."""
    lab = cv2.cvtColor(part, cv2.COLOR_RGB2LAB).astype(np.int16)
    high, wide = lab.shape[:2]
    aside, down = round(_MIDDLE[0] * wide), round(_MIDDLE[1] * high)
    middle = np.s_[down : high - down, aside : wide - aside]
    flat = lab[middle].reshape(-1, 3)
    kinds = (flat >> 4) @ np.array([256, 16, 1])
    ground = np.median(flat[kinds == np.bincount(kinds).argmax()], axis=0)
    off = np.sqrt(((lab - ground) ** 2).sum(axis=2)).clip(0, 255).astype(np.uint8)
    parted, _ = cv2.threshold(np.ascontiguousarray(off[middle]), 0, 255, cv2.THRESH_OTSU)
    for bar in (parted, _LESS * parted):
        yield (off > max(bar, _FAINT)).astype(np.uint8)


def _digits(ink: Any) -> Place | None:
    """The place of the digits among a card's ink: the tall shapes side by side in its middle."""
    high, wide = ink.shape
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((_SEAM, _SEAM), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    shapes: list[Place] = []
    for (x, y, w, h, _), (mid_x, mid_y) in zip(stats[1:count].tolist(), middles[1:count].tolist(), strict=True):
        touches = x == 0 or y == 0 or x + w == wide or y + h == high
        central = abs(mid_x / wide - 0.5) < _CENTRAL and abs(mid_y / high - 0.5) < _CENTRAL
        frame = touches and (not central or (w > _FRAME * wide and h > _FRAME * high))
        if not frame and h >= _LEAST * high and y < (0.5 + _BAND / 2) * high and y + h > (0.5 - _BAND / 2) * high:
            shapes.append((x, y, x + w, y + h))
    tallest = max((y1 - y0 for _, y0, _, y1 in shapes), default=0)
    groups: list[list[Place]] = []
    for shape in sorted(shape for shape in shapes if shape[3] - shape[1] >= _TALLEST * tallest):
        if groups and shape[0] - max(other[2] for other in groups[-1]) < _GAP * tallest:
            groups[-1].append(shape)
        else:
            groups.append([shape])
    places = [_around(group) for group in groups]
    # The number is wide and in the middle; what stands beside it is a mark or a neighbour's.
    return min(places, key=lambda at: abs(at[0] + at[2] - wide) / 2 - (at[2] - at[0]) / 2, default=None)


def _around(places: Sequence[Place]) -> Place:
    x0, y0, x1, y1 = zip(*places, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
