"""One step on this machine: in this process, or its rows spread over several."""

from __future__ import annotations

import logging
import pickle
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from dataflow_ext import parallel, progress
from dataflow_ext.models.held import models_in
from dataflow_ext.operator import Operator
from dataflow_ext.parallel import Workers
from dataflow_ext.rejects import join, split

logger = logging.getLogger(__name__)


def do_step(operator: Operator, table: pa.Table, number: int, workers: int = 1) -> pa.Table:
    """The step's output, rejected rows included; the same whatever ``workers`` is."""
    living, _ = split(table)
    # Models are asked from one process, which holds the gate, the budget and the cache.
    here = workers < 2 or next(models_in(operator), None) is not None or not _can_leave(operator)
    with parallel.workers(1 if here else workers) as pool:
        if pool is None or living.num_rows < 2 or not operator.spread or operator.together or operator.rows == "whole":
            return operator.step(table, number)
        return _spread(operator, table, number, pool)


def _can_leave(operator: Operator) -> bool:
    """Whether another process can have the operator: its class and its options' classes are found there."""
    options = [type(getattr(operator, name)) for name in type(operator).model_fields]
    if not all(map(_is_found_elsewhere, (type(operator), *options))):
        return False
    try:
        pickle.dumps(operator)
    except Exception as error:
        logger.warning("%s stays in one process: it cannot be pickled (%s).", type(operator).__name__, error)
        return False
    return True


def _is_found_elsewhere(cls: type) -> bool:
    """Whether another process can import the class: not if it was typed in a notebook or at a prompt."""
    return cls.__module__ != "__main__" or Path(getattr(sys.modules["__main__"], "__file__", None) or "").is_file()


def _spread(operator: Operator, table: pa.Table, number: int, pool: Workers) -> pa.Table:
    living, dead = split(table)
    # A row a task: rows worth a process of their own (a book, a scan) differ widely in size.
    parts = (_to_bytes(living.slice(i, 1)) for i in range(living.num_rows))
    done = []
    for made in pool.map(partial(_work, operator, number), parts):
        done.append(_from_bytes(made))
        progress.advance()
    return _collect(done, dead)


def _collect(done: Sequence[pa.Table], dead: pa.Table | None) -> pa.Table:
    halves = [split(part) for part in done]
    alive = pa.concat_tables([living for living, _ in halves])
    return join(alive, [dead, *(rejected for _, rejected in halves)])


def _work(operator: Operator, number: int, data: bytes) -> bytes:
    return _to_bytes(operator.step(_from_bytes(data), number))


def _to_bytes(table: pa.Table) -> bytes:
    # Pickling a slice would ship its whole parent; IPC writes the slice alone.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _from_bytes(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
