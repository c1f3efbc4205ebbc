"""What a run returns: the rows, the rejects, the figures, and the way to try the rejects again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import parallel
from dataflow_ext.engine import do_step
from dataflow_ext.errors import InputError
from dataflow_ext.identity import PARENTS, ROW_ID, parent_of
from dataflow_ext.models import in_step
from dataflow_ext.rejects import REJECT, join, show, split
from dataflow_ext.report import Report, keep_figures, step_report
from dataflow_ext.selection import keep, take
from dataflow_ext.store import StepStore

if TYPE_CHECKING:
    from dataflow_ext.models import Session
    from dataflow_ext.operator import Operator
    from dataflow_ext.trace import Trace


class Traced(ABC):
    """What has :meth:`traces` of several rows, and so that of one."""

    @abstractmethod
    def traces(self, row_ids: Iterable[str]) -> dict[str, Trace]:
        """The lives of several rows, by their ids; there is none of a row that is not there."""

    def trace(self, row_id: str) -> Trace:
        """The life of a row, which may also be one on the way, or a reject: what each step read and wrote of it.

        Calls of models stand in it with prompt and reply, as far as the replies are kept; no call is made.
        """
        if not (found := self.traces([row_id])):
            raise InputError(f"There is no row {row_id!r} in this run; rows are named by their row_id.")
        return found[row_id]


class Result(Traced):
    """A finished run: ``table``, ``rejects``, ``report``, and :meth:`retry` for the rows that failed."""

    def __init__(
        self,
        pipeline: Sequence[Operator],
        tables: Sequence[pa.Table],
        report: Report,
        store: StepStore,
        workers: int,
        session: Session,
        marks: Sequence[str | None],
    ) -> None:
        self.report = report
        report.traces = self.traces
        self._pipeline, self._tables, self._store = list(pipeline), list(tables), store
        self._workers, self._session, self._marks = workers, session, list(marks)
        self.table, dead = split(self._tables[-1])
        self.rejects = show(dead)

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return int(self.table.num_rows)

    def after(self, step: int | str) -> pa.Table:
        """The living rows after a step, which is given by its number (0: what went in) or its operator's name.

        Of several steps of one name the last is meant. :class:`InputError` for a step that is not there.
        """
        names = [operator.step_name for operator in self._pipeline]
        if isinstance(step, str) and step in names:
            step = len(names) - names[::-1].index(step)
        if not isinstance(step, int) or not -len(self._tables) <= step < len(self._tables):
            raise InputError(f"There is no step {step!r}; the steps are {', '.join(names)} (1 to {len(names)}).")
        return split(self._tables[step])[0]

    def write_page(self, out: str | Path) -> Path:
        """The path of ``out/report.html``: all rows, rejects, steps and their wiring, to look at in a browser."""
        from dataflow_ext.report.table_rows import table_page

        return table_page(self.table, Path(out), self.report, self.rejects)

    def traces(self, row_ids: Iterable[str], calls: int | None = None, items: int | None = None) -> dict[str, Trace]:
        """The lives of several rows, by their ids; there is none of a row that is not there.

        The first ``calls`` of them, or all, have their calls of models, for which steps are done again. Of a list of
        more than ``items`` there are so many, and one more that tells how many there are.
        """
        from dataflow_ext.trace import traces

        return traces(self._pipeline, self._tables, row_ids, self._session.cache, calls, items)

    def retry(self) -> Result:
        """Run the rows that failed again, from the step where they failed, and put them in their places.

        Rows that are done are not done again, except that steps which merge rows, or look at all of them
        together, see all their rows once more.
        """
        tables, redone = [self._tables[0]], set[str]()
        report = Report(warnings=list(self.report.warnings), wiring=self.report.wiring)
        # A step that was changed since has made a part of its rows as it was and a part as it is: no result to keep.
        marks = [
            m if m == old else None
            for m, old in zip(self._store.fingerprints(self._pipeline), self._marks, strict=True)
        ]
        with self._session, self._session.asking_again(), parallel.workers(self._workers):
            for number, operator in enumerate(self._pipeline, 1):
                old = (self._tables[number - 1], self._tables[number])
                with in_step(f"{number}. {operator.step_name}"):
                    made, redone = _advance(operator, number, tables[-1], *old, redone, self._workers)
                self._store.save(self._store.key(operator, number, tables[-1], marks[number - 1]), made, number)
                report.steps.append(step_report(number, operator.step_name, tables[-1], made, 0.0, made is old[1]))
                tables.append(made)
            keep_figures(report, self._session, tables[-1])
        return Result(self._pipeline, tables, report, self._store, self._workers, self._session, marks)

    def _repr_html_(self) -> str:
        """The figures of the steps, and the rejects by operator and reason."""
        counted = Counter(zip(*(self.rejects[name].to_pylist() for name in ("operator", "kind", "error")), strict=True))
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in (*what, count))}</tr>"
            for what, count in counted.most_common()
        )
        head = "<tr><th>operator</th><th>kind</th><th>reason</th><th>rejects</th></tr>"
        return f"<pre>{escape(str(self.report))}</pre>{f'<table>{head}{rows}</table>' if rows else ''}"

    def __repr__(self) -> str:
        failed = pc.sum(pc.equal(self.rejects["kind"], "failed")).as_py() or 0
        return f"Result({self.table.num_rows} rows, {self.rejects.num_rows} rejects, {failed} of them failed)"


def _advance(
    operator: Operator,
    number: int,
    table: pa.Table,
    before: pa.Table,
    after: pa.Table,
    redone: set[str],
    workers: int,
) -> tuple[pa.Table, set[str]]:
    """A step's output for ``table``, given what it made of ``before``, and the ids of rows it made anew.

    Only rows that failed here, are new, or are ``redone`` are done. An id alone does not tell whether a row
    is new: where a part of a row failed, the parts after it move up when it is done again.
    """
    living, dead = split(table)
    old, old_dead = split(after)
    failed = _ids(old_dead, number, failed=True)
    final = _ids(old_dead, number, failed=False) - failed - redone
    if table is before and not failed and not redone:
        return after, set()
    if operator.rows == "whole":
        made = do_step(operator, table, number, workers)
        return made, _touched(split(made)[0], redone)
    if operator.together:
        made = do_step(operator, table, number, workers)
        return made, set(split(made)[0][ROW_ID].to_pylist())
    parents = [_parent(operator, i) for i in old[ROW_ID].to_pylist()]
    # A row of which a part failed is done again as a whole: what was paid for is in the request cache.
    stays = [p not in failed and p not in redone for p in parents]
    old = keep(old, pa.array(stays, pa.bool_()))
    parents = [p for p, kept in zip(parents, stays, strict=True) if kept]
    settled = final.union(parents)
    ids = living[ROW_ID].to_pylist()
    todo = keep(living, pa.array([i not in settled for i in ids], pa.bool_()))
    fresh, fresh_dead = split(do_step(operator, todo, number, workers))
    both = pa.concat_tables([old, fresh.select(old.column_names)])
    parents += [_parent(operator, i) for i in fresh[ROW_ID].to_pylist()]
    place = {row_id: n for n, row_id in enumerate(ids)}
    order = sorted((place[p], n) for n, p in enumerate(parents) if p in place)
    mine = _in_place([_settled(old_dead, number, final), fresh_dead], place)
    made = join(take(both, [n for _, n in order]), [dead, mine])
    return made, set(fresh[ROW_ID].to_pylist())


def _touched(merged: pa.Table, redone: set[str]) -> set[str]:
    """Ids of merged rows that have a redone row among their parents."""
    rows = zip(merged[ROW_ID].to_pylist(), merged[PARENTS].to_pylist(), strict=True)
    return {row_id for row_id, parents in rows if not redone.isdisjoint(parents)}


def _settled(dead: pa.Table | None, number: int, final: set[str]) -> pa.Table | None:
    """The rejects of this step that stay as they are."""
    if dead is None:
        return None
    steps = pc.struct_field(dead[REJECT], "step").to_pylist()
    pairs = zip(dead[ROW_ID].to_pylist(), steps, strict=True)
    return keep(dead, pa.array([i in final and step == number for i, step in pairs], pa.bool_()))


def _in_place(parts: Sequence[pa.Table | None], place: Mapping[str, int]) -> pa.Table | None:
    """Rejects of one step in the order of its input rows, as if all of them had been done at once."""
    there = [part for part in parts if part is not None]
    if not there:
        return None
    dead = pa.concat_tables(there)
    order = sorted((place[i], n) for n, i in enumerate(dead[ROW_ID].to_pylist()) if i in place)
    return take(dead, [n for _, n in order])


def _parent(operator: Operator, row_id: str) -> str:
    return parent_of(row_id) if operator.rows == "explode" else row_id


def _ids(dead: pa.Table | None, number: int, *, failed: bool) -> set[str]:
    """Ids of the rows that failed at this step, or of those it dropped or found empty, which is for good."""
    if dead is None:
        return set()
    here = pc.equal(pc.struct_field(dead[REJECT], "step"), number)
    kind = pc.equal(pc.struct_field(dead[REJECT], "kind"), "failed")
    return set(keep(dead, pc.and_(here, kind if failed else pc.invert(kind)))[ROW_ID].to_pylist())
