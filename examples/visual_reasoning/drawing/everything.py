"""All of the set: pictures, lines and truth, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from drawing import (
    charts,
    circuits,
    dirty,
    flows,
    forces,
    formulas,
    maps,
    natural,
    odd,
    physics,
    pies,
    screens,
    shapes,
    synthetic,
    tables,
)
from drawing.rows import Picture, Record

FAMILIES = (
    charts,
    pies,
    physics,
    forces,
    tables,
    natural,
    shapes,
    circuits,
    synthetic,
    flows,
    screens,
    formulas,
    maps,
    odd,
)
SEED = 8


@dataclass(frozen=True, slots=True)
class Whole:
    """The set: its pictures, the lines of its file, and the truth about both."""

    pictures: list[Picture]
    lines: list[str]
    truth: dict[str, Any]


def build() -> Whole:
    """Draw and write everything; good records and dirty ones stand in one shuffled order."""
    good = [record for family in FAMILIES for record in family.records()]
    records = [*good, *dirty.records({record.id: record for record in good})]
    Random(SEED).shuffle(records)
    pictures = {record.picture.path: record.picture for record in records if record.picture is not None}
    pictures = dict(sorted(pictures.items()))
    truth = {
        "pictures": {path: picture.truth() for path, picture in pictures.items()},
        "turns": dict(_turns(records)),
        "dirty": _dirty(records),
    }
    return Whole(list(pictures.values()), [record.line() for record in records], truth)


def _turns(records: list[Record]) -> Iterator[tuple[str, dict[str, Any]]]:
    seen: set[str] = set()
    for line, record in enumerate(records, 1):
        again = f"@{line}" if record.id in seen else ""
        seen.add(record.id)
        for number, turn in enumerate(record.turns, 1):
            yield f"{record.id}#{number}{again}", {"line": line, "image": record.image, **turn.truth()}


def _dirty(records: list[Record]) -> dict[str, list[int]]:
    """The lines of each dirty case, counted from 1 on."""
    cases: dict[str, list[int]] = {}
    for number, record in enumerate(records, 1):
        if record.dirty:
            cases.setdefault(record.dirty, []).append(number)
    return dict(sorted(cases.items()))
