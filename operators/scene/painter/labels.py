"""Which objects get their names on a view, and where the names stand."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dataflow_ext.text import rows
from operators.scene.painter.camera import Camera, Shell
from operators.scene.painter.canvas import EDGE, FINE, Colour
from operators.scene.painter.parts import grid_step

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

#: Rows of a line of text.
HEIGHT = 14


#: Of each letter its width, the row that it begins with, and its pixels row by row, a hexadecimal digit each.
LETTERS: Mapping[str, tuple[int, int, str]] = {
    letter: (int(width), int(row), pixels) for letter, width, row, pixels in rows("operators.scene", "data/letters.tsv")
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


#: An object is named if it covers so many pixels, and that share of its outline.
_PIXELS, _SHARE = 20, 0.1
#: How far away from its object a name may stand, in pixels, and in which directions.
_REACH = (12, 22, 34, 48, 64, 84)
_DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.7, -0.7), (0.7, 0.7), (-0.7, -0.7), (-0.7, 0.7))
#: A pixel of an object that a name covers counts as so many pixels of distance.
_COVERED = 0.08
#: The share of a name's place that has to be on its object for it to stand there.
_MOSTLY = 0.9
#: Pixels at the picture's sides that are free of names.
_RIM = 6
#: Letters of a name that are shown.
_LETTERS = 24

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Label:
    """A name that belongs at ``x``, ``y``; ``weight`` is how many pixels of its object, the ``owner``, are seen."""

    text: str
    x: int
    y: int
    colour: Colour
    weight: int
    owner: int


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of each object is seen: its pixels, and the middle of them."""

    owners: Any
    pixels: Any
    xs: Any
    ys: Any

    @classmethod
    def of(cls, owners: Any, count: int) -> Sight:
        """The sight of so many objects, from whose each pixel is."""
        import numpy as np

        at = np.flatnonzero(owners.ravel() >= 0)
        whose = owners.ravel()[at]
        pixels = np.bincount(whose, minlength=count)
        least = np.maximum(pixels, 1)
        side = owners.shape[1]
        # Whole numbers below 2**53, so that the sums are exact in any order.
        xs = np.bincount(whose, weights=at % side, minlength=count) // least
        ys = np.bincount(whose, weights=at // side, minlength=count) // least
        return cls(owners, pixels, xs, ys)

    def named(self, index: int, whole: float) -> bool:
        """Whether enough is seen of an object whose outline has an area of ``whole`` pixels."""
        pixels = int(self.pixels[index])
        return pixels >= _PIXELS and pixels >= _SHARE * whole

    def middle(self, index: int) -> tuple[int, int]:
        """A pixel of the object, the nearest to the middle of what is seen of it."""
        import numpy as np

        x, y = int(self.xs[index]), int(self.ys[index])
        if self.owners[y, x] == index:
            return x, y
        ys, xs = np.nonzero(self.owners == index)
        best = int(np.argmin((xs - x) ** 2 + (ys - y) ** 2))
        return int(xs[best]), int(ys[best])


def write_labels(picture: Pixels, labels: Iterable[Label], taken: Sequence[Box], owners: Any) -> None:
    """Write the names, those of large objects first; what finds no free place is left out."""
    places = _Places(owners, taken)
    placed = []
    for label in sorted(labels, key=lambda each: (-each.weight, each.text)):
        text = label.text if len(label.text) <= _LETTERS else label.text[: _LETTERS - 2] + ".."
        box = places.take(label, width_of(text) + 8)
        if box is not None:
            placed.append((label, text, box))
    for label, _, box in placed:
        _leader(picture, label, box)
    for label, text, box in placed:
        plate(picture, box, label.colour)
        write(picture, box[0] + 5, box[1] + 1, text, (28, 26, 32))


class _Places:
    """Where names may stand: on nothing that is written, and rather beside objects than on them."""

    def __init__(self, owners: Any, taken: Sequence[Box]) -> None:
        import numpy as np

        self.owners, self.side = owners, owners.shape[0]
        self.used = np.zeros(owners.shape, bool)
        for left, top, right, bottom in taken:
            self.used[max(0, top) : bottom, max(0, left) : right] = True
        # Sums over all that is above and to the left: what a rectangle covers follows from its four corners.
        sums = np.zeros((self.side + 1, self.side + 1), np.int32)
        np.cumsum(np.cumsum(owners >= 0, axis=0, dtype=np.int32), axis=1, out=sums[1:, 1:])
        self.sums = sums

    def take(self, label: Label, width: int) -> Box | None:
        """The best free place for a name: on its object if that is large, else around it."""
        height = HEIGHT + 1
        middle = self._box(label.x, label.y, width, height)
        own = self.owners[middle[1] : middle[3], middle[0] : middle[2]] == label.owner
        if self._free(middle) and own.sum() > _MOSTLY * width * height and label.weight > 2 * width * height:
            return self._taken(middle)
        best: tuple[float, Box] | None = None
        for reach in _REACH:
            if best is not None and best[0] <= reach:
                break
            for dx, dy in _DIRECTIONS:
                x = round(label.x + dx * (reach + (width / 2 if dx else 0)))
                box = self._box(x, round(label.y + dy * reach), width, height)
                cost = reach + _COVERED * self._covered(box)
                if (best is None or cost < best[0]) and self._free(box):
                    best = cost, box
        return None if best is None else self._taken(best[1])

    def _box(self, x: int, y: int, width: int, height: int) -> Box:
        """A place around a point, pushed inwards where it would meet the frame."""
        left = min(max(x - width // 2, _RIM), self.side - _RIM - width)
        top = min(max(y - height // 2, _RIM), self.side - _RIM - height)
        return left, top, left + width, top + height

    def _free(self, box: Box) -> bool:
        left, top, right, bottom = box
        return left >= _RIM and not self.used[top:bottom, left:right].any()

    def _covered(self, box: Box) -> int:
        """How many pixels of objects a place would cover."""
        left, top, right, bottom = box
        sums = self.sums
        return int(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])

    def _taken(self, box: Box) -> Box:
        left, top, right, bottom = box
        self.used[top:bottom, left:right] = True
        return box


def _leader(picture: Pixels, label: Label, box: Box) -> None:
    """A thin line from an object to its name, if that stands beside it."""
    import numpy as np

    left, top, right, bottom = box
    x, y = min(max(label.x, left), right - 1), min(max(label.y, top), bottom - 1)
    steps = max(abs(x - label.x), abs(y - label.y))
    if steps < 2:
        return
    along = np.arange(steps + 1)
    xs, ys = label.x + along * (x - label.x) // steps, label.y + along * (y - label.y) // steps
    picture[ys, xs] = EDGE
    picture[label.y - 1 : label.y + 2, label.x - 1 : label.x + 2] = EDGE


_INK: Colour = (64, 66, 74)
_NORTH: Colour = (196, 38, 38)
#: Pixels from the middle of the small compass to its letters, and from its middle to the picture's sides.
_ARM, _CORNER = 18, 36
#: Pixels between a letter or the scale and the picture's side.
_GAP = 8
_WAYS = (("N", 0.0, -1.0), ("E", 1.0, 0.0), ("S", 0.0, 1.0), ("W", -1.0, 0.0))


def signs(picture: Pixels, shell: Shell, camera: Camera, *, from_above: bool) -> list[Box]:
    """Write the letters of the compass, and a scale on the view from above; the places that they take."""
    if not from_above:
        return [_compass(picture, camera)]
    side = picture.shape[0]
    far = side - _GAP
    places = {"N": (side // 2, _GAP + HEIGHT // 2), "S": (side // 2, far - HEIGHT // 2),
              "W": (_GAP + 6, side // 2), "E": (far - 6, side // 2)}  # fmt: skip
    return [*(_letter(picture, letter, *place) for letter, place in places.items()), _scale(picture, camera)]


def _letter(picture: Pixels, letter: str, x: int, y: int) -> Box:
    """A letter whose middle is at ``x``, ``y``."""
    left, top = x - width_of(letter) // 2, y - HEIGHT // 2
    write(picture, left, top, letter, _NORTH if letter == "N" else _INK)
    return left - 2, top, left + width_of(letter) + 2, top + HEIGHT


def _scale(picture: Pixels, camera: Camera) -> Box:
    """A bar of one step of the grid, at the lower right."""
    step, side = grid_step(camera), picture.shape[0]
    text, long = f"{step} m", round(step * camera.scale / FINE)
    right, below = side - _GAP - 4, side - _GAP - 4
    left = right - long
    picture[below - 2 : below, left:right] = _INK
    for x in (left, right - 2):
        picture[below - 6 : below, x : x + 2] = _INK
    start = left - width_of(text) - 6
    write(picture, start, below - HEIGHT + 3, text, _INK)
    return start, below - HEIGHT, right, below


def _compass(picture: Pixels, camera: Camera) -> Box:
    """A small compass that lies as the floor does, at the lower left."""
    x, y = _CORNER, picture.shape[0] - _CORNER
    for letter, east, south in _WAYS:
        across, up, _ = camera.turned(east, 0.0, south)
        for i in range(_ARM - 6):
            at_x, at_y = round(x + across * i), round(y - up * i)
            picture[at_y : at_y + 1, at_x : at_x + 2] = _NORTH if letter == "N" else _INK
        _letter(picture, letter, round(x + across * _ARM * 1.2), round(y - up * _ARM * 1.2))
    return x - _CORNER, y - _CORNER, x + _CORNER, y + _CORNER
