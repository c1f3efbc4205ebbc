"""Rough prints of drawings, by which the same ornament is known again on other scanned pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GRID = 8
#: Two scans of one drawing have less than this share of their ink in other fields, and differ so little in size.
_INK_OFF = 0.12
_SIZE_OFF = 0.06
_SMALL_OFF = 2.0


def print_of(ink: NDArray[np.uint8], box: Box) -> int:
    """The print of what a mask of ink holds in ``box`` (in pixels): how full each field of a grid is.

    It is 64 bytes as one whole number. Noise changes it a little: :func:`same_prints` evens that out.
    """
    x0, y0, x1, y1 = (round(side) for side in box)
    part = ink[max(y0, 0) : y1, max(x0, 0) : x1]
    if not part.size:
        return 0
    grid = cv2.resize(part.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
    return int.from_bytes(np.round(255 * grid).astype(np.uint8).tobytes(), "big")


def same_prints(pages: Sequence[Sequence[Figure]]) -> None:
    """Give one digest to figures of a scanned book that are the same drawing; digests are prints before."""
    known: list[tuple[Figure, NDArray[np.float64]]] = []
    for figure in (figure for figures in pages for figure in figures):
        fields = _fields(figure.digest)
        twin = next((other for other, print_ in known if _alike(figure, fields, other, print_)), None)
        if twin is None:
            known.append((figure, fields))
        else:
            figure.digest = twin.digest


def _fields(digest: int) -> NDArray[np.float64]:
    """The share of its ink that each field of a print holds: thicker strokes of a darker scan leave it as it is."""
    fields = np.frombuffer(digest.to_bytes(_GRID * _GRID, "big"), np.uint8).astype(float)
    return np.asarray(fields / max(float(fields.sum()), 1.0))


def _alike(one: Figure, fields: NDArray[np.float64], two: Figure, print_: NDArray[np.float64]) -> bool:
    for axis in (0, 1):
        first, second = one.box[axis + 2] - one.box[axis], two.box[axis + 2] - two.box[axis]
        if abs(first - second) > _SIZE_OFF * max(first, second) + _SMALL_OFF:
            return False
    return float(np.abs(fields - print_).sum()) / 2 <= _INK_OFF
