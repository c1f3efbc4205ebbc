"""Data of a chart as CSV."""

from __future__ import annotations

import csv
import io


def problem(code: str) -> str | None:
    """What keeps the code from being a CSV table: a header of two columns or more, and rows as wide.

    >>> problem("year;sales\\n2019;4")
    'the header has one column; cells are parted by commas'
    """
    try:
        rows = list(csv.reader(io.StringIO(code, newline=""), strict=True, skipinitialspace=True))
    except csv.Error as error:
        return f"it is no CSV: {error}"
    header = [cell.strip() for cell in rows[0]] if rows else []
    if len(header) < 2:
        return "the header has one column; cells are parted by commas"
    if not all(header):
        return f"column {header.index('') + 1} has no name"
    if len(set(header)) < len(header):
        return "two columns have the same name"
    if len(rows) < 2:
        return "there is a header and no row"
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            return f"row {number} has {len(row)} cells, the header has {len(header)}"
        if not any(cell.strip() for cell in row):
            return f"row {number} is empty"
    return None
