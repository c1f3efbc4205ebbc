"""Two ways to write an operator with one method: a row at a time, or a group of rows at a time."""

from __future__ import annotations

import inspect
import typing
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.errors import ColumnError, ValueTypeError
from dataflow_ext.operator import Made, Operator
from dataflow_ext.rejects import Failure

#: Rows that are Python objects at one time.
_SLICE = 4096
#: Asynchronous rows under way at one time; the gate around the model call decides what is really sent.
_IN_FLIGHT = 1024


class RowOperator(Operator):
    """Base of operators that treat one row at a time by the method ``row``, which may be ``async``.

    ``row`` takes the declared inputs by name. It returns a mapping of output columns (kind ``same``), an
    iterable of mappings (``explode``), or True or the reason for dropping the row (``filter``). An
    exception rejects its row alone.

    >>> class Shout(RowOperator):
    ...     inputs, outputs = {"text": str}, {"loud": str}
    ...     def row(self, text: str) -> dict[str, str]:
    ...         return {"loud": text.upper()}
    >>> Shout()(pa.table({"text": ["ah"]})).drop_columns(["row_id"]).to_pylist()
    [{'text': 'ah', 'loud': 'AH'}]
    """

    @abstractmethod
    def row(self, *args: Any, **inputs: Any) -> Any:
        """Make one row's output."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check that ``row`` takes what ``inputs`` declares, so that the two cannot drift apart."""
        super().__pydantic_init_subclass__(**kwargs)
        _check_signature(cls, cls.row)

    def batch(self, table: pa.Table) -> Made:
        """Call ``row`` for every row, a slice of the table at a time."""
        parts = [self._slice(table.slice(s, _SLICE), s) for s in range(0, table.num_rows, _SLICE)]
        columns = {
            name: pa.chunked_array([p.columns[name] for p in parts], arrow_type(t))
            for name, t in self.outputs.items()
        }
        rows = [i for p in parts for i in p.rows or ()]
        return Made(columns, rows, [f for p in parts for f in p.failures])

    def _slice(self, table: pa.Table, start: int) -> Made:
        values = [decode(table[name], t) for name, t in self.inputs.items()]
        calls = [dict(zip(self.inputs, row, strict=True)) for row in zip(*values, strict=True)]
        results = self._run(calls)
        records: list[Mapping[str, Any]] = []
        rows: list[int] = []
        failures: list[Failure] = []
        for i, result in enumerate(results):
            try:
                made = list(self._records(result))
            except Exception as error:
                failures.append(Failure.of(start + i, error))
                continue
            if isinstance(result, str) and self.rows == "filter":
                failures.append(Failure(start + i, result, "Dropped", kind="dropped"))
            records += made
            rows += [start + i] * len(made)
        return self._encoded(records, rows, failures)

    def _run(self, calls: Sequence[Mapping[str, Any]]) -> list[Any]:
        if inspect.iscoroutinefunction(self.row):
            return run_async(map_async(self._one_async, calls, _IN_FLIGHT))
        return [self._one(call) for call in calls]

    def _one(self, call: Mapping[str, Any]) -> Any:
        try:
            result = self.row(**call)
            # A generator's errors belong to its row, so it is run to its end here.
            return list(result) if self.rows == "explode" else result
        except Exception as error:
            return error
        finally:
            progress.advance()

    async def _one_async(self, call: Mapping[str, Any]) -> Any:
        try:
            return await self.row(**call)
        finally:
            progress.advance()

    def _records(self, result: Any) -> Iterable[Mapping[str, Any]]:
        """The output records of one row's result; raises what the row raised."""
        if isinstance(result, BaseException):
            raise result
        if self.rows == "filter":
            if result is not True and not isinstance(result, str):
                raise ValueTypeError(f"a filter's row returns True or a reason, got {result!r}")
            return [] if isinstance(result, str) else [{}]
        records = result if self.rows == "explode" else [result]
        for record in records:
            if not isinstance(record, Mapping) or set(record) != set(self.outputs):
                got = sorted(record) if isinstance(record, Mapping) else type(record).__name__
                raise ValueTypeError(f"row returned {got}, declared outputs are {sorted(self.outputs)}")
        return records

    def _encoded(self, records: list[Mapping[str, Any]], rows: list[int], failures: list[Failure]) -> Made:
        """Whole columns at once; only if a value does not fit, row by row to find which."""
        try:
            return Made(self._columns(records), rows, failures)
        except ValueTypeError:
            wrong: dict[int, ValueTypeError] = {}
            for i, record in zip(rows, records, strict=True):
                try:
                    self._columns([record])
                except ValueTypeError as error:
                    wrong.setdefault(i, error)
        kept = [(i, r) for i, r in zip(rows, records, strict=True) if i not in wrong]
        failures = [*failures, *(Failure.of(i, e) for i, e in wrong.items())]
        return Made(self._columns([r for _, r in kept]), [i for i, _ in kept], failures)

    def _columns(self, records: Sequence[Mapping[str, Any]]) -> dict[str, pa.Array]:
        columns = {}
        for name, column in self.outputs.items():
            try:
                columns[name] = encode([r[name] for r in records], column)
            except ValueTypeError as error:
                raise ValueTypeError(f"column '{name}': {error}") from None
        return columns


@dataclass(slots=True)
class Merged:
    """One output row of a group: which of the group's rows are in it, and its values.

    ``carry`` are the rows whose ``carried`` columns are joined in it, all of ``rows`` by default.
    """

    rows: Sequence[int]
    values: Mapping[str, Any]
    carry: Sequence[int] | None = None


class GroupOperator(Operator):
    """Base of operators that merge rows: all rows with equal ``key`` columns, sorted by ``order`` columns.

    ``group`` takes the declared inputs as lists and yields :class:`Merged` rows and ``Failure`` causes,
    both naming rows by their place in the group. An exception rejects the whole group. List columns in
    ``carried`` are not given to ``group``: an output row has their values of all its rows, one after the
    other, as they are.
    """

    rows: ClassVar[Any] = "whole"
    order: ClassVar[tuple[str, ...]] = ()
    carried: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def group(self, *args: Any, **columns: Any) -> Iterable[Merged | Failure]:
        """Merge one group."""

    def batch(self, table: pa.Table) -> Made:
        """Call ``group`` for every group, in the order in which their keys first appear."""
        columns = {n: decode(table[n], t) for n, t in self.inputs.items() if n not in self.carried}
        groups: dict[tuple[Any, ...], list[int]] = {}
        for i, key in enumerate(zip(*(columns[k] for k in self.key), strict=True)):
            groups.setdefault(key, []).append(i)
        members: list[list[int]] = []
        records: list[Mapping[str, Any]] = []
        carry: list[list[int]] = []
        failures: list[Failure] = []
        for rows in groups.values():
            rows.sort(key=lambda i: tuple(columns[o][i] for o in self.order))
            try:
                for made in self.group(
                    **{name: [values[i] for i in rows] for name, values in columns.items()}
                ):
                    if isinstance(made, Failure):
                        made.row = rows[made.row]
                        failures.append(made)
                    else:
                        members.append([rows[i] for i in made.rows])
                        records.append(made.values)
                        carry.append([rows[i] for i in (made.rows if made.carry is None else made.carry)])
            except Exception as error:
                failures += [Failure.of(i, error) for i in rows]
            progress.advance(len(rows))
        out = {n: encode([r[n] for r in records], t) for n, t in self.outputs.items() if n not in self.carried}
        out.update({name: _joined(table[name], carry) for name in self.carried})
        return Made(out, failures=failures, members=members)


def _joined(lists: pa.ChunkedArray, carry: Sequence[Sequence[int]]) -> pa.Array:
    """For each output row the values of its input rows' lists, one after the other."""
    taken = lists.combine_chunks().take(pa.array(chain.from_iterable(carry), pa.int64()))
    sizes = [0, *accumulate(taken.value_lengths().to_pylist())]
    offsets = [sizes[n] for n in accumulate(map(len, carry), initial=0)]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), taken.flatten(), type=taken.type)


def _check_signature(cls: type[RowOperator], method: Any) -> None:
    if getattr(method, "__isabstractmethod__", False) or method is RowOperator.row:
        return
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters):
        return
    names = [p.name for p in parameters]
    if set(names) != set(cls.inputs):
        raise ColumnError(
            f"{cls.__name__}.row takes {', '.join(names) or 'nothing'}, but inputs declares "
            f"{', '.join(cls.inputs) or 'nothing'}; make the two agree."
        )
    try:
        hints = typing.get_type_hints(method)
    except NameError:  # a name that is only known where the class was written; nothing to compare with
        return
    for name, column in cls.inputs.items():
        if name in hints and not isinstance(column, pa.DataType) and hints[name] != column:
            raise ColumnError(
                f"{cls.__name__}.row takes '{name}' as {hints[name]}, but inputs declares {column}; make them agree."
            )
