"""Cards that the first look overlooked: rows of three numbers by their ink, and three that stand in no row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from operators.game.boxes import Place, in_picture, inside, once, smaller, touch
from operators.game.numbers.card_rows import ALIKE, CARD_SHARE, HIGHER, TOP, CardRow, alike, on_card, unlined_rows
from operators.game.numbers.digits import Piece, joined, look_closer
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr import OCREngine
    from dataflow_ext.ocr.engine import Pixels

#: Ink is looked for at this many pixels of the longer side, the ground around it at a part of that.
_SIDE, _PART = 720, 4
#: The ground is the median of squares with this side, as a share of the picture's shorter side.
_MARGIN = 0.25
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

#: How far cards are off their places, as a share of their longer side.
_OFF = 0.1
#: Numbers that a column is looked for among, the tallest; a table may have hundreds.
_TALLEST = 12


def glyphs(pixels: Pixels, least: float = 0.0) -> list[Piece]:
    """Places of the size and the fill of digits, at least so high, those of one number joined; none is read."""
    small, scale = smaller(pixels, _SIDE)
    high, wide = small.shape[:2]
    least, most = max(_LEAST * min(high, wide), least * scale), _MOST * min(high, wide)
    fit: list[Place] = []
    for ink in _inks(small):
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
        tall = stats[(stats[:, 3] >= least) & (stats[:, 3] <= most)].tolist()
        fit += [(x, y, w, h) for x, y, w, h, area in tall if _digit(w, h, area)]
    shown = once(fit, lambda place: place[3], lambda place: _SAME * place[3], _KEPT)
    numbers = joined(Piece(None, 0.0, box, "", whole=False) for box in in_picture(shown, small, pixels))
    return [piece for piece in numbers if piece.width <= _NUMBER * piece.height]


def _inks(small: Pixels) -> Iterator[Any]:
    """What may be ink, as masks: what is off the ground around it, and what is lighter or darker than a level."""
    height, width = small.shape[:2]
    tiny = cv2.resize(small, (max(1, width // _PART), max(1, height // _PART)), interpolation=cv2.INTER_AREA)
    ground: Any = cv2.medianBlur(tiny, max(3, int(_MARGIN * min(height, width) / _PART) | 1))
    off = cv2.absdiff(small, cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR)).max(axis=2)
    yield (off > _INK).astype(np.uint8)
    grey: Any = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    for level in _LEVELS:
        light = (grey > level).astype(np.uint8)
        yield from (light, 1 - light)


def _digit(width: int, height: int, area: int) -> bool:
    return width <= _WIDEST * height and (area <= _FILLED * width * height or width <= _SLIM * height)


#: Ink is that high, as a share of the best row's digits, to count against it: against a row of three numbers, and
#: against one where some are missing. Engines draw boxes higher than the ink in them.
_TALLER, _AS_TALL = 1.1, 0.65
#: How high a part of a number is at least, as a share of it.
_PARTS = 0.65
#: A card is at least this much higher than the ink on it; a shape that is not is a digit's own outline.
_AROUND = 1.5
#: Rows that are looked into.
_ROWS = 2
#: How sure one look is at most at what another overlooked: a number takes a second.
_ONCE = 0.9


def overlooked_row(pixels: Pixels, rows: Sequence[CardRow], best: CardRow | None, engine: OCREngine) -> CardRow | None:
    """A row with taller digits than ``best``, read from its ink enlarged; None if there is none.

    ``rows`` are those that the first look saw: one with outlines around the ink gives the cards' boxes.
    """
    for row in _rivals(pixels, rows, best)[:_ROWS]:
        pieces = look_closer(pixels, row.closer_boxes(), engine)
        if sum(piece is not None and piece.number is not None for piece in pieces) >= 2:
            outlined = next((other for other in rows if other.outlined and _within(row, other)), None)
            once = (None if piece is None else replace(piece, score=min(piece.score, _ONCE)) for piece in pieces)
            return replace(outlined or row, pieces=tuple(once))
    return None


def _complete(row: CardRow | None) -> bool:
    """Whether a row is one of three numbers, all seen."""
    return row is not None and not row.more and None not in row.pieces


def _rivals(pixels: Pixels, rows: Sequence[CardRow], best: CardRow | None) -> list[CardRow]:
    """The rows of ink that may be the cards', the tallest first."""
    bar = (_TALLER if _complete(best) else _AS_TALL) * (best.digits if best else 0.0)
    # Three of four cards are not the cards, nor is a part of a row that was read.
    taken = [row for row in rows if row.more] + ([best] if best is not None and _complete(best) else [])
    found = []
    for row in unlined_rows(glyphs(pixels, _PARTS * bar)):
        if row.more or row.y < TOP * pixels.shape[0] or row.digits <= bar:
            continue
        if not any(_touches(row, other) for other in taken):
            found.append(row)
    found = [row for row in found if not any(_part_of(row, other) for other in found if other is not row)]
    return sorted(found, key=lambda row: (-row.digits, row.boxes))


def _touches(row: CardRow, other: CardRow) -> bool:
    """Whether any ink of a row is on another's places."""
    return any(inside(piece.box, box) for piece in _inked(row) for box in other.boxes)


def _part_of(row: CardRow, other: CardRow) -> bool:
    """Whether a row's ink is but a part of another's: holes in its digits, or the last digits of its numbers."""
    pairs = list(zip(_inked(row), _inked(other), strict=True))
    less = sum(one.width * one.height for one, _ in pairs) < sum(whole.width * whole.height for _, whole in pairs)
    return less and all(inside(one.box, whole.box) for one, whole in pairs)


def _within(row: CardRow, other: CardRow) -> bool:
    """Whether a row's ink lies on another's boxes, one on each, near its middle."""
    return all(
        inside(piece.box, box) and abs(middle(piece.box)[0] - middle(box)[0]) < 0.25 * (box[2] - box[0])
        and _AROUND * piece.height < box[3] - box[1]
        for piece, box in zip(_inked(row), other.boxes, strict=True)
    )  # fmt: skip


def _inked(row: CardRow) -> list[Piece]:
    return [piece for piece in row.pieces if piece is not None]


def card_stacks(pieces: Sequence[Piece], shapes: Sequence[Box]) -> list[CardRow]:
    """All such threes of look-alike shapes of which two hold a number, in reading order, the tallest digits first.

    Where there are none, columns of three numbers of one height on no shapes.

    >>> cards = [(10.0, y, 90.0, y + 40) for y in (0.0, 60.0, 120.0)]
    >>> digits = [Piece(7, 1.0, (40.0, y + 10, 55.0, y + 30), "7") for y in (0.0, 60.0, 120.0)]
    >>> [stack.boxes == tuple(cards) for stack in card_stacks(digits, cards)]
    [True]
    """
    held = {box: piece for box in shapes if (piece := on_card(pieces, box)) and _height(box) >= HIGHER * piece.height}
    found: set[tuple[Box, ...]] = set()
    for one, other in combinations(held, 2):
        if alike(one, other):
            like = [box for box in shapes if box not in (one, other) and alike(one, box) and alike(other, box)]
            found |= {order for third in like if (order := _in_order((one, other, third)))}
    stacks = [CardRow(boxes, tuple(on_card(pieces, box) for box in boxes), True) for boxes in found]
    alone = [stack for stack in stacks if not _goes_on(stack.boxes, shapes) and not _within_another(stack, stacks)]
    alone = alone or _columns([piece for piece in pieces if piece not in held.values()])
    return sorted(alone, key=lambda stack: (-stack.digits, -stack.height, stack.boxes))


def _columns(pieces: Sequence[Piece]) -> list[CardRow]:
    """Columns of three numbers, the tallest."""
    columns = []
    tallest = sorted(pieces, key=lambda piece: (-piece.height, piece.box))[:_TALLEST]
    for three in combinations(sorted(tallest, key=lambda piece: (piece.y, piece.box)), 3):
        step = (three[2].y - three[0].y) / 2
        if _is_column(three, step) and not any(_with_them(three, step, piece) for piece in pieces):
            half = CARD_SHARE * step / 2
            wide = max(half, *(piece.width / 2 for piece in three))
            boxes = tuple((piece.x - wide, piece.y - half, piece.x + wide, piece.y + half) for piece in three)
            columns.append(CardRow(boxes, three, False))
    return columns


def _is_column(three: Sequence[Piece], step: float) -> bool:
    """Whether numbers, from the top, are of one height, one below the other, evenly and apart."""
    high, xs = max(piece.height for piece in three), [piece.x for piece in three]
    even = abs(three[0].y + three[2].y - 2 * three[1].y) <= 2 * _OFF * step and step > HIGHER * high
    return even and max(xs) - min(xs) <= 2 * _OFF * high and min(p.height for p in three) >= (1 - ALIKE) * high


def _with_them(three: Sequence[Piece], step: float, other: Piece) -> bool:
    """Whether a number stands beside one of a column, as its further digits do, or where the column would go on."""
    high = three[1].height
    if any(abs(other.y - piece.y) < 0.5 * high for piece in three if piece is not other):
        return True
    near = min(abs(other.y - three[0].y + step), abs(other.y - three[2].y - step))
    return near < 0.5 * high and abs(other.x - three[1].x) < high


def _in_order(boxes: tuple[Box, Box, Box]) -> tuple[Box, ...]:
    """The boxes in reading order if they are a column or a triangle, else nothing."""
    off = _OFF * max(max(box[2] - box[0], box[3] - box[1]) for box in boxes)
    first, second, third = sorted(boxes, key=lambda box: (middle(box)[1], box))
    if any(touch(*pair) for pair in combinations(boxes, 2)):
        return ()
    (x0, y0), (x1, y1), (x2, y2) = map(middle, (first, second, third))
    if max(x0, x1, x2) - min(x0, x1, x2) <= off:
        return (first, second, third) if abs((y1 - y0) - (y2 - y1)) <= off else ()
    for alone, level in ((first, (second, third)), (third, (first, second))):
        left, right = sorted(level)
        apart = left[3] < alone[1] or alone[3] < left[1]
        (lx, ly), (rx, ry) = middle(left), middle(right)
        if apart and abs(ly - ry) <= off and abs(middle(alone)[0] - (lx + rx) / 2) <= off:
            return (alone, left, right) if alone is first else (left, right, alone)
    return ()


def _height(box: Box) -> float:
    return box[3] - box[1]


def _goes_on(boxes: Sequence[Box], shapes: Sequence[Box]) -> bool:
    """Whether a fourth of their kind stands anywhere: then they are keys, or lines of a list."""
    return any(alike(boxes[0], other) and not any(touch(box, other) for box in boxes) for other in shapes)


def _within_another(stack: CardRow, others: Sequence[CardRow]) -> bool:
    """Whether they lie on the cards of another three."""
    return any(
        other.boxes[0][2] - other.boxes[0][0] > stack.boxes[0][2] - stack.boxes[0][0]
        and all(map(inside, stack.boxes, other.boxes))
        for other in others
    )
