"""Rows of three numbers by what differs between the rounds of a screen, where reading the rounds does not tell them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from dataflow_ext import InputError
from operators.game.numbers.digits import Piece, joined
from operators.game.numbers.ink import numbers_by_ink
from operators.game.numbers.rows import threes
from operators.game.screen import screen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr import OCREngine
    from operators.game.rounds import Box

#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 480.0, 1700.0
#: From how many levels of grey on something changed; the least and the largest height of a number, as shares of the
#: shorter side.
_CHANGED, _LEAST, _MOST = 40, 0.02, 0.4
#: Places that are looked at, the highest; rows that are read, and in how many rounds.
_PLACES, _ROWS, _ROUNDS = 60, 4, 3
#: How wide and how high a card is taken to be: a share of the distance between numbers, and of their height; and by how
#: much it is higher than what is read on it, on each side.
_WIDE, _HIGH, _MORE = 0.9, 1.8, 0.12


def changing_row(paths: Sequence[Path], engine: OCREngine) -> tuple[Box, Box, Box] | None:
    """The boxes of three places in a row that have another number from round to round; None if there are none."""
    seen = [(path, small) for path, small in ((path, _small(path)) for path in paths) if small is not None]
    shapes = Counter(small.grey.shape for _, small in seen)
    alike = [(path, small) for path, small in seen if small.grey.shape == shapes.most_common(1)[0][0]]
    if len(alike) < 2:
        return None
    few = [path for path, _ in alike[:_ROUNDS]]
    best: tuple[int, tuple[Box, Box, Box] | None] = (2 * len(few), None)
    for boxes in _rows([small for _, small in alike])[:_ROWS]:
        found = numbers_by_ink([(screen(path), boxes) for path in few], engine)
        read = [piece for each in found for piece in each if piece is not None]
        if len(read) > best[0] and len({piece.number for piece in read}) > 3:
            best = len(read), _as_high(boxes, read)
    return best[1]


@dataclass(frozen=True, slots=True)
class _Small:
    """A picture in grey, scaled down by ``scale``."""

    grey: NDArray[np.uint8]
    scale: float


def _small(path: Path) -> _Small | None:
    """A picture scaled down; None where there is none to look at, which is its own round's trouble."""
    try:
        pixels = screen(path)
    except InputError:
        return None
    high, wide = pixels.shape[:2]
    scale = min(1.0, _SHORT / min(high, wide), _LONG / max(high, wide))
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    return _Small(np.asarray(grey, np.uint8), scale)


def _as_high(boxes: tuple[Box, Box, Box], read: Sequence[Piece]) -> tuple[Box, Box, Box]:
    """The boxes, a little higher than the digits in them, so that text above and below is none of theirs."""
    top, low = min(piece.box[1] for piece in read), max(piece.box[3] for piece in read)
    more = _MORE * (low - top)
    one, two, three = ((x0, top - more, x1, low + more) for x0, _, x1, _ in boxes)
    return one, two, three


def _rows(rounds: Sequence[_Small]) -> list[tuple[Box, Box, Box]]:
    """Cards around all rows of three places that changed, the highest first."""
    greys, scale = np.stack([small.grey for small in rounds]), rounds[0].scale
    changed = (greys.max(axis=0) - greys.min(axis=0) > _CHANGED).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3))))
    short = min(greys.shape[1:])
    fit = [(x, y, w, h) for x, y, w, h, _ in stats[1:].tolist() if _LEAST * short <= h <= _MOST * short]
    fit = sorted(fit, key=lambda place: (-place[3], place))[:_PLACES]
    pieces = joined(Piece(None, 0.0, (x / scale, y / scale, (x + w) / scale, (y + h) / scale), "", whole=False)
                    for x, y, w, h in fit)  # fmt: skip
    rows = sorted(threes(pieces), key=lambda row: -min(piece.height for piece in row))
    return [_cards(row) for row in rows]


def _cards(row: tuple[Piece, Piece, Piece]) -> tuple[Box, Box, Box]:
    half = _WIDE * (row[2].x - row[0].x) / 4
    tall = _HIGH * max(piece.height for piece in row) / 2
    one, two, three = ((piece.x - half, piece.y - tall, piece.x + half, piece.y + tall) for piece in row)
    return one, two, three
