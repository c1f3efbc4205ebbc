"""A screenshot as the light reader looks at it: scaled, smoothed, and taken apart into hue, chroma and value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels
    from operators.game.rounds import Box

#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 720.0, 2600.0
#: A hue is stored as one byte for the full circle.
_DEGREES = 360.0 / 256.0


@dataclass(frozen=True, slots=True)
class Planes:
    """Height x width planes of uint8: hue (256 steps a circle), chroma (largest minus smallest channel), value, grey.

    ``scale`` is pixels here for one pixel of the picture, ``corner`` the picture's pixel (x, y) that comes first
    here, and ``whole`` the height and width that all of the picture would have here.
    """

    hue: NDArray[np.uint8]
    chroma: NDArray[np.uint8]
    value: NDArray[np.uint8]
    grey: NDArray[np.uint8]
    scale: float
    corner: tuple[int, int]
    whole: tuple[float, float]

    @property
    def short(self) -> float:
        """The whole picture's shorter side, the measure of all sizes."""
        return min(self.whole)

    def in_picture(self, x: float, y: float) -> tuple[float, float]:
        """A place here, whole numbers at the middles of pixels, in the picture, whole numbers at their corners."""
        return self.corner[0] + (x + 0.5) / self.scale, self.corner[1] + (y + 0.5) / self.scale

    def within(self, hues: tuple[float, float]) -> NDArray[np.uint8]:
        """255 where a pixel's hue lies between two, in degrees, else 0."""
        low, high = (round(edge / _DEGREES) for edge in hues)
        steps = (np.arange(256) - low) % 256 <= high - low
        return np.asarray(cv2.LUT(self.hue, (steps * 255).astype(np.uint8)), np.uint8)

    def degrees(self, hues: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Stored hues in degrees."""
        return hues.astype(np.float32) * np.float32(_DEGREES)


def planes_of(pixels: Pixels, window: Box | None = None) -> Planes:
    """The planes of a picture (height x width x 3, RGB, uint8) or of a window of it, that lies inside it.

    They are scaled to at most 720 px on the shorter side.
    """
    x0, y0, x1, y1 = map(round, window or (0, 0, pixels.shape[1], pixels.shape[0]))
    shown = pixels[y0:y1, x0:x1]
    height, width = shown.shape[:2]
    scale = min(1.0, _SHORT / min(height, width), _LONG / max(height, width))
    if scale < 1.0:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        shown = np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8)
    smooth = cv2.GaussianBlur(shown, (3, 3), 0)
    hue, saturation, value = (np.asarray(p, np.uint8) for p in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_RGB2HSV_FULL)))
    chroma = np.asarray(cv2.multiply(saturation, value, scale=1 / 255), np.uint8)
    grey = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY), np.uint8)
    whole = pixels.shape[0] * scale, pixels.shape[1] * scale
    return Planes(hue, chroma, value, grey, scale, (x0, y0), whole)
