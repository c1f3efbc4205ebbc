"""A key's traces in what servers say, masked in every form in which they may repeat it."""

from __future__ import annotations

import base64
import json
from functools import lru_cache
from urllib.parse import quote, quote_plus

#: What stands in the key's place.
MASK = "…"

#: A key of so few characters is none, and may be part of any word.
_SHORT = 8


def masked(text: str, key: str | None) -> str:
    """The text without the key: neither plain, nor as in a URL or in JSON, nor in the base64 of ``user:key``.

    >>> masked("Incorrect key sk-0123/456, or sk-0123%2F456.", "sk-0123/456")
    'Incorrect key …, or ….'
    """
    if not key or len(key) <= _SHORT:
        return text
    for form in _forms(key):
        if form in text:
            text = text.replace(form, MASK)
    return text


def masked_bytes(content: bytes, key: str | None) -> bytes:
    """The same for a text in UTF-8 or in any other code that agrees with it on ASCII."""
    if not key or len(key) <= _SHORT:
        return content
    for form in _forms(key):
        if (found := form.encode()) in content:
            content = content.replace(found, MASK.encode())
    return content


@lru_cache(maxsize=16)
def _forms(key: str) -> tuple[str, ...]:
    """All forms, the longest first, as one may be part of another."""
    quoted = {quote(key, safe=""), quote(key), quote_plus(key)}
    forms = {key, json.dumps(key)[1:-1], key.replace("/", "\\/"), *quoted, *map(_lower_escapes, quoted)}
    for before in range(3):
        forms |= _base64_inside(key, before)
    return tuple(sorted(forms, key=len, reverse=True))


def _lower_escapes(quoted: str) -> str:
    """``%2F`` as ``%2f``."""
    first, *rest = quoted.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def _base64_inside(key: str, before: int) -> set[str]:
    """The characters that stand for the key alone in the base64 of a text with so many bytes, modulo 3, before it."""
    content = bytes(before) + key.encode("utf-8", "replace")
    text = base64.b64encode(content).decode()[-(-8 * before // 6) : 8 * len(content) // 6]
    return {text, text.replace("+", "-").replace("/", "_")}
