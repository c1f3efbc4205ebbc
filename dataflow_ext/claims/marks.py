"""Marks in a text: claims in square brackets behind the words that they prove."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

#: What begins a mark: a word with a bracket, maybe behind ``not``, a number or brackets.
_BRACKET = re.compile(r"[\[\]\n]")
_OPENS = re.compile(r" ?\[(?=[^\[\]\n]*?[^\W\d]\w*\()")
_BLANK = re.compile(r"\{((?:[^{}\n])*?[^\W\d]\w*\([^{}\n]*)\}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as it is written, and the place in the text without marks behind which it stands."""

    source: str
    at: int


def read_marks(text: str) -> tuple[str, list[Mark]]:
    """A text without its marks, and the marks; brackets that hold no claim stay.

    >>> read_marks("It leaves 0.41 m [gap(sofa, bed)] there [1].")
    ('It leaves 0.41 m there [1].', [Mark(source='gap(sofa, bed)', at=16)])
    """
    plain: list[str] = []
    marks: list[Mark] = []
    place = length = 0
    while found := _OPENS.search(text, place):
        end = _end(text, found.end())
        if end < 0:
            break
        plain.append(text[place : found.start()])
        length += found.start() - place
        marks.append(Mark(text[found.end() : end].strip(), length))
        place = end + 1
    plain.append(text[place:])
    return "".join(plain), marks


def stripped(text: str) -> str:
    """A text without its marks.

    >>> stripped("The bed stands there [at_wall(bed)].")
    'The bed stands there.'
    """
    return read_marks(text)[0]


def marked(plain: str, marks: list[Mark]) -> str:
    """A text with its marks put back.

    >>> marked(*read_marks("It leaves 0.41 m [gap(sofa, bed)] there."))
    'It leaves 0.41 m [gap(sofa, bed)] there.'
    """
    parts, place = [], 0
    for mark in sorted(marks, key=lambda each: each.at):
        parts.append(f"{plain[place : mark.at]} [{mark.source}]")
        place = mark.at
    return "".join([*parts, plain[place:]])


def filled(text: str, value: Callable[[str], str]) -> str:
    """The text with the value of each ``{claim}`` in its place, and the claim as a mark behind it.

    >>> filled("It leaves {gap(sofa, bed)}.", lambda claim: "0.41 m")
    'It leaves 0.41 m [gap(sofa, bed)].'
    """

    def put(found: re.Match[str]) -> str:
        said = value(found[1])
        number, blank, unit = said.partition(" ")
        if blank and text[found.end() :].lstrip().startswith(unit):
            # The writer has put the unit behind the claim; the mark stands where the claim is.
            return f"{number} {unit} [{found[1].strip()}]\0{unit}\0"
        return f"{said} [{found[1].strip()}]"

    made = _BLANK.sub(put, text)
    return re.sub(r"\0([^\0]*)\0\s*\1", "", made)


def blanks(text: str) -> Iterator[str]:
    """The claims that stand in braces, to be filled in.

    >>> list(blanks("It leaves {gap(sofa, bed)} there."))
    ['gap(sofa, bed)']
    """
    for found in _BLANK.finditer(text):
        yield found[1].strip()


def _end(text: str, place: int) -> int:
    """Where the bracket that was opened before ``place`` closes, on the same line; -1 if it does not."""
    depth = 1
    for found in _BRACKET.finditer(text, place):
        if found[0] == "\n":
            return -1
        depth += 1 if found[0] == "[" else -1
        if not depth:
            return found.start()
    return -1
