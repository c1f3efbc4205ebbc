"""Which of three cards a result picture marks as the correct one, by what differs from the question picture.

The result picture is moved onto the question picture first, and its overall brightness made the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.cards.deciding import Bars, Decision, decide
from operators.game.cards.evidence import changes_of
from operators.game.cards.regions import (
    NotAPair,
    Pair,
    Region,
    Row,
    boxes_of,
    lab,
    pair_of,
    resized,
    row_of,
    side_by_side,
    steepness,
)
from operators.game.rounds import Box, Found, Look, told

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels
    from operators.game.cards.regions import Plane

#: The shorter side of the copies that are looked at, in pixels.
_SIDE, _CLOSER = 720, 1080
#: The bars of a closer look.
_LOWER = Bars(green=0.15, red=0.15, other=0.15, change=0.2)


def look_at_card(
    question: Pixels, result: Pixels, cards: Sequence[Box] | None, selected: int | None = None, *, closer: bool = False
) -> Found:
    """Which card the result picture marks as the correct one: 0, 1, 2 or None, with the look that tells why.

    ``cards`` are the boxes of the cards or of their digits, in pixels of the question; None if they are to be
    found by their outlines. ``selected`` is the card that the player tapped, as far as known. ``closer``
    looks at more pixels, with lower bars.
    """
    try:
        pair = pair_of(question, result, _CLOSER if closer else _SIDE)
        boxes = boxes_of(pair.question) if cards is None else _scaled(cards, pair.scale)
        laid, there = side_by_side(pair, boxes)
        near = aligned(laid, row_of(laid.question, there))
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


#: How far the row of cards may have moved, as shares of the picture's height and width.
_FAR_Y, _FAR_X = 0.16, 0.05
#: Below this likeness of edges the row of cards is not in the result picture.
_LEAST = 0.2
#: How far around the cards marks are looked for, in pitches.
_AROUND = 0.5
#: By how much likelier another place has to be: one card that was pushed aside must not move the whole row.
_STAYS = 0.1
#: How far the place is off, in pixels, that was found at half the size.
_NEAR = 3


@dataclass(slots=True)
class Cards:
    """The part of both pictures around the row of cards, in Lab, one above the other.

    ``row`` has the cards' places in it. ``alike`` is how alike the edges are (-1 to 1), and ``tone`` the change of
    brightness that was undone.
    """

    question: Plane
    result: Plane
    row: Row
    alike: float
    tone: Tone


def aligned(pair: Pair, row: Row) -> Cards:
    """Both pictures around the cards, aligned; raises NotAPair if the cards are not in the result picture."""
    high, wide = pair.question.shape[:2]
    part = row.around(_AROUND, wide, high)
    core = row.around(0.06, wide, high)
    dx, dy, alike = _moved(pair, core)
    if alike < _LEAST:
        raise NotAPair(f"the cards of the question are not in the result picture (likeness {alike:.2f})")
    result = _shifted(pair.result, dx, dy)
    tone = tone_of(pair.question, result, core, row)
    cards = tuple(Region(c.x0 - part.x0, c.y0 - part.y0, c.x1 - part.x0, c.y1 - part.y0) for c in row.cards)
    moved = Row((cards[0], cards[1], cards[2]), row.pitch)
    after = lab(tone.undone(result[part.inside], moved))
    return Cards(lab(pair.question[part.inside]), after, moved, alike, tone)


def _edges(picture: Pixels) -> Plane:
    return steepness(np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.float32), 160.0)


def _moved(pair: Pair, core: Region) -> tuple[int, int, float]:
    """By how many pixels the cards lie further right and lower in the result, and how alike their edges are."""
    high, wide = pair.question.shape[:2]
    far_x, far_y = round(_FAR_X * wide), round(_FAR_Y * high)
    top, low = max(0, core.y0 - far_y - _NEAR - 1), core.y1 + far_y + _NEAR + 1
    before, after = (_edges(picture[top:low]) for picture in (pair.question, pair.result))
    core = Region(core.x0, core.y0 - top, core.x1, core.y1 - top)
    dx, dy, _ = _best(before, after, core, (0, 0), (far_x, far_y), 2)
    return _best(before, after, core, (dx, dy), (_NEAR, _NEAR), 1)


def _best(
    before: Plane, after: Plane, core: Region, start: tuple[int, int], far: tuple[int, int], step: int
) -> tuple[int, int, float]:
    """The best place of the core within ``far`` pixels of a start, looked for at one ``step``-th of the size."""
    (sx, sy), (fx, fy) = start, far
    piece = before[core.y0 : core.y1, core.x0 : core.x1]
    padded = np.asarray(cv2.copyMakeBorder(after, fy, fy, fx, fx, cv2.BORDER_REPLICATE), np.float32)
    x, y = max(0, core.x0 + sx), max(0, core.y0 + sy)
    field = padded[y : core.y1 + sy + 2 * fy, x : core.x1 + sx + 2 * fx]
    if step > 1:
        piece, field = resized(piece, 1 / step), resized(field, 1 / step)
    if field.shape[0] < piece.shape[0] or field.shape[1] < piece.shape[1] or piece.std() < 1e-3:
        return sx, sy, 0.0
    likeness = cv2.matchTemplate(field, piece, cv2.TM_CCOEFF_NORMED)
    _, best, _, (bx, by) = cv2.minMaxLoc(likeness)
    still_x, still_y = min(fx // step, likeness.shape[1] - 1), min(fy // step, likeness.shape[0] - 1)
    if likeness[still_y, still_x] >= best - _STAYS:
        return sx, sy, float(likeness[still_y, still_x])
    return x - core.x0 + bx * step - fx, y - core.y0 + by * step - fy, float(best)


def _shifted(picture: Pixels, dx: int, dy: int) -> Pixels:
    """The picture moved back by so many pixels; what comes in is its edge."""
    if not dx and not dy:
        return picture
    high, wide = picture.shape[:2]
    move = np.array([[1, 0, -dx], [0, 1, -dy]], np.float32)
    return np.asarray(cv2.warpAffine(picture, move, (wide, high), borderMode=cv2.BORDER_REPLICATE))


#: A page that differs by less, in levels of 255, is as it was; a tone counts if it leaves less than this share.
_BETTER, _SHARE = 2.0, 0.7
#: By how much another kind of tone has to fit better than an earlier one, in levels.
_CLEARLY = 1.0


@dataclass(slots=True, frozen=True)
class Tone:
    """Result is ``gain`` times question plus ``offset``, in levels of 255; ``left`` is the usual difference
    that stays on the page, and ``on_cards`` whether the cards changed in the same way.

    ``offset`` is one number or one for each channel.
    """

    gain: float
    offset: Plane
    left: float = 0.0
    on_cards: bool = True

    def undone(self, picture: Pixels, row: Row) -> Plane:
        """The picture with the question's tone, as float32; ``row`` has the cards' places in it."""
        plain = picture.astype(np.float32)
        even = np.asarray(np.clip((plain - self.offset) / self.gain, 0.0, 255.0), np.float32)
        if not self.on_cards:
            for card in row.cards:
                even[card.inside] = plain[card.inside]
        return even


def tone_of(question: Pixels, result: Pixels, core: Region, row: Row) -> Tone:
    """The tone that fits most of the page around ``core``: of all, or of what lies behind the cards."""
    page = _page(question, result, core)
    cards = [_sample(question[card.inside], result[card.inside]) for card in row.cards]
    plain = best = Tone(1.0, np.zeros(1, np.float32))
    least = left = _left(plain, *page)
    if least >= _BETTER:
        for tone in _tones(*page):
            # The first kinds are the usual ones; a later kind must fit clearly better.
            if _left(tone, *page) < min(left - (_CLEARLY if best is not plain else 0.0), _SHARE * least):
                best, left = tone, _left(tone, *page)
    # One card or two may have marks, so that the second best tells.
    with_it, without = (sorted(_left(tone, *card) for card in cards)[1] for tone in (best, plain))
    return Tone(best.gain, best.offset, left, with_it <= without)


def _tones(before: Plane, after: Plane) -> Iterator[Tone]:
    """Darkened, lightened, shifted by channel, and any line where the page has enough tones to tell it."""
    for end in (0.0, 255.0):
        b, a = before - end, after - end
        if np.abs(b).mean() > 4.0:
            gain = float(np.clip(np.median(a[np.abs(b) > 8.0] / b[np.abs(b) > 8.0]), 0.2, 3.0))
            yield Tone(gain, np.array([end * (1.0 - gain)], np.float32))
    yield Tone(1.0, np.median(after - before, axis=0).astype(np.float32))
    if before.std() > 20.0:
        keep = np.ones(before.shape, bool)
        for _ in range(5):
            x, y = before[keep], after[keep]
            gain = float(np.clip(np.cov(x, y, bias=True)[0, 1] / max(1.0, float(x.var())), 0.2, 3.0))
            offset = float(np.median(y - gain * x))
            away = np.abs(after - gain * before - offset)
            keep = away <= max(3.0, 1.5 * float(np.median(away)))
        yield Tone(gain, np.array([offset], np.float32))


def _left(tone: Tone, before: Plane, after: Plane) -> float:
    """The usual difference that a tone leaves."""
    return float(np.median(np.abs(after - tone.gain * before - tone.offset)))


def _page(question: Pixels, result: Pixels, core: Region) -> tuple[Plane, Plane]:
    """Pixels outside the cards, a few thousand."""
    rest = np.ones(question.shape[:2], bool)
    rest[core.inside] = False
    step = max(1, round(max(rest.shape) / 250))
    few = np.s_[::step, ::step]
    chosen = rest[few]
    if not chosen.any():
        return _sample(question, result)
    return question[few][chosen].astype(np.float32), result[few][chosen].astype(np.float32)


def _sample(question: Pixels, result: Pixels) -> tuple[Plane, Plane]:
    step = max(1, round(max(question.shape[:2]) / 60))
    few = np.s_[::step, ::step]
    return question[few].reshape(-1, 3).astype(np.float32), result[few].reshape(-1, 3).astype(np.float32)
