"""Sentences of a text, English and Chinese, as places in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Points that end no sentence: of abbreviations.
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|approx|ca|cf|vs|dr|mr|mrs|st|resp)\.$", re.IGNORECASE)
_BEFORE_NUMBER = re.compile(r"\b(?:no|fig|eq|p)\.$", re.IGNORECASE)
_END = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)|[。！？]+[”’」）]*|\n+")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends, without the blanks around it.

    >>> text = "It leaves 0.41 m, e.g. for a chair. 床靠墙。好"
    >>> [text[start:end] for start, end in sentences(text)]
    ['It leaves 0.41 m, e.g. for a chair.', '床靠墙。', '好']
    """
    start = 0
    for found in _END.finditer(text):
        head = text[start : found.end()].rstrip()
        numbered = text[found.end() :].lstrip()[:1].isdigit() and _BEFORE_NUMBER.search(head)
        if found[0] == "." and (_ABBREVIATION.search(head) or numbered):
            continue
        yield from _trimmed(text, start, found.end())
        start = found.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
