"""Fragments that belong to a line though they were read apart: full stops, parts of fractions, dotted leaders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.parser.runs import Box
from operators.pdf.scan.rows import Piece

#: What stands for a part of a fraction that could not be read.
UNREAD = "□"

#: A full stop is no larger than this, in ems.
_RING = 0.45
_RINGS = frozenset("oO0°。")
_DOTS = re.compile(r"[.．·…⋯•\s]+$")
_END_DOTS = re.compile(r"[.．·…⋯•\s]+$")
_PAGE = re.compile(r"\d{1,4}$")
_LEADER = " ………… "


def set_full_stops(pieces: Sequence[Piece], body: float) -> None:
    """Make a small ring at the foot of a line a full stop, whatever letter it was taken for."""
    for piece in pieces:
        if piece.text not in _RINGS or max(piece.x1 - piece.x0, piece.high) > _RING * body:
            continue
        row = [
            other
            for other in pieces
            if other.text not in _RINGS and other.size >= body and -0.15 * body < piece.foot - other.base < 0.3 * body
        ]
        if row:
            nearest = min(row, key=lambda other: (abs(other.x1 - piece.x0), other.x0))
            piece.text, piece.size, piece.base = "。", nearest.size, nearest.base


def hold_fractions(pieces: Sequence[Piece], rules: Sequence[Box], body: float) -> None:
    """Put a numerator or denominator whose counterpart was not read into its line, with a sign for what is missing.

    ``rules`` are level rules in points. Alone it would become a line of its own, or the number of a question.
    """
    for rule in rules:
        if not 0.3 * body < rule[2] - rule[0] < 6 * body:
            continue
        middle = (rule[1] + rule[3]) / 2
        near = [piece for piece in pieces if rule[0] < (piece.x0 + piece.x1) / 2 < rule[2] and _fits(piece, rule, body)]
        above = [piece for piece in near if 0 < middle - piece.base < 0.6 * piece.size]
        below = [piece for piece in near if 0.5 * piece.size < piece.base - middle < 1.4 * piece.size]
        if bool(above) == bool(below):
            continue
        row = [
            piece
            for piece in pieces
            if piece not in near
            and abs(piece.base - middle - 0.28 * body) < 0.25 * body
            and min(abs(piece.x1 - rule[0]), abs(piece.x0 - rule[2])) < 2 * body
        ]
        if len(above or below) == 1 and row:
            piece = (above or below)[0]
            piece.text = f"{piece.text}/{UNREAD}" if above else f"{UNREAD}/{piece.text}"
            piece.base, piece.size = row[0].base, row[0].size


def _fits(piece: Piece, rule: Box, body: float) -> bool:
    return piece.x1 - piece.x0 < rule[2] - rule[0] + 0.7 * body


def join_leaders(pieces: Sequence[Piece], body: float) -> list[Piece]:
    """The pieces with the lines of a table of contents whole: words, dots, and the number of a page.

    Dots are read badly, so it is enough that three lines of the page end in a number after a wide gap, if
    dots were seen in a third of them.
    """
    lines = []
    for page in pieces:
        row = [one for one in pieces if one.x1 <= page.x0 and abs(one.base - page.base) < 0.3 * body]
        words = [one for one in row if not _DOTS.match(one.text)]
        if _PAGE.match(page.text) and words:
            last = max(words, key=lambda one: one.x1)
            if page.x0 - last.x1 > 4 * body:
                lines.append((last, _dots(last, page, pieces, body), page))
    seen = sum(bool(dots) or last.text[-1] in "…." for last, dots, _ in lines)
    if len(lines) < 3 or 3 * seen < len(lines):
        return list(pieces)
    gone: set[int] = set()
    for last, dots, page in lines:
        last.text = f"{_END_DOTS.sub('', last.text)}{_LEADER}{page.text}"
        last.x1 = page.x1
        gone.update(id(one) for one in [*dots, page])
    return [piece for piece in pieces if id(piece) not in gone]


def _dots(last: Piece, page: Piece, pieces: Sequence[Piece], body: float) -> list[Piece]:
    return [
        one
        for one in pieces
        if _DOTS.match(one.text) and last.x1 < one.x1 and one.x0 < page.x0 and abs(one.foot - page.foot) < 0.6 * body
    ]
