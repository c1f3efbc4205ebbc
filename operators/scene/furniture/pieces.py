"""Pieces of furniture: our own, from a table of what is built alike, and those of a user's file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dataflow_ext.errors import InputError
from dataflow_ext.tables import read_table
from operators.scene.data import rows
from operators.scene.model.scene import PLACEHOLDERS

#: What the sizes of the pieces of one form are multiplied by, one after the other; heights stay.
_FACTORS = (1.0, 0.94, 1.07, 0.97, 1.04)


class Form(NamedTuple):
    """Pieces that are built alike: their noun, the first one's size, and a sentence with {} for each finish."""

    noun: str
    size: tuple[float, float, float]
    sentence: str
    finishes: Sequence[str]


class Asset(NamedTuple):
    """A piece that could stand in a room: its id, what it is called in a sentence, width, height and depth in metres.

    >>> Asset("own-chair-01", "A red chair.", (0.5, 0.9, 0.5)).size
    (0.5, 0.9, 0.5)
    """

    jid: str
    desc: str
    size: tuple[float, float, float]


def pieces(forms: Iterable[Form]) -> Iterator[Asset]:
    """The pieces of all forms, numbered by their nouns.

    >>> [piece.jid for piece in pieces([Form("bed", (1.6, 1.0, 2.1), "{} bed.", ["Oak", "White"])])]
    ['own-bed-01', 'own-bed-02']
    """
    counts: dict[str, int] = {}
    for form in forms:
        wide, high, deep = form.size
        for finish, factor in zip(form.finishes, _FACTORS, strict=False):
            counts[form.noun] = number = counts.get(form.noun, 0) + 1
            jid = f"own-{form.noun.replace(' ', '-')}-{number:02d}"
            yield Asset(jid, form.sentence.format(finish), (round(wide * factor, 2), high, round(deep * factor, 2)))


def own_forms() -> Iterator[Form]:
    """The forms of the table, in its order."""
    for noun, wide, high, deep, sentence, finishes in rows("pieces.tsv"):
        yield Form(noun, (float(wide), float(high), float(deep)), sentence, finishes.split(" | "))


#: Metres: no side of a piece is longer.
_LONGEST = 100.0
#: Letters of an id, and of a description.
_MOST_LETTERS = 2000
#: What would be taken for a part of a conversation.
_MARKS = (*PLACEHOLDERS, *(f"<{end}{tag}>" for end in ("", "/") for tag in
             ("image", "current_scene", "think", "conclusion", "tool_calls", "create_scene")))  # fmt: skip


def read_assets(path: Path) -> tuple[Asset, ...]:
    """The pieces of a file, in its order; InputError in one sentence for a file or a piece that cannot be used.

    ``size`` is ``[w, h, d]`` in metres; in CSV the text ``w,h,d``, or three columns w, h and d (which any of the
    forms may have). Pieces that are listed twice alike count once; two that differ under one id are an error.
    """
    found: dict[str, Asset] = {}
    for number, row in enumerate(read_table(path).to_pylist(), 1):
        try:
            asset = _asset(row)
        except ValueError as error:
            raise InputError(f"{path}, piece {number}: {error}.") from None
        if found.setdefault(asset.jid, asset) != asset:
            raise InputError(f"{path}, piece {number}: the jid {asset.jid!r} was given to another piece before.")
    if not found:
        raise InputError(f"{path}: the catalogue is empty; give it lines with jid, desc and size.")
    return tuple(found.values())


def _asset(row: Mapping[str, Any]) -> Asset:
    """The piece of a row; ValueError says what is wrong with it."""
    size = row.get("size")
    if size is None and all(side in row for side in ("w", "h", "d")):
        size = [row["w"], row["h"], row["d"]]
    return Asset(_text(row, "jid"), _text(row, "desc"), _size(size))


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is to be a text, not {_short(value)}")
    if len(value) > _MOST_LETTERS:
        raise ValueError(f"{name} is longer than {_MOST_LETTERS:,} letters")
    if mark := next((mark for mark in _MARKS if mark in value), None):
        raise ValueError(f"{name} holds {mark}, which has a meaning of its own in conversations")
    return value.strip()


def _size(value: Any) -> tuple[float, float, float]:
    sides = value.strip().strip("[]()").replace(";", ",").split(",") if isinstance(value, str) else value
    numbers = [_number(side) for side in sides] if isinstance(sides, Sequence) and len(sides) == 3 else []
    if len(numbers) != 3 or not all(0 < side <= _LONGEST for side in numbers):
        raise ValueError(f"size is to be width, height and depth in metres, each over 0, not {_short(value)}")
    wide, high, deep = (max(round(side, 2), 0.01) for side in numbers)
    return wide, high, deep


def _number(value: Any) -> float:
    """The number, or nan for what is none."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _short(value: Any) -> str:
    told = "nothing" if value is None else ascii(value) if not isinstance(value, str) else repr(value)
    return told if len(told) <= 60 else told[:57] + "..."
