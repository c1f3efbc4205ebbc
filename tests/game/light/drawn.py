"""Screens with lamps, drawn small, to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw

from dataflow_ext.ocr import OCRLine

WIDTH, HEIGHT = 180, 320
GREEN, RED, YELLOW = (34, 197, 94), (235, 51, 73), (255, 205, 20)
GREY, BLUE, ORANGE = (204, 204, 204), (70, 140, 240), (255, 120, 30)
SHADES = {"GREEN": GREEN, "RED": RED, "YELLOW": YELLOW}

Colour = tuple[int, int, int]
#: Centre x, y, radius, colour.
Disc = tuple[float, float, float, Colour]


def screen_of(
    *discs: Disc,
    ground: Colour = (245, 246, 250),
    cards: bool = True,
    scale: float = 1.0,
    at: tuple[float, float] = (0, 0),
) -> Image.Image:
    """A screen with three cards and discs, everything of it moved by ``at`` and then drawn ``scale`` times as large."""
    fine = 4 * scale
    image = Image.new("RGB", (round(WIDTH * fine), round(HEIGHT * fine)), ground)
    draw = ImageDraw.Draw(image)
    for i in range(3 if cards else 0):
        x = 12 + 54 * i
        draw.rounded_rectangle([v * fine for v in (x, 220, x + 46, 280)], 6 * fine, (102, 126, 234))
        draw.rectangle([v * fine for v in (x + 20, 235, x + 26, 262)], (255, 255, 255))
    for x, y, r, colour in discs:
        x, y = x + at[0], y + at[1]
        draw.ellipse([v * fine for v in (x - r, y - r, x + r, y + r)], colour)
    return image.resize((round(WIDTH * scale), round(HEIGHT * scale)), Image.Resampling.BOX)


def row_of(colours: Sequence[Colour], y: float = 100, r: float = 11, step: float = 28, x: float = 90) -> list[Disc]:
    """Discs side by side, around x."""
    return [(x + (i - (len(colours) - 1) / 2) * step, y, r, colour) for i, colour in enumerate(colours)]


def shaded(image: Image.Image, x: float, y: float, r: float, inner: Colour, outer: Colour) -> Image.Image:
    """The picture with a disc that runs from one colour in its middle to another at its edge."""
    pixels = np.asarray(image).copy()
    rows, columns = np.ogrid[: image.height, : image.width]
    far = np.hypot(columns - x, rows - y)[..., None] / r
    disc = np.array(inner) * (1 - far) + np.array(outer) * far
    return Image.fromarray(np.where(far <= 1, disc, pixels).astype(np.uint8))


def pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image)


class Reads:
    """An engine that reads the given words at the given places of any picture."""

    name = "reads"

    def __init__(self, words: Mapping[str, tuple[float, float]] | None = None) -> None:
        self.words = words or {}

    def read(self, pictures: Sequence[object]) -> list[list[OCRLine]]:
        lines = [OCRLine(text, 0.9, (x - 10, y - 4, x + 10, y + 4)) for text, (x, y) in self.words.items()]
        return [lines for _ in pictures]

    def identity(self) -> Mapping[str, object]:
        return {"words": str(self.words)}
