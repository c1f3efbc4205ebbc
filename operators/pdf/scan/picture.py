"""The picture of a scanned page, rendered and turned straight."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from operators.pdf.parser.crop import move_huge_pictures_away
from operators.pdf.parser.ink import read_ink
from operators.pdf.parser.page_frame import page_frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

#: The resolution at which pages are read, in dots per inch.
PAGE_DPI = 200.0
#: No picture of a page has more pixels than this: a larger page is rendered more coarsely.
MAX_PIXELS = 16_000_000

#: An A4 page at the resolution for reading; a scan is not blown up beyond it.
_A4_PIXELS = 3_870_000
#: A page whose longer side is below this (A6) may be a scan with a wrong size; in points.
_TINY = 420.0
_A4_LONG = 842.0
#: A page that is tilted less than this is left as it is, in degrees.
_MIN_ANGLE = 0.15


@dataclass(slots=True)
class PagePicture:
    """A page as pixels, turned straight: height x width x 3 (RGB) of uint8.

    ``scale`` is pixels a point of the page; ``angle`` tells by how many degrees, counter-clockwise, the
    page was turned to make its lines level. Places in points are those of the straight picture divided by
    ``scale``, from its upper left corner, y downwards.
    """

    pixels: NDArray[np.uint8]
    scale: float
    angle: float = 0.0


def take_picture(page: pdfium.PdfPage, dpi: float = PAGE_DPI, angle: float | None = None) -> PagePicture:
    """The picture of a page as it is shown, turned straight; ``angle`` is one found before, else it is sought.

    The size stays that of the page, the corners that come free are filled with the colour of the paper.
    A page that would have more than :data:`MAX_PIXELS` is rendered more coarsely than ``dpi``: ``scale``
    of the result tells. Pictures that are too large to decode stay blank. The caller holds the pdfium lock.
    """
    import numpy as np

    if huge := move_huge_pictures_away(page):
        logger.warning("%d pictures of a page are too large to decode and stay blank", huge)
    scale = _page_scale(page, dpi)
    bitmap = page.render(scale=scale, rev_byteorder=True)
    try:
        pixels = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
    finally:
        bitmap.close()
    picture = PagePicture(pixels, scale)
    return straighten(picture, angle)


def straighten(picture: PagePicture, angle: float | None = None) -> PagePicture:
    """The picture turned by ``angle`` degrees counter-clockwise, by its own tilt if none is given.

    Less than 0.15 degrees of its own tilt leave it as it is.
    """
    import cv2
    import numpy as np

    from operators.pdf.scan.page import find_skew

    if angle is None:
        angle = find_skew(picture.pixels)
        if abs(angle) < _MIN_ANGLE:
            return picture
    if not angle:
        return picture
    high, wide = picture.pixels.shape[:2]
    turn = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), angle, 1.0)
    paper = np.median(picture.pixels[::16, ::16].reshape(-1, 3), axis=0)
    pixels = cv2.warpAffine(
        picture.pixels, turn, (wide, high), flags=cv2.INTER_CUBIC, borderValue=tuple(float(one) for one in paper)
    )
    return PagePicture(np.asarray(pixels, np.uint8), picture.scale, angle)


def _page_scale(page: pdfium.PdfPage, dpi: float) -> float:
    """Pixels a point: for ``dpi``, unless the page is too large, or its size has nothing to do with its scan."""
    wide, high = page.get_size()
    area = max(wide * high, 1.0)
    scale, own = dpi / 72, _own_scale(page)
    if own and max(wide, high) < _TINY:
        scale = max(scale, min(own, scale * _A4_LONG / max(wide, high)))
    elif own and own < scale:
        # More pixels than the scan has tell nothing more, they only help letters that are very small.
        scale = max(own, min(scale, math.sqrt(_A4_PIXELS / area) * dpi / PAGE_DPI))
    return min(scale, math.sqrt(MAX_PIXELS / area))


def _own_scale(page: pdfium.PdfPage) -> float:
    """Pixels a point of the pictures on a page, whole or in strips; 0 if they do not cover most of it."""
    frame = page_frame(page)
    rasters = read_ink(page, frame).rasters
    covered = sum((one.box[2] - one.box[0]) * (one.box[3] - one.box[1]) for one in rasters)
    if covered < 0.5 * frame.width * frame.height:
        return 0.0
    return math.sqrt(sum(one.pixels for one in rasters) / covered)
