"""Work that belongs to a picture: done once for each, however many rows show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dataflow_ext import progress
from dataflow_ext.outcomes import Outcome, Record

#: The column that tells pictures apart.
KEY = "picture_key"


def once_a_picture(rows: Sequence[Record], treat: Callable[[Sequence[Record]], Sequence[Outcome]]) -> list[Outcome]:
    """The outcomes of rows, where ``treat`` gives that of one row for each picture.

    Of the rows that show a picture it gets the one with the smallest ``id``, and of those with one id, or without
    ids, the smallest as text, so that their order makes no difference. All of them get its outcome.
    """
    leading, places = _leading(rows)
    progress.expect(len(leading), "pictures")
    made = treat(leading)
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
