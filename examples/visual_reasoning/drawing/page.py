"""A sheet to draw on that remembers what was written and drawn where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from drawing.fonts import font, is_chinese
from drawing.rows import Box, Picture, Thing

Point = tuple[float, float]


class Page:
    """A sheet of ``width`` x ``height`` pixels; drawn with Pillow, lettered through :meth:`text`."""

    def __init__(self, width: int, height: int, ground: str = "white") -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self.draw = ImageDraw.Draw(self.image)
        self.texts: list[str] = []
        self.things: list[Thing] = []

    def text(self, x: float, y: float, words: str, size: int = 20, *, anchor: str = "mm", fill: str = "black") -> Box:
        """Write a line; the box of its ink."""
        face = font(is_chinese(words), size)
        self.draw.text((x, y), words, fill=fill, font=face, anchor=anchor)
        self.texts.append(words)
        x0, y0, x1, y1 = self.draw.textbbox((x, y), words, font=face, anchor=anchor)
        return math.floor(x0), math.floor(y0), math.ceil(x1), math.ceil(y1)

    def thing(self, label: str, x0: float, y0: float, x1: float, y1: float, *attributes: str) -> None:
        """Remember that an object was drawn there."""
        w, h = self.image.size
        box = (max(0, round(x0)), max(0, round(y0)), min(w, round(x1)), min(h, round(y1)))
        self.things.append(Thing(label, box, attributes))

    def line(self, *points: Point, width: int = 3, fill: str = "black") -> None:
        self.draw.line([*points], fill=fill, width=width, joint="curve")

    def dashes(self, a: Point, b: Point, width: int = 2, fill: str = "black") -> None:
        """A dashed line."""
        count = max(1, int(math.dist(a, b) / 12))
        for number in range(count):
            ends = [(number + part) / count for part in (0, 0.55)]
            self.line(*((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in ends), width=width, fill=fill)

    def arrow(self, a: Point, b: Point, width: int = 3, fill: str = "black", head: float = 13) -> None:
        """A line with a filled head at ``b``."""
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        back = (b[0] - head * 0.8 * math.cos(angle), b[1] - head * 0.8 * math.sin(angle))
        self.line(a, back, width=width, fill=fill)
        sides = [(b[0] - head * math.cos(angle + turn), b[1] - head * math.sin(angle + turn)) for turn in (0.42, -0.42)]
        self.draw.polygon([b, *sides], fill=fill)

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: str | None = None, width: int = 3) -> None:
        self.draw.rectangle([x0, y0, x1, y1], fill=fill, outline="black", width=width)

    def circle(self, x: float, y: float, r: float, fill: str | None = None, width: int = 3) -> None:
        self.draw.ellipse([x - r, y - r, x + r, y + r], fill=fill, outline="black", width=width)

    def polygon(self, points: Sequence[Point], fill: str | None = None, width: int = 3) -> None:
        self.draw.polygon(points, fill=fill)
        self.line(*points, points[0], points[1], width=width)

    def shaded(self, top: str, bottom: str, box: tuple[int, int, int, int]) -> None:
        """Fill a box with colours that run from top to bottom."""
        x0, y0, x1, y1 = box
        ramp = Image.linear_gradient("L").resize((x1 - x0, y1 - y0))
        self.image.paste(Image.new("RGB", ramp.size, bottom), (x0, y0), None)
        self.image.paste(Image.new("RGB", ramp.size, top), (x0, y0), ramp.point(lambda value: 255 - value))

    def photo(self, seed: int, blur: float = 0.6, grain: float = 0.07) -> None:
        """Make the drawing look a little like a photograph: soft edges and grain."""
        self.image = self.image.filter(ImageFilter.GaussianBlur(blur))
        w, h = self.image.size
        noise = Image.frombytes("L", (w, h), Random(seed).randbytes(w * h)).filter(ImageFilter.GaussianBlur(0.7))
        self.image = Image.blend(self.image, noise.convert("RGB"), grain)
        self.draw = ImageDraw.Draw(self.image)

    def done(self, path: str, kind: str, *, caption: str, description: str, code: str) -> Picture:
        """The finished picture with the truth about it."""
        return Picture(
            path, kind, self.image, tuple(self.things), tuple(self.texts), caption, description.strip(), code.strip()
        )
