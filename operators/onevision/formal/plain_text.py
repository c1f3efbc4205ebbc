"""Plain text, of a picture that has no better formal code."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def problem(code: str) -> str | None:
    """What keeps the code from being text that can be read.

    >>> problem("Exit\\x07")
    'there is a control character at place 5'
    """
    found = _CONTROL.search(code)
    if found:
        return f"there is a control character at place {found.start() + 1}"
    if not any(each.isalnum() for each in code):
        return "there is no word and no number in it"
    return None
