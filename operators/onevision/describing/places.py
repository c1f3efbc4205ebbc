"""Where objects stand in a picture and to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from operators.onevision.records import Detection

#: Objects of a picture that are told of: those with the best scores.
MOST = 40

_ENGLISH = (
    ("upper left", "top", "upper right"),
    ("left", "centre", "right"),
    ("lower left", "bottom", "lower right"),
)
_CHINESE = (("左上", "上方", "右上"), ("左侧", "中央", "右侧"), ("左下", "下方", "右下"))


def told(detections: Sequence[Detection]) -> list[Detection]:
    """The objects to tell of, the best by score, from left to right."""
    sound = [
        each
        for each in detections
        if each.label.strip() and all(map(math.isfinite, each.box)) and each.box[0] < each.box[2]
        and each.box[1] < each.box[3]
    ]  # fmt: skip
    best = sorted(sound, key=lambda each: (-each.score, each.box, each.label))[:MOST]
    return sorted(best, key=lambda each: (each.box, each.label))


def place_of(box: tuple[float, float, float, float], width: int, height: int, *, chinese: bool = False) -> str:
    """Where a box's middle is, in words, by thirds of the picture.

    >>> place_of((0, 0, 20, 20), 300, 300), place_of((250, 120, 280, 160), 300, 300, chinese=True)
    ('upper left', '右侧')
    """
    names = _CHINESE if chinese else _ENGLISH
    column = _third((box[0] + box[2]) / 2, width)
    row = _third((box[1] + box[3]) / 2, height)
    return names[row][column]


def relation(first: Detection, other: Detection) -> str | None:
    """``left of`` or ``above`` if the first is clearly so, beside or over the other one; None else.

    >>> cup, plate = Detection("cup", 1.0, (0, 0, 9, 9)), Detection("plate", 1.0, (12, 2, 20, 9))
    >>> relation(cup, plate), relation(plate, cup)
    ('left of', None)
    """
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = first.box, other.box
    if ax1 <= bx0 and min(ay1, by1) > max(ay0, by0):
        return "left of"
    if ay1 <= by0 and min(ax1, bx1) > max(ax0, bx0):
        return "above"
    return None


def _third(middle: float, size: int) -> int:
    return min(2, max(0, int(3 * middle / max(size, 1))))
