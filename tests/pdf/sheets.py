"""Small PDFs for tests, drawn with reportlab; places are in points from the top left corner."""

from __future__ import annotations

import io
import random
from pathlib import Path

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 595.0, 842.0
#: A font that every viewer knows: no font file is needed, and the letters can be read back.
SONG = "STSong-Light"

pdfmetrics.registerFont(UnicodeCIDFont(SONG))


class Sheet:
    """A PDF under construction."""

    def __init__(self, path: Path, width: float = WIDTH, height: float = HEIGHT, **options) -> None:
        self.path = path
        self.height = height
        self.canvas = Canvas(str(path), pagesize=(width, height), **options)

    def text(self, x: float, y: float, text: str, size: float = 10.5, font: str | None = None) -> None:
        """Letters with their baseline at ``y``; Helvetica unless there are Chinese ones."""
        self.canvas.setFont(font or ("Helvetica" if text.isascii() else SONG), size)
        self.canvas.drawString(x, self.height - y, text)

    def bold(self, x: float, y: float, text: str, size: float = 10.5) -> None:
        self.text(x, y, text, size, "Helvetica-Bold")

    def lines(self, x: float, y: float, texts: list[str], step: float = 16, size: float = 10.5) -> float:
        """Lines below each other; the y of the next one."""
        for text in texts:
            self.text(x, y, text, size)
            y += step
        return y

    def hidden(self, x: float, y: float, text: str) -> None:
        """Letters that are not drawn, as OCR software leaves them."""
        words = self.canvas.beginText(x, self.height - y)
        words.setFont(SONG, 10)
        words.setTextRenderMode(3)
        words.textOut(text)
        self.canvas.drawText(words)

    def line(self, x0: float, y0: float, x1: float, y1: float, width: float = 0.6) -> None:
        self.canvas.setLineWidth(width)
        self.canvas.line(x0, self.height - y0, x1, self.height - y1)

    def rect(self, x0: float, y0: float, x1: float, y1: float, fill: float | None = None) -> None:
        if fill is not None:
            self.canvas.setFillGray(fill)
        self.canvas.rect(x0, self.height - y1, x1 - x0, y1 - y0, stroke=1, fill=int(fill is not None))
        self.canvas.setFillGray(0)

    def circle(self, x: float, y: float, radius: float) -> None:
        self.canvas.circle(x, self.height - y, radius)

    def triangle(self, x: float, y: float, wide: float, high: float) -> None:
        """A triangle in a rectangle, with A at its top, B and C at its foot."""
        top, left, right = (x + wide / 3, y), (x, y + high), (x + wide, y + high)
        for one, two in ((top, left), (left, right), (right, top)):
            self.line(*one, *two)
        self.text(top[0] - 3, top[1] - 3, "A", 9)
        self.text(left[0] - 9, left[1] + 3, "B", 9)
        self.text(right[0] + 3, right[1] + 3, "C", 9)

    def picture(self, x0: float, y0: float, x1: float, y1: float, seed: int = 1, side: int = 24) -> None:
        """A raster picture with noise of its own."""
        noise = random.Random(seed)
        image = Image.frombytes("RGB", (side, side), noise.randbytes(side * side * 3))
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        buffer.seek(0)
        self.canvas.drawImage(ImageReader(buffer), x0, self.height - y1, x1 - x0, y1 - y0)

    def next_page(self) -> None:
        self.canvas.showPage()

    def save(self) -> Path:
        self.canvas.save()
        return self.path
