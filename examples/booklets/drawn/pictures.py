"""Raster pictures of our own, drawn with Pillow four times too large and scaled down."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageDraw

Ink = tuple[int, int, int]
SCALE = 4


def picture(width: int, height: int, paint: Callable[[ImageDraw.ImageDraw, int], None]) -> Image.Image:
    """A smooth picture; ``paint`` gets a canvas and the factor by which its coordinates are enlarged."""
    image = Image.new("RGB", (width * SCALE, height * SCALE), "white")
    paint(ImageDraw.Draw(image), SCALE)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def tiles() -> Image.Image:
    """A floor of 8 by 8 square tiles in two colours."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        for i in range(8):
            for j in range(8):
                colour = (196, 164, 120) if (i + j) % 2 else (238, 224, 200)
                d.rectangle((30 * i * s, 30 * j * s, 30 * (i + 1) * s, 30 * (j + 1) * s), colour, (90, 70, 50), s)

    return picture(240, 240, paint)


def garden() -> Image.Image:
    """A lawn with a border of bushes, seen from above."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.rectangle((0, 0, 320 * s, 200 * s), (150, 200, 120))
        d.rectangle((14 * s, 14 * s, 306 * s, 186 * s), (178, 222, 140), (90, 60, 30), 2 * s)
        for k in range(16):
            for y in (7, 193):
                x = 10 + 20 * k
                d.ellipse(((x - 8) * s, (y - 7) * s, (x + 8) * s, (y + 7) * s), (60, 120, 60))
        d.ellipse((240 * s, 40 * s, 280 * s, 80 * s), (80, 140, 70))

    return picture(320, 200, paint)


def badge() -> Image.Image:
    """A star in a disc: the ornament that a workbook repeats beside its headings."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.ellipse((2 * s, 2 * s, 62 * s, 62 * s), (250, 200, 60))
        points = [
            (
                (32 + r * math.sin(math.pi * k / 5)) * s,
                (32 - r * math.cos(math.pi * k / 5)) * s,
            )
            for k in range(10)
            for r in ((24,) if k % 2 == 0 else (10,))
        ]
        d.polygon(points, (220, 70, 50))

    return picture(64, 64, paint)


def clock() -> Image.Image:
    """A clock face that shows three o'clock."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.ellipse((4 * s, 4 * s, 196 * s, 196 * s), (245, 245, 250), (40, 60, 110), 5 * s)
        for k in range(12):
            a = math.tau * k / 12
            ends = [((100 + r * math.sin(a)) * s, (100 - r * math.cos(a)) * s) for r in (78, 88)]
            d.line(ends, (40, 60, 110), 4 * s)
        d.line((100 * s, 100 * s, 100 * s, 34 * s), (20, 20, 20), 4 * s)
        d.line((100 * s, 100 * s, 148 * s, 100 * s), (20, 20, 20), 7 * s)

    return picture(200, 200, paint)
