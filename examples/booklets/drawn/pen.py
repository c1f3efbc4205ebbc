"""A pen that draws a figure and remembers the box it covered."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL.Image import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]


class Pen:
    """Draws in points, y upwards, from ``origin``; without a canvas it only measures."""

    def __init__(self, font: str, canvas: Canvas | None = None, origin: Point = (0, 0), size: float = 9) -> None:
        self.canvas, self.origin, self.font, self.size = canvas, origin, font, size
        self.box: tuple[float, float, float, float] | None = None

    def _cover(self, *points: Point) -> None:
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        x0, y0, x1, y1 = self.box or (xs[0], ys[0], xs[0], ys[0])
        self.box = min(x0, *xs), min(y0, *ys), max(x1, *xs), max(y1, *ys)

    def line(self, *points: Point, close: bool = False, fill: float | None = None, dash: bool = False) -> None:
        """A polyline; closed and filled with a grey of 0 (black) to 1 (white) if wanted."""
        self._cover(*points)
        if self.canvas is None:
            return
        c, (ox, oy) = self.canvas, self.origin
        path = c.beginPath()
        path.moveTo(points[0][0] + ox, points[0][1] + oy)
        for x, y in points[1:]:
            path.lineTo(x + ox, y + oy)
        if close:
            path.close()
        c.saveState()
        c.setLineWidth(0.8)
        c.setDash(*((2, 2),) if dash else ())
        if fill is not None:
            c.setFillGray(fill)
        c.drawPath(path, stroke=1, fill=int(fill is not None))
        c.restoreState()

    def rect(self, x: float, y: float, w: float, h: float, fill: float | None = None) -> None:
        self.line((x, y), (x + w, y), (x + w, y + h), (x, y + h), close=True, fill=fill)

    def circle(self, x: float, y: float, r: float, fill: float | None = None) -> None:
        steps = [math.tau * k / 48 for k in range(48)]
        self.line(*((x + r * math.cos(t), y + r * math.sin(t)) for t in steps), close=True, fill=fill)

    def arrow(self, start: Point, end: Point) -> None:
        """A line with a small filled head at its end."""
        self.line(start, end)
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        wings = [(end[0] - 6 * math.cos(angle + d), end[1] - 6 * math.sin(angle + d)) for d in (0.35, -0.35)]
        self.line(end, *wings, close=True, fill=0)

    def curve(self, f: Callable[[float], float], start: float, stop: float, scale: float) -> None:
        """The graph of ``f``, ``scale`` points a unit."""
        xs = [start + (stop - start) * k / 40 for k in range(41)]
        self.line(*((x * scale, f(x) * scale) for x in xs))

    def text(self, x: float, y: float, words: str) -> None:
        """Words centred on ``x``, their base line at ``y``."""
        width = pdfmetrics.stringWidth(words, self.font, self.size)
        self._cover((x - width / 2, y - 0.2 * self.size), (x + width / 2, y + 0.75 * self.size))
        if self.canvas is not None:
            self.canvas.setFont(self.font, self.size)
            self.canvas.drawCentredString(x + self.origin[0], y + self.origin[1], words)

    def names(self, places: dict[str, Point], centre: Point, off: float = 8) -> None:
        """Letters beside points, pushed away from ``centre``."""
        for name, (x, y) in places.items():
            dx, dy = x - centre[0], y - centre[1]
            length = math.hypot(dx, dy) or 1
            self.text(x + off * dx / length, y + off * dy / length - 0.35 * self.size, name)

    def raster(self, picture: Image, width: float) -> None:
        """A raster picture, ``width`` points wide, its lower left corner at the origin."""
        height = width * picture.height / picture.width
        self._cover((0, 0), (width, height))
        if self.canvas is not None:
            self.canvas.drawImage(ImageReader(picture), *self.origin, width, height, mask="auto")


Drawing = Callable[[Pen], None]


def polygon(pen: Pen, places: dict[str, Point], ring: str, extra: Sequence[str] = ()) -> None:
    """A polygon through the named points, further segments such as ``"AD"``, and the points' letters."""
    pen.line(*(places[name] for name in ring), close=True)
    for segment in extra:
        pen.line(*(places[name] for name in segment))
    centre = (
        sum(places[name][0] for name in ring) / len(ring),
        sum(places[name][1] for name in ring) / len(ring),
    )
    pen.names(places, centre)
