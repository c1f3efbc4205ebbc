"""The widths of an HTML table's rows, with cells that span columns and rows."""

from __future__ import annotations

#: Columns of a table, and places of all its rows, at most.
_WIDEST, _MOST = 1000, 200_000


class Rows:
    """Counts the places of a table's rows; ``start`` a row, give it each ``cell``, and ``end`` it."""

    def __init__(self) -> None:
        self._reach: dict[int, int] = {}  # column -> rows further down that a cell from above takes
        self._taken: set[int] = set()
        self._next = 0
        self._width: int | None = None
        self._number = 0
        self._places = 0
        self._wrong: str | None = None

    def start(self) -> None:
        """Begin a row; cells from above already stand in it."""
        self._number += 1
        self._taken = set(self._reach)
        self._reach = {column: rows - 1 for column, rows in self._reach.items() if rows > 1}
        self._next = 0

    def cell(self, columns: int, rows: int) -> None:
        """A cell in the row, in the first places that are free."""
        if self._wrong or len(self._taken) + columns > _WIDEST:
            self._wrong = self._wrong or f"row {self._number} of a table has more than {_WIDEST:,} places"
            return
        while self._next in self._taken:
            self._next += 1
        for column in range(self._next, self._next + columns):
            if column in self._taken:
                self._wrong = self._wrong or f"cells of row {self._number} of a table overlap"
            self._taken.add(column)
            if rows > 1:
                self._reach[column] = rows - 1
        self._next += columns

    def end(self) -> None:
        """End a row."""
        width = len(self._taken)
        self._places += width + 1
        if self._places > _MOST:
            self._wrong = self._wrong or f"a table has more than {_MOST:,} places"
        elif not width:
            self._wrong = self._wrong or f"row {self._number} of a table has no cells"
        elif self._width is None:
            self._width = width
        elif width != self._width:
            cells = "cell" if width == 1 else "cells"
            self._wrong = self._wrong or (
                f"row {self._number} of a table is {width} {cells} wide, row 1 is {self._width}"
            )

    def problem(self) -> str | None:
        """What is wrong with the rows so far."""
        return self._wrong

    def left_over(self) -> str | None:
        """What is wrong with the whole table."""
        if not self._number:
            return "a table has no rows"
        return "a cell reaches below the last row of its table" if self._reach else None
