"""Rows that an operator treats by themselves, many at once: by rules in several processes, or by a model side by side.

A row's outcome is the record of its outputs, or the exception or the failure that says why it has none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from dataflow_ext import parallel, progress
from dataflow_ext.background import ROW_ERRORS, contained, map_async, run_async
from dataflow_ext.columns import arrow_type
from dataflow_ext.operator import Made, Operator
from dataflow_ext.rejects import Failure
from dataflow_ext.rows import decoded, encoded, fitting, joined, rows_in_flight

Record = dict[str, Any]
Outcome = Mapping[str, Any] | Exception

#: Records that are in memory together.
_TOGETHER = 1024


def made_of_rows(
    operator: Operator,
    table: pa.Table,
    treat: Callable[[Sequence[Record]], Iterable[Outcome | Failure]],
    at_once: int | None = None,
) -> Made:
    """What ``treat`` makes of a batch's rows: a row for each record among their outcomes, a failure for the others.

    ``treat`` gets the rows as records of the inputs that the operator needs, ``at_once`` of them at one time or all,
    without those whose values are none of the declared types; it gives an outcome for each, in order.
    """
    size = at_once or max(table.num_rows, 1)
    parts = [_part(operator, table.slice(n, size), n, treat) for n in range(0, table.num_rows, size)]
    return joined(parts, operator.promised_outputs())


def made_by_reading(operator: Operator, table: pa.Table, read: Callable[[Record], Iterable[Record | Failure]]) -> Made:
    """What ``read`` makes of each row one after the other: any number of rows, and failures of parts of it.

    An exception ends what comes of its row, as one more failure. Few of the records are in memory at one time.
    """
    columns, wrong = decoded(table, operator.needed_inputs())
    failures = [Failure.of(row, error) for row, error in wrong.items()]
    rows: list[int] = []

    def records() -> Iterator[Record]:
        for row in (row for row in range(table.num_rows) if row not in wrong):
            try:
                for made in read({name: values[row] for name, values in columns.items()}):
                    if isinstance(made, Failure):
                        failures.append(replace(made, row=row))
                    else:
                        rows.append(row)
                        yield made
            except Exception as error:
                failures.append(Failure.of(row, error))

    coming, outputs = records(), operator.promised_outputs()
    parts: list[dict[str, pa.Array]] = []
    while some := list(islice(coming, _TOGETHER)):
        parts.append(encoded(some, outputs))
    chunks = {name: [part[name] for part in parts] for name in outputs}
    made = {name: pa.chunked_array(chunks[name], arrow_type(kind)) for name, kind in outputs.items()}
    return Made(made, rows, failures)


def spread(make: Callable[[Record], Mapping[str, Any]], rows: Sequence[Record], at_once: int) -> list[Outcome]:
    """The outcomes of rows by ``make``, over the processes of the run's ``workers``, ``at_once`` rows a piece of work.

    ``make`` and the rows are pickled on the way, so ``make`` stands in a module. Each row advances the progress.
    """
    outcomes: list[Outcome] = []
    for made in parallel.batches(partial(_each, make), rows, at_once):
        outcomes += made
        progress.advance(len(made))
    return outcomes


def side_by_side(
    operator: Operator, make: Callable[[Record], Awaitable[Mapping[str, Any]]], rows: Sequence[Record]
) -> list[Outcome]:
    """The outcomes of rows by ``make``, which waits for the operator's model; all are under way at the same time.

    Each row advances the progress.
    """

    async def one(row: Record) -> Mapping[str, Any]:
        try:
            return await make(row)
        finally:
            progress.advance()

    return run_async(map_async(one, rows, rows_in_flight(operator)))


def _part(
    operator: Operator, table: pa.Table, start: int, treat: Callable[[Sequence[Record]], Iterable[Outcome | Failure]]
) -> Made:
    """The outcomes of some rows, of which the first is the batch's ``start``-th."""
    columns, wrong = decoded(table, operator.needed_inputs())
    failures = [Failure.of(start + i, error) for i, error in wrong.items()]
    places = [i for i in range(table.num_rows) if i not in wrong]
    records: list[Mapping[str, Any]] = []
    rows: list[int] = []
    outcomes = treat([{name: values[i] for name, values in columns.items()} for i in places])
    for place, outcome in zip(places, outcomes, strict=True):
        if isinstance(outcome, Exception):
            failures.append(Failure.of(start + place, outcome))
        elif isinstance(outcome, Failure):
            failures.append(replace(outcome, row=start + place))
        else:
            records.append(outcome)
            rows.append(start + place)
    return fitting(records, rows, failures, operator.promised_outputs())


def _each(make: Callable[[Record], Mapping[str, Any]], rows: Sequence[Record]) -> list[Outcome]:
    # In the worker, as an exception that got out would end the whole.
    return [_outcome(make, row) for row in rows]


def _outcome(make: Callable[[Record], Mapping[str, Any]], row: Record) -> Outcome:
    try:
        return make(row)
    except ROW_ERRORS as error:
        return contained(error)
