"""What type a picture is of, and what is in it: by a model's reply, or by rules from its path and its captions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from dataflow_ext.text import rows
from dataflow_ext.text.nouns import plural
from dataflow_ext.well_formed import is_well_formed
from operators.onevision.describing.leaks import without_leaks
from operators.onevision.model.records import ImageType
from operators.onevision.rewriting.facts import words_of
from operators.onevision.rewriting.sentences import sentences_of

#: The most labels of one picture, and the most characters of a label and of a caption.
MOST, _LABEL, _LONGEST = 20, 60, 6000


def type_named(name: Any) -> Any:
    """The type that a name clearly stands for, else the name itself, for the validator to refuse.

    >>> type_named("Bar chart"), type_named("natural-scene "), type_named("collage")
    ('chart', 'natural_scene', 'collage')
    """
    if not isinstance(name, str) or len(name) > 100:
        return name
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return plain if plain in get_args(ImageType) else _other_names().get(plain, name)


@cache
def _other_names() -> dict[str, str]:
    """Other names for the types that are clear; all else is asked for again."""
    return {name: kind for where, name, kind, _ in rows(__package__, "data/image_type_names.tsv") if where == "reply"}


class ImageReply(BaseModel):
    """The reply for one picture.

    >>> told = '{"image_type": "Bar chart", "caption": " Two bars. ", "objects": ["Bar", "bar", ""]}'
    >>> ImageReply.model_validate_json(told)
    ImageReply(image_type='chart', caption='Two bars.', objects=['bar'])
    """

    model_config = ConfigDict(strict=True)

    image_type: Annotated[ImageType, BeforeValidator(type_named)] = Field(description="one of the eleven types")
    caption: str = Field(description="all that can be seen, in two to eight sentences")
    objects: list[str] = Field(description="short nouns of the things in the picture, at most 20")

    @field_validator("caption")
    @classmethod
    def _said(cls, caption: str) -> str:
        text = sound(caption).strip()
        if not text:
            raise ValueError("the caption is empty")
        if len(text) > _LONGEST:
            raise ValueError(f"the caption has {len(text):,} characters, more than {_LONGEST:,}")
        return text

    @field_validator("objects")
    @classmethod
    def _labels(cls, objects: list[str]) -> list[str]:
        labels = (" ".join(sound(each).lower().split()).strip(" .,;:") for each in objects)
        return list(dict.fromkeys(label for label in labels if 0 < len(label) <= _LABEL))[:MOST]


def sound(text: str) -> str:
    """The text, if it can be written as UTF-8; ValueError if it holds half a character, which a table cannot hold."""
    if not is_well_formed(text):
        raise ValueError("the text holds half of a surrogate pair; write the whole character")
    return text.replace("\x00", "")


_ENGLISH = re.compile(r"[a-z]+(?:-[a-z]+)*")


def objects_by_rules(caption: str) -> list[str]:
    """English labels of the things that a caption names, in its order, each once.

    >>> objects_by_rules("Two men stand beside a dining table; a dog lies under the table.")
    ['person', 'table', 'dog']
    >>> objects_by_rules("一个木块放在斜面上，用细绳绕过滑轮与小球相连。")
    ['block', 'inclined plane', 'string', 'pulley', 'ball']
    """
    text = caption[:_CAPTION].lower()
    found = sorted([*_english(text), *_chinese(text)])
    return list(dict.fromkeys(label for _, label in found))[:MOST]


def _english(text: str) -> list[tuple[int, str]]:
    """Places and labels; of words that overlap the longest run counts."""
    words = [(word.start(), word[0]) for word in _ENGLISH.finditer(text)]
    labels = _labels()
    found = []
    place = 0
    while place < len(words):
        for length in (3, 2, 1):
            run = " ".join(word for _, word in words[place : place + length])
            if run in labels:
                found.append((words[place][0], labels[run]))
                place += length - 1
                break
        place += 1
    return found


def _chinese(text: str) -> list[tuple[int, str]]:
    labels = _labels()
    return [(each.start(), labels[each[0]]) for each in _chinese_words().finditer(text) if each[0] in labels]


@cache
def _labels() -> dict[str, str]:
    """The label of each name: of English ones in the plural, too."""
    made = {}
    for label, others in rows(__package__, "data/things.tsv"):
        for word in (label, *others.split("; ")) if label else ():
            if word.isascii():
                made[word] = label
                made.setdefault(plural(word), label)
            else:
                made.setdefault(word, label)
    return made


@cache
def _chinese_words() -> re.Pattern[str]:
    """Chinese names, and words that hold one and name no thing, which stand in the row without a label."""
    words = [word for _, others in rows(__package__, "data/things.tsv") for word in others.split("; ")]
    return re.compile("|".join(sorted((word for word in words if word and not word.isascii()), key=len, reverse=True)))


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
    return next(kind for kind, _, _ in _patterns() if points[kind] == best)


def _of_path(image: str) -> Counter[ImageType]:
    """Points of the folders' data set, else of the words in the path."""
    folders = image[:_PATH].lower().replace("\\", "/").split("/")
    names = _names()
    for folder in folders:
        known = names.get(("folder", re.sub(r"[^a-z0-9]", "", folder)))
        if known:
            return Counter(dict((known,)))
    found = [names.get(("word", word)) for folder in folders for word in _WORD.findall(folder)]
    kinds = dict(sorted({each for each in found if each is not None}))
    return Counter(kinds) if len(kinds) <= 2 else Counter()


def _of_caption(caption: str) -> Counter[ImageType]:
    """Points of the phrases in a caption."""
    text = " ".join(caption[:_CAPTION].lower().split())
    points: Counter[ImageType] = Counter()
    for kind, weight, pattern in _patterns():
        for found in islice(pattern.finditer(text), _MOST):
            points[kind] += weight * (2 if found.start() < _OPENING else 1)
    return points


@cache
def _names() -> dict[tuple[str, str], tuple[ImageType, int]]:
    """What folders and words of a path tell: the type, and how sure that is."""
    table = rows(__package__, "data/image_type_names.tsv")
    return {(where, name): (kind, int(weight)) for where, name, kind, weight in table if weight}  # type: ignore[misc]


@cache
def _patterns() -> tuple[tuple[ImageType, int, re.Pattern[str]], ...]:
    """One expression for each type and weight, the more particular types first; English phrases are whole words."""
    by_weight: dict[tuple[str, str], list[str]] = {}
    for kind, weight, phrase in rows(__package__, "data/image_type_phrases.tsv"):
        by_weight.setdefault((kind, weight), []).append(phrase)
    made = []
    for (kind, weight), phrases in by_weight.items():
        english = [phrase for phrase in phrases if phrase.isascii()]
        chinese = [phrase for phrase in phrases if not phrase.isascii()]
        parts = ([rf"\b(?:{'|'.join(english)})(?!\w)"] if english else []) + chinese
        made.append((kind, int(weight), re.compile("|".join(parts))))
    return tuple(made)  # type: ignore[arg-type]


#: Captions that are compared.
_CAPTIONS = 30
#: A sentence of another caption is added if it speaks of the same things and most of it is new: the bounds of the share
#: of its words that were told already.
_SAME, _NEW = 0.25, 0.6
#: Sentences that are added.
_ADDED = 3


def best_caption(captions: Sequence[str]) -> str:
    """The caption of which most words stand in others, too, without leaks; then what those tell besides.

    Where no other one bears any out, the longest. The order of the captions makes no difference.

    >>> best_caption(["A cat sits on a red chair.", "A cat on a chair sleeps beside a lamp.", "A ship."])
    'A cat on a chair sleeps beside a lamp. A cat sits on a red chair.'
    """
    clean = sorted({text for text, _ in map(without_leaks, captions[:_CAPTIONS]) if text} or set(captions[:1]))
    if len(clean) < 2:
        return clean[0] if clean else ""
    words = {text: words_of(text) for text in clean}
    often = Counter(word for each in words.values() for word in each)
    borne = {text: sum(often[word] > 1 for word in words[text]) for text in clean}
    best = max(clean, key=lambda text: (borne[text], len(words[text]), text))
    told, added = set(words[best]), 0
    for text in sorted(clean, key=lambda text: (-borne[text], text)):
        for sentence in sentences_of(text) if text != best else ():
            said = words_of(sentence)
            if added < _ADDED and said and _SAME <= len(said & told) / len(said) <= _NEW:
                best, added = f"{best} {sentence}", added + 1
                told |= said
    return best
