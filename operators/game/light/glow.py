"""How much each part of a screenshot glows in each of a light's colours, whatever its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels
    from operators.game.rounds import Box, Light

    Plane: TypeAlias = NDArray[np.float32]

#: The colours in the order of the planes.
COLOURS: tuple[Light, Light, Light] = ("RED", "YELLOW", "GREEN")
#: The hues of each colour in degrees, how far beyond them it fades out, and what makes shades equally strong that
#: people call equally bright: green ones are duller, yellow ones brighter.
_HUES, _FADES, _FAIR = ((-32.0, 18.0), (26.0, 68.0), (78.0, 178.0)), 10.0, (1.0, 0.8, 1.35)
#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 360.0, 1300.0


@dataclass(frozen=True, slots=True)
class Glow:
    """Height x width x 3: chroma (0 to 1) in red, yellow and green; ``scale`` is pixels here a pixel of the picture."""

    plane: Plane
    scale: float

    def in_picture(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box here in pixels of the picture."""
        return x0 / self.scale, y0 / self.scale, x1 / self.scale, y1 / self.scale


def glow_of(pixels: Pixels) -> Glow:
    """The glow of a picture (height x width x 3, RGB, uint8), scaled down."""
    height, width = pixels.shape[:2]
    scale = min(1.0, _SHORT / min(height, width), _LONG / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = pixels if scale == 1.0 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(small, (3, 3), 0)
    hue, saturation, value = cv2.split(cv2.cvtColor(smooth, cv2.COLOR_RGB2HSV_FULL))
    chroma = cv2.multiply(saturation, value, scale=1 / 255)
    return Glow(np.asarray(_shares()[hue] * (chroma[..., None].astype(np.float32) / 255), np.float32), scale)


def _shares() -> Plane:
    """How much of each of 256 hues is in each colour."""
    degrees = np.arange(256) * (360 / 256)
    shares = []
    for (low, high), fair in zip(_HUES, _FAIR, strict=True):
        away = np.abs((degrees - (low + high) / 2 + 180) % 360 - 180) - (high - low) / 2
        shares.append(fair * np.clip(1 - away / _FADES, 0, 1))
    return np.stack(shares, axis=1).astype(np.float32)
