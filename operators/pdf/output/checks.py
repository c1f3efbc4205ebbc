"""Why rows of a final table should be looked at: the doubts they bring, and answers joined with little confidence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

#: The kind of blocks in no row that should have been read; the others are told matter.
UNREAD = "unread"

#: An answer with less confidence than this is one to check.
SURE = 0.8
_UNSURE = f"joined with less than {100 * SURE:.0f} % confidence"
_NUMBERS = re.compile(r"“[^”]*”|\d+(?:(?:, | to | and |–|-)\d+)*")


def doubts_of(row: Mapping[str, Any]) -> list[str]:
    """The doubts of a row, by its ``status``, ``confidence`` and ``doubts``."""
    unsure = row["status"] == "answered" and (row["confidence"] or 0.0) < SURE
    return [*(row["doubts"] or ()), *([_UNSURE] if unsure else ())]


def kind_of(doubt: str) -> str:
    """A doubt without its numbers and what it quotes, so that those of one kind are told together.

    >>> kind_of("label 12 follows 9, 10"), kind_of("a line in it reads like the next heading: “Worksheet 2”")
    ('label … follows …', 'a line in it reads like the next heading: …')
    """
    return doubt if doubt == _UNSURE else _NUMBERS.sub("…", doubt)


def rows_to_check(table: pa.Table) -> dict[str, list[int]]:
    """The kinds of doubts in a table, each with the places of its rows."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(table.select(["status", "confidence", "doubts"]).to_pylist()):
        for kind in dict.fromkeys(map(kind_of, doubts_of(row))):
            kinds[kind].append(place)
    return dict(kinds)
