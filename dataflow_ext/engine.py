"""One step on this machine: in this process, or its rows spread over several; what all steps of a run are done with."""

from __future__ import annotations

import logging
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from dataflow_ext import parallel, progress
from dataflow_ext.checking import Preflight
from dataflow_ext.errors import NotReadyError, PieceError
from dataflow_ext.models.budget import Usage
from dataflow_ext.models.request import FullModel, models_in
from dataflow_ext.models.session import current_session, in_step
from dataflow_ext.operator import Operator
from dataflow_ext.progress import Listener
from dataflow_ext.rejects import Failure, join, split
from dataflow_ext.selection import whole
from dataflow_ext.tracebacks import Trace, Tracebacks, keeping, log, raising, take

logger = logging.getLogger(__name__)

#: Seconds that the modules of a step may take where they come into use first: 0.22 for books by rules. So much of the
#: first row's time tells nothing of other rows.
_IMPORTS = 0.2


def can_leave(operator: Operator) -> bool:
    """Whether another process can have the operator; if pickling is what fails, the log says why."""
    why = why_not(operator)
    if why.startswith("it cannot be pickled"):
        logger.warning("%s stays in one process: %s.", type(operator).__name__, why)
    return not why


def why_not(operator: Operator) -> str:
    """Why another process cannot have the operator; empty if it can."""
    options = [type(getattr(operator, name)) for name in type(operator).model_fields]
    for cls in (type(operator), *options):
        if not _is_found_elsewhere(cls):
            return f"{cls.__name__} was typed in a notebook or at a prompt, where no other process finds it"
    try:
        pickle.dumps(operator)
    except Exception as error:
        return f"it cannot be pickled ({error})"
    return ""


def _is_found_elsewhere(cls: type) -> bool:
    """Whether another process can import the class: not if it was typed in a notebook or at a prompt."""
    return cls.__module__ != "__main__" or Path(getattr(sys.modules["__main__"], "__file__", None) or "").is_file()


def do_step(operator: Operator, table: pa.Table, number: int, workers: int = 1) -> pa.Table:
    """The step's output, rejected rows included; the same whatever ``workers`` is. Row ids are unique."""
    living, _ = split(table)
    # Other models are asked from one process, which holds the gate, the budget and the cache.
    here = workers < 2 or raising() or not all(FullModel(model).portable for model in models_in(operator))
    here = here or not can_leave(operator)
    with parallel.workers(workers) as pool, parallel.staying(here):
        if here or living.num_rows < 2 or not operator.spread or operator.together or operator.rows == "whole":
            return operator.step(table, number, unique=True)
        return _spread(operator, table, number, pool)


def _spread(operator: Operator, table: pa.Table, number: int, pool: parallel.Pool) -> pa.Table:
    living, dead = split(table)
    # A row a piece: rows worth a process of their own (a book, a scan) differ widely in size. None of them is done
    # here, where one that dies would take the run with it.
    begun, at, size = list[pa.Table](), 0, 1
    if operator.spread == "if it pays" and not pool.at_once:
        begun, at, size = _begun(operator, living, number, pool)
    pieces = [living.slice(i, size) for i in range(at, living.num_rows, size)]
    return _collect([*begun, *_done(operator, number, pieces)], dead)


def _begun(operator: Operator, living: pa.Table, number: int, pool: parallel.Pool) -> tuple[list[pa.Table], int, int]:
    """What the first rows make in this process, till others are worth it; how many those were; how many go at once."""
    trial = parallel.Trial(pool.count, living.num_rows, pool.started, _IMPORTS)
    made, at, size = [], 0, 1
    while at < living.num_rows and not trial.pays:
        part, began = living.slice(at, size), time.perf_counter()
        with progress.listening(None):  # who hears of the step's rows, not of these as if they were all
            made.append(operator.step(part, number, unique=True))
        progress.advance(part.num_rows)
        trial.add(max(0.0, time.perf_counter() - began - (0 if at else _IMPORTS)), part.num_rows)
        at += part.num_rows
        size = at
    return made, at, trial.size


def _done(operator: Operator, number: int, pieces: Sequence[pa.Table]) -> Iterator[pa.Table]:
    """What other processes make of each of these rows' pieces; if one dies of several rows, they go one by one."""
    work, tries = partial(_work, operator, number), 1 if any(piece.num_rows > 1 for piece in pieces) else 2
    outcomes = parallel.outcomes(work, map(Given, pieces), tries, _without_failures, costly=True)
    for piece, made in zip(pieces, outcomes, strict=True):
        if not isinstance(made, PieceError):
            take(made.traces)
            current_session().ledger.add(made.calls)
            yield made.result.table
        elif tries == 1:
            yield from _done(operator, number, [piece.slice(i, 1) for i in range(piece.num_rows)])
            continue
        else:
            yield operator.rejected(piece, [Failure.of(0, made)], number)
        progress.advance(piece.num_rows)


def _collect(done: Sequence[pa.Table], dead: pa.Table | None) -> pa.Table:
    halves = [split(part) for part in done]
    # In one batch: later steps would pay for each of very many.
    alive = whole(pa.concat_tables([living for living, _ in halves]))
    return join(alive, [dead, *(rejected for _, rejected in halves)])


@dataclass(frozen=True, slots=True)
class _Worked:
    """What a process made of some rows, the errors that it noticed, and what it asked of models."""

    result: Given
    traces: list[Trace]
    calls: dict[tuple[str, str], Usage]


def _work(operator: Operator, number: int, rows: Given) -> _Worked:
    name = f"{number}. {operator.step_name}"
    with in_step(name), keeping(Tracebacks()) as tracebacks:
        tracebacks.step = name
        made = operator.step(rows.table, number, unique=True)
    return _Worked(Given(made), tracebacks.kept, current_session().ledger.taken())


def _without_failures(made: _Worked | PieceError) -> bool:
    return isinstance(made, _Worked) and not made.traces


@dataclass(frozen=True, slots=True)
class Given:
    """A table that is there; its pickle has its rows alone, where that of a slice has all of those it was cut from."""

    table: pa.Table

    def __call__(self) -> pa.Table:
        """The table."""
        return self.table

    def __reduce__(self) -> tuple[Callable[[pa.Buffer], Given], tuple[pa.Buffer]]:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.table.schema) as writer:
            writer.write_table(self.table)
        return _read, (sink.getvalue(),)


def _read(data: pa.Buffer) -> Given:
    return Given(pa.ipc.open_stream(data).read_all())


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What all steps of a run are done with; ``ahead`` is what is looked at before the first of them that is."""

    workers: int
    limit: int | None
    fresh: bool
    listener: Listener | None
    ahead: Preflight | None

    @contextmanager
    def telling(self, name: str, rows: int) -> Iterator[list[str]]:
        """Tell listener and log of what is done inside, at its end with the last note in the list."""
        if self.listener is not None:
            self.listener.start(name, rows)
        notes = ["stopped"]
        try:
            yield notes
        except NotReadyError:  # what is missing is told with the step that misses it
            notes.append("not begun")
            raise
        finally:
            log.info("%s: %s", name, notes[-1])
            if self.listener is not None:
                with suppress(OSError):  # a terminal that is gone is no reason to lose the work
                    self.listener.finish(notes[-1])

    def before(self, step: int) -> None:
        """Look at what a step needs that has to be done."""
        if self.ahead is not None:
            self.ahead.before(step)
