"""Code without the fence that models like to put around it."""

from __future__ import annotations

_FENCES = ("```", "~~~")


def bare(code: str) -> str:
    """The code without blanks around it and without the fence, if one encloses all of it.

    >>> bare("```csv\\na,b\\n1,2\\n```\\n")
    'a,b\\n1,2'
    """
    text = code.removeprefix("\ufeff").strip()
    for fence in _FENCES:
        if text.startswith(fence) and text.endswith(fence) and len(text) >= 2 * len(fence):
            mark = fence[0]
            head, _, rest = text.partition("\n")
            if mark in head.lstrip(mark) or not rest:
                return text.strip(mark).strip()
            return rest.rstrip().rstrip(mark).strip()
    return text
