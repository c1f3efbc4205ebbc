"""JSON from a server: read without running out of memory or stack, and without trust in its types."""

from __future__ import annotations

import json
from typing import Any

#: Most values in one JSON text. Each takes some 60 to 200 bytes, so that a short text could fill the memory.
MOST_VALUES = 2_000_000

_MARKS = ",[{"


def read_json(content: bytes | str) -> Any:
    """The value that the text holds; ValueError if it holds none, nests too deeply or has too many values.

    >>> read_json(b'{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    marks = map(str.encode, _MARKS) if isinstance(content, bytes) else _MARKS
    if len(content) > MOST_VALUES and sum(map(content.count, marks)) > MOST_VALUES:  # type: ignore[arg-type]
        raise ValueError(f"it holds more than {MOST_VALUES:,} values")
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def text_or(value: object, other: str, most: int) -> str:
    """The value's first ``most`` characters if it is a text that says something, else the other text.

    >>> text_or("gpt-4o", "m", 100), text_or({"id": 1}, "m", 100), text_or("", "m", 100)
    ('gpt-4o', 'm', 'm')
    """
    return value[:most] if isinstance(value, str) and value else other
