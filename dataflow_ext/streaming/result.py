"""What a streamed run returns: rows and rejects that are read from its folder when they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.datasets.rejects_and_stats import rejects_by_parts
from dataflow_ext.errors import InputError
from dataflow_ext.files import atomic
from dataflow_ext.identity import PARENTS, ROW_ID, with_row_ids
from dataflow_ext.rejects import REJECT, join, show, split
from dataflow_ext.report import Report
from dataflow_ext.result import Result, Traced
from dataflow_ext.selection import keep, take
from dataflow_ext.store import StepStore
from dataflow_ext.streaming.parts import Part, Stretch

if TYPE_CHECKING:
    from dataflow_ext.models import Session
    from dataflow_ext.trace import Trace

#: Bytes of rows that are written, and read again, at one time.
_GROUP_BYTES = 1 << 25


class StreamResult(Traced):
    """A finished streamed run: its rows by parts, ``rejects`` and ``report``; nothing of it is held in memory.

    ``path`` is the Parquet file with all rows. Anything that reads Arrow streams takes the result itself:
    ``polars.from_arrow(result)``, ``pyarrow.RecordBatchReader.from_stream(result)``, ``duckdb``.
    """

    def __init__(
        self, path: Path, plan: Sequence[Stretch], parts: Sequence[Sequence[Part]], report: Report, session: Session
    ) -> None:
        self.path, self.report, self._session = path, report, session
        self._plan, self._parts = list(plan), [list(each) for each in parts]
        if len(parts) == 1 + sum(len(stretch.steps) for stretch in plan):
            report.traces = self.traces

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return self.report.steps[-1].rows_out

    @property
    def table(self) -> pa.Table:
        """All rows, in memory."""
        return pa.concat_tables(self.parts())

    @property
    def rejects(self) -> pa.Table:
        """The rejected rows with their causes, by part, step and row."""
        return pa.concat_tables(show(split(part.read())[1]) for part in self._parts[-1])

    def parts(self) -> Iterator[pa.Table]:
        """The rows, a part at a time."""
        return (part.living() for part in self._parts[-1])

    def after(self, step: int | str) -> pa.Table:
        """The living rows after a step, which is given by its number or its operator's name.

        Of several steps of one name the last is meant. Kept are steps at which a stretch ends: the last, those before a
        merge, and those that ``keep_steps`` named; 0 is what went in.
        """
        return pa.concat_tables(self.parts_after(step))

    def parts_after(self, step: int | str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The same a part at a time, and only these columns."""
        names = [operator.step_name for stretch in self._plan for operator in stretch.steps]
        number = len(names) - names[::-1].index(step) if step in names else step
        at = next((n for n, stretch in enumerate(self._plan) if stretch.last[0] == number), None)
        if at is None:
            told = ", ".join(f"{number} ({name})" for number, name in (stretch.last for stretch in self._plan))
            raise InputError(f"The rows after step {step} were not kept, those after {told} were; use keep_steps=[…].")
        return (part.living(columns) for part in self._parts[at])

    def traces(self, row_ids: Iterable[str], calls: int | None = None, items: int | None = None) -> dict[str, Trace]:
        """The same as of a run in memory, if the rows after every step were kept; of others only ids are read."""
        from dataflow_ext.trace import traces

        steps = [operator for stretch in self._plan for operator in stretch.steps]
        if len(self._parts) != len(steps) + 1:
            raise InputError("Rows are traced in a run that kept them after every step: keep_steps=range(0, …).")
        ids = [_joined(part.read([ROW_ID, PARENTS, "id"]) for part in parts) for parts in self._parts]
        return traces(steps, ids, row_ids, self._session.cache, calls, items, self._rows)

    def _rows(self, step: int, ids: Collection[str]) -> pa.Table:
        """The rows of these ids after a step, rejects included."""
        wanted = pa.array(sorted(ids), pa.string())
        masks = ((part, pc.is_in(part.read([ROW_ID])[ROW_ID], value_set=wanted)) for part in self._parts[step])
        empty = self._parts[step][0].read().schema.empty_table()
        return _joined([empty, *(keep(part.read(), mask) for part, mask in masks if pc.any(mask).as_py())])

    def in_memory(self, source: pa.Table, session: Session) -> Result:
        """The same as a run in memory gives; the rows after every step are there if each was kept."""
        steps = [operator for stretch in self._plan for operator in stretch.steps]
        marks = [mark for stretch in self._plan for mark in stretch.marks]
        kept = [parts for stretch, parts in zip(self._plan, self._parts, strict=True) if stretch.steps]
        tables = [with_row_ids(source), *map(_in_one, kept)]
        return Result(steps, tables, self.report, StepStore(None), 1, session, marks)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows as an Arrow stream."""
        schema = self._parts[-1][0].living().schema
        batches = (batch for table in self.parts() for batch in table.to_batches())
        return pa.RecordBatchReader.from_batches(schema, batches).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        last = self.report.steps[-1]
        failed = sum(step.failed for step in self.report.steps)
        return f"StreamResult({last.rows_out} rows in {len(self._parts[-1])} parts, {failed} failed; {self.path})"


def _joined(tables: Iterable[pa.Table]) -> pa.Table:
    """Rows of parts of which some have rejects."""
    return pa.concat_tables(tables, promote_options="default")


def _in_one(parts: Sequence[Part]) -> pa.Table:
    """The rows of all parts, then the rejects by step."""
    halves = [split(part.read()) for part in parts]
    dead = [rejects for _, rejects in halves if rejects is not None]
    if dead:
        every = pa.concat_tables(dead)
        steps = pc.struct_field(every[REJECT], "step").to_pylist()
        dead = [take(every, sorted(range(len(steps)), key=steps.__getitem__))]
    return join(pa.concat_tables(living for living, _ in halves), dead)


def must_be_writable(schema: pa.Schema) -> None:
    """Raise :class:`InputError` if a column is of a type that no Parquet file has: better now than at the end."""
    import pyarrow.parquet as pq

    for field in schema:
        try:
            pq.ParquetWriter(pa.BufferOutputStream(), pa.schema([field])).close()
        except pa.ArrowException as error:
            raise InputError(
                f"Column '{field.name}' ({field.type}) cannot be written to rows.parquet; drop it, or give it another "
                f"type ({error})."
            ) from None


def write_rows(parts: Sequence[Part], path: Path, rejects: Path) -> None:
    """The rows, and the rejects, as one Parquet file each, a part at a time."""
    import pyarrow.parquet as pq

    with atomic(path) as rows_file, rejects_by_parts(rejects) as write_causes:
        schema = parts[0].living().schema
        with pq.ParquetWriter(rows_file, schema, compression="zstd") as rows:
            for part in parts:
                living, dead = split(part.read())
                if living.num_rows:
                    few = living.num_rows * _GROUP_BYTES // max(1, living.nbytes)
                    rows.write_table(living.cast(schema), row_group_size=max(1, min(living.num_rows, few)))
                if dead is not None and dead.num_rows:
                    write_causes(show(dead))
