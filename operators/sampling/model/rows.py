"""The columns that question rows may have, and their values as texts, whatever a file has them as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dataflow_ext.columns import Columns
from dataflow_ext.well_formed import well_formed

#: Columns beside ``question`` and ``answer``.
OPTIONAL: Columns = {
    "options": list[str] | None,
    "question_type": str | None,
    "question_images": list[str] | None,
    "image_basedir": str | None,
    "name": str | None,
    "label": str | None,
    "question_chapter_title": str | None,
    "parent_id": str | None,
    "part": str | None,
    "depends_on": list[str] | None,
    "split_from": str | None,
}

#: Those of them that hold several texts.
_LISTS = ("options", "question_images", "depends_on")


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Answer and optional columns of a row as texts and lists of texts; what is not there is None, or empty.

    >>> known_values({"answer": 4, "options": [{"letter": "A", "text": "3 m"}, "4 m"]})["options"]
    ['3 m', '4 m']
    """
    names = ("answer", *OPTIONAL)
    return {name: texts_of(row.get(name)) if name in _LISTS else text_of(row.get(name)) for name in names}


def text_of(value: object) -> str | None:
    """A value as text: a label 3 is "3", a record is its ``text``, no number is None."""
    if isinstance(value, str):
        return well_formed(value)
    if value is None or value != value:
        return None
    if isinstance(value, Mapping):
        return text_of(value.get("text"))
    return ", ".join(texts_of(value)) if isinstance(value, list) else str(value)


def texts_of(value: object) -> list[str]:
    """The texts of a list."""
    return [text for text in map(text_of, value) if text is not None] if isinstance(value, list) else []
