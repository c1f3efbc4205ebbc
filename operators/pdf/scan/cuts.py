"""Figures cut out of scanned pages, and places on the straight page brought back to the page as it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pypdfium2 as pdfium

from dataflow_ext.files import atomic
from operators.pdf.parser.runs import Box
from operators.pdf.scan.picture import take_picture

_MARGIN = 3.0


def save_cuts(page: pdfium.PdfPage, dpi: float, angle: float, cuts: Sequence[tuple[Box, Path]]) -> None:
    """Write parts of a page, turned straight by ``angle`` degrees, as PNG files: pairs of a box in points and a path.

    Files appear whole or not at all; those that exist are left as they are. The caller holds the pdfium lock.
    """
    from PIL import Image

    todo = [(box, path) for box, path in cuts if not path.exists()]
    if not todo:
        return
    picture = take_picture(page, dpi, angle)
    high, wide = picture.pixels.shape[:2]
    for box, path in todo:
        x0, y0 = (max(0, int((side - _MARGIN) * picture.scale)) for side in box[:2])
        x1, y1 = (math.ceil((side + _MARGIN) * picture.scale) for side in box[2:])
        part = picture.pixels[y0 : max(min(y1, high), y0 + 1), x0 : max(min(x1, wide), x0 + 1)]
        with atomic(path) as partial:
            Image.fromarray(part).save(partial, "PNG")


def turned_back(box: Box, width: float, height: float, angle: float) -> Box:
    """Where a box of a page that was turned by ``angle`` degrees stood before: the rectangle around it, in points.

    >>> [round(side) for side in turned_back((0, 0, 100, 50), 100, 50, 180)]
    [0, 0, 100, 50]
    """
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    corners = [(x - width / 2, y - height / 2) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs = [width / 2 + x * cosine - y * sine for x, y in corners]
    ys = [height / 2 + x * sine + y * cosine for x, y in corners]
    return (min(xs), min(ys), max(xs), max(ys))


def straight(box: Box, width: float, height: float, angle: float) -> Box:
    """Where a box of the page comes to stand once the page is turned straight by ``angle`` degrees."""
    return turned_back(box, width, height, -angle)
