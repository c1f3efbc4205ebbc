"""The result picture moved onto the question picture, and its overall brightness made the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.cards.pair import NotAPair, Pair, lab, resized
from operators.game.cards.regions import Region, Row
from operators.game.cards.tone import Tone, tone_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels
    from operators.game.cards.pair import Plane

#: How far the row of cards may have moved, as shares of the picture's height and width.
_FAR_Y, _FAR_X = 0.16, 0.05
#: Below this likeness of edges the row of cards is not in the result picture.
_LEAST = 0.2
#: How far around the cards marks are looked for, in pitches.
_AROUND = 0.5
#: By how much likelier another place has to be: one card that was pushed aside must not move the whole row.
_STAYS = 0.1


@dataclass(slots=True)
class Cards:
    """The part of both pictures around the row of cards, in Lab, one above the other.

    ``row`` has the cards' places in it. ``moved`` is how far the result lay off, in pixels, ``alike`` how alike
    the edges are (-1 to 1), and ``tone`` the change of brightness that was undone.
    """

    question: Plane
    result: Plane
    row: Row
    moved: tuple[int, int]
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
    return Cards(lab(pair.question[part.inside]), after, moved, (dx, dy), alike, tone)


def _edges(picture: Pixels) -> NDArray[np.float32]:
    """How steep a grey picture is at each pixel, up to a bound, so that strong marks do not outweigh digits."""
    grey = picture.astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(np.minimum(np.abs(across) + np.abs(down), 160.0), np.float32)


def _grey(picture: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))


def _moved(pair: Pair, core: Region) -> tuple[int, int, float]:
    """By how many pixels the cards lie further right and lower in the result, and how alike their edges are."""
    high, wide = pair.question.shape[:2]
    before, after = _edges(_grey(pair.question)), _edges(_grey(pair.result))
    far_x, far_y = round(_FAR_X * wide), round(_FAR_Y * high)
    dx, dy, _ = _best(before, after, core, (0, 0), (far_x, far_y), 2)
    return _best(before, after, core, (dx, dy), (3, 3), 1)


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
