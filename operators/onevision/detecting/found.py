"""What was found in a picture: boxes in its pixels, labels, and what stays of them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from dataflow_ext import RowError
from dataflow_ext.text import rows
from dataflow_ext.well_formed import short, well_formed
from operators.onevision.model.records import Detection

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


#: Labels that are looked for at once, at most.
MOST = 20
#: A longer name, in characters, is no name of a thing.
_LONGEST = 60

#: What is looked for in a picture of which nothing was named, by its type.
GENERAL = {kind: tuple(things.split(", ")) for kind, things in rows(__package__, "general.tsv")}

# A full stop parts the labels of a text prompt; control and format characters part words.
_PARTS = re.compile(r"[\s.\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
_EDGES = " ,;:!?'\"`()[]{}<>*_-–—。，；：！？“”‘’（）【】《》、"


def labels_for(objects: Iterable[str], image_type: str) -> list[str]:
    """The labels to look for: the named things, each once, in order, or a general list where there are none.

    >>> labels_for(["Pulley.", "a rope", "pulley", ""], "physics_setup")
    ['pulley', 'a rope']
    >>> labels_for([], "geometry")[:3]
    ['triangle', 'circle', 'square']
    """
    named = dict.fromkeys(filter(None, map(plain, objects)))
    return list(islice(named, MOST)) or list(GENERAL.get(image_type, GENERAL["natural_scene"])[:MOST])


def plain(label: str) -> str:
    """A label in lower case, with single spaces and without what no label ends in; "" for what is no name.

    >>> plain("  Inclined  PLANE. "), plain("x" * 100)
    ('inclined plane', '')
    """
    if len(label) > 4 * _LONGEST:
        return ""
    text = label.encode("utf-8", "ignore").decode().lower()
    text = _PARTS.sub(" ", text).strip(_EDGES)
    return text if len(text) <= _LONGEST else ""


def as_asked(label: str, asked: Iterable[str]) -> str | None:
    """The label that was asked for and that a detector means; None if there is none.

    Detectors give words of a label back, or several labels as one: then it is the longest one that is in the given
    words, else the first one that holds them.

    >>> as_asked("Ball", ["ball", "box"]), as_asked("red ball box", ["ball", "red ball"]), as_asked("plane", ["box"])
    ('ball', 'red ball', None)
    >>> as_asked("plane", ["box", "inclined plane"])
    'inclined plane'
    """
    given, labels = plain(label.replace("##", "")), list(asked)
    if not given or given in labels:
        return given or None
    within = [each for each in labels if f" {each} " in f" {given} "]
    if within:
        return max(within, key=len)
    return next((each for each in labels if given in each), None)


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
    return short(well_formed(text), _SHOWN)
