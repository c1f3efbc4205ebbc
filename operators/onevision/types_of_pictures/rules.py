"""The type of a picture by rules: what its path and its caption tell, both weighed."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice

from operators.onevision.records import ImageType
from operators.onevision.types_of_pictures.phrases import PHRASES
from operators.onevision.types_of_pictures.sources import FOLDERS, LIKELY, PATH_WORDS

#: Characters of a caption and of a path that are looked at; the type is told early.
_CAPTION, _PATH = 4000, 1000
#: The first words of a caption say what it is a picture of, so phrases in them count double.
_OPENING = 80
#: How often a phrase of one weight counts for a type; ten dogs make no surer photograph than three.
_MOST = 3
#: What a type needs at least to be taken.
_ENOUGH = 1
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")


def type_by_rules(image: str, caption: str) -> ImageType:
    """The type that path and caption together tell most for; ``map_or_other`` if they tell nothing.

    A caption that names its type beats any path; words that only hint at one do not.

    >>> type_by_rules("chartqa/train/1.png", "The image shows figures for five countries.")
    'chart'
    >>> type_by_rules("sqa/1.png", "电路图由一个电源和两个电阻组成。")
    'circuit'
    >>> type_by_rules("pictures/1.png", "")
    'map_or_other'
    """
    points: Counter[ImageType] = Counter()
    points.update(_of_path(image))
    points.update(_of_caption(caption))
    best = max(points.values(), default=0)
    if best < _ENOUGH:
        return "map_or_other"
    # Of equals, the one that stands first among the phrases' types: the more particular ones do.
    return next(kind for kind in PHRASES if points[kind] == best)


def _of_path(image: str) -> Counter[ImageType]:
    """Points of the folders' data set, else of the words in the path."""
    folders = image[:_PATH].lower().replace("\\", "/").split("/")
    for folder in folders:
        known = FOLDERS.get(re.sub(r"[^a-z0-9]", "", folder))
        if known:
            return Counter({known[0]: known[1]})
    words = [word for folder in folders for word in _WORD.findall(folder)]
    kinds = {PATH_WORDS[word] for word in words if word in PATH_WORDS}
    return Counter(dict.fromkeys(sorted(kinds), LIKELY)) if len(kinds) <= 2 else Counter()


def _of_caption(caption: str) -> Counter[ImageType]:
    """Points of the phrases in a caption."""
    text = " ".join(caption[:_CAPTION].lower().split())
    points: Counter[ImageType] = Counter()
    for kind, weight, pattern in _patterns():
        for found in islice(pattern.finditer(text), _MOST):
            points[kind] += weight * (2 if found.start() < _OPENING else 1)
    return points


@cache
def _patterns() -> tuple[tuple[ImageType, int, re.Pattern[str]], ...]:
    """One expression for each type and weight; English phrases are whole words."""
    made = []
    for kind, weights in PHRASES.items():
        for weight, phrases in weights.items():
            english = [phrase for phrase in phrases if phrase.isascii()]
            chinese = [phrase for phrase in phrases if not phrase.isascii()]
            parts = ([rf"\b(?:{'|'.join(english)})(?!\w)"] if english else []) + chinese
            made.append((kind, weight, re.compile("|".join(parts))))
    return tuple(made)
