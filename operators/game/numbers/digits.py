"""Digits in what OCR read: lines of text become pieces, each a number, or something that may be one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dataflow_ext.ocr import OCRLine
from operators.game.rounds import Box

#: More digits are no number on a card.
MOST_DIGITS = 8
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


def _one_number(left: Piece, right: Piece) -> bool:
    height = max(left.height, right.height)
    level = abs(left.y - right.y) < 0.2 * height and min(left.height, right.height) > 0.75 * height
    return level and -0.3 * height < right.box[0] - left.box[2] < _TOGETHER * height


def _both(left: Piece, right: Piece) -> Piece:
    text = left.text + right.text
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = left.box, right.box
    box = (min(ax0, bx0), min(ay0, by0), max(ax1, bx1), max(ay1, by1))
    return Piece(number_of(text), min(left.score, right.score), box, text, whole=left.whole and right.whole)
