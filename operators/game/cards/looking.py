"""The look at a question and its result picture that finds the correct card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2

from operators.game.cards.aligning import Cards, aligned
from operators.game.cards.deciding import Bars, Decision, decide
from operators.game.cards.evidence import changes_of
from operators.game.cards.outlines import boxes_of
from operators.game.cards.pair import NotAPair, pair_of
from operators.game.cards.regions import row_of
from operators.game.rounds import Box, Found, Look, told

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: The shorter side of the copies that are looked at, in pixels.
_SIDE, _CLOSER = 720, 2160
#: The bars of a closer look.
_LOWER = Bars(green=0.15, red=0.15, other=0.15, change=0.2)


def look_at_card(
    question: Pixels, result: Pixels, cards: Sequence[Box] | None, selected: int | None = None, *, closer: bool = False
) -> Found:
    """Which card the result picture marks as the correct one: 0, 1, 2 or None, with the look that tells why.

    ``cards`` are the boxes of the cards or of their digits, in pixels of the question; None if they are to be
    found by their outlines. ``selected`` is the card that the player tapped, as far as known. ``closer``
    looks at full size, with lower bars.
    """
    try:
        pair = pair_of(question, result, _CLOSER if closer else _SIDE)
        boxes = boxes_of(pair.question) if cards is None else _scaled(cards, pair.scale)
        near = aligned(pair, row_of(pair.question, boxes))
        evidence = changes_of(near)
        decision = decide(evidence, twins_of(near), selected, _LOWER if closer else Bars())
    except NotAPair as error:
        decision, evidence = Decision(None, 0.0, str(error)), None
    look = Look("difference", told(decision.card), decision.confidence, decision.reason)
    return Found(decision.card, look, columns={"marks": evidence})


def _scaled(boxes: Sequence[Box], scale: float) -> list[Box]:
    return [(x0 * scale, y0 * scale, x1 * scale, y1 * scale) for x0, y0, x1, y1 in boxes]


def twins_of(cards: Cards) -> frozenset[tuple[int, int]]:
    """The pairs of cards whose insides looked alike in the question: equal numbers."""
    pairs = ((0, 1), (0, 2), (1, 2))
    return frozenset(pair for pair in pairs if _alike(cards, *pair))


def _alike(cards: Cards, i: int, j: int) -> bool:
    one, other = cards.row.cards[i], cards.row.cards[j]
    inset_x, inset_y = round(0.15 * one.width), round(0.15 * one.height)
    piece = cards.question[one.y0 + inset_y : one.y1 - inset_y, one.x0 + inset_x : one.x1 - inset_x, 0]
    field = cards.question[other.y0 : other.y1, other.x0 : other.x1, 0]
    if piece.std() < 0.5 or piece.shape[0] > field.shape[0] or piece.shape[1] > field.shape[1]:
        return False
    return float(cv2.matchTemplate(field, piece, cv2.TM_CCOEFF_NORMED).max()) > 0.93
