"""Word tables: TSV beside the modules that read them, a heading, then a row a line."""

from __future__ import annotations

from pathlib import Path


def rows_of(file: Path) -> list[list[str]]:
    """The rows of a table, each with as many cells as its heading; lines that begin with # are remarks."""
    heading, *lines = (line for line in file.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    width = heading.count("\t") + 1
    return [(line.split("\t") + [""] * width)[:width] for line in lines]


def lists_of(file: Path) -> dict[str, frozenset[str]]:
    """The words of each list of a table with the columns list and words, parted by spaces."""
    return {name: frozenset(words.split()) for name, words in rows_of(file)}
