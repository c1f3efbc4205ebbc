"""Which way is north, and how long a metre is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.scene.painter.backdrop import grid_step
from operators.scene.painter.camera import Camera, Shell
from operators.scene.painter.canvas import FINE, Colour
from operators.scene.painter.labels import Box
from operators.scene.painter.lettering import width_of, write
from operators.scene.painter.letters import HEIGHT

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

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
