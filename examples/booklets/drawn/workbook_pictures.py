"""The raster pictures of the content list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw, ImageFont

from drawn.fonts import FILES
from drawn.pictures import SCALE, badge, clock, picture

INK = (30, 30, 30)


def _words(d: ImageDraw.ImageDraw, x: float, y: float, words: str, size: int = 15) -> None:
    font = ImageFont.truetype(str(FILES["Serif"]), size * SCALE)
    d.text((x * SCALE, y * SCALE), words, fill=INK, font=font, anchor="mm")


def number_line(first: int, last: int, points: dict[str, float], *, numbers: bool = True) -> Image.Image:
    """A number line with named points."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        unit = 320 / (last - first + 1)

        def at(value: float) -> float:
            return 20 + (value - first + 0.5) * unit

        d.line((10 * s, 40 * s, 350 * s, 40 * s), INK, 2 * s)
        d.polygon([(350 * s, 34 * s), (350 * s, 46 * s), (362 * s, 40 * s)], INK)
        for value in range(first, last + 1):
            if numbers or value == 0:
                d.line((at(value) * s, 33 * s, at(value) * s, 40 * s), INK, 2 * s)
                _words(d, at(value), 55, str(value).replace("-", "−"))
        for name, place in points.items():
            d.ellipse(((at(place) - 4) * s, 36 * s, (at(place) + 4) * s, 44 * s), INK)
            _words(d, at(place), 18, name)

    return picture(380, 70, paint)


def square(cells: Sequence[Sequence[str]]) -> Image.Image:
    """A square of cells, some of them filled."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        for i, row in enumerate(cells):
            for j, cell in enumerate(row):
                x, y = 10 + 50 * j, 10 + 50 * i
                d.rectangle((x * s, y * s, (x + 50) * s, (y + 50) * s), None, INK, 2 * s)
                _words(d, x + 25, y + 25, cell, 18)

    return picture(20 + 50 * len(cells[0]), 20 + 50 * len(cells), paint)


def matches() -> Image.Image:
    """Rows of one, two and three triangles laid with matches."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        left = 15.0
        for count in (1, 2, 3):
            for k in range(count):
                a, b = (
                    (left + 25 * k, 70 if k % 2 == 0 else 20),
                    (left + 25 * k + 50, 70 if k % 2 == 0 else 20),
                )
                tip = (left + 25 * k + 25, 20 if k % 2 == 0 else 70)
                for start, end in ((a, b), (b, tip), (tip, a)):
                    d.line((start[0] * s, start[1] * s, end[0] * s, end[1] * s), (170, 60, 40), 4 * s)
            left += 25 * count + 65

    return picture(370, 90, paint)


def shaded() -> Image.Image:
    """A square cut into four, one quarter shaded."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.rectangle((10 * s, 10 * s, 60 * s, 60 * s), (150, 150, 160))
        for x0, y0, x1, y1 in ((10, 10, 110, 110), (10, 10, 60, 110), (10, 10, 110, 60)):
            d.rectangle((x0 * s, y0 * s, x1 * s, y1 * s), None, INK, 2 * s)

    return picture(120, 120, paint)


def temperatures() -> Image.Image:
    """A line chart: −2 at 4 o'clock, 8 at 14 o'clock."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.line((50 * s, 10 * s, 50 * s, 150 * s), INK, 2 * s)
        d.line((50 * s, 120 * s, 320 * s, 120 * s), INK, 2 * s)
        points = [(50, 112), (94, 136), (204, 56), (314, 96)]
        d.line([(x * s, y * s) for x, y in points], (40, 80, 160), 3 * s)
        for value, y in ((8, 56), (0, 120), (-2, 136)):
            d.line((45 * s, y * s, 50 * s, y * s), INK, 2 * s)
            _words(d, 30, y, str(value).replace("-", "−"), 13)
        for hour, x in ((4, 94), (14, 204), (24, 314)):
            d.line((x * s, 115 * s, x * s, 120 * s), INK, 2 * s)
            _words(d, x, 150, str(hour), 13)

    return picture(340, 165, paint)


def frame() -> Image.Image:
    """A rectangle with the sides a and b."""

    def paint(d: ImageDraw.ImageDraw, s: int) -> None:
        d.rectangle((40 * s, 15 * s, 200 * s, 95 * s), (235, 240, 250), INK, 2 * s)
        _words(d, 120, 112, "a")
        _words(d, 24, 55, "b")

    return picture(220, 125, paint)


ALL: dict[str, Callable[[], Image.Image]] = {
    "star.png": badge,
    "axis_a.png": lambda: number_line(-3, 3, {"A": -2}),
    "clock.png": clock,
    "axis_abcd.png": lambda: number_line(-5, 6, {"A": -4, "B": -1, "C": 2, "D": 5}),
    "axis_ab.png": lambda: number_line(-3, 3, {"a": -1.6, "b": 2.2}, numbers=False),
    "square.png": lambda: square([["3", "−4", ""], ["", "0", ""], ["", "", "?"]]),
    "matches.png": matches,
    "shaded.png": shaded,
    "temperatures.png": temperatures,
    "axis_mn.png": lambda: number_line(-4, 4, {"M": -3, "N": 1}),
    "frame.png": frame,
}
