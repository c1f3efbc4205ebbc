"""Text on a finished picture, in letters from a table, so that it does not rest on the fonts of a machine.

The shapes are those of Aileron Regular, which its makers gave into the public domain (CC0): printable ASCII, 12 pixels
high, with 16 steps of grey.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from operators.scene.data import rows
from operators.scene.painter.canvas import Colour

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

#: Rows of a line of text.
HEIGHT = 14


#: Of each letter its width, the row that it begins with, and its pixels row by row, a hexadecimal digit each.
LETTERS: Mapping[str, tuple[int, int, str]] = {
    letter: (int(width), int(row), pixels) for letter, width, row, pixels in rows("letters.tsv")
}


def drawable(text: str) -> str:
    """A text in the letters that there are, without what cannot be written in them.

    >>> drawable("Étagère 2"), drawable("椅子 1")
    ('Etagere 2', '1')
    """
    plain = unicodedata.normalize("NFKD", text)
    return " ".join("".join(letter for letter in plain if letter in LETTERS).split())


def width_of(text: str) -> int:
    """Pixels that a text takes.

    >>> width_of("W") > width_of("i") > 0
    True
    """
    return sum(LETTERS[letter][0] for letter in text)


@lru_cache(maxsize=2048)
def _mask(text: str) -> Any:
    """How much ink each pixel of a text gets, from 0 to 15, as an array of :data:`HEIGHT` rows."""
    import numpy as np

    mask = np.zeros((HEIGHT, width_of(text)), np.uint16)
    x = 0
    for letter in text:
        width, top, pixels = LETTERS[letter]
        rows = np.array([int(digit, 16) for digit in pixels], np.uint16).reshape(-1, width)
        mask[top : top + len(rows), x : x + width] = rows
        x += width
    return mask


def write(picture: Pixels, x: int, y: int, text: str, colour: Colour) -> None:
    """Write a text whose upper left corner is at ``x``, ``y``; what is outside the picture is cut off."""
    import numpy as np

    side_y, side_x = picture.shape[:2]
    mask = _mask(text)[max(0, -y) : max(0, side_y - y), max(0, -x) : max(0, side_x - x)]
    place = picture[max(0, y) : max(0, y) + mask.shape[0], max(0, x) : max(0, x) + mask.shape[1]]
    ink = mask[..., None]
    place[...] = (place * (15 - ink) + np.array(colour, np.uint16) * ink + 7) // 15


def plate(picture: Pixels, box: tuple[int, int, int, int], rim: Colour) -> None:
    """A nearly white plate with a coloured rim, on ``box``: left, top, right and bottom."""
    import numpy as np

    left, top, right, bottom = box
    place = picture[top:bottom, left:right]
    place[...] = (place.astype(np.uint16) + 255 * 6) // 7
    for lines, columns in ((0, slice(None)), (-1, slice(None)), (slice(None), 0), (slice(None), -1)):
        place[lines, columns] = rim
    # A bar at the left, in the object's colour.
    place[:, 1:3] = rim
