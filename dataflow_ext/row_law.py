"""The law of rows: which input rows an operator may say that its rows came from."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import chain, islice, pairwise

from dataflow_ext.errors import RowLawError


def check_rows(
    name: str, kind: str, total: int, rows: Sequence[int] | None, members: Sequence[Sequence[int]] | None
) -> None:
    """Raise :class:`RowLawError` unless an operator of this kind may name these input rows out of ``total``.

    ``same`` and ``filter`` name each row once at most, in order; ``explode`` as often as it likes; of ``whole``
    each merged row has one ``members`` at least.

    >>> check_rows("Doubles", "explode", 2, [0, 0, 2], None)
    Traceback (most recent call last):
    dataflow_ext.errors.RowLawError: Doubles names input row 2, but its input has 2 rows, counted from 0.
    """
    if isinstance(rows, range) and rows == range(total):
        return
    if rows is not None and kind in ("same", "filter") and not all(map(operator.lt, rows, islice(rows, 1, None))):
        before, after = next((a, b) for a, b in pairwise(rows) if not a < b)
        raise RowLawError(
            f"{name} names input row {before} and then {after}; kind '{kind}' names each once at most, in order."
        )
    if members is not None and not all(map(len, members)):
        raise RowLawError(f"{name} made a merged row of no input rows; name its members.")
    check_range(name, total, rows if members is None else list(chain.from_iterable(members)))


def check_range(name: str, total: int, rows: Sequence[int] | None) -> None:
    """Raise :class:`RowLawError` unless these are numbers of input rows, counted from 0."""
    if rows is not None and len(rows) and not (min(rows) >= 0 and max(rows) < total):
        odd = next(row for row in rows if not 0 <= row < total)
        raise RowLawError(f"{name} names input row {odd}, but its input has {total} rows, counted from 0.")
