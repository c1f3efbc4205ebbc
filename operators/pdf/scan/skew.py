"""By how much the lines of a scanned page are tilted."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

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
