"""How a PDF page's own coordinates become those of the page as it is shown: rotation and crop box applied.

Shown places are in points, x to the right, y downwards from the top left corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2 as pdfium

from operators.pdf.parser.runs import Box


@dataclass(slots=True, frozen=True)
class Frame:
    """How a page's own coordinates become shown ones: ``X = a·x + c·y + e``, ``Y = b·x + d·y + f``."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point as shown."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle as shown, corners in order."""
        if self.a == 1:  # as most pages are: not turned
            x0, y0, x1, y1 = left + self.e, self.f - top, right + self.e, self.f - bottom
            return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def page_frame(page: pdfium.PdfPage) -> Frame:
    """The frame of a page, from its crop box and its rotation."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    turn = page.get_rotation() % 360
    if turn == 90:
        return Frame(high, wide, 0, 1, 1, 0, -bottom, -left)
    if turn == 180:
        return Frame(wide, high, -1, 0, 0, 1, right, -bottom)
    if turn == 270:
        return Frame(high, wide, 0, -1, -1, 0, top, right)
    return Frame(wide, high, 1, 0, 0, -1, -left, top)
