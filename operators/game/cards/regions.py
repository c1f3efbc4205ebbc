"""Both pictures at one scale, and where the three cards lie: outlines around boxes of digits, or by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from operators.game.boxes import apart
from operators.game.rounds import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

    Line = NDArray[np.float64]
    Plane: TypeAlias = NDArray[np.float32]

#: A step in Lab units from one pixel to the next that counts as an edge.
_EDGE = 3.0
#: The share of a card's side that an outline must cover on every card.
_LINE = 0.75


@dataclass(slots=True, frozen=True)
class Region:
    """A card: its outline in whole pixels of the scaled question, ends excluded, and whether it was seen."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        """In pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """In pixels."""
        return self.y1 - self.y0

    @property
    def inside(self) -> tuple[slice, slice]:
        """The index of its pixels in a picture."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)


@dataclass(slots=True, frozen=True)
class Row:
    """The three cards from left to right, and the distance from one to the next in pixels."""

    cards: tuple[Region, Region, Region]
    pitch: float

    def around(self, margin: float, wide: int, high: int) -> Region:
        """The rectangle around all three, wider by ``margin`` pitches, inside a picture of that size."""
        more = round(margin * self.pitch)
        first, last = self.cards[0], self.cards[2]
        return Region(
            max(0, first.x0 - more),
            max(0, min(card.y0 for card in self.cards) - more),
            min(wide, last.x1 + more),
            min(high, max(card.y1 for card in self.cards) + more),
        )


def row_of(question: Pixels, boxes: Sequence[Box]) -> Row:
    """The cards around three boxes, which hold a digit or a whole card each; raises NotAPair for no row of three.

    The boxes are in pixels of ``question``.
    """
    if len(boxes) != 3:
        raise NotAPair(f"{len(boxes)} cards are known, not three")
    box = np.array(boxes, dtype=np.float64)
    if not np.isfinite(box).all():
        raise NotAPair("a card's box has sides that are no numbers")
    xs, ys = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    steps, y = np.diff(xs), float(np.median(ys))
    pitch = float(np.mean(steps))
    high, wide = question.shape[:2]
    if min(steps) < 0.6 * pitch or pitch < 8 or np.abs(ys - y).max() > 0.6 * pitch:
        raise NotAPair("the three boxes are not a row from left to right")
    if min(xs[0], y) < 0 or xs[2] >= wide or y >= high:
        raise NotAPair("the cards lie outside the question picture")
    first = max(0, round(ys.min() - pitch))
    strip, down = lab(question[first : round(ys.max() + pitch) + 1]), ys - first
    half = _half_width(strip, xs, down, pitch)
    top, bottom = _top_and_bottom(strip, xs, down, pitch, 0.6 * (half or 0.4 * pitch))
    sizes = box[:, 2:] - box[:, :2]
    half = half or max(0.42 * pitch, min(0.5 * pitch, float(sizes[:, 0].max()) / 2))
    top = max(top or 0.5 * pitch, float(sizes[:, 1].max()) / 2)
    bottom = max(bottom or 0.5 * pitch, float(sizes[:, 1].max()) / 2)
    cards = [_inside(x - half, y - top, x + half, y + bottom, wide, high) for x, y in zip(xs, ys, strict=True)]
    return Row((cards[0], cards[1], cards[2]), pitch)


def _inside(x0: float, y0: float, x1: float, y1: float, wide: int, high: int) -> Region:
    left, upper = max(0, round(x0)), max(0, round(y0))
    return Region(left, upper, max(left + 4, min(wide, round(x1))), max(upper + 4, min(high, round(y1))))


def _half_width(strip: Plane, xs: Line, ys: Line, pitch: float) -> float:
    """Half the width of the cards by edges left and right of every centre; 0 if there are none."""
    band = max(2, round(0.15 * pitch))
    reach = np.arange(round(0.22 * pitch), round(0.5 * pitch) + 2)
    sides = []
    for x, y in zip(xs, ys, strict=True):
        rows = strip[max(0, round(y) - band) : round(y) + band + 1]
        share = _near((_largest(np.diff(rows, axis=1)) > _EDGE).mean(axis=0), max(1, round(0.03 * pitch)))
        sides += [_at(share, x - reach), _at(share, x + reach)]
    common = np.min(sides, axis=0)
    best = int(np.argmax(common))
    if common[best] < _LINE:
        return 0.0
    same = np.flatnonzero(common >= 0.95 * common[best])
    return float(reach[same].mean()) if same[-1] - same[0] < 0.15 * pitch else float(reach[same[-1]])


def _top_and_bottom(strip: Plane, xs: Line, ys: Line, pitch: float, half: float) -> tuple[float, float]:
    """How far the cards reach above and below, by lines that stand on every card and not between them; or 0."""
    steps = _largest(np.diff(strip, axis=0)) > _EDGE
    near, wide = max(1, round(0.015 * pitch)), steps.shape[1]
    reach = np.arange(round(0.12 * pitch), round(0.95 * pitch))
    inside = [_near(steps[:, _columns(x, half, wide)].mean(axis=1), near) for x in xs]
    between = [_near(steps[:, _columns(x + pitch / 2, 1.5, wide)].mean(axis=1), near) for x in (xs[0], xs[1])]
    ends = []
    for sign in (-1, 1):
        gap = np.min([_at(line, ys[i] + sign * reach) for i, line in enumerate(between)], axis=0)
        common = np.min([_at(line, y + sign * reach) for line, y in zip(inside, ys, strict=True)], axis=0)
        line = (common >= _LINE) & (gap < 0.5)
        ends.append(float(reach[np.flatnonzero(line)[-1]]) if line.any() else 0.0)
    return ends[0], ends[1]


def _columns(x: float, half: float, wide: int) -> slice:
    left = min(max(0, round(x - half)), wide - 1)
    return slice(left, max(left + 1, round(x + half)))


def _largest(steps: Plane) -> Plane:
    """The largest size of a step in the three planes; much faster than ``max`` along the last axis."""
    np.abs(steps, out=steps)
    return np.asarray(np.maximum(np.maximum(steps[..., 0], steps[..., 1]), steps[..., 2]))


def _near(line: Plane, reach: int) -> Plane:
    """The largest value within ``reach`` of each place."""
    return np.asarray(cv2.dilate(line.astype(np.float32)[None], np.ones((1, 2 * reach + 1), np.uint8))[0])


def _at(line: Plane, places: Plane) -> Plane:
    """Values at places, 0 outside."""
    where = np.round(places).astype(int)
    good = (where >= 0) & (where < len(line))
    return np.asarray(np.where(good, line[np.clip(where, 0, len(line) - 1)], 0.0))


#: Shapes whose height by width differs by less than this factor are the same screen, scaled.
_SAME_SHAPE = 1.03
#: Beyond this factor the pictures show different screens; between the two, bars came or went at an edge.
_NEAR_SHAPE = 1.35


class NotAPair(ValueError):
    """The two pictures cannot be compared; the message is the reason of a look."""


@dataclass(slots=True)
class Pair:
    """Both pictures at one scale: height x width x 3 (RGB) of uint8, the question's size for both.

    ``scale`` is pixels here a pixel of the question as it is stored.
    """

    question: Pixels
    result: Pixels
    scale: float


def pair_of(question: Pixels, result: Pixels, side: int) -> Pair:
    """The pictures with a shorter side of at most ``side`` pixels; raises NotAPair for other shapes."""
    high, wide = question.shape[:2]
    high2, wide2 = result.shape[:2]
    if (high > wide) != (high2 > wide2) and max(high, wide) > 1.1 * min(high, wide):
        raise NotAPair(f"the result picture is {wide2} x {high2} pixels, the question {wide} x {high}: turned")
    shape, shape2 = high / wide, high2 / wide2
    factor = max(shape / shape2, shape2 / shape)
    if factor > _NEAR_SHAPE:
        raise NotAPair(f"the result picture is {wide2} x {high2} pixels, the question {wide} x {high}: another screen")
    scale = min(1.0, side / min(high, wide))
    width, height = max(1, round(wide * scale)), max(1, round(high * scale))
    if factor <= _SAME_SHAPE:
        return Pair(_sized(question, width, height), _sized(result, width, height), scale)
    other = _sized(result, width, max(1, round(high2 * width / wide2)))
    return Pair(_sized(question, width, height), _as_high(other, height), scale)


def lab(picture: Pixels | Plane) -> Plane:
    """A picture of levels up to 255 in CIE Lab as float32: lightness 0 to 100, and the two axes of colour."""
    plain = picture.astype(np.float32)
    plain /= 255.0
    return np.asarray(cv2.cvtColor(plain, cv2.COLOR_RGB2LAB, dst=plain))


def resized(plane: Plane, factor: float) -> Plane:
    """A plane, or planes, that many times as large."""
    way = cv2.INTER_AREA if factor < 1.0 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(plane, None, fx=factor, fy=factor, interpolation=way), np.float32)


def steepness(light: Plane, most: float) -> Plane:
    """How steep a plane is at each pixel, up to a bound, so that strong marks do not outweigh digits."""
    across, down = cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1)
    return np.asarray(np.minimum(np.abs(across) + np.abs(down), most), np.float32)


def _sized(picture: Pixels, width: int, height: int) -> Pixels:
    if picture.shape[:2] == (height, width):
        return picture
    smaller = width * height < picture.shape[0] * picture.shape[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way))


def _as_high(picture: Pixels, height: int) -> Pixels:
    """Cut, or filled with its last line, at the bottom."""
    missing = height - picture.shape[0]
    if missing <= 0:
        return picture[:height]
    return np.asarray(cv2.copyMakeBorder(picture, 0, missing, 0, 0, cv2.BORDER_REPLICATE))


#: What is seen around a card of a triangle at most, as a share of its width.
_AROUND = 0.35
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
            near = max(3, 0.02 * w)
            if cv2.contourArea(shape) > 0.75 * w * h and all(apart((x, y, w, h), other) > near for other in found):
                found.append((x, y, w, h))
    return set(found[:60])


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
