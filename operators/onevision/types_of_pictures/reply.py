"""What a model replies about a picture: its type, a dense caption, and the things in it."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from dataflow_ext.text import rows
from dataflow_ext.well_formed import is_well_formed
from operators.onevision.model.records import ImageType

#: The most labels of one picture, and the most characters of a label and of a caption.
MOST, _LABEL, _CAPTION = 20, 60, 6000


def type_named(name: Any) -> Any:
    """The type that a name clearly stands for, else the name itself, for the validator to refuse.

    >>> type_named("Bar chart"), type_named("natural-scene "), type_named("collage")
    ('chart', 'natural_scene', 'collage')
    """
    if not isinstance(name, str) or len(name) > 100:
        return name
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return plain if plain in get_args(ImageType) else _names().get(plain, name)


@cache
def _names() -> dict[str, str]:
    """Other names for the types that are clear; all else is asked for again."""
    return {name: kind for where, name, kind, _ in rows(__package__, "names.tsv") if where == "reply"}


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
        if len(text) > _CAPTION:
            raise ValueError(f"the caption has {len(text):,} characters, more than {_CAPTION:,}")
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
