"""A question and its result picture as two arrays of one size, or why they cannot be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

    Plane: TypeAlias = NDArray[np.float32]

#: Shapes whose height by width differs by less than this factor are the same screen, scaled.
_SAME_SHAPE = 1.03
#: Beyond this factor the pictures show different screens; between the two, bars came or went at an edge.
_NEAR_SHAPE = 1.35


class NotAPair(ValueError):
    """The two pictures cannot be compared; the message is the reason of a look."""


@dataclass(slots=True)
class Pair:
    """Both pictures at one scale: height x width x 3 (RGB) of uint8, the question's size for both.

    ``scale`` is pixels here a pixel of the question as it is stored.
    """

    question: Pixels
    result: Pixels
    scale: float


def pair_of(question: Pixels, result: Pixels, side: int) -> Pair:
    """The pictures with a shorter side of at most ``side`` pixels; raises NotAPair for other shapes."""
    high, wide = question.shape[:2]
    high2, wide2 = result.shape[:2]
    if (high > wide) != (high2 > wide2) and max(high, wide) > 1.1 * min(high, wide):
        raise NotAPair(f"the result picture is {wide2} x {high2} pixels, the question {wide} x {high}: turned")
    shape, shape2 = high / wide, high2 / wide2
    factor = max(shape / shape2, shape2 / shape)
    if factor > _NEAR_SHAPE:
        raise NotAPair(f"the result picture is {wide2} x {high2} pixels, the question {wide} x {high}: another screen")
    scale = min(1.0, side / min(high, wide))
    width, height = max(1, round(wide * scale)), max(1, round(high * scale))
    if factor <= _SAME_SHAPE:
        return Pair(_sized(question, width, height), _sized(result, width, height), scale)
    other = _sized(result, width, max(1, round(high2 * width / wide2)))
    return Pair(_sized(question, width, height), _as_high(other, height), scale)


def lab(picture: Pixels | Plane) -> Plane:
    """A picture of levels up to 255 in CIE Lab as float32: lightness 0 to 100, and the two axes of colour."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255.0, cv2.COLOR_RGB2LAB))


def resized(plane: Plane, factor: float) -> Plane:
    """A plane, or planes, that many times as large."""
    way = cv2.INTER_AREA if factor < 1.0 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(plane, None, fx=factor, fy=factor, interpolation=way), np.float32)


def _sized(picture: Pixels, width: int, height: int) -> Pixels:
    if picture.shape[:2] == (height, width):
        return picture
    smaller = width * height < picture.shape[0] * picture.shape[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way))


def _as_high(picture: Pixels, height: int) -> Pixels:
    """Cut, or filled with its last line, at the bottom."""
    missing = height - picture.shape[0]
    if missing <= 0:
        return picture[:height]
    return np.asarray(cv2.copyMakeBorder(picture, 0, missing, 0, 0, cv2.BORDER_REPLICATE))
