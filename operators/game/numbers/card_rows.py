"""Rows of three: of shapes and numbers that look alike, and those that may be the cards, the tallest digits first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from operators.game.boxes import Place, in_picture, inside, once, smaller
from operators.game.numbers.digits import TALL, Piece, joined, tall_ones
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

#: How far boxes of one row differ in height and stand off its level, as shares of their height.
_HEIGHT, _LEVEL = 0.25, 0.45
#: How far the distances between neighbours differ, as a share of their mean.
_SPACING = 0.15
#: How far neighbours overlap, as a share of their width; engines draw boxes wide.
_OVERLAP = 0.25


def shapes(pixels: Pixels) -> list[Box]:
    """The boxes of shapes that are neither tiny nor as high as half the picture, each once, outermost first."""
    small = cv2.GaussianBlur(smaller(pixels, _SIDE)[0], (3, 3), 0)
    high, wide = small.shape[:2]
    found: list[Place] = []
    for bars in _BARS:
        edges = np.zeros((high, wide), np.uint8)
        for channel in cv2.split(small):
            edges |= cv2.Canny(channel, *bars)
        broad: Any = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        found += _regions(broad) + _outlines(broad)
    least = _LEAST * min(high, wide)
    fit = [b for b in found if least <= min(b[2:]) and b[2] <= _WIDE * wide and b[3] <= _HIGH * high]
    return in_picture(once(fit, lambda b: b[2] * b[3], lambda b: _SAME * min(b[2:]), _KEPT), small, pixels)


def _regions(edges: Pixels) -> list[Place]:
    """Plain areas between edges, as x, y, width, height."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(255 - edges, connectivity=4)
    boxes = []
    for x, y, w, h, area in stats[1:count].tolist():
        if area >= _FILLS_REGION * w * h:
            # The widened edge took two pixels on each side.
            boxes.append((x - 2, y - 2, w + 4, h + 4))
    return boxes


def _outlines(edges: Pixels) -> list[Place]:
    """Closed lines, as x, y, width, height."""
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if min(w, h) > 8 and cv2.contourArea(cv2.convexHull(contour)) >= _FILLS_OUTLINE * w * h:
            boxes.append((x, y, w, h))
    return boxes


@dataclass(frozen=True, slots=True)
class Evenness:
    """How even a row is: what is off in height, level and spacing, each as a share of the height or the distance."""

    height: float
    level: float
    spacing: float


T = TypeVar("T")


def evenness(boxes: Sequence[Box]) -> Evenness:
    """How even three boxes, left to right, stand; their spacing by whatever is even, middles or left sides."""
    heights = [box[3] - box[1] for box in boxes]
    high = max(heights)
    xs, ys = zip(*map(middle, boxes), strict=True)
    lefts = [box[0] for box in boxes]
    off = min(_uneven(xs), _uneven(lefts))
    # Three on a slant are as even as three on a level.
    bend = abs(ys[0] - 2 * ys[1] + ys[2]) / 2
    slant = abs(ys[2] - ys[0]) / max(1.0, xs[2] - xs[0])
    level = min(max(ys) - min(ys), bend + slant * high)
    return Evenness((high - min(heights)) / high, level / high, off)


def _uneven(xs: Sequence[float]) -> float:
    first, second = xs[1] - xs[0], xs[2] - xs[1]
    return abs(first - second) / max(1e-6, (first + second) / 2) if min(first, second) > 0 else 9.0


def threes(items: Sequence[T], box_of: Callable[[T], Box]) -> list[tuple[T, T, T]]:
    """All rows of three that do not overlap; ``box_of`` tells an item's box.

    A third is looked for only where two make room for it, so that hundreds of boxes take no minutes.
    """
    ordered = sorted(items, key=lambda item: (middle(box_of(item)), box_of(item)))
    boxes = [box_of(item) for item in ordered]
    by_middle, by_left = _Places([middle(box)[0] for box in boxes]), _Places([box[0] for box in boxes])
    rows = []
    for i, j in combinations(range(len(boxes)), 2):
        if not _may_be_neighbours(boxes[i], boxes[j]):
            continue
        thirds = by_middle.after(i, j) | by_left.after(i, j)
        rows += [(i, j, k) for k in sorted(thirds) if k > j and is_row([boxes[i], boxes[j], boxes[k]])]
    return [(ordered[i], ordered[j], ordered[k]) for i, j, k in rows]


class _Places:
    """Where boxes stand from left to right, to find those at a distance."""

    def __init__(self, xs: Sequence[float]) -> None:
        self._xs = xs
        self._order = sorted(range(len(xs)), key=xs.__getitem__)
        self._sorted = [xs[place] for place in self._order]

    def after(self, i: int, j: int) -> set[int]:
        """Those as far behind box ``j`` as that is behind ``i``, give or take what a row's spacing may differ."""
        step = self._xs[j] - self._xs[i]
        if step <= 0:
            return set()
        # |step - other| <= s * (step + other) / 2, solved for the other step, and a little more for rounding.
        near, far = (2 - _SPACING) / (2 + _SPACING), (2 + _SPACING) / (2 - _SPACING)
        first = bisect_left(self._sorted, self._xs[j] + 0.999 * near * step)
        return set(self._order[first : bisect_right(self._sorted, self._xs[j] + 1.001 * far * step)])


def _may_be_neighbours(left: Box, right: Box) -> bool:
    """Whether two boxes may be the first two of a row: of like height, about level, and apart."""
    one, other = left[3] - left[1], right[3] - right[1]
    high = max(one, other)
    if high - min(one, other) > _HEIGHT * high or left[2] > right[0] + _OVERLAP * (left[2] - left[0]):
        return False
    (x0, y0), (x1, y1) = middle(left), middle(right)
    # On a slant they may stand off by it; the third, whose height is not known here, may be higher.
    return abs(y1 - y0) <= 1.5 * _LEVEL * (high + abs(x1 - x0))


def is_row(boxes: Sequence[Box]) -> bool:
    """Whether three boxes, left to right, are a row."""
    apart = all(left[2] <= right[0] + _OVERLAP * (left[2] - left[0]) for left, right in pairwise(boxes))
    if not apart:
        return False
    even = evenness(boxes)
    return even.height <= _HEIGHT and even.level <= _LEVEL and even.spacing <= _SPACING


#: Cards are more alike than numbers are: in width, height and spacing, as shares.
ALIKE, _EVEN = 0.15, 0.1
#: A card is at least this much higher than its digits; a shape that is not is a digit's own outline.
HIGHER = 1.2
#: How far cards of one row overlap, as a share of their width.
_SHARED = 0.2
#: How much of a piece's width is on a card that it belongs to.
_ON_CARD = 0.7
#: How far a number's middle is from its card's, as a share of the card's sides.
_CENTRAL = 0.3
#: How far a number that was read across cards reaches beyond them at most, as a share of a card's width.
_WIDER = 0.15
#: Rows closer than this many heights, one above the other, are lines of a keypad or a table.
_GRID = 2.2
#: What is looked at around a number, in heights of its digits: half up and down, and at most half to each side.
_HALF_UP, _HALF_ACROSS = 0.95, 1.9
#: Cards without an outline are taken to fill this share of the distance between their numbers.
CARD_SHARE = 0.9
#: The cards stand lower than this share of the picture's height; what is above are counters.
TOP = 0.25


@dataclass(frozen=True, slots=True)
class CardRow:
    """Three places in a row that may be the cards, left to right, and the pieces of text on them.

    ``boxes`` are the shapes' if ``outlined``, else as wide as the numbers are apart. ``more`` says that the
    row goes on: a fourth of its kind stands beside the three.
    """

    boxes: tuple[Box, ...]
    pieces: tuple[Piece | None, ...]
    outlined: bool
    more: bool = False

    @property
    def digits(self) -> float:
        """How high the digits are, in pixels; 0 for a row where none was read."""
        heights = [piece.height for piece in self.pieces if piece is not None]
        return median(heights) if heights else 0.0

    @property
    def height(self) -> float:
        """How high the boxes are, in pixels."""
        return median(box[3] - box[1] for box in self.boxes)

    @property
    def y(self) -> float:
        """The row's middle, in pixels from the top."""
        return median(middle(box)[1] for box in self.boxes)

    def closer_boxes(self) -> list[Box]:
        """Where a closer look looks: around the digits, at the height where they stand on the other cards."""
        known = [(box, piece) for box, piece in zip(self.boxes, self.pieces, strict=True) if piece is not None]
        if not known:
            return list(self.boxes)
        down = median(piece.y - box[1] for box, piece in known)
        half = self.digits * _HALF_UP
        boxes = []
        for box, piece in zip(self.boxes, self.pieces, strict=True):
            x, y = middle(box)[0], (piece.y if piece is not None else box[1] + down)
            across = min((box[2] - box[0]) / 2, max(self.digits * _HALF_ACROSS, 0.0 if piece is None else piece.width))
            boxes.append((x - across, max(box[1], y - half), x + across, min(box[3], y + half)))
        return boxes


def card_rows(pieces: Sequence[Piece], shapes: Sequence[Box]) -> list[CardRow]:
    """All rows of three that may be cards, those with the tallest digits first, blank ones by size behind them."""
    outlined = _outlined(pieces, shapes)
    free = [piece for piece in pieces if not any(inside(piece.box, box) for r in outlined for box in r.boxes)]
    # Numbers without outlines may stand close together; they are joined only if they are no row as they are.
    unlined = unlined_rows(free) or unlined_rows(joined(free))
    rows = [row for row in outlined + unlined if not row.more]
    rows = [row for row in rows if not _in_grid(row, rows)] + [row for row in outlined if row.more]
    rows += [row for row in unlined if row.more]
    return sorted(rows, key=lambda row: (-row.digits, -row.height, row.boxes))


def read_as_one(row: CardRow, pieces: Sequence[Piece]) -> bool:
    """Whether the numbers on two outlined cards, or all three, were read as one, which stands across them."""
    if not row.outlined or row.more or None not in row.pieces:
        return False
    left, _, right = row.boxes
    # Engines draw boxes wider than the ink in them.
    more = _WIDER * (left[2] - left[0])
    for piece in pieces:
        x0, _, x1, _ = piece.box
        covered = sum(x0 < middle(box)[0] < x1 for box in row.boxes)
        if covered > 1 and left[1] < piece.y < left[3] and left[0] - more <= x0 and x1 <= right[2] + more:
            return True
    return False


def on_card(pieces: Sequence[Piece], box: Box) -> Piece | None:
    """The piece that is a card's number: the tallest on it, joined if it was read in parts.

    None if nothing is on it, or two numbers of one size.
    """
    tall = tall_ones(piece for piece in pieces if _belongs(piece, box))
    return tall[0] if len(tall) == 1 else None


def _belongs(piece: Piece, box: Box) -> bool:
    common = min(piece.box[2], box[2]) - max(piece.box[0], box[0])
    x, y = middle(box)
    # Labels such as A or 3 stand in corners and at edges.
    central = abs(piece.x - x) < _CENTRAL * (box[2] - box[0]) and abs(piece.y - y) < _CENTRAL * (box[3] - box[1])
    return central and common >= _ON_CARD * piece.width and piece.height < (box[3] - box[1])


def _outlined(pieces: Sequence[Piece], shapes: Sequence[Box]) -> list[CardRow]:
    """Rows of look-alike shapes, without those that lie on the cards of another."""
    found = [boxes for boxes in threes(shapes, lambda box: box) if _cards_alike(boxes)]
    kept: list[tuple[Box, ...]] = []
    for boxes in sorted(found, key=lambda boxes: (-_area(boxes), boxes)):
        if not any(all(any(inside(box, outer) for outer in other) for box in boxes) for other in kept):
            kept.append(boxes)
    rows = []
    for cards in kept:
        on = [on_card(pieces, box) for box in cards]
        tallest = max((piece.height for piece in on if piece is not None), default=0.0)
        # Much smaller than on the other cards: a label, and the number was overlooked.
        on = [piece if piece is not None and piece.height >= TALL * tallest else None for piece in on]
        rows.append(CardRow(cards, tuple(on), True, _goes_on(cards, shapes, 0.15)))
    return [row for row in rows if row.height >= HIGHER * row.digits]


def _cards_alike(boxes: Sequence[Box]) -> bool:
    widths = [box[2] - box[0] for box in boxes]
    even = evenness(boxes)
    return max(widths) <= (1 + ALIKE) * min(widths) and even.height <= ALIKE and even.spacing <= _EVEN


def _area(boxes: Sequence[Box]) -> float:
    return sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)


def _goes_on(boxes: Sequence[Box], others: Sequence[Box], width: float) -> bool:
    """Whether a fourth box of the same size stands where the row would go on, at its ends or in its gaps.

    ``width`` is how far its width may differ, as a share: numbers differ more than cards.
    """
    left, mid, right = boxes
    step_x, step_y = (middle(right)[0] - middle(left)[0]) / 2, (middle(right)[1] - middle(left)[1]) / 2
    for steps in (-1.0, 0.5, 1.5, 3.0):
        x, y = middle(left)[0] + steps * step_x, middle(left)[1] + steps * step_y
        for other in others:
            near = abs(middle(other)[0] - x) < 0.2 * step_x and abs(middle(other)[1] - y) < 0.5 * (mid[3] - mid[1])
            alike = near and _same(other, mid, 0, width) and _same(other, mid, 1, min(width, 0.25))
            # What lies across two cards is behind them.
            if alike and not any(_lies_on(other, box) for box in boxes):
                return True
    return False


def _lies_on(a: Box, b: Box) -> bool:
    """Whether two boxes share more than neighbours in a row do."""
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return across > _SHARED * (b[2] - b[0]) and down > 0


def alike(one: Box, other: Box) -> bool:
    """Whether two boxes may be cards of one kind by their size."""
    return _same(one, other, 0, ALIKE) and _same(one, other, 1, ALIKE)


def _same(a: Box, b: Box, axis: int, share: float) -> bool:
    """Whether two boxes are of one size along an axis (0 for width, 1 for height), within a share of the larger."""
    one, other = a[axis + 2] - a[axis], b[axis + 2] - b[axis]
    return abs(one - other) <= share * max(one, other)


def unlined_rows(pieces: Sequence[Piece]) -> list[CardRow]:
    """Rows of numbers that stand on no outlined cards."""
    rows = []
    for row in threes(pieces, lambda piece: piece.box):
        step = (row[2].x - row[0].x) / 2
        half = max(CARD_SHARE * step / 2, max(piece.width for piece in row) / 2)
        boxes = tuple((piece.x - half, piece.y - half, piece.x + half, piece.y + half) for piece in row)
        more = _goes_on([piece.box for piece in row], [piece.box for piece in pieces], 0.6)
        rows.append(CardRow(boxes, row, False, more))
    return rows


def _in_grid(row: CardRow, rows: Sequence[CardRow]) -> bool:
    """Whether a row with numbers stands close above or below another that is like it, as in a keypad."""
    if not row.digits:
        return False
    for other in rows:
        if other is row or other.outlined != row.outlined or not 0.8 < other.digits / row.digits < 1.25:
            continue
        away = abs(other.y - row.y)
        size = row.height if row.outlined else row.digits
        level = all(abs(middle(a)[0] - middle(b)[0]) < 0.5 * (a[2] - a[0])
                    for a, b in zip(row.boxes, other.boxes, strict=True))  # fmt: skip
        if level and 0.5 * size < away < _GRID * size:
            return True
    return False
