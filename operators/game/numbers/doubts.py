"""What speaks against a row being the cards'."""

from __future__ import annotations

from collections.abc import Sequence

from operators.game.numbers.card_rows import CardRow
from operators.game.numbers.digits import Piece

#: How sure it is at most which row, or how much of it, is the cards': a guess, which reading it again mends not.
_WHICH = 0.3
#: The cards stand lower than this share of the picture's height.
_TOP = 0.25
#: Digits of another row that are this high as a share of the row's own.
_RIVAL = 0.85
#: How far a number reaches beyond what is looked at, in heights of its digits, if it is cut off there.
_BEYOND = 0.3


def doubt_of(
    row: CardRow, rows: Sequence[CardRow], pieces: Sequence[Piece], size: tuple[int, int]
) -> tuple[float, str]:
    """How sure the row can be at most (0 to 1), and why, as the end of a sentence; 1 and "" without a doubt."""
    if row.y < _TOP * size[1]:
        return _WHICH, ", but they stand at the top, where counters are"
    if any(_cut_off(piece, row) for piece in pieces):
        return _WHICH, ", but a number reaches beyond its card"
    rivals = [other for other in rows if other.digits >= _RIVAL * row.digits and not _overlap(other, row)]
    if rivals:
        return _WHICH, f", but there is another such row at y {rivals[0].y:.0f}"
    return 1.0, ""


def _cut_off(piece: Piece, row: CardRow) -> bool:
    """Whether a whole number is partly on one card and partly outside: then the card is only a part of it."""
    if not piece.whole:
        return False
    x0, y0, x1, y1 = piece.box
    boxes = [box for box in row.closer_boxes() if x0 < box[2] and box[0] < x1 and box[1] < (y0 + y1) / 2 < box[3]]
    if len(boxes) != 1 or piece.height < _RIVAL * row.digits:
        return False
    outside = max(0.0, boxes[0][0] - x0) + max(0.0, x1 - boxes[0][2])
    return outside > _BEYOND * piece.height


def _overlap(a: CardRow, b: CardRow) -> bool:
    """Whether two rows share a place."""
    return any(p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3] for p in a.boxes for q in b.boxes)
