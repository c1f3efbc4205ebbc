"""Looks at one question picture: which row is the cards', what stands on them, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.ocr import OCREngine, read_pictures
from operators.game.numbers.card_rows import CardRow, card_rows, read_as_one
from operators.game.numbers.closer import look_closer
from operators.game.numbers.digits import Piece, pieces_of
from operators.game.numbers.doubts import doubt_of
from operators.game.numbers.guesses import guessed_row
from operators.game.numbers.ink import ink_on, read_inks
from operators.game.numbers.overlooked import overlooked_row
from operators.game.numbers.rows import evenness
from operators.game.numbers.shapes import shapes
from operators.game.rounds import Box, Found, Look, told
from operators.game.screen import screen

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: From this score on a first look needs no second.
_CLEAR = 0.95
#: How far numbers stand off their cards' middles, one from the other, in heights of their digits.
_ASIDE = 0.2
#: How sure a number is that all looks give, two of three, and one look alone.
_ALL, _TWO_OF_THREE, _ALONE = 0.95, 0.75, 0.7
#: The score of a number that was read by its ink.
_INK = 0.9
#: From here on a card's number speaks against a model that names another.
_PART = 0.6
#: A blank row is looked into if its boxes are this high, as a share of the best row's boxes, or of its digits.
_RIVAL_BOXES, _RIVAL_DIGITS = 0.9, 2.5
#: Blank rows that are looked into, and above which share of the picture's height none is.
_BLANK_ROWS, _TOP = 2, 0.25
#: Digits in a row of four or more are counters' below this share of the picture's shorter side.
_SMALL = 0.045


@dataclass(frozen=True, slots=True)
class Screen:
    """A picture with what the first look saw in it."""

    pixels: Pixels
    pieces: list[Piece]
    rows: list[CardRow]
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
    pieces = pieces_of(line for line in lines if line.score > min_score)
    seen = Screen(pixels, pieces, card_rows(pieces, shapes(pixels)), engine)
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
    as_one = [row for row in seen.rows if row.y > _TOP * seen.size[1] and read_as_one(row, seen.pieces)]
    if (filled := _filled(seen, as_one, best)) is not None:
        return filled
    guess = guessed_row(seen.pieces, seen.size[0], best.digits if best else 0.0)
    inked = overlooked_row(seen.pixels, seen.rows, guess or best, seen.engine)
    if inked is not None:
        return inked
    blank = [row for row in seen.rows if not row.digits and not row.more and row.y > _TOP * seen.size[1]]
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
    return row.more and (row.y < _TOP * size[1] or row.digits < _SMALL * min(size))


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
    """The numbers after a second look at each card, and a third where that does not settle them."""
    boxes = row.closer_boxes()
    looks: list[Sequence[Piece | None]] = [row.pieces, look_closer(seen.pixels, boxes, seen.engine)]
    if not _agree(looks):
        inks = [ink_on(seen.pixels, box) for box in row.boxes]
        numbers = read_inks(inks, seen.engine)
        looks.append(
            [None if n is None else Piece(n, _INK, box, str(n)) for n, box in zip(numbers, boxes, strict=True)]
        )
    votes = [_vote([look[card] for look in looks]) for card in range(3)]
    earlier = [Look("ocr", _shown([piece.number if piece else None for piece in row.pieces]), 0.0, "the first look")]
    filled = replace(row, pieces=tuple(_best(row.pieces[card], [look[card] for look in looks]) for card in range(3)))
    doubt = doubt_of(filled, seen.rows, seen.pieces, seen.size)
    return _found(filled, [number for number, _ in votes], [sure for _, sure in votes], doubt, earlier)


def _agree(looks: Sequence[Sequence[Piece | None]]) -> bool:
    """Whether each card's number was seen twice or more, and nothing else."""
    return all(_vote([look[card] for look in looks])[1] > _TWO_OF_THREE for card in range(len(looks[0])))


def _vote(pieces: Sequence[Piece | None]) -> tuple[int | None, float]:
    """What several looks at one card tell, and how sure that is."""
    seen = [piece for piece in pieces if piece is not None and piece.number is not None]
    if not seen:
        return None, 0.0
    counts = Counter(piece.number for piece in seen)
    [(number, most), *others] = counts.most_common()
    best = max(piece.score for piece in seen if piece.number == number)
    if most == 1:
        # A number that is a part of another was cut out of it.
        whole = max(seen, key=lambda piece: (sum(_in(other, piece) for other in seen), piece.score)).number
        return whole, 0.4 if others else round(_ALONE * best, 2)
    if others:
        return number, 0.4 if others[0][1] == most else min(best, _TWO_OF_THREE)
    # That two looks agree says more than the scores of either.
    return number, min(_ALL, 0.5 + best / 2)


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
