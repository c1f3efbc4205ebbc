"""Three cards that stand in no row: one below the other, or two beside each other above or below the third."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from operators.game.numbers.card_rows import CardRow, on_card
from operators.game.numbers.digits import Piece
from operators.game.numbers.rows import inside, middle
from operators.game.rounds import Box

#: How far cards differ in their sides, and how far they are off their places, as shares of the longer side.
_ALIKE, _OFF = 0.15, 0.1
#: A card is at least this much higher than its digits.
_AROUND = 1.2
#: Cards without outlines are taken to fill this share of the distance between their numbers.
_CARD_SHARE = 0.9
#: Numbers that a column is looked for among, the tallest; a table may have hundreds.
_TALLEST = 12


def card_stacks(pieces: Sequence[Piece], shapes: Sequence[Box]) -> list[CardRow]:
    """All such threes of look-alike shapes of which two hold a number, in reading order, the tallest digits first.

    Where there are none, columns of three numbers of one height on no shapes.

    >>> cards = [(10.0, y, 90.0, y + 40) for y in (0.0, 60.0, 120.0)]
    >>> digits = [Piece(7, 1.0, (40.0, y + 10, 55.0, y + 30), "7") for y in (0.0, 60.0, 120.0)]
    >>> [stack.boxes == tuple(cards) for stack in card_stacks(digits, cards)]
    [True]
    """
    held = {box: piece for box in shapes if (piece := on_card(pieces, box)) and _height(box) >= _AROUND * piece.height}
    found: set[tuple[Box, ...]] = set()
    for one, other in combinations(held, 2):
        if _alike(one, other):
            alike = [box for box in shapes if box not in (one, other) and _alike(one, box) and _alike(other, box)]
            found |= {order for third in alike if (order := _in_order((one, other, third)))}
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
            half = _CARD_SHARE * step / 2
            wide = max(half, *(piece.width / 2 for piece in three))
            boxes = tuple((piece.x - wide, piece.y - half, piece.x + wide, piece.y + half) for piece in three)
            columns.append(CardRow(boxes, three, False))
    return columns


def _is_column(three: Sequence[Piece], step: float) -> bool:
    """Whether numbers, from the top, are of one height, one below the other, evenly and apart."""
    high, xs = max(piece.height for piece in three), [piece.x for piece in three]
    even = abs(three[0].y + three[2].y - 2 * three[1].y) <= 2 * _OFF * step and step > _AROUND * high
    return even and max(xs) - min(xs) <= 2 * _OFF * high and min(p.height for p in three) >= (1 - _ALIKE) * high


def _with_them(three: Sequence[Piece], step: float, other: Piece) -> bool:
    """Whether a number stands beside one of a column, as its further digits do, or where the column would go on."""
    high = three[1].height
    if any(abs(other.y - piece.y) < 0.5 * high for piece in three if piece is not other):
        return True
    near = min(abs(other.y - three[0].y + step), abs(other.y - three[2].y - step))
    return near < 0.5 * high and abs(other.x - three[1].x) < high


def _alike(one: Box, other: Box) -> bool:
    return all(
        abs(a - b) <= _ALIKE * max(a, b)
        for a, b in ((one[2] - one[0], other[2] - other[0]), (one[3] - one[1], other[3] - other[1]))
    )


def _in_order(boxes: tuple[Box, Box, Box]) -> tuple[Box, ...]:
    """The boxes in reading order if they are a column or a triangle, else nothing."""
    off = _OFF * max(max(box[2] - box[0], box[3] - box[1]) for box in boxes)
    first, second, third = sorted(boxes, key=lambda box: (middle(box)[1], box))
    if any(_touch(*pair) for pair in combinations(boxes, 2)):
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


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _goes_on(boxes: Sequence[Box], shapes: Sequence[Box]) -> bool:
    """Whether a fourth of their kind stands anywhere: then they are keys, or lines of a list."""
    return any(_alike(boxes[0], other) and not any(_touch(box, other) for box in boxes) for other in shapes)


def _within_another(stack: CardRow, others: Sequence[CardRow]) -> bool:
    """Whether they lie on the cards of another three."""
    return any(
        other.boxes[0][2] - other.boxes[0][0] > stack.boxes[0][2] - stack.boxes[0][0]
        and all(map(inside, stack.boxes, other.boxes))
        for other in others
    )
