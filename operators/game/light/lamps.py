"""Which round blob is the lit lamp: how much each looks like one, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from operators.game.light.blobs import Blob, blobs
from operators.game.light.hues import named
from operators.game.light.row import Neighbour, neighbours

if TYPE_CHECKING:
    from operators.game.light.planes import Planes
    from operators.game.rounds import Box, Light

#: Only so many blobs, the likeliest, are looked at closely.
_MOST = 8
#: A blob with so small a share of the best score is no rival, whatever stands beside it.
_FAR_BEHIND = 0.3
#: A lamp has so many neighbours: levels, pages and buttons come in longer rows.
_TWO = 2
#: Neighbours that are lit at most so much are off, and from so much on they are as lit as the blob itself.
_OFF, _AS_LIT = 0.6, 0.75


@dataclass(frozen=True, slots=True)
class Lamp:
    """A blob as a lamp: its colour, how surely it has that colour, and how much it looks like a lit lamp (0 to 1)."""

    blob: Blob
    colour: Light
    sure: float
    score: float
    stands: str


def lamps(planes: Planes, near: Box | None = None) -> list[Lamp]:
    """The blobs that can be the lit lamp, the best first; with ``near``, those with their centre in that box."""
    discs = blobs(planes)
    seen: list[Lamp] = []
    for blob in discs:
        colour, sure = named(blob.hue)
        if colour is not None and (near is None or _inside(near, *planes.in_picture(blob.x, blob.y))):
            score = _looks(planes, blob) * (_stands(planes, blob) if near is None else 1.0)
            seen.append(Lamp(blob, colour, sure, score * (0.5 + 0.5 * sure), "alone"))
    seen.sort(key=lambda lamp: -lamp.score)
    close: list[Lamp] = []
    for lamp in seen[:_MOST]:
        if lamp.score < _FAR_BEHIND * max((other.score for other in close), default=0.0):
            break
        close.append(_among(lamp, discs, neighbours(planes, lamp.blob)))
    return sorted(close, key=lambda lamp: -lamp.score)


def _inside(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _looks(planes: Planes, blob: Blob) -> float:
    """How much a blob by itself looks like a lamp: round, full, bright, of a lamp's size."""
    size = 2 * blob.radius / planes.short
    big = math.sqrt(ramp(size, 0.02, 0.09)) * (0.8 + 0.2 * ramp(size, 0.08, 0.15)) * (1 - ramp(size, 0.45, 0.75))
    return ramp(blob.roundness, 0.8, 0.93) * ramp(blob.filled, 0.3, 0.65) * big * ramp(blob.lit, 0.08, 0.45)


def _stands(planes: Planes, blob: Blob) -> float:
    """How likely a lamp is at a blob's place: over the cards, not in a bar at the top or a corner of the head."""
    height, width = planes.whole
    down, aside = blob.y / height, abs(2 * blob.x / width - 1)
    high = (0.3 + 0.7 * ramp(down, 0.03, 0.12)) * (1 - 0.8 * ramp(down, 0.55, 0.85))
    corner = 1 - 0.5 * ramp(aside, 0.5, 0.7) * (1 - ramp(down, 0.15, 0.22))
    return high * corner * (1 - 0.15 * ramp(aside, 0.2, 1.0))


def _among(lamp: Lamp, discs: list[Blob], row: list[Neighbour]) -> Lamp:
    """The lamp with what stands beside it: circles that are off speak for it, lit ones against it."""
    brightest = max([_alike(lamp.blob, discs), *(neighbour.lit for neighbour in row)])
    if brightest >= _AS_LIT:
        return _with(lamp, 0.2, "in a row of circles as bright as it")
    if brightest > _OFF:
        return _with(lamp, 0.6, "beside a circle that is nearly as bright")
    if len(row) > _TWO:
        return _with(lamp, 0.25, "in a row of more than three circles")
    if row:
        return _with(lamp, 1.2, "beside two equal circles that are off")
    return _with(lamp, 0.6, "alone")


def _alike(blob: Blob, discs: list[Blob]) -> float:
    """How bright, against a blob, the two are with which it stands in an even row of equal discs; 0 if in none."""
    near = 0.3 * blob.radius
    best = 0.0
    equal = [disc for disc in discs if disc is not blob and abs(disc.radius - blob.radius) < near]
    for a, b in combinations(equal, 2):
        xs, ys = sorted((blob.x, a.x, b.x)), sorted((blob.y, a.y, b.y))
        flat = min(xs[2] - xs[0], ys[2] - ys[0]) < near
        even = max(abs(xs[0] + xs[2] - 2 * xs[1]), abs(ys[0] + ys[2] - 2 * ys[1])) < 2 * near
        if flat and even and abs(a.x - b.x) + abs(a.y - b.y) > blob.radius:
            best = max(best, min(a.lit, b.lit) / blob.lit)
    return best


def _with(lamp: Lamp, share: float, stands: str) -> Lamp:
    """The lamp with a share of its score, and where it stands."""
    return Lamp(lamp.blob, lamp.colour, lamp.sure, min(1.0, share * lamp.score), stands)


def ramp(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on, straight between.

    >>> ramp(1.0, 2.0, 6.0), ramp(4.0, 2.0, 6.0), ramp(9.0, 2.0, 6.0)
    (0.0, 0.5, 1.0)
    """
    return min(1.0, max(0.0, (value - low) / (high - low)))
