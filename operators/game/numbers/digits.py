"""Digits of cards: in what OCR read, in each card enlarged, and, where cards' places are known, by their ink alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np

from dataflow_ext.boxes import middle, union
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from dataflow_ext.ocr.memory import read_digits
from operators.game.boxes import apart, fitted, is_rim, tile_with, usual_colour
from operators.game.rounds import MOST_DIGITS, Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

    Sides: TypeAlias = tuple[int, int, int, int]

#: What may stand between groups of three digits.
_GROUPS = re.compile(r"\d{1,3}(?:([,.'’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*")

#: What OCR takes a digit for, and the dirt that it sees beside digits.
_LOOK_ALIKES = frozenset("OoQDlI|!iZzSsBbGgq()[]{}")
_DIRT = frozenset(" .,;'`\"·•°-_~|")

#: A digit is at most this wide, as a share of the height of its line; a wider line holds more than it says.
_WIDEST_DIGIT = 1.15
#: A digit's usual width as a share of its line's height.
_DIGIT = 0.62
#: Pieces of a number stand closer than this, as a share of their height.
_TOGETHER = 0.3
#: A number's digits are at least this high, as a share of the tallest piece on its card; less is a label.
TALL = 0.7


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text where a number may stand: the number, None if it takes a closer look to tell, and how sure.

    ``whole`` is false for a piece that was cut out of a longer line, whose box is a guess therefore.
    """

    number: int | None
    score: float
    box: Box
    text: str
    whole: bool = True

    @property
    def height(self) -> float:
        """Its height in pixels."""
        return self.box[3] - self.box[1]

    @property
    def width(self) -> float:
        """Its width in pixels."""
        return self.box[2] - self.box[0]

    @property
    def x(self) -> float:
        """Its middle, in pixels from the left."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        """Its middle, in pixels from the top."""
        return (self.box[1] + self.box[3]) / 2


def number_of(text: str) -> int | None:
    """The number that a text is, in digits of any script and width, by threes or not; None if it is anything else.

    >>> number_of("１２"), number_of(" 7 "), number_of("5."), number_of("3/10"), number_of("²")
    (12, 7, None, None, None)
    >>> number_of("1,234"), number_of("3 856"), number_of("1,23"), number_of("12 34")
    (1234, 3856, None, None)
    """
    bare = text.strip().replace("，", ",").replace("．", ".")
    if _GROUPS.fullmatch(bare):
        bare = re.sub(r"\D", "", bare)
    digits = [unicodedata.decimal(letter, None) for letter in bare]
    known = [str(digit) for digit in digits if digit is not None]
    return int("".join(known)) if digits and len(known) == len(digits) <= MOST_DIGITS else None


def may_be_number(text: str) -> bool:
    """Whether a text may be a number seen through dirt: digits, signs that look like digits, and dots and bars.

    >>> may_be_number("5."), may_be_number("O"), may_be_number("Me"), may_be_number("3/10")
    (True, True, False, False)
    """
    kept = [letter for letter in text if letter not in _DIRT]
    digits = sum(number_of(letter) is not None for letter in kept)
    fine = all(letter in _LOOK_ALIKES or number_of(letter) is not None for letter in kept)
    # The numbers of three cards may be read as one.
    short = len(kept) <= MOST_DIGITS or digits == len(kept) <= 3 * MOST_DIGITS
    return bool(text.strip()) and short and fine and (digits > 0 or len(kept) < 2)


def pieces_of(lines: Iterable[OCRLine], grouped: bool = False) -> list[Piece]:
    """The pieces of all lines that are, or may be, numbers; lines of several numbers are cut at their gaps.

    With ``grouped`` a line that may be one number in groups of three digits is one.
    """
    pieces: list[Piece] = []
    for line in lines:
        words = [line.text] if grouped and number_of(line.text) is not None else line.text.split()
        if len(words) > 1 and all(number_of(word) is not None for word in words):
            pieces += _cut(line, words)
        elif may_be_number(line.text):
            number = number_of(line.text)
            height, width = line.box[3] - line.box[1], line.box[2] - line.box[0]
            if number is not None and width > _WIDEST_DIGIT * height * (len(line.text.strip()) + 0.3):
                number = None
            pieces.append(Piece(number, line.score, line.box, line.text.strip(), whole=number is not None))
    return pieces


def _cut(line: OCRLine, words: Sequence[str]) -> list[Piece]:
    """Several numbers read as one line: the outer ones stand at its ends, the others evenly between."""
    x0, y0, x1, y1 = line.box
    letter = min(_DIGIT * (y1 - y0), (x1 - x0) / len(line.text))
    first, last = x0 + letter * len(words[0]) / 2, x1 - letter * len(words[-1]) / 2
    pieces = []
    for place, word in enumerate(words):
        middle = first + (last - first) * place / (len(words) - 1)
        half = letter * len(word) / 2
        pieces.append(Piece(number_of(word), line.score, (middle - half, y0, middle + half, y1), word, whole=False))
    return pieces


def joined(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces with those made one that are the digits of one number: level, of one height, close together."""
    done: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.box[0], piece.box[1])):
        place = next((place for place, other in enumerate(done) if _one_number(other, piece)), None)
        if place is None:
            done.append(piece)
        else:
            done[place] = _both(done[place], piece)
    return done


def tall_ones(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces on a card that may be its number: joined where they were read in parts, and no labels."""
    whole = joined(pieces)
    return [piece for piece in whole if piece.height >= TALL * max(other.height for other in whole)]


def _one_number(left: Piece, right: Piece) -> bool:
    height = max(left.height, right.height)
    level = abs(left.y - right.y) < 0.2 * height and min(left.height, right.height) > 0.75 * height
    return level and -0.3 * height < right.box[0] - left.box[2] < _TOGETHER * height


def _both(left: Piece, right: Piece) -> Piece:
    text = left.text + right.text
    box, whole = union((left.box, right.box)), left.whole and right.whole
    return Piece(number_of(text), min(left.score, right.score), box, text, whole)


#: What a card is scaled to fit in, in pixels; and what is left out above and below it as its outline, as a share.
_WIDE, _HIGH, _RIM = 400, 160, 0.04
#: How far around a card its part of the row reaches at most, as a share of its width.
_AROUND = 0.3
#: The middle of a card, as shares of its sides, which tells its ground; ink is off that by what parts the two best, or
#: by this share of it, but no less than so many levels.
_MIDDLE, _LESS, _FAINT = (0.1, 0.15), 0.55, 16
#: Parts of a digit, such as its segments or strokes, are apart by less than so many pixels.
_SEAM = 5
#: Digits are at least this high, as a share of the card and of the tallest there, and reach into this middle part of
#: it; their gaps are narrower than this share of their height.
_LEAST, _TALLEST, _BAND, _GAP = 0.12, 0.55, 0.3, 0.8
#: How much around the ink is read with it, in heights of it.
_MARGIN = 0.18
#: A reading counts from here on; one that another contradicts is no surer than the second.
_COUNTS, _DISPUTED = 0.2, 0.5
#: Places whose sides are this near, as a share of their height, are the same.
_SAME = 0.1


def numbers_by_ink(screens: Iterable[tuple[Pixels, Sequence[Box]]], engine: OCREngine) -> list[list[Piece | None]]:
    """The number on each card of each screen, with the place of its digits; None where none is read surely enough."""
    inked = [[list(_inked(pixels, box)) for box in whole_parts(cards)] for pixels, cards in screens]
    texts = iter(read_digits(engine, [part for cards in inked for card in cards for part, _ in card]))
    return [[_number([(*next(texts), box) for _, box in card]) for card in cards] for cards in inked]


def whole_parts(cards: Sequence[Box]) -> list[Box]:
    """Each card with its part of the row, which ends midway to the next card, so that no digit is cut off."""
    wide = cards[1][2] - cards[1][0]
    more = min(_AROUND * wide, max(0.0, ((cards[2][0] - cards[0][0]) / 2 - wide) / 2))
    return [(x0 - more, y0, x1 + more, y1) for x0, y0, x1, y1 in cards]


def _number(readings: Sequence[tuple[str, float, Box]]) -> Piece | None:
    """The surest reading of a card's ink, of those equally sure the longest; unsure if another differs."""
    good = [each for each in readings if each[0] and not (each[0][0] == "0" and len(each[0]) > 1)]
    good = [each for each in good if each[1] >= _COUNTS and len(each[0]) <= MOST_DIGITS]
    if not good:
        return None
    text, score, box = max(good, key=lambda each: (round(each[1], 1), len(each[0])))
    disputed = any(other != text for other, *_ in good)
    return Piece(int(text), min(score, _DISPUTED) if disputed else score, box, text)


def _inked(pixels: Pixels, box: Box) -> Iterator[tuple[Pixels, Box]]:
    """The part of a card that its digits fill, scaled, and its place in the picture, by each way to tell its ink."""
    x0, y0, x1, y1 = box
    rim = _RIM * (y1 - y0)
    left, top = max(0, round(x0)), max(0, round(y0 + rim))
    part = pixels[top : max(0, round(y1 - rim)), left : max(0, round(x1))]
    if min(part.shape[:2]) < 6:
        return
    scale = min(_HIGH / part.shape[0], _WIDE / part.shape[1])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    known: list[Sides] = []
    for digits in filter(None, map(_digits, _inks(small))):
        a, b, c, d = digits
        if any(apart(digits, other) <= _SAME * (d - b) for other in known):
            continue
        known.append(digits)
        more = round(_MARGIN * (d - b))
        place = (left + a / scale, top + b / scale, left + c / scale, top + d / scale)
        yield small[max(0, b - more) : d + more + 1, max(0, a - more) : c + more + 1], place


def _inks(part: Pixels) -> Iterator[Any]:
    """What is off the ground of a card, as masks."""
    lab = cv2.cvtColor(part, cv2.COLOR_RGB2LAB).astype(np.int16)
    high, wide = lab.shape[:2]
    aside, down = round(_MIDDLE[0] * wide), round(_MIDDLE[1] * high)
    middle = np.s_[down : high - down, aside : wide - aside]
    off = np.sqrt(((lab - usual_colour(lab[middle])) ** 2).sum(axis=2)).clip(0, 255).astype(np.uint8)
    parted, _ = cv2.threshold(np.ascontiguousarray(off[middle]), 0, 255, cv2.THRESH_OTSU)
    for bar in (parted, _LESS * parted):
        yield (off > max(bar, _FAINT)).astype(np.uint8)


def _digits(ink: Any) -> Sides | None:
    """The place of the digits among a card's ink: the tall shapes side by side in its middle."""
    high, wide = ink.shape
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((_SEAM, _SEAM), np.uint8))
    count, _, stats, centres = cv2.connectedComponentsWithStats(ink, connectivity=8)
    shapes: list[Sides] = []
    for (x, y, w, h, _), centre in zip(stats[1:count].tolist(), centres[1:count].tolist(), strict=True):
        tall = h >= _LEAST * high and y < (0.5 + _BAND / 2) * high and y + h > (0.5 - _BAND / 2) * high
        if tall and not is_rim((x, y, w, h), centre, wide, high):
            shapes.append((x, y, x + w, y + h))
    tallest = max((y1 - y0 for _, y0, _, y1 in shapes), default=0)
    groups: list[list[Sides]] = []
    for shape in sorted(shape for shape in shapes if shape[3] - shape[1] >= _TALLEST * tallest):
        if groups and shape[0] - max(other[2] for other in groups[-1]) < _GAP * tallest:
            groups[-1].append(shape)
        else:
            groups.append([shape])
    places = [union(group) for group in groups]
    # The number is wide and in the middle; what stands beside it is a mark or a neighbour's.
    return min(places, key=lambda at: abs(at[0] + at[2] - wide) / 2 - (at[2] - at[0]) / 2, default=None)


#: A tile's sides in pixels, and the plain border around what was cut out.
_TILE, _BORDER = 160, 24
_FULL = _TILE + 2 * _BORDER
#: What is off the ground by less is no ink.
_PALE = 40
#: What is left out at each side of a card, as a share of its side: its outline.
_EDGE = 0.06
#: What is read as two numbers counts that much.
_EITHER = 0.4


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
    tall = tall_ones(pieces_of(lines))
    if len(tall) < 2:
        return tall[0] if tall else None
    # Two numbers of one size on a card: neither is sure.
    best = max(tall, key=lambda piece: (piece.score, piece.height))
    return replace(best, score=min(best.score, _EITHER), whole=False)


def _placed(part: Box, box: Box, place: int) -> Box:
    """A box in a tile as a box in the picture."""
    scale = max(box[2] - box[0], box[3] - box[1]) * (1 - 2 * _EDGE) / _TILE
    x, y = middle(box)
    left, top = x - _FULL / 2 * scale, y - (place + 0.5) * _FULL * scale
    return part[0] * scale + left, part[1] * scale + top, part[2] * scale + left, part[3] * scale + top


def _tile(pixels: Pixels, box: Box) -> Pixels:
    """What is in a box without its rim, enlarged (or made smaller) to a tile with a border of its own ground."""
    height, width = pixels.shape[:2]
    rim_x, rim_y = _EDGE * (box[2] - box[0]), _EDGE * (box[3] - box[1])
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
    ink = (off > _PALE).astype(np.uint8)
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
    return [_in_cell(lines) for lines in _read_together([_cell(picture, box) for box in whole_parts(cards)], engine)]


def _in_cell(lines: Sequence[OCRLine]) -> int | None:
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
