"""Problems of a file from outside: the first ones by name, the others by number."""

from __future__ import annotations

from dataflow_ext.errors import DataflowError


class Problems:
    """What is wrong in a file, by the paths of its values.

    >>> problems = Problems(DataflowError, named=1)
    >>> problems.wrong("room.id", "a text is wanted")
    >>> problems.wrong("room.size", "it is missing")
    >>> problems.close()
    Traceback (most recent call last):
    dataflow_ext.errors.DataflowError: room.id: a text is wanted; and 1 more.
    """

    def __init__(self, error: type[DataflowError], named: int = 5) -> None:
        self._error, self._most = error, named
        self._named: list[str] = []
        self._more = 0

    def wrong(self, path: str, what: str) -> None:
        """Note a problem, in words that say what is wanted."""
        if len(self._named) < self._most:
            self._named.append(f"{path}: {what}")
        else:
            self._more += 1

    def close(self) -> None:
        """Raise what was noted as wrong."""
        if self._named:
            more = f"; and {self._more:,} more" if self._more else ""
            raise self._error("; ".join(self._named) + more + ".")
