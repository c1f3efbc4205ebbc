"""The closer looks: each card cut out, enlarged and read by itself, and each card's whole part of the row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from operators.game.boxes import fitted, is_rim, tile_with, usual_colour
from operators.game.numbers.digits import Piece, joined, number_of, pieces_of, whole_parts
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: A tile's sides in pixels, and the plain border around what was cut out.
_TILE, _BORDER = 160, 24
_FULL = _TILE + 2 * _BORDER
#: What is off the ground by less is no ink.
_FAINT = 40
#: What is left out at each side of a card, as a share of its side: its outline.
_RIM = 0.06
#: A number's digits are at least this high, as a share of the tallest piece on the card; less is a label.
_TALLEST = 0.7
#: What is read as two numbers counts that much.
_DISPUTED = 0.4


def look_closer(pixels: Pixels, boxes: Sequence[Box], engine: OCREngine) -> list[Piece | None]:
    """The number piece in each box, placed in the picture; None where nothing like a number is read."""
    read = _read_together([_tile(pixels, box) for box in boxes], engine)
    found = map(number_in, read)
    return [None if piece is None else replace(piece, box=_placed(piece.box, box, place))
            for place, (piece, box) in enumerate(zip(found, boxes, strict=True))]  # fmt: skip


def _read_together(tiles: Sequence[Pixels], engine: OCREngine) -> list[list[OCRLine]]:
    """The lines in each of some tiles of one size, which are read as one picture, one below the other."""
    [lines] = read_pictures(engine, [np.ascontiguousarray(np.concatenate(tiles))])
    high = len(tiles[0])
    return [[line for line in lines if place * high <= middle(line.box)[1] < (place + 1) * high]
            for place in range(len(tiles))]  # fmt: skip


def number_in(lines: Sequence[OCRLine]) -> Piece | None:
    """The number among the lines on one card: its tallest piece, joined where it was read in parts."""
    pieces = joined(pieces_of(lines))
    tall = [piece for piece in pieces if piece.height >= _TALLEST * max(other.height for other in pieces)]
    if len(tall) < 2:
        return tall[0] if tall else None
    # Two numbers of one size on a card: neither is sure.
    best = max(tall, key=lambda piece: (piece.score, piece.height))
    return replace(best, score=min(best.score, _DISPUTED), whole=False)


def _placed(part: Box, box: Box, place: int) -> Box:
    """A box in a tile as a box in the picture."""
    scale = max(box[2] - box[0], box[3] - box[1]) * (1 - 2 * _RIM) / _TILE
    x, y = middle(box)
    left, top = x - _FULL / 2 * scale, y - (place + 0.5) * _FULL * scale
    return part[0] * scale + left, part[1] * scale + top, part[2] * scale + left, part[3] * scale + top


def _tile(pixels: Pixels, box: Box) -> Pixels:
    """What is in a box without its rim, enlarged (or made smaller) to a tile with a border of its own ground."""
    height, width = pixels.shape[:2]
    rim_x, rim_y = _RIM * (box[2] - box[0]), _RIM * (box[3] - box[1])
    x0, x1 = max(0, round(box[0] + rim_x)), min(width, round(box[2] - rim_x))
    y0, y1 = max(0, round(box[1] + rim_y)), min(height, round(box[3] - rim_y))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.full((_FULL, _FULL, 3), 255, np.uint8)
    part = fitted(pixels[y0:y1, x0:x1], _TILE, _TILE)
    ground = usual_colour(part)
    return tile_with(_without_rim(part, ground), _FULL, _FULL, ground)


def _without_rim(part: Pixels, ground: Any) -> Pixels:
    """The part without what comes in from its sides, such as the card's edge: lines read as 1 and bars."""
    off = np.abs(part.astype(np.int16) - ground.astype(np.int16)).max(axis=2)
    ink = (off > _FAINT).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(ink, connectivity=8)
    height, width = ink.shape
    rim = np.zeros(count, bool)
    for label in range(1, count):
        x, y, w, h, _ = stats[label].tolist()
        rim[label] = is_rim((x, y, w, h), centres[label].tolist(), width, height)
    gone = cv2.dilate(rim[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    part = part.copy()
    part[gone] = ground
    return part


#: Width and height of a tile that is read, and the border in it, in pixels.
_CELL, _CELL_BORDER = (300, 190), 16
#: Text in a tile that is as high as this share of the highest is a part of the number.
_LARGE = 0.6


def numbers_in_cells(picture: Pixels, cards: Sequence[Box], engine: OCREngine) -> list[int | None]:
    """The number in each card's part of the row, which ends midway to the next card, so that no digit is cut off."""
    return [_number(lines) for lines in _read_together([_cell(picture, box) for box in whole_parts(cards)], engine)]


def _number(lines: Sequence[OCRLine]) -> int | None:
    """The number that all large text in a cell makes together; None if it makes none."""
    tallest = max((line.box[3] - line.box[1] for line in lines), default=0.0)
    large = [line for line in lines if line.box[3] - line.box[1] >= _LARGE * tallest]
    return number_of(" ".join(line.text.strip() for line in sorted(large, key=lambda line: line.box[0])))


def _cell(picture: Pixels, box: Box) -> Pixels:
    """A part of a picture in a tile, with a border in the colour of its edge."""
    x0, y0, x1, y1 = (max(0, round(side)) for side in box)
    part = picture[y0:y1, x0:x1]
    if min(part.shape[:2]) < 4:
        return np.full((_CELL[1], _CELL[0], 3), 255, np.uint8)
    small = fitted(part, _CELL[0] - 2 * _CELL_BORDER, _CELL[1] - 2 * _CELL_BORDER)
    return tile_with(small, *_CELL, np.median(np.concatenate([small[:, 0], small[:, -1]]), axis=0))
