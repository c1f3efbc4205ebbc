"""A value as one line of a file, and the kinds of fault for which a row gets none."""

from __future__ import annotations

import json
from typing import Any

from dataflow_ext.errors import RowError

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode

#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Unwritable(RowError):
    """A row cannot stand in the data set; ``code`` is one of :data:`operators.scene.problems.CODES`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code

    def __reduce__(self) -> tuple[type[Unwritable], tuple[str, str]]:
        return Unwritable, (self.code, str(self).removeprefix(f"{self.code}: "))


def line_of(entry: Any) -> str:
    """A value as one line of JSON; Unwritable for what no file could hold.

    >>> line_of({"value": "a\\u2028b 茶"})
    '{"value": "a\\\\u2028b 茶"}\\n'
    """
    try:
        text = _ENCODE(entry)
        text.encode()
    except UnicodeEncodeError:
        raise Unwritable("row.shape", "a text has half a character (a lone surrogate)") from None
    except (ValueError, RecursionError):
        raise Unwritable("row.shape", "a number is not finite, or values lie too deeply within each other") from None
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"
