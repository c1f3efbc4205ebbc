"""Pages drawn as a scanner would see them, with the lines that OCR would read, for tests of the residue."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import OCRLine
from operators.pdf.scan.picture import PagePicture
from operators.pdf.scan.residue import Residue, find_residue

#: Pixels a point.
SCALE = 2.0
EM = 24
BLACK = (20, 20, 20)


class ScanSheet:
    """A page of 600 x 700 points to draw on, in pixels; :meth:`words` also notes what OCR would read."""

    def __init__(self, paper: tuple[int, int, int] = (255, 255, 255)) -> None:
        self.image = Image.new("RGB", (1200, 1400), paper)
        self.pen = ImageDraw.Draw(self.image)
        self.lines: list[OCRLine] = []

    def words(self, x: float, y: float, text: str, *, size: int = EM, read: str | None = None) -> None:
        """Words with their left end at ``x`` and their middle at ``y``; ``read`` is what OCR takes them for."""
        font = ImageFont.load_default(size)
        self.pen.text((x, y), text, fill=BLACK, font=font, anchor="lm")
        if read != "":
            x0, y0, x1, y1 = self.pen.textbbox((x, y), text, font=font, anchor="lm")
            high = 0.65 * size
            self.lines.append(
                OCRLine(read or text, 0.99, (x0 - 4, min(y0 - 2, y - high), x1 + 4, max(y1 + 2, y + high)))
            )

    def paragraph(self, top: float, count: int = 3, left: float = 80) -> None:
        """Some long lines of text from ``top`` on."""
        for row in range(count):
            self.words(left, top + 40 * row, "The quick brown fox jumps over the lazy dog near a river bank")

    def stroke(self, *points: tuple[float, float], width: int = 3) -> None:
        """A line through some points."""
        self.pen.line(points, fill=BLACK, width=width)

    def dashes(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """A dashed line."""
        one, two = np.array(start), np.array(end)
        steps = int(np.hypot(*(two - one)) // 16)
        for step in range(steps):
            a, b = one + (two - one) * step / steps, one + (two - one) * (step + 0.6) / steps
            self.stroke((float(a[0]), float(a[1])), (float(b[0]), float(b[1])))

    def triangle(self, x: float, y: float, size: float = 200) -> None:
        """A triangle with its upper left corner of its rectangle at a place."""
        self.stroke((x, y + size), (x + size / 2, y), (x + size, y + size), (x, y + size))

    def pixels(self) -> np.ndarray:
        """The page as it was drawn."""
        return np.array(self.image)

    def residue(self, pixels: np.ndarray | None = None) -> Residue:
        """What is found on the page, or on a worse scan of it."""
        return find_residue(PagePicture(self.pixels() if pixels is None else pixels, SCALE), self.lines)

    def boxes(self, pixels: np.ndarray | None = None) -> list[tuple[int, int, int, int]]:
        """The rectangles of the pictures that are found, in whole pixels."""
        found = self.residue(pixels).figures
        return [tuple(round(side * SCALE) for side in figure.box) for figure in found if figure.kind == "image"]

    def read_inside(self) -> list[str]:
        """The words of figures and tables, in the order of the lines."""
        return [self.lines[index].text for index in sorted(self.residue().inside)]


def near(found: tuple[float, ...], wanted: tuple[float, ...], off: float = 0.3 * EM) -> bool:
    """Whether two rectangles differ by no more than ``off`` on any side."""
    return max(abs(one - two) for one, two in zip(found, wanted, strict=True)) <= off


def scanned(pixels: np.ndarray, seed: int = 1) -> np.ndarray:
    """The page with noise, blur and the marks of JPEG."""
    noise = np.random.default_rng(seed).normal(0, 6, pixels.shape[:2])[..., None]
    noisy = np.clip(cv2.GaussianBlur(pixels, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    return cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 55])[1], cv2.IMREAD_COLOR)
