"""The look at a question picture that finds the row of cards and its numbers, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.ocr import OCREngine, read_pictures
from operators.game.boxes import touch
from operators.game.numbers.card_rows import TOP, CardRow, card_rows, evenness, read_as_one, shapes
from operators.game.numbers.digits import Piece, look_closer, pieces_of
from operators.game.numbers.overlooked import card_stacks, overlooked_row
from operators.game.rounds import Box, Found, Look, screen, told

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: From this score on a first look needs no second.
_CLEAR = 0.95
#: How far numbers stand off their cards' middles, one from the other, in heights of their digits.
_ASIDE = 0.2
#: How sure a number is that both looks give, that one gives alone, and of which they give two.
_ALL, _ALONE, _DISPUTED = 0.95, 0.7, 0.4
#: From here on a card's number speaks against a model that names another.
_PART = 0.6
#: A blank row is looked into if its boxes are this high, as a share of the best row's boxes, or of its digits.
_RIVAL_BOXES, _RIVAL_DIGITS = 0.9, 2.5
#: Blank rows that are looked into.
_BLANK_ROWS = 2
#: Digits in a row of four or more are counters' below this share of the picture's shorter side.
_SMALL = 0.045


@dataclass(frozen=True, slots=True)
class Screen:
    """A picture with what the first look saw in it."""

    pixels: Pixels
    pieces: list[Piece]
    rows: list[CardRow]
    stacks: list[CardRow]
    engine: OCREngine

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]


def look_at_numbers(path: Path, engine: OCREngine, min_score: float) -> Found:
    """The numbers on the three cards of a question picture, with the cards' boxes as column ``cards``.

    Raises PictureMissing or PictureDamaged for a picture that cannot be decoded.
    """
    pixels = screen(path)
    [lines] = read_pictures(engine, [pixels])
    lines = [line for line in lines if line.score > min_score]
    pieces, outlines = pieces_of(lines), shapes(pixels)
    stacks = card_stacks(pieces_of(lines, grouped=True), outlines)
    seen = Screen(pixels, pieces, card_rows(pieces, outlines), stacks, engine)
    row = _the_row(seen)
    if row is None:
        return _nothing("no row of three cards or numbers was found")
    if row.more:
        return _nothing(f"there are four or more numbers or cards in the row at y {row.y:.0f}, not three")
    if None in row.pieces or not _clear(row):
        return _closer(seen, row)
    doubt = doubt_of(row, seen.rows, seen.pieces, seen.size)
    return _found(row, [piece.number for piece in row.pieces if piece], _scores(row), doubt, [])


def _the_row(seen: Screen) -> CardRow | None:
    """The row of three that holds the tallest digits, also where the first look read none of them."""
    numbered = [row for row in seen.rows if row.digits and not _counters(row, seen.size)]
    best = numbered[0] if numbered else None
    if seen.stacks and (best is None or best.digits < _RIVAL * seen.stacks[0].digits):
        return seen.stacks[0]
    as_one = [row for row in seen.rows if row.y > TOP * seen.size[1] and read_as_one(row, seen.pieces)]
    if (filled := _filled(seen, as_one, best)) is not None:
        return filled
    guess = guessed_row(seen.pieces, seen.size[0], best.digits if best else 0.0)
    inked = overlooked_row(seen.pixels, seen.rows, guess or best, seen.engine)
    if inked is not None:
        return inked
    blank = [row for row in seen.rows if not row.digits and not row.more and row.y > TOP * seen.size[1]]
    blank = [row for row in blank if best is None or _rivals(row, best)]
    return _filled(seen, blank, best) or guess or best


def _filled(seen: Screen, rows: Sequence[CardRow], best: CardRow | None) -> CardRow | None:
    """The first of these rows that a closer look finds numbers on, as large as the best row's."""
    for row in rows[:_BLANK_ROWS]:
        pieces = look_closer(seen.pixels, row.boxes, seen.engine)
        filled = replace(row, pieces=tuple(pieces))
        if sum(piece is not None for piece in pieces) >= 2 and (best is None or filled.digits > 0.9 * best.digits):
            return filled
    return None


def _counters(row: CardRow, size: tuple[int, int]) -> bool:
    """Whether a row of four or more is none of cards: it stands at the top, or its digits are small."""
    return row.more and (row.y < TOP * size[1] or row.digits < _SMALL * min(size))


def _rivals(row: CardRow, best: CardRow) -> bool:
    if best.outlined:
        return row.height >= _RIVAL_BOXES * best.height
    return row.height >= _RIVAL_DIGITS * best.digits


def _clear(row: CardRow) -> bool:
    """Whether the first look is sure of all three numbers and of their being a row."""
    pieces = [piece for piece in row.pieces if piece is not None]
    sure = all(piece.number is not None and piece.whole and piece.score >= _CLEAR for piece in pieces)
    # A number that is off its card's middle may have lost a digit.
    aside = [piece.x - (box[0] + box[2]) / 2 for piece, box in zip(pieces, row.boxes, strict=True)]
    central = max(aside) - min(aside) <= _ASIDE * row.digits
    return sure and central and evenness([piece.box for piece in pieces]).height <= 0.25


def _closer(seen: Screen, row: CardRow) -> Found:
    """The numbers after a second look at each card."""
    boxes = row.closer_boxes()
    looks: list[Sequence[Piece | None]] = [row.pieces, look_closer(seen.pixels, boxes, seen.engine)]
    votes = [_vote([look[card] for look in looks]) for card in range(3)]
    earlier = [Look("ocr", _shown([piece.number if piece else None for piece in row.pieces]), 0.0, "the first look")]
    filled = replace(row, pieces=tuple(_best(row.pieces[card], [look[card] for look in looks]) for card in range(3)))
    doubt = doubt_of(filled, seen.rows, seen.pieces, seen.size)
    return _found(filled, [number for number, _ in votes], [sure for _, sure in votes], doubt, earlier)


def _vote(pieces: Sequence[Piece | None]) -> tuple[int | None, float]:
    """What two looks at one card tell, and how sure that is."""
    seen = [piece for piece in pieces if piece is not None and piece.number is not None]
    if not seen:
        return None, 0.0
    best = max(seen, key=lambda piece: (sum(_in(other, piece) for other in seen), piece.score))
    if len({piece.number for piece in seen}) > 1:
        # A number that is a part of another was cut out of it.
        return best.number, _DISPUTED
    # That two looks agree says more than the scores of either.
    return best.number, min(_ALL, 0.5 + best.score / 2) if len(seen) > 1 else round(_ALONE * best.score, 2)


def _in(part: Piece, whole: Piece) -> bool:
    return part.number != whole.number and str(part.number) in str(whole.number)


def _best(first: Piece | None, looks: Sequence[Piece | None]) -> Piece | None:
    """The piece that shows where a number stands."""
    return first or next((piece for piece in looks if piece is not None), None)


def _scores(row: CardRow) -> list[float]:
    return [min(0.98, piece.score) for piece in row.pieces if piece is not None]


def _shown(numbers: Sequence[int | None]) -> str:
    return " ".join("?" if number is None else str(number) for number in numbers)


def _found(
    row: CardRow, numbers: Sequence[int | None], sure: Sequence[float], doubt: tuple[float, str], earlier: list[Look]
) -> Found:
    """What was found on the chosen row."""
    by = "ocr crop" if earlier else "ocr"
    bound, why = doubt
    parts = tuple(n if s >= _PART and bound >= 0.8 else None for n, s in zip(numbers, sure, strict=True))
    columns = {"cards": [_rounded(box) for box in row.boxes]}
    if None in numbers:
        reason = f"{_shown(numbers)} read on the cards at y {row.y:.0f}: a number is missing{why}"
        return Found(None, Look(by, _shown(numbers), 0.0, reason), earlier, columns, parts)
    confidence = round(min(*sure, bound), 2)
    where = "on three look-alike cards" if row.outlined else "of equal height, evenly spaced"
    again = ", looked at again enlarged" if earlier else ""
    reason = f"three numbers {where} at y {row.y:.0f}{again}; scores {told([round(s, 2) for s in sure])}{why}"
    return Found(list(numbers), Look(by, told(list(numbers)), confidence, reason), earlier, columns, parts)


def _rounded(box: Box) -> Box:
    x0, y0, x1, y1 = (round(side, 1) for side in box)
    return x0, y0, x1, y1


def _nothing(reason: str) -> Found:
    return Found(None, Look("ocr", "", 0.0, reason), columns={"cards": None})


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


#: How sure it is at most which row, or how much of it, is the cards': a guess, which reading it again mends not.
_WHICH = 0.3
#: Digits of another row that are this high as a share of the row's own.
_RIVAL = 0.85
#: How far a number reaches beyond what is looked at, in heights of its digits, if it is cut off there.
_BEYOND = 0.3


def doubt_of(
    row: CardRow, rows: Sequence[CardRow], pieces: Sequence[Piece], size: tuple[int, int]
) -> tuple[float, str]:
    """How sure the row can be at most (0 to 1), and why, as the end of a sentence; 1 and "" without a doubt."""
    if row.y < TOP * size[1]:
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
    return any(touch(one, other) for one in a.boxes for other in b.boxes)
