"""One step on this machine: in this process, or its rows spread over several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pyarrow as pa

from dataflow_ext import progress
from dataflow_ext.errors import DataflowError
from dataflow_ext.models.held import models_in
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import join, split


def do_step(operator: Operator, table: pa.Table, number: int, workers: int = 1) -> pa.Table:
    """The step's output, rejected rows included; the same whatever ``workers`` is."""
    living, _ = split(table)
    # Models are asked from one process, which holds the gate, the budget and the cache.
    asks = next(models_in(operator), None) is not None
    alone = asks or not operator.spread or operator.rows == "whole" or not _is_found_elsewhere(type(operator))
    if workers < 2 or living.num_rows < 2 or alone:
        return operator.step(table, number)
    return _spread(operator, table, number, min(workers, living.num_rows))


def _is_found_elsewhere(cls: type) -> bool:
    """Whether another process can import the class: not if it was typed in a notebook or at a prompt."""
    return cls.__module__ != "__main__" or Path(getattr(sys.modules["__main__"], "__file__", None) or "").is_file()


def _spread(operator: Operator, table: pa.Table, number: int, workers: int) -> pa.Table:
    living, dead = split(table)
    # A row a task: rows worth a process of their own (a book, a scan) differ widely in size.
    parts = [living.slice(i, 1) for i in range(living.num_rows)]
    # Forking a process that has threads (Arrow's, a client's) can hang the child, so children start afresh.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_serve, initargs=(os.getpid(),))
    try:
        futures = [pool.submit(_work, operator, _to_bytes(part), number) for part in parts]
        done = []
        for future in futures:
            done.append(_from_bytes(future.result()))
            progress.advance()
    except BrokenProcessPool:
        raise DataflowError(
            f"A worker process of {type(operator).__name__} died: out of memory (try fewer workers), or the "
            "script that called run does so outside of `if __name__ == '__main__':`."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return _collect(done, dead)


def _collect(done: Sequence[pa.Table], dead: pa.Table | None) -> pa.Table:
    halves = [split(part) for part in done]
    alive = pa.concat_tables([living for living, _ in halves])
    return join(alive, [dead, *(rejected for _, rejected in halves)])


def _serve(master: int) -> None:
    """Prepare a worker: interrupts are the master's to handle, and a worker does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == master:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _work(operator: Operator, data: bytes, number: int) -> bytes:
    return _to_bytes(operator.step(_from_bytes(data), number))


def _to_bytes(table: pa.Table) -> bytes:
    # Pickling a slice would ship its whole parent; IPC writes the slice alone.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _from_bytes(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
