"""The word tables of this room: phrases that tell a type, names of data sets and types, things and their names."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def rows_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of tab-separated values beside this module, without its header.

    >>> rows_of("names")[0]
    ('folder', 'chartqa', 'chart', '4')
    """
    lines = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return tuple(tuple(line.split("\t")) for line in lines)
