"""Where the three cards are: rows of look-alike shapes or numbers, the tallest digits first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from dataflow_ext.boxes import middle
from operators.game.boxes import inside
from operators.game.numbers.digits import Piece, joined
from operators.game.numbers.rows import evenness, threes
from operators.game.rounds import Box

#: Cards are more alike than numbers are: in width, height and spacing, as shares.
_ALIKE, _EVEN = 0.15, 0.1
#: A card is at least this much higher than its digits; a shape that is not is a digit's own outline.
_AROUND = 1.2
#: How far cards of one row overlap, as a share of their width.
_OVERLAP = 0.2
#: How much of a piece's width is on a card that it belongs to.
_ON_CARD = 0.7
#: A number's digits on a card are at least this high, as a share of the tallest piece there; less is a label.
_TALLEST = 0.7
#: How far a number's middle is from its card's, as a share of the card's sides.
_CENTRAL = 0.3
#: How far a number that was read across cards reaches beyond them at most, as a share of a card's width.
_WIDER = 0.15
#: Rows closer than this many heights, one above the other, are lines of a keypad or a table.
_GRID = 2.2
#: What is looked at around a number, in heights of its digits: half up and down, and at most half to each side.
_HALF_UP, _HALF_ACROSS = 0.95, 1.9
#: Cards without an outline are taken to fill this share of the distance between their numbers.
_CARD_SHARE = 0.9


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
    tall = joined(piece for piece in pieces if _belongs(piece, box))
    tall = [piece for piece in tall if piece.height >= _TALLEST * max(other.height for other in tall)]
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
        on = [piece if piece is not None and piece.height >= _TALLEST * tallest else None for piece in on]
        rows.append(CardRow(cards, tuple(on), True, _goes_on(cards, shapes, 0.15)))
    return [row for row in rows if row.height >= _AROUND * row.digits]


def _cards_alike(boxes: Sequence[Box]) -> bool:
    widths = [box[2] - box[0] for box in boxes]
    even = evenness(boxes)
    return max(widths) <= (1 + _ALIKE) * min(widths) and even.height <= _ALIKE and even.spacing <= _EVEN


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
    return across > _OVERLAP * (b[2] - b[0]) and down > 0


def _same(a: Box, b: Box, axis: int, share: float) -> bool:
    """Whether two boxes are of one size along an axis (0 for width, 1 for height), within a share of the larger."""
    one, other = a[axis + 2] - a[axis], b[axis + 2] - b[axis]
    return abs(one - other) <= share * max(one, other)


def unlined_rows(pieces: Sequence[Piece]) -> list[CardRow]:
    """Rows of numbers that stand on no outlined cards."""
    rows = []
    for row in threes(pieces, lambda piece: piece.box):
        step = (row[2].x - row[0].x) / 2
        half = max(_CARD_SHARE * step / 2, max(piece.width for piece in row) / 2)
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
