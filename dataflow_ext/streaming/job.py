"""A part that has to be made, and whoever makes parts: this process, or those of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from dataflow_ext import progress
from dataflow_ext.engine import do_step
from dataflow_ext.identity import short_hash
from dataflow_ext.models import in_step
from dataflow_ext.parallel.journal import journaling
from dataflow_ext.report import step_report
from dataflow_ext.store import StepStore, passing
from dataflow_ext.streaming.parts import Part, write_part
from dataflow_ext.streaming.stretches import Stretch
from dataflow_ext.tracebacks import at_step

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dataflow_ext.models import Session
    from dataflow_ext.operator import Operator

#: Reads what goes into a part, in whichever process makes it.
Load = Callable[[], pa.Table]


@dataclass(frozen=True, slots=True)
class PartJob:
    """A part that has to be made: what goes in, the steps, and where its file comes to stand.

    Of the stretch's steps, ``skipped`` are done already.
    """

    number: int
    key: str
    stretch: Stretch
    skipped: int
    load: Load
    folder: Path
    pieces: Path
    workers: int
    fresh: bool

    @property
    def steps(self) -> Sequence[Operator]:
        """The steps that are to be done."""
        return self.stretch.steps[self.skipped :]

    def make(self) -> Part:
        """Do the steps, and write the part."""
        table, reports = self.load(), []
        store = StepStore(self.pieces)
        for step, operator in zip(self.stretch.numbers[self.skipped :], self.steps, strict=True):
            name = f"{step}. {operator.step_name}"
            at_step(name)
            began, before = time.perf_counter(), table
            # Parts are counted, not the rows of each step in them.
            with in_step(name), journaling(store.journal(self._piece(step), self.fresh)), progress.listening(None):
                table = do_step(operator, table, step, self.workers)
            took = time.perf_counter() - began
            reports.append(step_report(step, operator.step_name, before, table, took, False))
        may_pass = any(passing(table, step) for step in self.stretch.numbers)
        part = write_part(self.folder, self.number, self.key, table, reports, may_pass)
        if not part.passing:
            for step in self.stretch.numbers:
                store.forget_journal(self._piece(step))
        return part

    def _piece(self, step: int) -> str:
        return short_hash(self.key, str(step)) if self.key else ""


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


class Makers(Protocol):
    """Whoever makes parts in a run."""

    @property
    def workers(self) -> int:
        """The processes that a step may have which looks at all rows."""

    def parts(self, todo: Iterable[Part | PartJob]) -> Iterator[Part]:
        """The parts in their order, those that are to be made being made."""


class Engine(Protocol):
    """What runs pipelines: given a run's session, steps and folder, it has somebody make the parts."""

    def opened(
        self, session: Session, pipeline: Sequence[Operator], folder: Path, workers: int
    ) -> AbstractContextManager[Makers]:
        """Makers of parts for as long as the run lasts."""


@dataclass(frozen=True, slots=True)
class Here:
    """Parts are made in this process, one after the other."""

    workers: int = 1

    @contextmanager
    def opened(self, session: Session, pipeline: Sequence[Operator], folder: Path, workers: int) -> Iterator[Here]:
        """This process, with so many others for costly rows."""
        yield Here(workers)

    def parts(self, todo: Iterable[Part | PartJob]) -> Iterator[Part]:
        """One after the other."""
        # Not in a loop, whose variable would hold a part's rows while the next ones are read.
        return map(_made, todo)


def _made(each: Part | PartJob) -> Part:
    return each if isinstance(each, Part) else each.make()
