"""Everything this library raises on purpose.

DataflowError
├── OptionError            an operator, prompt or command was given something it cannot use
├── HiddenPackageError     a package of the user's has the name of one of ours and is found first
├── ColumnError            a column's declared type is not one that a table can hold
├── RowLawError            an operator's batch returned no columns, or rows that come from no input row
├── WiringError            the steps of a pipeline do not fit together, or do not fit the table
├── InputError             a file or a folder from outside cannot be used
├── NotReadyError          a key, a server or a package is missing, found before any work was done
├── RowError               a row's values cannot be used, or could not be made
│   └── ValueTypeError     an operator returned a value that its declared output column cannot hold
├── PieceError             a piece of work in another process gave no result
│   ├── WorkerDied         the process died of it
│   ├── MemoryExceeded     it took more memory than it may
│   ├── ResultError        the result cannot pass between processes
│   └── RowTimeout         a row, or a part of it, took longer than it may
├── RowFailed              a row failed in a run that was to end at the first one
├── AllRowsFailed          an operator that was called by hand failed on every row
├── NestedCallError        an operator was called from inside another operator's asynchronous row
├── OCRError               an OCR engine failed, or gave something that is no lines of text
└── ModelError             a model gave no usable reply (see dataflow_ext.models)
"""

from __future__ import annotations

from typing import Any, Self


class DataflowError(Exception):
    """Base of all errors that this library raises on purpose; its text is one sentence for a person.

    ``transient`` tells that the same work may succeed later (a network, a budget): such a failure is
    never remembered as done. ``attempts`` counts how often the work was tried.
    """

    transient: bool = False
    attempts: int = 1


class OptionError(DataflowError, ValueError):
    """An operator, a prompt or a command was given something that it cannot use."""


class HiddenPackageError(DataflowError, ImportError):
    """A package of the user's has the name of one of ours and is found first."""


class OCRError(DataflowError):
    """An OCR engine failed, or gave something that is no lines of text; another try may succeed."""

    transient = True


class ColumnError(DataflowError, TypeError):
    """A declared column type has no Arrow counterpart."""


class RowLawError(DataflowError, ValueError):
    """What an operator's ``batch`` returned is no :class:`Made`, or names input rows that its rows cannot come from."""


class WiringError(DataflowError):
    """The steps of a pipeline do not fit together; ``problems`` holds every finding."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))

    def __reduce__(self) -> tuple[type[WiringError], tuple[list[str]]]:
        return WiringError, (self.problems,)


class InputError(DataflowError, ValueError):
    """A file or a folder from outside cannot be used: what, where, what to do."""


class NotReadyError(DataflowError):
    """A key, a server or a package that a run needs is missing; ``problems`` holds every finding.

    It is ``transient`` if servers that do not answer are all there is to it.
    """

    def __init__(self, problems: list[DataflowError]) -> None:
        self.problems = problems
        self.transient = all(problem.transient for problem in problems)
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self) -> tuple[type[NotReadyError], tuple[list[DataflowError]]]:
        return NotReadyError, (self.problems,)


class RowError(DataflowError, ValueError):
    """The values of one row cannot be used; the row becomes a reject, its neighbours live."""


class ValueTypeError(RowError):
    """An operator returned a value that its declared output column cannot hold."""


class PieceError(DataflowError):
    """A piece of work in another process gave no result."""

    def about(self, what: object) -> Self:
        """The same error, told of a file or whatever the piece was.

        >>> print(WorkerDied("its process was killed by SIGSEGV").about("book.pdf"))
        book.pdf: its process was killed by SIGSEGV
        """
        told = type(self)(f"{what}: {self}")
        told.transient, told.attempts = self.transient, self.attempts
        return told


class WorkerDied(PieceError):
    """A process died of a piece of work, and another one when it was tried alone."""


class MemoryExceeded(PieceError):
    """A piece of work took more memory than it may; the process that did it was ended."""


class ResultError(PieceError):
    """What became of a piece of work cannot pass from one process to another."""


class RowTimeout(PieceError):
    """A row, or a part of it, took longer than it may; another try may be faster."""

    transient = True


class AllRowsFailed(DataflowError):
    """An operator that was called by hand failed on every row; ``rejects``, a table, tells why, row by row."""

    rejects: Any = None


class RowFailed(DataflowError):
    """A row failed in a run with ``on_error="raise"``; the error that it failed with is the cause."""


class NestedCallError(DataflowError):
    """A synchronous call was made from the event loop that it would have to wait for."""


class ModelError(DataflowError):
    """A model gave no usable reply; unless a kind of it is known to be final, another try may succeed."""

    transient = True


#: Problems of a file that are told by name, the others by number.
_NAMED = 5


class Problems:
    """What is wrong in a file, by the paths of its values.

    >>> problems = Problems(DataflowError)
    >>> problems.wrong("room.id", "a text is wanted")
    >>> problems.wrong("room.size", "it is missing")
    >>> problems.close()
    Traceback (most recent call last):
    dataflow_ext.errors.DataflowError: room.id: a text is wanted; room.size: it is missing.
    """

    def __init__(self, error: type[DataflowError]) -> None:
        self._error = error
        self._named: list[str] = []
        self._more = 0

    def wrong(self, path: str, what: str) -> None:
        """Note a problem, in words that say what is wanted."""
        if len(self._named) < _NAMED:
            self._named.append(f"{path}: {what}")
        else:
            self._more += 1

    def close(self) -> None:
        """Raise what was noted as wrong."""
        if self._named:
            more = f"; and {self._more:,} more" if self._more else ""
            raise self._error("; ".join(self._named) + more + ".")
