"""Pictures cut out of PDF pages and saved as PNG files."""

from __future__ import annotations

import math
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext.files import atomic
from operators.pdf.parser.ink import page_objects, pixel_count
from operators.pdf.parser.runs import Box

#: Dots per inch of a crop.
DPI = 180
#: No crop has more pixels than this: a larger one is cut out more coarsely.
MAX_PIXELS = 6_000_000
#: Pictures with more pixels than this are left blank: decoding them could exhaust the memory.
MAX_SOURCE_PIXELS = 120_000_000

_MARGIN = 3.0


def crop_scale(box: Box) -> float:
    """Pixels per point for a crop of this rectangle in points."""
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1.0)
    return min(DPI / 72, math.sqrt(MAX_PIXELS / area))


def save_crop(page: pdfium.PdfPage, box: Box, path: Path) -> None:
    """Write the part of a page in ``box`` (points, y down, as shown) to ``path`` as PNG.

    The file appears whole or not at all; one that exists is left as it is. The caller holds the
    pdfium lock.
    """
    if path.exists():
        return
    width, height = page.get_size()
    x0, y0 = max(box[0] - _MARGIN, 0.0), max(box[1] - _MARGIN, 0.0)
    x1, y1 = min(box[2] + _MARGIN, width), min(box[3] + _MARGIN, height)
    bitmap = page.render(scale=crop_scale((x0, y0, x1, y1)), crop=(x0, height - y1, width - x1, y0))
    try:
        picture = bitmap.to_pil().convert("RGB")
    finally:
        bitmap.close()
    with atomic(path) as partial:
        picture.save(partial, "PNG")


def move_huge_pictures_away(page: pdfium.PdfPage) -> int:
    """Make pdfium pass over pictures with more than :data:`MAX_SOURCE_PIXELS`; how many there were."""
    found = 0
    for obj, kind, _ in page_objects(page):
        if kind == raw.FPDF_PAGEOBJ_IMAGE and pixel_count(obj) > MAX_SOURCE_PIXELS:
            # Off the page: what lies outside the crop is never decoded. The file itself stays as it is.
            raw.FPDFPageObj_Transform(obj, 1, 0, 0, 1, 1e6, 1e6)
            found += 1
    return found
