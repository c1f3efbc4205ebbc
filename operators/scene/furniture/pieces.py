"""Pieces of furniture: our own, from a table of what is built alike, and those of a user's file."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dataflow_ext.errors import InputError
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
    """The pieces of a file, in its order; InputError in one sentence for a file or a line that cannot be used.

    ``size`` is ``[w, h, d]`` in metres; in CSV the text ``w,h,d``, or three columns w, h and d (which any of the
    forms may have). Pieces that are listed twice alike count once; two that differ under one id are an error.
    """
    form = _FORMS.get(path.suffix.lower())
    if form is None:
        raise InputError(f"{path}: a catalogue is a file {', '.join(_FORMS)}; this one ends in {path.suffix!r}.")
    try:
        found = _distinct(path, form(path))
    except OSError as error:
        raise InputError(f"{path}: the catalogue cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: the catalogue is not UTF-8; save it as UTF-8.") from None
    if not found:
        raise InputError(f"{path}: the catalogue is empty; give it lines with jid, desc and size.")
    return found


def _distinct(path: Path, rows: Iterable[tuple[str, Any]]) -> tuple[Asset, ...]:
    found: dict[str, Asset] = {}
    for where, row in rows:
        try:
            asset = _asset(row)
        except ValueError as error:
            raise InputError(f"{path}, {where}: {error}.") from None
        if found.setdefault(asset.jid, asset) != asset:
            raise InputError(f"{path}, {where}: the jid {asset.jid!r} was given to another piece before.")
    return tuple(found.values())


def _asset(row: Any) -> Asset:
    """The piece of a line; ValueError says what is wrong with it."""
    if not isinstance(row, Mapping):
        raise ValueError("a piece is an object with jid, desc and size")
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
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} holds half a character") from None
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


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def _json(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        value = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise InputError(f"{path}: the catalogue is no JSON: {error}.") from None
    if not isinstance(value, list):
        raise InputError(f"{path}: a catalogue in JSON is a list of pieces.")
    for i, row in enumerate(value, 1):
        yield f"piece {i}", row


def _json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    for i, line in enumerate(_read(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield f"line {i}", json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {i}: it is no JSON: {error}.") from None


def _csv(path: Path) -> Iterator[tuple[str, Any]]:
    reader = csv.DictReader(io.StringIO(_read(path), newline=""), strict=True)
    try:
        _must_have(path, [name or "" for name in reader.fieldnames or ()])
        for row in reader:
            if None in row:
                raise InputError(
                    f"{path}, line {reader.line_num}: it has more fields than the head; put quotes around the text "
                    "that has commas."
                )
            yield f"line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: it is no CSV: {error}.") from None


def _parquet(path: Path) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except pa.ArrowException as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"{path}: the catalogue is no Parquet file: {reason}.") from None
    _must_have(path, table.column_names)
    names = [name for name in ("jid", "desc", "size", "w", "h", "d") if name in table.column_names]
    for i, row in enumerate(table.select(names).to_pylist(), 1):
        yield f"row {i}", row


def _must_have(path: Path, names: Sequence[str]) -> None:
    missing = [name for name in ("jid", "desc") if name not in names]
    if "size" not in names and not {"w", "h", "d"} <= set(names):
        missing.append("size")
    if missing:
        raise InputError(f"{path}: the catalogue has no column {missing[0]}; it has {', '.join(names) or 'none'}.")


_FORMS: Mapping[str, Callable[[Path], Iterator[tuple[str, Any]]]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
}
