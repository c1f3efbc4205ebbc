"""The package's own type faces: subsets of free fonts, so that screens are the same on any machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_FOLDER = Path(__file__).parent / "fonts"

#: Faces by name; "hand" and "hei" have Chinese characters.
FACES = ("thin", "sans", "bold", "serif", "mono", "hand", "hei")


@lru_cache(maxsize=512)
def face(name: str, size: int) -> FreeTypeFont:
    """A face at a size in pixels."""
    from PIL import ImageFont

    # The plain layout: the other one is not part of every Pillow.
    return ImageFont.truetype(_FOLDER / f"{name}.ttf", size, layout_engine=ImageFont.Layout.BASIC)


def runs(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The pieces of a text with the face that has their letters: Chinese ones are in "hand" or "hei".

    >>> list(runs("第 3 轮", "bold"))
    [('第', 'hei'), (' 3 ', 'bold'), ('轮', 'hei')]
    """
    if name == "hand":
        yield text, name
        return
    for chinese, letters in groupby(text, key=lambda letter: ord(letter) > 0x2FFF):
        yield "".join(letters), "hei" if chinese else "sans" if name == "hei" else name
