"""What a detector found, as boxes inside the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dataflow_ext import RowError
from operators.onevision.detecting.found import Found, FoundObject, shown
from operators.onevision.detecting.labels import as_asked
from operators.onevision.records import Detection

#: Decimals of scores, and of sides in pixels.
_SCORE, _SIDE = 4, 2


def detections_of(
    found: Found, width: int, height: int, labels: Sequence[str], *, threshold: float, most: int
) -> list[Detection]:
    """The objects with a score from ``threshold`` on, ``most`` of them, in pixels of a picture of that size.

    The surest comes first. Boxes are scaled if the server's picture had another size, their corners put in order,
    and what is outside is cut off; what then has no area is left out, as is what nobody asked for, and a second
    object with the same label and box. RowError if all objects have names that nobody asked for: then the server
    does not do what it was asked.

    >>> from operators.onevision.detecting.found import FoundObject
    >>> ball, weak = FoundObject("Ball", 0.75, (0.5, 0.5, 0.25, 2.0)), FoundObject("ball", 0.1, (0, 0, 1, 1))
    >>> detections_of(Found((ball, weak), (1, 1)), 640, 480, ["ball"], threshold=0.3, most=9)
    [Detection(label='ball', score=0.75, box=(160.0, 240.0, 320.0, 480.0))]
    """
    sure = [each for each in found.objects if each.score >= threshold]
    named = [(label, each) for each in sure if (label := as_asked(each.label, labels)) is not None]
    if not named and any(each.label.strip() for each in sure):
        given = ", ".join(sorted({each.label for each in sure})[:5])
        raise RowError(
            f"The detector found things that were not asked for ({shown(given)}), and none of the "
            f"{len(labels)} labels; check that its server takes labels."
        )
    scale = (1.0, 1.0) if found.size is None else (width / found.size[0], height / found.size[1])
    best: dict[tuple[str, tuple[float, float, float, float]], float] = {}
    for label, each in named:
        box = _inside(each, scale, width, height)
        if box is not None:
            best[label, box] = max(best.get((label, box), 0.0), round(min(max(each.score, 0.0), 1.0), _SCORE))
    order = sorted(best.items(), key=lambda entry: (-entry[1], entry[0][1], entry[0][0]))
    return [Detection(label, score, box) for (label, box), score in order[:most]]


def _inside(
    found: FoundObject, scale: tuple[float, float], width: int, height: int
) -> tuple[float, float, float, float] | None:
    """The part of a box that is in the picture, None if there is none."""
    if not all(map(math.isfinite, found.box)):
        return None
    x0, x1 = sorted(_between(side * scale[0], width) for side in found.box[::2])
    y0, y1 = sorted(_between(side * scale[1], height) for side in found.box[1::2])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _between(side: float, most: int) -> float:
    return round(min(max(side, 0.0), float(most)), _SIDE)
