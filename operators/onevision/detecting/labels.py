"""What is looked for in a picture: the things that the image step named, or what such pictures mostly show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice

#: Labels that are looked for at once, at most.
MOST = 20
#: A longer name, in characters, is no name of a thing.
_LONGEST = 60

#: What is looked for in a picture of which nothing was named, by its type.
GENERAL: Mapping[str, tuple[str, ...]] = {
    "natural_scene": (
        *("person", "animal", "bird", "car", "bicycle", "boat", "building", "tree", "flower", "table", "chair"),
        *("bottle", "cup", "plate", "food", "book", "bag", "sign", "ball", "screen"),
    ),
    "synthetic_scene": ("cube", "sphere", "cylinder", "cone", "box", "ball", "person", "vehicle", "tree", "building"),
    "physics_setup": (
        *("block", "ball", "pulley", "rope", "spring", "weight", "inclined plane", "table", "cart", "beam", "pivot"),
        *("wall", "lens", "mirror", "magnet", "container", "arrow"),
    ),
    "geometry": (
        *("triangle", "circle", "square", "rectangle", "polygon", "angle", "line", "point", "arc", "cone"),
        *("cylinder", "sphere", "prism", "pyramid"),
    ),
}

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
