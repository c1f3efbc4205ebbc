"""Where a card of the question stands in the result, and how large it is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.game.cards.pair import resized

if TYPE_CHECKING:
    from operators.game.cards.aligning import Cards
    from operators.game.cards.pair import Plane
    from operators.game.cards.regions import Region

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
    across, down = cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.GaussianBlur(np.minimum(np.abs(across) + np.abs(down), 80.0), (3, 3), 0), np.float32)


def _likeness(piece: Plane, target: Plane) -> Plane | None:
    """How alike a piece's edges are at each place of a field of edges; None if it does not fit or is plain."""
    if piece.shape[0] > target.shape[0] or piece.shape[1] > target.shape[1] or piece.std() < 0.5:
        return None
    return np.asarray(cv2.matchTemplate(target, _edges(piece), cv2.TM_CCOEFF_NORMED))
