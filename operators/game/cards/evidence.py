"""What a result picture did to each card: how much changed, to which hue, dimmed, enlarged or moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from operators.game.cards.regions import resized, steepness
from operators.game.rounds import CardChange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from operators.game.cards import Cards
    from operators.game.cards.regions import Plane, Region, Row

#: Hue angles of Lab, in degrees, between which a colour is fully green or red, and where it fades out to nothing.
_GREEN = (105.0, 118.0, 200.0, 220.0)
_RED = (-35.0, -15.0, 52.0, 62.0)
#: A change below this, in Lab units, is noise.
_NOISE = 6.0
#: From this likeness of edges on, a card that stands elsewhere, or is larger, is the same card.
_SAME_CARD = 0.7
#: In pitches: beyond a card's edge begins what is above or below it, and what is clear of it; how far letters of one
#: line of text stand apart at most. The share of a shape that lies in the column of the card that it belongs to.
_EDGE, _CLEAR, _LETTERS, _OF_ONE = 0.03, 0.1, 0.16, 0.9
#: More shapes than this in one are text; how far its middle may lie off the row's, in half pitches.
_FEW, _CENTRED = 3, 0.4
#: How wide a card's rim is, as a share of its width, and on what share of its height a neighbour's glow lies there.
_RIM, _ALONG = 0.05, 0.6
#: What is smaller than a square of this side, in pitches, is no letter.
_SPECK = 0.025


def changes_of(cards: Cards) -> list[CardChange]:
    """The evidence at each card, left to right."""
    gained = _Gains(cards)
    lit = _lit_by_neighbours(gained.changed, cards.row)
    return [_at(cards, gained, i, place_of(cards, card), lit[i]) for i, card in enumerate(cards.row.cards)]


class _Gains:
    """Maps of what changed, blind to shifts by ``blind`` pixels, and to what lay ``aside`` by so many."""

    def __init__(self, cards: Cards, blind: int = 1, aside: tuple[int, int] = (0, 0)) -> None:
        before, after = cards.question, cards.result
        away = _away(before, after, blind, aside)
        bar = max(_NOISE, min(2.0 * _NOISE, cards.tone.left))
        self.changed = _of_cards(_clean(away, bar), cards.row)
        self.beside = _beside(self.changed, cards.row)
        self.green, self.red, self.other = (np.zeros_like(self.changed) for _ in range(3))
        here = _around(self.changed > 0, blind + max(map(abs, aside)) + 2)
        if here is not None:
            colours = zip(_colours(before[here]), _colours(after[here]), strict=True)
            for gain, (old, new) in zip((self.green, self.red, self.other), colours, strict=True):
                grown = new - _spread(old, blind, aside)
                gain[here] = np.where(self.changed[here] > 0, _clean(grown, bar), 0.0)


def _away(before: Plane, after: Plane, blind: int, aside: tuple[int, int]) -> Plane:
    """How far each pixel is beyond all that was near it; in place, as planes of large screens are large."""
    lost = _spread(before, blind, aside)
    np.subtract(after, lost, out=lost)
    below = _spread(-before, blind, aside)
    np.negative(below, out=below)
    below -= after
    np.maximum(lost, below, out=lost)
    np.maximum(lost, 0.0, out=lost)
    lost *= lost
    return np.asarray(np.sqrt(lost[..., 0] + lost[..., 1] + lost[..., 2]))


def _around(mask: NDArray[np.bool_], more: int) -> tuple[slice, slice] | None:
    """The part of a picture in which a mask is set, wider by so many pixels; None if it is nowhere."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    (top, low), (left, right) = rows[[0, -1]].tolist(), columns[[0, -1]].tolist()
    return slice(max(0, top - more), low + more + 1), slice(max(0, left - more), right + more + 1)


def _colours(picture: Plane) -> tuple[Plane, Plane, Plane]:
    """The chroma of each pixel that is green, red, and of another colour."""
    chroma, hue = _chroma(picture), _hue(picture)
    green, red = _band(hue, _GREEN), _band(hue, _RED)
    return green * chroma, red * chroma, (1 - (green + red)) * chroma


def _spread(plane: Plane, blind: int, aside: tuple[int, int]) -> Plane:
    """The largest value within ``blind`` pixels, here or where the plane would be if it was pushed aside."""
    large = cv2.dilate(plane, np.ones((2 * blind + 1, 2 * blind + 1), np.uint8))
    if any(aside):
        push = np.array([[1, 0, aside[0]], [0, 1, aside[1]]], np.float32)
        pushed = cv2.warpAffine(large, push, large.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        large = np.maximum(large, pushed)
    return np.asarray(large)


def _at(cards: Cards, gained: _Gains, i: int, place: Place, lit: tuple[bool, bool]) -> CardChange:
    card = cards.row.cards[i]
    if place.alike >= _SAME_CARD and (place.size > 1.0 or place.dx or place.dy):
        # What the card had before is no mark, only because it stands elsewhere or is larger.
        aside = (place.dx, place.dy) if place.size == 1.0 else (0, 0)
        gained = _Gains(cards, _blind(card, place.size), aside)
    high, wide = gained.changed.shape
    gap = cards.row.pitch - card.width
    more = max(2, round(min(0.12 * cards.row.pitch, max(0.0, gap / 2))))
    tall = max(2, round(0.1 * cards.row.pitch))
    y0, y1 = max(0, card.y0 - tall), min(high, card.y1 + tall)
    here = (slice(y0, y1), slice(max(0, card.x0 - more), min(wide, card.x1 + more)))
    area = card.width * card.height
    parts = [_own(part[here], lit) for part in (gained.changed, gained.green, gained.red, gained.other)]
    changed, green, red, other = (_sum(part, card.x0 - here[1].start, here[1].stop - card.x1) / area for part in parts)
    strongest = parts[1] + parts[2] + parts[3]
    toward = _mean(cards.result[here] - cards.question[here], strongest if strongest.any() else parts[0])
    beside = gained.beside[:, _cells(cards.row, wide)[i]]
    near = [float(part[:, _cells(cards.row, wide)[i]][beside].sum()) / area
            for part in (gained.green, gained.red, gained.other)]  # fmt: skip
    before, after = cards.question[card.inside], _moved_back(cards.result, card, place)
    faded, explained = _faded(before, after, _ground(cards.question, card, more))
    return CardChange(
        changed=changed,
        green=green,
        red=red,
        other=other,
        toward=(float(toward[1]), float(toward[2])),
        contrast=float((after[..., 0].std() + 0.5) / (before[..., 0].std() + 0.5)),
        faded=faded,
        explained=explained,
        size=place.size,
        alike=place.alike,
        near=(near[0], near[1], near[2]),
    )


def _lit_by_neighbours(changed: Plane, row: Row) -> list[tuple[bool, bool]]:
    """Whether the mark of the card on the left, and of the one on the right, reaches over to each card.

    Such a glow fills the gap between the two and goes on along the edge of the card that changed less.
    """
    amounts = [float(changed[card.inside].sum()) for card in row.cards]
    lit = [[False, False] for _ in row.cards]
    for left in (0, 1):
        here, there = (left, left + 1) if amounts[left] < amounts[left + 1] else (left + 1, left)
        card, on_right = row.cards[here], here == left
        wide = max(2, round(_RIM * card.width))
        gap = slice(row.cards[left].x1, max(row.cards[left].x1 + 1, row.cards[left + 1].x0))
        rim = slice(card.x1 - wide, card.x1) if on_right else slice(card.x0, card.x0 + wide)
        filled = min(float((changed[card.y0 : card.y1, strip] > 0).any(axis=1).mean()) for strip in (gap, rim))
        lit[here][on_right] = amounts[there] > 0 and filled >= _ALONG
    return [(on_left, on_right) for on_left, on_right in lit]


def _own(part: Plane, lit: tuple[bool, bool]) -> Plane:
    """What changed around a card without a neighbour's glow: on that side only what is on the other side, too."""
    mirrored, half = part[:, ::-1], part.shape[1] // 2
    own = part.copy()
    if lit[0]:
        own[:, :half] = np.minimum(part, mirrored)[:, :half]
    if lit[1]:
        own[:, half:] = np.minimum(part, mirrored)[:, half:]
    return own


def _blind(card: Region, size: float) -> int:
    """By how many pixels the parts of a card lie further out when it is that large."""
    grown = max(0.0, size - 1.0)
    return 1 + round(0.5 * grown * max(card.width, card.height) + (0.02 * card.width if grown else 0.0))


def _sum(part: Plane, left: int, right: int) -> float:
    """The sum over a card and its margins left and right; what is in one of these alone is a neighbour's."""
    wide = part.shape[1]
    sides = [float(part[:, :left].sum()), float(part[:, wide - right :].sum())]
    return float(part[:, left : wide - right].sum()) + 2.0 * min(sides)


def _moved_back(result: Plane, card: Region, place: Place) -> Plane:
    """The card's pixels in the result, where the card is now."""
    high, wide = result.shape[:2]
    x = min(max(0, card.x0 + place.dx), wide - card.width)
    y = min(max(0, card.y0 + place.dy), high - card.height)
    return result[y : y + card.height, x : x + card.width]


def _ground(question: Plane, card: Region, more: int) -> Plane:
    """The usual colour just left and right of a card."""
    left = question[card.y0 : card.y1, max(0, card.x0 - more) : max(1, card.x0 - more // 3)]
    right = question[card.y0 : card.y1, card.x1 + more // 3 : card.x1 + more]
    return np.asarray(np.median(np.concatenate([left.reshape(-1, 3), right.reshape(-1, 3)]), axis=0), np.float32)


def _faded(before: Plane, after: Plane, ground: Plane) -> tuple[float, float]:
    """How far the card went over into the ground (0 to 1), and the share of its change that this explains."""
    change, wanted = after - before, ground - before
    all_change, room = float((change**2).sum()), float((wanted**2).sum())
    if all_change < change.size * 0.05 or room < change.size * 0.05:
        return 0.0, 0.0
    share = float((change * wanted).sum()) / room
    return share, 1.0 - float(((change - share * wanted) ** 2).sum()) / all_change


def _of_cards(changed: Plane, row: Row) -> Plane:
    """The changes without the shapes above or below the row that reach over from one card's column to the next.

    These are banners, buttons and lines of text, whose letters stand closer than cards do. Short text that stands
    over the middle of the row is the row's, too.
    """
    mask = _beyond(changed, row, _EDGE)
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((1, max(3, round(_LETTERS * row.pitch) | 1)), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    cells = _cells(row, changed.shape[1])
    letters = _letters(mask, labels, count, (_SPECK * row.pitch) ** 2)
    gone = np.zeros(count, bool)
    for label in range(1, count):
        x, _, wide, _, _ = stats[label].tolist()
        inside = max(min(x + wide, cell.stop) - max(x, cell.start) for cell in cells)
        of_row = letters[label] > _FEW and abs(2 * x + wide - cells[1].start - cells[1].stop) < _CENTRED * row.pitch
        gone[label] = inside < _OF_ONE * wide or of_row
    changed[(mask > 0) & gone[labels]] = 0.0
    return changed


def _letters(mask: NDArray[np.uint8], labels: Any, count: int, least: float) -> NDArray[np.int64]:
    """How many separate shapes of so many pixels at least each joined one is made of."""
    parts, part_labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    whole = np.zeros(parts, np.int64)
    whole[part_labels.ravel()] = labels.ravel()
    return np.bincount(whole[1:][stats[1:, cv2.CC_STAT_AREA] >= least], minlength=count)


def _beside(changed: Plane, row: Row) -> NDArray[np.bool_]:
    """What changed above and below the cards, clear of them."""
    return _beyond(changed, row, _CLEAR) > 0


def _beyond(changed: Plane, row: Row, margin: float) -> NDArray[np.uint8]:
    """1 where something changed above or below all cards, by so many pitches at least."""
    more = round(margin * row.pitch)
    mask = (changed > 0).astype(np.uint8)
    mask[max(0, min(card.y0 for card in row.cards) - more) : max(card.y1 for card in row.cards) + more] = 0
    return mask


def _cells(row: Row, wide: int) -> list[slice]:
    """The columns of pixels that are nearer to a card than to its neighbours."""
    half = row.pitch / 2
    middles = [(card.x0 + card.x1) / 2 for card in row.cards]
    return [slice(max(0, round(x - half)), min(wide, round(x + half))) for x in middles]


def _clean(change: Plane, bar: float) -> Plane:
    """Changes above the bar, without single pixels and hair lines."""
    mask = cv2.morphologyEx((change > bar).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.where((mask > 0) & (change > bar), change, 0.0).astype(np.float32)


def _chroma(picture: Plane) -> Plane:
    return np.asarray(cv2.magnitude(picture[..., 1].copy(), picture[..., 2].copy()))


def _hue(picture: Plane) -> Plane:
    """Hue angles of Lab in degrees, -60 to 300."""
    angle = np.asarray(cv2.phase(picture[..., 1].copy(), picture[..., 2].copy(), angleInDegrees=True))
    return np.where(angle >= 300.0, angle - 360.0, angle).astype(np.float32)


def _band(hue: Plane, ends: tuple[float, float, float, float]) -> Plane:
    """1 within the middle two ends, falling to 0 at the outer two."""
    a, b, c, d = ends
    return np.asarray(np.clip(np.minimum((hue - a) / (b - a), (d - hue) / (d - c)), 0.0, 1.0), np.float32)


def _mean(picture: Plane, weight: Plane) -> Plane:
    """The weighted mean of a picture's pixels; 0 without weight."""
    if not weight.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.average(picture.reshape(-1, 3), axis=0, weights=weight.ravel()), np.float32)


#: Sizes at which a card is looked for in the result.
_SIZES = (0.9, 0.95, 1.05, 1.1, 1.15, 1.2, 1.3)
#: How wide a card is when it is looked for, in pixels.
_LOOKED_AT = 100
#: By how much another place, or another size, has to be likelier.
_MOVED, _GROWN = 0.02, 0.05


@dataclass(slots=True, frozen=True)
class Place:
    """How far a card moved in pixels, how large it is (1 for as before), and how alike its edges are (-1 to 1)."""

    dx: int
    dy: int
    size: float
    alike: float


def place_of(cards: Cards, card: Region) -> Place:
    """The likeliest place of a card's middle, which is its number, in the result."""
    inset_x, inset_y = round(0.12 * card.width), round(0.12 * card.height)
    x0, y0, x1, y1 = card.x0 + inset_x, card.y0 + inset_y, card.x1 - inset_x, card.y1 - inset_y
    more = round(0.2 * max(x1 - x0, y1 - y0))
    left, top = max(0, x0 - more), max(0, y0 - more)
    piece, field = cards.question[y0:y1, x0:x1, 0], cards.result[top : y1 + more, left : x1 + more, 0]
    less = min(1.0, _LOOKED_AT / card.width)
    piece, target = resized(piece, less), _edges(resized(field, less))
    likeness = _likeness(piece, target)
    if likeness is None:
        return Place(0, 0, 1.0, 0.0)
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    still_x, still_y = round((x0 - left) * less), round((y0 - top) * less)
    still = likeness[min(still_y, likeness.shape[0] - 1), min(still_x, likeness.shape[1] - 1)]
    moved = (round(x / less) - (x0 - left), round(y / less) - (y0 - top)) if best > still + _MOVED else (0, 0)
    size = 1.0
    for other in _SIZES:
        larger = _likeness(resized(piece, other), target)
        score = -1.0 if larger is None else float(larger.max())
        if score > best + (_GROWN if size == 1.0 else 0.0):
            best, size = score, other
    return Place(*moved, size, float(best))


def _edges(light: Plane) -> Plane:
    return np.asarray(cv2.GaussianBlur(steepness(light, 80.0), (3, 3), 0), np.float32)


def _likeness(piece: Plane, target: Plane) -> Plane | None:
    """How alike a piece's edges are at each place of a field of edges; None if it does not fit or is plain."""
    if piece.shape[0] > target.shape[0] or piece.shape[1] > target.shape[1] or piece.std() < 0.5:
        return None
    return np.asarray(cv2.matchTemplate(target, _edges(piece), cv2.TM_CCOEFF_NORMED))
