"""A printed page drawn letter by letter, with the lines that OCR would read, for tests of words."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Box
from operators.pdf.scan.picture import PagePicture

#: Pixels a point, and the size of the text in pixels.
SCALE = 200 / 72
EM = 30


class Printed:
    """A page to write on; places are in pixels, ``base`` is the y of a baseline."""

    def __init__(self, seed: int = 0) -> None:
        self.image = Image.new("RGB", (1400, 1000), (250, 250, 247))
        self.pen = ImageDraw.Draw(self.image)
        self.lines: list[OCRLine] = []
        self.rules: list[Box] = []
        self.random = np.random.default_rng(seed)

    def write(
        self,
        x: float,
        base: float,
        text: str,
        *,
        size: float = EM,
        read: str | None = None,
        score: float = 0.97,
        ink: int = 35,
        stroke: int = 0,
    ) -> float:
        """Words from ``x`` on; ``read`` is what OCR takes them for. Where they end is returned.

        Ideographs are drawn as frames with a cross, which is as large and as dark as they are.
        """
        start, font = x, ImageFont.load_default(size)
        for char in text:
            if "\u4e00" <= char <= "\u9fff":
                left, right, top, bottom = x + 0.05 * size, x + 0.95 * size, base - 0.83 * size, base + 0.07 * size
                wide = 2 + stroke
                self.pen.rectangle((left, top, right, bottom), outline=(ink,) * 3, width=wide)
                self.pen.line((left, (top + bottom) / 2, right, (top + bottom) / 2), fill=(ink,) * 3, width=wide)
                self.pen.line(((left + right) / 2, top, (left + right) / 2, bottom), fill=(ink,) * 3, width=wide)
                x += size
            else:
                self.pen.text((x, base), char, fill=(ink,) * 3, font=font, anchor="ls", stroke_width=stroke)
                x += self.pen.textlength(char, font=font)
        self.see(start, base, x, text if read is None else read, size, score)
        return x

    def see(self, x0: float, base: float, x1: float, text: str, size: float = EM, score: float = 0.97) -> None:
        """Note a line that OCR would read here: its box is a little larger than the ink, never quite the same."""
        off = self.random.uniform(0.08, 0.2, 4) * size
        box = (x0 - off[0], base - 0.84 * size - off[1], x1 + off[2], base + 0.12 * size + off[3])
        self.lines.append(OCRLine(text, score, tuple(float(one) for one in box)))

    def rule(self, x0: float, y: float, x1: float) -> None:
        """A level rule, two pixels thick; it is noted in points."""
        self.pen.rectangle((x0, y, x1, y + 1), fill=(35, 35, 35))
        self.rules.append((x0 / SCALE, y / SCALE, x1 / SCALE, (y + 2) / SCALE))

    def ring(self, x: float, base: float) -> None:
        """A Chinese full stop at the foot of a line."""
        self.pen.ellipse((x + 2, base - 6, x + 10, base + 2), outline=(35, 35, 35), width=2)

    @property
    def picture(self) -> PagePicture:
        """The page with the soft edges that a scan has."""
        return PagePicture(np.asarray(cv2.GaussianBlur(np.asarray(self.image), (3, 3), 0), np.uint8), SCALE)
