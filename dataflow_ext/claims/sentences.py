"""Sentences of a text, English and Chinese, as places in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Abbreviations, whose points end no sentence, and those of which that is so before a number.
_ANYWHERE = ("e.g.", "i.e.", "approx.", "ca.", "cf.", "vs.", "dr.", "mr.", "mrs.", "st.", "resp.")
_NUMBERED = ("no.", "fig.", "eq.", "p.")
_ABBREVIATION, _BEFORE_NUMBER = (
    re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})$", re.IGNORECASE) for words in (_ANYWHERE, _NUMBERED)
)
#: Most sentences end otherwise, and are not looked at twice.
_SHORTENED = _ANYWHERE + _NUMBERED
#: Letters before a point that tell whether it is one of these; the pattern looks at the letter before them, too.
_LONGEST = 12
#: One sign first, by which a pattern finds its places fast; then what may follow each.
_END = re.compile(r"[.!?。！？\n](?:(?<=[.!?])[.!?]*[\"'”’)]*(?=\s|$)|(?<=[。！？])[。！？]*[”’」）]*|(?<=\n)\n*)")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends, without the blanks around it.

    >>> text = "It leaves 0.41 m, e.g. for a chair. 床靠墙。好"
    >>> [text[start:end] for start, end in sentences(text)]
    ['It leaves 0.41 m, e.g. for a chair.', '床靠墙。', '好']
    """
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if found[0] == "." and _goes_on(text, max(start, end - _LONGEST), end):
            continue
        yield from _trimmed(text, start, end)
        start = end
    yield from _trimmed(text, start, len(text))


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the point before ``end`` is that of an abbreviation."""
    if not text[start:end].lower().endswith(_SHORTENED):
        return False
    if _ABBREVIATION.search(text, start, end):
        return True
    return _BEFORE_NUMBER.search(text, start, end) is not None and text[end:].lstrip()[:1].isdigit()


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end].rstrip()
    if part:
        yield start + len(part) - len(part.lstrip()), start + len(part)
