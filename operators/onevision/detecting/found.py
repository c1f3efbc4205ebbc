"""What a detector found in a picture, in the server's own pixels, and as the text that is remembered of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataflow_ext import RowError
from dataflow_ext.well_formed import well_formed

#: Characters of a value that an error message repeats.
_SHOWN = 60


class ShapeError(RowError):
    """A server's reply is not of the form that its profile gives; the text says where."""


@dataclass(frozen=True, slots=True)
class FoundObject:
    """One object as the server gave it: ``box`` is x0, y0, x1, y1, unchecked, in pixels of the server's picture."""

    label: str
    score: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Found:
    """All objects of a picture, and ``size``: the width and height that their boxes refer to, None if not told.

    Boxes from 0 to 1 are those of a picture of size 1 x 1.

    >>> found = Found((FoundObject("ball", 0.9, (1.0, 2.0, 3.0, 4.0)),), (640.0, 480.0))
    >>> found.text()
    '{"size":[640.0,480.0],"objects":[["ball",0.9,1.0,2.0,3.0,4.0]]}'
    >>> Found.read(found.text()) == found
    True
    """

    objects: tuple[FoundObject, ...]
    size: tuple[float, float] | None = None

    def text(self) -> str:
        """It as JSON; objects with numbers that are none are left out."""
        kept = [each for each in self.objects if all(map(math.isfinite, (each.score, *each.box)))]
        rows = [[each.label, each.score, *each.box] for each in kept]
        size = None if self.size is None else list(self.size)
        return json.dumps({"size": size, "objects": rows}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Found:
        """What such a text holds; ShapeError for any other."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise ShapeError(f"it is no JSON: {text[:_SHOWN]!r}") from None
        rows = listed(field(data, "objects", "the reply"), "objects")
        objects = []
        for place, row in enumerate(rows):
            values = listed(row, f"objects[{place}]", 6)
            label, *numbers = values
            score, x0, y0, x1, y1 = (number(each, f"objects[{place}]") for each in numbers)
            objects.append(FoundObject(words(label, f"objects[{place}]"), score, (x0, y0, x1, y1)))
        size = data.get("size")
        return cls(tuple(objects), None if size is None else size_of(*listed(size, "size", 2)))


def field(value: object, name: str, where: str) -> Any:
    """The value of an object's field; ShapeError without one."""
    if not isinstance(value, Mapping) or name not in value:
        raise ShapeError(f"{where} has no {name!r}, it is {shown(value)}")
    return value[name]


def listed(value: object, where: str, length: int | None = None) -> list[Any]:
    """The value, which is a list, of that length if one is given; otherwise ShapeError."""
    if not isinstance(value, list) or length not in (None, len(value)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise ShapeError(f"{where} is {shown(value)}, not {wanted}")
    return value


def number(value: object, where: str) -> float:
    """The number, infinite for what no float holds and nan for null; ShapeError for anything else."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ShapeError(f"{where} holds {shown(value)} where a number should stand")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def words(value: object, where: str) -> str:
    """The text, as a file can hold it; ShapeError for anything else."""
    if not isinstance(value, str):
        raise ShapeError(f"{where} holds {shown(value)} where a text should stand")
    return well_formed(value)


def size_of(width: object, height: object) -> tuple[float, float]:
    """A picture's size; ShapeError for one that no picture has."""
    sides = number(width, "the size"), number(height, "the size")
    if not all(math.isfinite(side) and side > 0 for side in sides):
        raise ShapeError(f"the size is {shown([width, height])}, which no picture has")
    return sides


def shown(value: object) -> str:
    """A value as an error message repeats it.

    >>> shown({"error": "x" * 100})
    '{"error": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    text = well_formed(text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
