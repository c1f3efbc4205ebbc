"""The light of a screenshot: its colour, how surely, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from operators.game.light.lamps import Lamp, lamps, ramp
from operators.game.light.planes import planes_of
from operators.game.rounds import Box, Found, Look
from operators.game.screen import screen

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels
    from operators.game.light.planes import Planes

#: A blob that looks less like a lamp is none.
_LEAST = 0.08
#: From which score on a lamp is sure if it has no rival, and from which lead on over a rival of another colour.
_CLEAR, _AHEAD = 0.4, 0.45
#: How far around a box a closer look goes, in the box's own width and height.
_AROUND = 3.0


def look_at_light(picture: Path | Pixels, near: Box | None = None) -> Found:
    """The colour of the lit lamp in a picture (a file, or RGB pixels), as far as it can be told.

    ``near`` is where it must be, in pixels of the picture: then only that part is looked at, in full resolution.
    The value is None if nothing looks like a lamp. ``columns["lamp"]`` is its box. Raises PictureMissing or
    PictureDamaged.
    """
    pixels = screen(picture) if isinstance(picture, Path) else picture
    window = None if near is None else _window(near, *pixels.shape[:2])
    if window is not None and min(window[2] - window[0], window[3] - window[1]) < 1:
        return _nothing("the place to look at is outside the picture")
    planes = planes_of(pixels, window)
    found = [lamp for lamp in lamps(planes, near) if lamp.score >= _LEAST]
    if not found:
        return _nothing("no round blob in a lamp's colour was found" + (" there" if near else ""))
    best = found[0]
    rival = max((lamp.score for lamp in found if lamp.colour != best.colour), default=0.0)
    confidence = 0.99 * best.sure * ramp(best.score, 0.1, _CLEAR) * ramp(1 - rival / best.score, 0.05, _AHEAD)
    look = Look("colour", best.colour, round(confidence, 3), _reason(planes, best, rival))
    return Found(best.colour, look, columns={"lamp": _box(planes, best)})


def _nothing(reason: str) -> Found:
    return Found(None, Look("colour", "", 0.0, reason))


def _window(near: Box, height: int, width: int) -> Box:
    """A box with its surroundings, as far as they are in the picture."""
    x0, y0, x1, y1 = near
    wide, high = _AROUND * (x1 - x0), _AROUND * (y1 - y0)
    return max(0.0, x0 - wide), max(0.0, y0 - high), min(float(width), x1 + wide), min(float(height), y1 + high)


def _box(planes: Planes, lamp: Lamp) -> Box:
    """A lamp's box in pixels of the picture."""
    (x, y), r = planes.in_picture(lamp.blob.x, lamp.blob.y), lamp.blob.radius / planes.scale
    return x - r, y - r, x + r, y + r


def _reason(planes: Planes, best: Lamp, rival: float) -> str:
    x, y = planes.in_picture(best.blob.x, best.blob.y)
    diameter = 2 * best.blob.radius / planes.scale
    what = f"a round blob of hue {best.blob.hue:.0f} at ({x:.0f}, {y:.0f}), diameter {diameter:.0f}, {best.stands}"
    if best.sure < 1.0:
        what += ", its hue between two colours"
    if rival < _LEAST:
        return f"{what}; no other colour has a candidate"
    return f"{what}; the best candidate of another colour is {rival / best.score:.0%} as good"
