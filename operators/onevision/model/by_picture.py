"""Work that belongs to a picture: done once for each, however many rows show it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from dataflow_ext import Operator, progress
from dataflow_ext.outcomes import Outcome, Record, side_by_side, spread

#: The column that tells pictures apart.
KEY = "picture_key"


def once_a_picture(
    operator: Operator, make: Callable[[Record], Awaitable[Mapping[str, Any]]], rows: Sequence[Record]
) -> list[Outcome]:
    """The outcomes of rows, where ``make`` waits for the operator's model, side by side and once a picture.

    Of the rows that show a picture it gets the one with the smallest ``id``, and of those with one id, or without
    ids, the smallest as text, so that their order makes no difference. All of them get what it made, or its exception.
    """
    leading, places = _leading(rows)
    progress.expect(len(leading), "pictures")
    made = side_by_side(operator, make, leading)
    return [made[place] for place in places]


def spread_once(make: Callable[[Record], Mapping[str, Any]], rows: Sequence[Record], at_once: int) -> list[Outcome]:
    """As :func:`once_a_picture`, by rules: over the processes of the run, ``at_once`` pictures a piece of work."""
    leading, places = _leading(rows)
    progress.expect(len(leading), "pictures")
    made = spread(make, leading, at_once)
    return [made[place] for place in places]


def _leading(rows: Sequence[Record]) -> tuple[list[Record], list[int]]:
    """The row that stands for each picture, and for each row the place of its picture's among them."""
    first: dict[str, Record] = {}
    for row in rows:
        other = first.get(row[KEY])
        if other is None or _before(row, other):
            first[row[KEY]] = row
    numbers = {key: number for number, key in enumerate(first)}
    return list(first.values()), [numbers[row[KEY]] for row in rows]


def _before(row: Record, other: Record) -> bool:
    one, two = row.get("id", ""), other.get("id", "")
    # Text is dear, and ids are mostly unique.
    return bool(one < two) if one != two else row != other and repr(row) < repr(other)
