"""Rows of equal circles: the lamps beside a lit one are grey or dim, so they are found by their edge, not colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from operators.game.light.blobs import Blob, lit_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from operators.game.light.planes import Planes

_ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
#: Radii tried, as multiples of the lit lamp's: it may be drawn larger, and its border does not count as it.
_RADII = np.arange(0.8, 1.31, 0.07)
#: By how much inside and outside of an edge differ at least, in grey levels or chroma.
_EDGE = 5.0
#: On what share of its circumference an edge must run the same way.
_WHOLE = 0.85
#: The same for a fourth circle, as lines run through the discs of long rows.
_MOSTLY = 0.65
#: Steps from a lamp to the other two, in distances between neighbours: it is the middle one, or an outer one; and to
#: where a fourth would be.
_OTHERS = (((-1, 1), (-2, 2)), ((1, 2), (-1, 3)), ((-1, -2), (1, -3)))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another circle of a row: its centre, and how much it is lit against the blob (1 for equally)."""

    x: float
    y: float
    lit: float


def neighbours(planes: Planes, blob: Blob) -> list[Neighbour]:
    """The other circles of a row or column of three or more that are equal and evenly spaced; none if it is alone."""
    distances, radii = np.arange(1.95, 6.5, 0.07) * blob.radius, blob.radius * _RADII
    best = _WHOLE
    where: list[tuple[float, float]] = []
    for across, down in ((1, 0), (0, 1)):
        whole = {
            k: _whole(planes, blob.x + k * across * distances, blob.y + k * down * distances, radii)
            for k in (-3, -2, -1, 1, 2, 3)
        }
        for (first, second), more in _OTHERS:
            both = np.minimum(whole[first], whole[second])
            place = np.unravel_index(int(both.argmax()), both.shape)
            if both[place] <= best:
                continue
            best, distance = float(both[place]), float(distances[int(place[0])])
            about = slice(max(0, int(place[0]) - 2), int(place[0]) + 3)
            steps = (first, second, *(k for k in more if whole[k][about].max() > _MOSTLY))
            where = [(blob.x + k * across * distance, blob.y + k * down * distance) for k in steps]
    return [_neighbour(planes, blob, x, y) for x, y in where]


def _whole(
    planes: Planes, xs: NDArray[np.float64], ys: NDArray[np.float64], radii: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each centre and radius, on what share of the circle the picture has an edge of one direction."""
    gap = max(1.5, 0.09 * float(radii[0]))
    best = np.zeros((len(xs), len(radii)))
    for plane in (planes.grey, planes.chroma):
        step = _on_circle(plane, xs, ys, radii - gap) - _on_circle(plane, xs, ys, radii + gap)
        best = np.maximum(best, np.maximum((step > _EDGE).mean(axis=2), (step < -_EDGE).mean(axis=2)))
    return best


def _on_circle(
    plane: NDArray[np.uint8], xs: NDArray[np.float64], ys: NDArray[np.float64], radii: NDArray[np.float64]
) -> NDArray[np.float32]:
    """The plane's values on each circle, centres x radii x angles; not a number outside the picture."""
    height, width = plane.shape
    columns = np.rint(xs[:, None, None] + radii[None, :, None] * np.cos(_ANGLES)).astype(int)
    rows = np.rint(np.broadcast_to(ys, xs.shape)[:, None, None] + radii[None, :, None] * np.sin(_ANGLES)).astype(int)
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    values = plane.ravel()[np.where(inside, rows * width + columns, 0)].astype(np.float32)
    values[~inside] = np.nan
    return values


def _neighbour(planes: Planes, blob: Blob, x: float, y: float) -> Neighbour:
    return Neighbour(x, y, lit_at(planes, x, y, blob.radius) / max(blob.lit, 1e-6))
