"""One step on this machine: in this process, or its rows spread over several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyarrow as pa

from dataflow_ext import parallel, progress
from dataflow_ext.errors import PieceError
from dataflow_ext.leaving import can_leave
from dataflow_ext.models.held import models_in
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import Failure, join, split
from dataflow_ext.tracebacks import Trace, Tracebacks, keeping, raising, take


def do_step(operator: Operator, table: pa.Table, number: int, workers: int = 1) -> pa.Table:
    """The step's output, rejected rows included; the same whatever ``workers`` is. Row ids are unique."""
    living, _ = split(table)
    # Models are asked from one process, which holds the gate, the budget and the cache.
    here = workers < 2 or raising() or next(models_in(operator), None) is not None or not can_leave(operator)
    with parallel.workers(workers), parallel.staying(here):
        if here or living.num_rows < 2 or not operator.spread or operator.together or operator.rows == "whole":
            return operator.step(table, number, unique=True)
        return _spread(operator, table, number)


def _spread(operator: Operator, table: pa.Table, number: int) -> pa.Table:
    living, dead = split(table)
    # A row a task: rows worth a process of their own (a book, a scan) differ widely in size. None of them is done
    # here, where one that dies would take the run with it.
    rows = [living.slice(i, 1) for i in range(living.num_rows)]
    done = []
    work = partial(_work, operator, number)
    outcomes = parallel.outcomes(work, map(_to_bytes, rows), final=_without_failures, costly=True)
    for row, made in zip(rows, outcomes, strict=True):
        if isinstance(made, PieceError):
            done.append(operator.rejected(row, [Failure.of(0, made)], number))
        else:
            content, traces = made
            done.append(_from_bytes(content))
            take(traces)
        progress.advance()
    return _collect(done, dead)


def _collect(done: Sequence[pa.Table], dead: pa.Table | None) -> pa.Table:
    halves = [split(part) for part in done]
    alive = pa.concat_tables([living for living, _ in halves])
    return join(alive, [dead, *(rejected for _, rejected in halves)])


def _work(operator: Operator, number: int, data: bytes) -> tuple[bytes, list[Trace]]:
    with keeping(Tracebacks()) as tracebacks:
        tracebacks.step = f"{number}. {operator.step_name}"
        made = operator.step(_from_bytes(data), number, unique=True)
    return _to_bytes(made), tracebacks.kept


def _without_failures(made: tuple[bytes, list[Trace]] | PieceError) -> bool:
    return isinstance(made, tuple) and not made[1]


def _to_bytes(table: pa.Table) -> bytes:
    # Pickling a slice would ship its whole parent; IPC writes the slice alone.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _from_bytes(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
