"""Tables of words, phrases and shapes, and how they are read."""

from __future__ import annotations

from importlib.resources import files


def rows(table: str) -> list[list[str]]:
    """The cells of each row of a table, without its head.

    >>> rows("acts.tsv")[0][0]
    'add_object'
    """
    text = (files(__package__) / table).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]
