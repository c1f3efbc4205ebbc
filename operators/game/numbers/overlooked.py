"""Rows of three numbers that the first look overlooked, by their ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from operators.game.numbers.card_rows import CardRow, unlined_rows
from operators.game.numbers.closer import look_closer
from operators.game.numbers.digits import Piece
from operators.game.numbers.glyphs import glyphs
from operators.game.numbers.rows import inside, middle

if TYPE_CHECKING:
    from dataflow_ext.ocr import OCREngine
    from dataflow_ext.ocr.engine import Pixels

#: Ink is that high, as a share of the best row's digits, to count against it: against a row of three numbers, and
#: against one where some are missing. Engines draw boxes higher than the ink in them.
_TALLER, _AS_TALL = 1.1, 0.65
#: The cards stand lower than this share of the picture's height.
_TOP = 0.25
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
    for row in unlined_rows(glyphs(pixels)):
        if row.more or row.y < _TOP * pixels.shape[0] or row.digits <= bar:
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
