"""A row of which only two numbers were read: where the third must stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from operators.game.numbers.card_rows import CardRow
from operators.game.numbers.digits import Piece

#: Two numbers are of one row if they differ by at most these shares of their height.
_HEIGHT, _LEVEL = 0.2, 0.2
#: They count against a row whose digits are smaller by this.
_TALLER = 1.2
#: How far a row's middle is from the picture's, as a share of the width.
_OFF_CENTRE = 0.08


def guessed_row(pieces: Sequence[Piece], width: int, digits: float) -> CardRow | None:
    """The row of the two tallest level numbers, centred in a picture of that width, with a gap for the third.

    None unless their digits are taller than ``digits``, those of the best row of three.
    """
    pairs = [(a, b) for a, b in combinations(sorted(pieces, key=lambda piece: (piece.x, piece.box)), 2)
             if _level(a, b) and min(a.height, b.height) > _TALLER * digits]  # fmt: skip
    for left, right in sorted(pairs, key=lambda pair: -min(pair[0].height, pair[1].height)):
        step = right.x - left.x
        thirds = (right.x + step, 1, step), (left.x - step, -1, step), ((left.x + right.x) / 2, 0, step / 2)
        rows = []
        for x, side, apart in thirds:
            order: list[Piece | None] = [left, right]
            order.insert({1: 2, -1: 0, 0: 1}[side], None)
            xs = sorted((left.x, right.x, x))
            rows.append((abs(xs[1] - width / 2), apart, order, xs))
        off, apart, order, xs = min(rows, key=lambda row: row[0])
        if off <= _OFF_CENTRE * width and apart > 1.2 * max(left.width, right.width):
            half, y = 0.45 * apart, (left.y + right.y) / 2
            boxes = tuple((x - half, y - half, x + half, y + half) for x in xs)
            return CardRow(boxes, tuple(order), False)
    return None


def _level(a: Piece, b: Piece) -> bool:
    height = max(a.height, b.height)
    return height - min(a.height, b.height) <= _HEIGHT * height and abs(a.y - b.y) <= _LEVEL * height
