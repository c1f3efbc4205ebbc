"""JSON Lines that every reader splits at the same places."""

from __future__ import annotations

import json
from typing import Any

from dataflow_ext.errors import RowError

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode

#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class UnwritableLine(RowError):
    """No line of a file can hold a value."""


def line_of(entry: Any) -> str:
    """A value as one line of JSON; UnwritableLine for what no file could hold.

    >>> line_of({"value": "a\\u2028b 茶"})
    '{"value": "a\\\\u2028b 茶"}\\n'
    """
    try:
        text = _ENCODE(entry)
        text.encode()
    except UnicodeEncodeError:
        raise UnwritableLine("a text has half a character (a lone surrogate)") from None
    except (ValueError, RecursionError):
        raise UnwritableLine("a number is not finite, or values lie too deeply within each other") from None
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"
