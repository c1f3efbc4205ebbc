"""Sizes and baselines of pieces of text, evened out as print has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

#: Pieces of one printed line: their bases differ by less than this, in ems.
_LEVEL = 0.22
#: Sizes within this factor are one size.
_SAME = 1.1


@dataclass(slots=True)
class Piece:
    """A stretch of text as measured, in points.

    ``high`` is the height of its ink, ``foot`` where it ends, ``below`` how far that should be below the
    baseline, in ems.
    ``tall`` is the number of letters that tell its size (an ideograph counts twice), ``contrast`` its
    distance from the paper (0 to 255), ``stroke`` the width of its strokes.
    """

    text: str
    x0: float
    x1: float
    high: float
    foot: float
    below: float
    size: float
    tall: int
    contrast: float
    stroke: float
    base: float = 0.0


def even_sizes(pieces: Sequence[Piece]) -> float:
    """Give the pieces whose size is that of the page's text exactly this size; it is returned, in points.

    Other sizes that are nearly the same become the same.
    """
    body = _body([piece for piece in pieces if piece.tall >= 8] or pieces)
    others = []
    for piece in pieces:
        lower, upper = _tolerance(piece.tall)
        if lower * body <= piece.size <= upper * body:
            piece.size = body
        else:
            others.append(piece)
    group: list[Piece] = []
    for piece in sorted(others, key=lambda piece: piece.size):
        if group and piece.size > _SAME * group[0].size:
            _level_sizes(group)
            group = []
        group.append(piece)
    _level_sizes(group)
    return body


def _body(pieces: Sequence[Piece]) -> float:
    """The size of which half of the letters are larger and half are smaller."""
    half = sum(len(piece.text) for piece in pieces) / 2
    ordered = sorted(pieces, key=lambda piece: piece.size)
    for piece in ordered:
        half -= len(piece.text)
        if half <= 0:
            return piece.size
    return ordered[-1].size


def _tolerance(tall: int) -> tuple[float, float]:
    """How far from the size of the text a piece may be measured though it has it: few letters tell little."""
    if not tall:
        return 0.0, float("inf")
    return (0.86, 1.13) if tall >= 8 else (0.82, 1.18) if tall >= 4 else (0.76, 1.3)


def _level_sizes(group: Sequence[Piece]) -> None:
    if group:
        size = median(piece.size for piece in group)
        for piece in group:
            piece.size = size


def even_bases(pieces: Sequence[Piece]) -> None:
    """Find the base of each piece, the same for the pieces of one size on one printed line."""
    for piece in pieces:
        piece.base = piece.foot - piece.below * piece.size
    rows: list[list[Piece]] = []
    # Long pieces lead: they tell best where the line is.
    for piece in sorted(pieces, key=lambda piece: (piece.x0 - piece.x1, piece.base, piece.x0)):
        fits = [row for row in rows if row[0].size == piece.size and _shift(piece, row[0]) < _LEVEL * piece.size]
        if fits:
            min(fits, key=lambda row: _shift(piece, row[0])).append(piece)
        else:
            rows.append([piece])
    for row in rows:
        wide = sum(piece.x1 - piece.x0 for piece in row)
        base = sum(piece.base * (piece.x1 - piece.x0) for piece in row) / wide
        for piece in row:
            piece.base = base


def _shift(one: Piece, two: Piece) -> float:
    return abs(one.base - two.base)
