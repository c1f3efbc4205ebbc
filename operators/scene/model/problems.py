"""The problems of a conversation, by their codes, and what no text of it may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dataflow_ext.text import rows

#: Each code and what it says; the number is the law of the format that it is about.
CODES: Mapping[str, str] = {row[0]: row[1] for row in rows("operators.scene", "data/codes.tsv")}

#: What marks the parts of a message; none may stand inside of a part.
TAGS = re.compile(r"</?(?:image|current_scene|think|conclusion|tool_calls|create_scene)>")

_PLACEHOLDER = re.compile(
    "|".join(
        (
            r"<?NEED_RETRI\w*>?",
            r"\{\{|\}\}|\{%|\{[A-Za-z_ ]+\}|\$[a-z_]+\b",
            r"(?-i:<[A-Z_]{3,}>)|<[a-z]+_[a-z_]+>|<(?:your|insert|the) [^>]*>",
            r"<(?:object|description|room|name|number|value|text|reason(?:ing)?)>",
            r"\[(?:insert|your|todo|to be|fill|describe|reasoning|analysis|object|number|value|…|\.\.\.)[^\]]*\]",
            r"(?-i:\[[A-Z][A-Z_ ]+\])|\[[xn]\]|_{3,}",
            r"\b(?:TODO|TBD|FIXME|X{3,}|placeholder|lorem ipsum)\b|待补充|待填写",
            r"\bto be (?:filled in|generated|determined|written)\b",
        )
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, under one of :data:`CODES`, in one sentence."""

    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def placeholder_in(text: str) -> str | None:
    """The first placeholder of a text.

    >>> placeholder_in("Move {object_name} to the wall"), placeholder_in("Move the bed to the wall")
    ('{object_name}', None)
    """
    found = _PLACEHOLDER.search(text)
    return found[0] if found else None
