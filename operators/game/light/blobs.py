"""Round blobs of a lamp's colour: where the picture holds a disc of one hue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from operators.game.light.hues import FAIR, OTHER, WINDOWS, mean_hue, named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from operators.game.light.planes import Planes

#: Centre x, y, radius and roundness.
Circle: TypeAlias = tuple[float, float, float, float]

#: Chroma from which a pixel counts as coloured; a disc shows at several, its panel or glow only at some.
_LEVELS = (45, 75, 105, 140, 180)
#: Diameters looked at, as shares of the picture's shorter side; nothing under so many pixels is round for sure.
_SMALLEST, _LARGEST, _FEWEST = 0.02, 0.75, 10
#: How much of the circle around it a blob fills at least.
_ROUND = 0.8
#: In percent of its pixels: a white icon or label leaves as many of a disc as it is lit.
_MOST_OF_IT = 80


@dataclass(frozen=True, slots=True)
class Blob:
    """A disc: centre and radius in pixels of the planes, and what fills it.

    ``roundness`` is its share of the circle around it (1 for a disc), ``filled`` the share of the circle in its
    hues, ``hue`` in degrees, ``chroma`` and ``lit`` (see :func:`lit_at`) from 0 to 1.
    """

    x: float
    y: float
    radius: float
    roundness: float
    filled: float
    hue: float
    chroma: float
    lit: float


def blobs(planes: Planes) -> list[Blob]:
    """All round blobs, each once, the largest first."""
    found: list[Blob] = []
    for window in (*WINDOWS.values(), OTHER):
        hued = planes.within(window)
        chroma = cv2.bitwise_and(planes.chroma, hued)
        for level in _LEVELS:
            _, mask = cv2.threshold(chroma, level - 1, 255, cv2.THRESH_BINARY)
            found += [
                _filled(planes, hued, level, circle)
                for circle in _round_outlines(np.asarray(mask, np.uint8), planes.short)
            ]
    return _once(found)


def _round_outlines(mask: NDArray[np.uint8], short: float) -> Iterator[Circle]:
    """Centre, radius and roundness of each connected part of a mask that is round, its holes filled."""
    smallest, largest = max(_FEWEST, _SMALLEST * short), _LARGEST * short
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for i, contour in enumerate(contours):
        if hierarchy[0][i][3] >= 0 or len(contour) < 2 * smallest:
            continue  # the edge of a hole, or too small
        _, _, width, height = cv2.boundingRect(contour)
        if not (smallest <= min(width, height) and max(width, height) <= min(largest, 1.25 * min(width, height))):
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < 0.6 * width * height or cv2.contourArea(contour) < 0.85 * area:
            continue  # not full enough for a disc, or with dents
        moments = cv2.moments(hull)
        x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
        reach = np.hypot(hull[:, 0, 0] - x, hull[:, 0, 1] - y)
        # The outline runs through the middles of the outermost pixels, half a pixel inside the true edge.
        roundness = (float(np.sqrt(area / np.pi)) + 0.5) ** 2 / (float(reach.max()) + 0.5) ** 2
        if roundness >= _ROUND:
            yield x, y, float(np.sqrt(area / np.pi)) + 0.5, roundness


def _filled(planes: Planes, hued: NDArray[np.uint8], level: int, circle: Circle) -> Blob:
    """A blob with what is measured inside its circle."""
    x, y, r, roundness = circle
    inside, window = disc(planes, x, y, 0.92 * r)
    chroma = planes.chroma[window][inside].astype(np.float32)
    coloured = (hued[window][inside] > 0) & (chroma >= 0.7 * level)
    hues = planes.degrees(planes.hue[window][inside])
    if not coloured.any():
        return Blob(x, y, r, roundness, 0.0, 0.0, 0.0, 0.0)
    hue = mean_hue(hues[coloured], chroma[coloured])
    mean = float(chroma[coloured].mean()) / 255
    return Blob(x, y, r, roundness, float(coloured.mean()), hue, mean, lit_at(planes, x, y, r))


def lit_at(planes: Planes, x: float, y: float, r: float) -> float:
    """How much a disc is lit, 0 to 1: chroma times value, fair to all hues; icons and shine in it do not count."""
    inside, window = disc(planes, x, y, 0.8 * r)
    chroma, value = planes.chroma[window][inside].astype(np.float32), planes.value[window][inside]
    colour, _ = named(mean_hue(planes.degrees(planes.hue[window][inside]), chroma))
    return FAIR[colour] * float(np.percentile(chroma * value, _MOST_OF_IT)) / 255**2


def disc(planes: Planes, x: float, y: float, r: float) -> tuple[NDArray[np.bool_], tuple[slice, slice]]:
    """Which pixels of a window lie in a circle, and that window, cut off at the picture's edges."""
    height, width = planes.hue.shape
    x0, x1 = max(0, int(x - r)), min(width, int(x + r) + 2)
    y0, y1 = max(0, int(y - r)), min(height, int(y + r) + 2)
    rows, columns = np.ogrid[y0:y1, x0:x1]
    return (columns - x) ** 2 + (rows - y) ** 2 <= r * r, (slice(y0, y1), slice(x0, x1))


def _once(found: list[Blob]) -> list[Blob]:
    """Each disc once, at the level where it is roundest: the same one shows at several levels and in two hues."""
    kept: list[Blob] = []
    for blob in sorted(found, key=lambda b: (-round(b.roundness * min(1.0, b.filled / 0.6), 2), -b.radius)):
        if not any(_same(blob, other) for other in kept):
            kept.append(blob)
    return sorted(kept, key=lambda b: -b.radius)


def _same(a: Blob, b: Blob) -> bool:
    larger = max(a.radius, b.radius)
    apart = float(np.hypot(a.x - b.x, a.y - b.y))
    return apart < 0.4 * larger and min(a.radius, b.radius) > 0.5 * larger
