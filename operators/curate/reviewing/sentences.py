"""The texts of a row in numbered sentences, by which a model names places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from operators.curate.model.records import Span
from operators.curate.rules.markers import runs_in

_END = re.compile(r"(?<=[。？！；?!;\n])[ \t\u3000\n]*(?=\S)|(?<=[A-Za-z0-9)}$])\.[ \t]+(?=[A-Z(\[$\\①-⑳])")
#: What may mark a part, if nobody knows whether it does: a piece too many costs a model nothing.
_MARK = re.compile(r"(?:(?<=[\s。；;，,?？])|\A)(?:[ivx]{1,4}[.)）]|[a-h][.)）]|\d{1,2}[)）])(?=[\s$一-鿿])\s*")
#: The number of an item, which is no sentence.
_NUMBER = re.compile(r"\s*\W?\d{1,3}\W*")
_SIDES = ("question", "answer", "solution")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its name, such as q3, the text that it is of, and its place there."""

    name: str
    side: str
    span: Span


def sentences_of(question: str, answer: str, solution: str) -> dict[str, Sentence]:
    """The sentences of a row by their names; those of a text follow each other without a gap.

    >>> [s.span.of("Let x = 2. (a) Find 3x.") for s in sentences_of("Let x = 2. (a) Find 3x.", "", "").values()]
    ['Let x = 2. ', '(a) Find 3x.']
    """
    made: dict[str, Sentence] = {}
    for side, text in zip(_SIDES, (question, answer, solution), strict=True):
        ends = {found.end() for found in _END.finditer(text) if not _NUMBER.fullmatch(text[: found.end()])}
        marks = marks_in(text)
        within = {place for mark in marks for place in range(mark.start + 1, mark.end + 1)}
        borders = sorted({0, len(text), *ends - within, *(mark.start for mark in marks)})
        for number, (start, end) in enumerate(pairwise(borders), 1):
            name = f"{side[0]}{number}"
            made[name] = Sentence(name, side, Span(start, end))
    return made


def marks_in(text: str) -> list[Span]:
    """Whatever may mark the beginning of a part."""
    found = [Span(*mark.span()) for mark in _MARK.finditer(text)]
    return [*(Span(mark.start, mark.end) for run in runs_in(text) for mark in run.markers), *found]


def place_in(text: str, span: Span, quote: str, *, last: bool = False) -> Span | None:
    """Where a quoted piece stands within a span, whatever its white space and backslashes; None if nowhere.

    >>> place_in("so x = \\\\frac{1}{2} cm", Span(0, 22), "x=\\x0crac{1}{2}") is None
    True
    >>> place_in("so x = \\\\frac{1}{2} cm", Span(0, 22), "x=frac{1}{2}").of("so x = \\\\frac{1}{2} cm")
    'x = \\\\frac{1}{2}'
    """
    letters = [(c, n) for n, c in enumerate(text[span.start : span.end], span.start) if not c.isspace() and c != "\\"]
    sought = "".join(c for c in quote if not c.isspace() and c != "\\")
    solid = "".join(c for c, _ in letters)
    start = (solid.rfind if last else solid.find)(sought) if sought else -1
    if start < 0:
        return None
    first, final = letters[start][1], letters[start + len(sought) - 1][1]
    while first > span.start and text[first - 1] == "\\":
        first -= 1
    return Span(first, final + 1)
