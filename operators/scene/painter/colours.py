"""The colour of an object: its id decides it, so that it stays the same whatever comes and goes around it."""

from __future__ import annotations

from operators.scene.model.scene import digest
from operators.scene.painter.canvas import Colour

#: Colours chosen one after the other, each as far as could be from those before it and from floor and walls.
_PALETTE = (
    "e54343 9455dc 28a628 289df7 a68231 f78bd3 318b82 28e5c1 cad328 af2882 94708b f79d8b af9dee 5567af 5ed3f7 f7af31 "
    "8bb879 557928 67e570 a65543 709dc1 6770f7 af67b8 ca5e82 f77928 caaf82 dc79f7 ca9db8 67b8af 796743 28a670 af8270 "
    "28799d a6a628 f75ea6 9dc1f7 9d3aaf b82855 7955af 2867d3 94dcb8 829470 d355b8 eeaff7 944c82 8bc131 dc7067 d3ca70 "
    "708be5 8b79b8 f7829d c17031 a6dc82 28afca 9d82f7 55ca82 67678b 709d28 674cd3 b83128 eeb8b8 e59d5e f75579 c179a6"
)


def colour_of(jid: str) -> Colour:
    """The colour of the object with this id.

    >>> colour_of("chair-1") == colour_of("chair-1") != colour_of("chair-2")
    True
    """
    at = digest("colour", jid) % ((len(_PALETTE) + 1) // 7)
    return rgb(_PALETTE[7 * at : 7 * at + 6])


def rgb(text: str) -> Colour:
    """A colour from its six hexadecimal digits.

    >>> rgb("ff8000")
    (255, 128, 0)
    """
    red, green, blue = bytes.fromhex(text)
    return red, green, blue


def shaded(colour: Colour, light: float) -> Colour:
    """A colour in more or less light: below 1 it becomes darker, above 1 it goes towards white, at 2 it is white.

    >>> shaded((100, 200, 0), 0.5), shaded((100, 200, 0), 1.5)
    ((50, 100, 0), (177, 227, 127))
    """
    if light <= 1.0:
        red, green, blue = (int(c * max(0.0, light)) for c in colour)
    else:
        red, green, blue = (int(c + (255 - c) * min(1.0, light - 1.0)) for c in colour)
    return red, green, blue
