"""Headings of questions that stand once more in a key, run in with the answers below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from operators.pdf.numbering import letters_of

#: The signs of a heading that may stand before its answers, and how many do at least.
_LONGEST, _FEWEST = 60, 2
#: What counts a heading, before what names it.
_COUNTED = re.compile(r"[^–—:：•]+(?=\s[–—•]|[:：])")
#: The first of several answers.
_FIRST_ANSWER = re.compile(r"(?<=\s)1(?:[)）．、]|\.(?!\d)|(?=\s))\s*(?=\S)")


class KeyHeading(NamedTuple):
    """A heading that opens a paragraph, as large as the one that it repeats, and where the answers begin."""

    text: str
    level: int | None
    end: int


def key_headings(paragraphs: Sequence[tuple[str, int | None] | None]) -> dict[int, KeyHeading]:
    """The paragraphs that open with a heading, by their places; each is its text and level, None what is none.

    A key may have a paragraph an exercise: "Exercises 1.1 1. 30 m 2. 5 s", "Exercises 1.2 1. …". What is alike is set
    as the heading is; two such paragraphs prove each other.

    >>> texts = ["Drill A", "1. Add.", "Drill B", "1. Halve.", "Drill A 1. 7 2. 9", "Drill B 1. 4 2. 6"]
    >>> key_headings([(text, 2 if "Drill" in text and len(text) == 7 else None) for text in texts])
    {4: KeyHeading(text='Drill A', level=2, end=8), 5: KeyHeading(text='Drill B', level=2, end=8)}
    """
    told = {
        place: first.start()
        for place, paragraph in enumerate(paragraphs)
        if paragraph is not None
        and paragraph[1] is None
        and paragraph[0][:1].isalpha()
        and (first := _FIRST_ANSWER.search(paragraph[0], 0, _LONGEST))
    }
    if len(told) < _FEWEST:
        return {}
    heads = _heads([paragraph for paragraph in paragraphs if paragraph is not None])
    found: dict[int, KeyHeading] = {}
    names: set[str] = set()
    for place, end in told.items():
        head = (paragraphs[place] or ("", None))[0][:end].rstrip(" .:：")
        if (name := letters_of(head)) in heads:
            found[place] = KeyHeading(head, heads[name], end)
            names.add(name)
    return found if len(names) >= _FEWEST else {}


def _heads(paragraphs: Sequence[tuple[str, int | None]]) -> dict[str, int | None]:
    """The letters of what may be a heading, and of what counts it, Worksheet 1A of Worksheet 1A – Tenses."""
    heads: dict[str, int | None] = {}
    for text, level in paragraphs:
        if text[:1].isalpha() and len(text) <= _LONGEST:
            heads.setdefault(letters_of(text), level)
            if level is not None and (counted := _COUNTED.match(text)):
                heads.setdefault(letters_of(counted[0]), level)
    return heads
