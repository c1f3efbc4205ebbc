"""The light of a single screenshot: how much glows in each colour, and the strongest glow if none comes near it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from operators.game.rounds import Box, Found, Look, screen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels
    from operators.game.rounds import Light

    Plane: TypeAlias = NDArray[np.float32]

#: From which glow on a place is lit; how large it is at least, as a share of the picture's shorter side, and from
#: which size on size tells nothing; which share of the picture it fills at most.
_LIT, _LEAST, _LARGE, _MOST = 0.3, 0.03, 0.12, 0.25
#: A place is sure from this strength on, if the strongest one of another colour is behind by such a share.
_STRONG, _AHEAD = 0.3, 0.75
#: Places that are fainter are not told.
_FAINT = 0.05

#: The colours in the order of the planes.
COLOURS: tuple[Light, Light, Light] = ("RED", "YELLOW", "GREEN")
#: The hues of each colour in degrees, how far beyond them it fades out, and what makes shades equally strong that
#: people call equally bright: green ones are duller, yellow ones brighter.
_HUES, _FADES, _FAIR = ((-32.0, 18.0), (26.0, 68.0), (78.0, 178.0)), 10.0, (1.0, 0.8, 1.35)
#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 360.0, 1300.0


@dataclass(frozen=True, slots=True)
class Lit:
    """A lit place in a picture: its colour, how strong it is as a light (0 to about 1), and its box there."""

    colour: int
    strength: float
    box: Box


def look_at_light(picture: Path | Pixels) -> Found:
    """The colour of the light in a picture (a file, or RGB pixels), as far as one picture tells it.

    The value is None if nothing glows. Raises PictureMissing or PictureDamaged.
    """
    glow = glow_of(screen(picture) if isinstance(picture, Path) else picture)
    found = sorted((lit for lit in _lit_places(glow) if lit.strength > _FAINT), key=lambda lit: -lit.strength)
    if not found:
        return Found(None, Look("colour", "", 0.0, "nothing glows in a light's colour"))
    best = found[0]
    rival = max((lit.strength for lit in found if lit.colour != best.colour), default=0.0) / best.strength
    confidence = 0.99 * ramp(best.strength, _FAINT, _STRONG) * ramp(1 - rival, 0.05, _AHEAD)
    name, box = COLOURS[best.colour], glow.in_picture(*best.box)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    reason = f"the strongest glow, at ({x:.0f}, {y:.0f}), is {name}; " + (
        f"the strongest of another colour is {rival:.0%} as strong" if rival else "nothing glows in another colour"
    )
    return Found(name, Look("colour", name, round(confidence, 3), reason))


def _lit_places(glow: Glow) -> list[Lit]:
    """All connected places that glow in one colour, but for whole bars and grounds."""
    high, wide = glow.shape
    short, planes = min(high, wide), glow.plane
    found = []
    for colour in range(3):
        plane = np.ascontiguousarray(planes[..., colour])
        mask = cv2.morphologyEx((plane > _LIT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for label in range(1, count):
            x, y, w, h, area = stats[label].tolist()
            if w >= 0.98 * wide or w * h > _MOST * wide * high or area < (_LEAST * short) ** 2:
                continue
            part = np.s_[y : y + h, x : x + w]
            mean = float(plane[part][labels[part] == label].mean())
            size = min(1.0, area**0.5 / short / _LARGE) * ramp(area / (w * h), 0.2, 0.6)
            stands = _stands((x + w / 2) / wide, (y + h / 2) / high)
            found.append(Lit(colour, mean * size * stands, (x, y, x + w, y + h)))
    return found


def _stands(across: float, down: float) -> float:
    """How likely a light is at a place: over the cards, not in a bar at the top or a corner of the head."""
    high = (0.3 + 0.7 * ramp(down, 0.03, 0.12)) * (1 - 0.8 * ramp(down, 0.5, 0.75))
    return high * (1 - 0.5 * ramp(abs(2 * across - 1), 0.5, 0.7) * (1 - ramp(down, 0.15, 0.22)))


def ramp(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on, straight between.

    >>> ramp(1.0, 2.0, 6.0), ramp(4.0, 2.0, 6.0), ramp(9.0, 2.0, 6.0)
    (0.0, 0.5, 1.0)
    """
    return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class Glow:
    """Hue (a circle of 256) and chroma (0 to 255) of each pixel; ``scale`` is pixels here a pixel of the picture."""

    hue: NDArray[np.uint8]
    chroma: NDArray[np.uint8]
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return self.hue.shape[0], self.hue.shape[1]

    @property
    def plane(self) -> Plane:
        """Height x width x 3: chroma (0 to 1) in red, yellow and green; made anew, as it takes six times the room."""
        return np.asarray(_shares()[self.hue] * (self.chroma[..., None].astype(np.float32) / 255), np.float32)

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
    return Glow(np.asarray(hue, np.uint8), np.asarray(cv2.multiply(saturation, value, scale=1 / 255), np.uint8), scale)


def _shares() -> Plane:
    """How much of each of 256 hues is in each colour."""
    degrees = np.arange(256) * (360 / 256)
    shares = []
    for (low, high), fair in zip(_HUES, _FAIR, strict=True):
        away = np.abs((degrees - (low + high) / 2 + 180) % 360 - 180) - (high - low) / 2
        shares.append(fair * np.clip(1 - away / _FADES, 0, 1))
    return np.stack(shares, axis=1).astype(np.float32)
