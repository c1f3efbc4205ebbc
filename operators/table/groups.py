"""Rows that agree in some columns, whatever these hold."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa


def groups_of(table: pa.Table, by: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
    """The numbers of the rows of each group, by the values that its rows have in common; nulls are equal.

    >>> groups_of(pa.table({"a": [1, 2, 1]}), ["a"])
    {('1',): [0, 2], ('2',): [1]}
    """
    found: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(keys_of(table, by)):
        found.setdefault(key, []).append(row)
    return found


def keys_of(table: pa.Table, by: Sequence[str]) -> list[tuple[str, ...]]:
    """What each row has in these columns; values of one type are equal where these texts are."""
    if not by:
        return [()] * table.num_rows
    return list(zip(*([repr(value) for value in table[name].to_pylist()] for name in by), strict=True))


def told(by: Sequence[str], key: Sequence[str]) -> str:
    """A group in words for messages.

    >>> told(["task"], ["'28'"])
    "of task '28'"
    """
    return f"of {', '.join(f'{name} {value}' for name, value in zip(by, key, strict=True))}" if by else "in all"
