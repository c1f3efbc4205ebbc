"""The picture of a scanned page: rendered, turned straight, and figures cut out of it."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from dataflow_ext.files import atomic
from operators.pdf.parser.boxes import area
from operators.pdf.parser.files import page_frame
from operators.pdf.parser.ink import move_huge_pictures_away, read_ink
from operators.pdf.parser.runs import Box

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
    covered = sum(area(one.box) for one in rasters)
    if covered < 0.5 * frame.width * frame.height:
        return 0.0
    return math.sqrt(sum(one.pixels for one in rasters) / covered)


#: No page is taken to be tilted by more than this, in degrees.
MAX_ANGLE = 5.0

#: The width or height, whichever is smaller, of the reduced picture that is looked at.
_REDUCED = 850
_COARSE = 0.25
#: Fewer marks of the size of letters than this are no lines of text.
_MIN_MARKS = 30
#: How much sharper than at other angles the lines of a page of text stand out.
_SHARPER = 1.5
_KERNEL = np.convolve(np.ones(4), np.ones(3)) / 12


def find_skew(pixels: NDArray[np.uint8]) -> float:
    """The angle in degrees by which a page (height x width x 3) must be turned counter-clockwise to be straight.

    Between -5 and 5, right to about 0.05; 0 if the page shows no lines of text.
    """
    ys, xs = _letters(_reduced(pixels))
    if not len(ys):
        return 0.0
    angles = np.arange(-MAX_ANGLE, MAX_ANGLE + _COARSE / 2, _COARSE)
    scores = np.array([_sharpness(ys, xs, angle) for angle in angles])
    best = int(scores.argmax())
    if scores[best] < _SHARPER * float(np.median(scores)):
        return 0.0
    angle, step = float(angles[best]), _COARSE
    while step > 0.03:
        step /= 2
        angle = max((angle - step, angle, angle + step), key=lambda one: _sharpness(ys, xs, one))
    return angle


def _reduced(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    factor = min(1.0, _REDUCED / min(grey.shape))
    if factor == 1.0:
        return np.asarray(grey, np.uint8)
    return np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _letters(grey: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The places (y, x) of the dark pixels that belong to marks as large as letters; none if these are few."""
    # Against the paper around it, so that shadows and grey boxes are no ink.
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 25)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    largest = 0.045 * max(grey.shape)
    wide, high = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    kept = (high >= 4) & (high <= largest) & (wide <= 8 * largest) & (stats[:, cv2.CC_STAT_AREA] >= 8)
    kept[0] = False
    nothing = np.zeros(0, np.float32)
    if int(kept[:count].sum()) < _MIN_MARKS:
        return nothing, nothing
    ys, xs = np.nonzero(kept[marks])
    return ys.astype(np.float32), xs.astype(np.float32)


def _sharpness(ys: NDArray[np.float32], xs: NDArray[np.float32], angle: float) -> float:
    """How sharply rows of ink are parted from white ones once the page is turned by this angle."""
    # Turned counter-clockwise, what lies to the right comes up.
    rows = ys - xs * np.float32(np.tan(np.radians(angle)))
    profile = np.bincount(((rows - rows.min()) * 3).astype(np.int32)).astype(np.float64)
    # In thirds of a pixel, and smoothed: whole rows of pixels would make 0 sharper than the angle next to it.
    profile = np.convolve(profile, _KERNEL)
    return float(np.square(np.diff(profile)).sum())


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
