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
from dataflow_ext.columns import Columns, arrow_type, optional, unwrap
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
        _check_signature(cls, cls.row, cls.inputs)

    def batch(self, table: pa.Table) -> Made:
        """Call ``row`` for every row, a slice of the table at a time."""
        parts = [self._slice(table.slice(s, _SLICE), s) for s in range(0, table.num_rows, _SLICE)]
        columns = {
            name: pa.chunked_array([p.columns[name] for p in parts], arrow_type(t)) for name, t in self.outputs.items()
        }
        rows = [i for p in parts for i in p.rows or ()]
        return Made(columns, rows, [f for p in parts for f in p.failures])

    def _slice(self, table: pa.Table, start: int) -> Made:
        values, wrong = _decoded(table, self.inputs)
        calls = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
        done = iter(self._run([call for i, call in enumerate(calls) if i not in wrong]))
        results = [wrong[i] if i in wrong else next(done) for i in range(len(calls))]
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
        if inspect.iscoroutinefunction(self.row) or inspect.isasyncgenfunction(self.row):
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
            if inspect.isasyncgenfunction(self.row):
                return [made async for made in self.row(**call)]
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
        records = list(result) if self.rows == "explode" else [result]
        for record in records:
            if not isinstance(record, Mapping) or set(record) != set(self.outputs):
                got = sorted(record) if isinstance(record, Mapping) else type(record).__name__
                raise ValueTypeError(f"row returned {got}, declared outputs are {sorted(self.outputs)}")
        return records

    def _encoded(self, records: list[Mapping[str, Any]], rows: list[int], failures: list[Failure]) -> Made:
        """Whole columns at once; only if a value does not fit, row by row to find which."""
        try:
            return Made(_encoded(records, self.outputs), rows, failures)
        except ValueTypeError:
            wrong: dict[int, ValueTypeError] = {}
            for i, record in zip(rows, records, strict=True):
                try:
                    _encoded([record], self.outputs)
                except ValueTypeError as error:
                    wrong.setdefault(i, error)
        kept = [(i, r) for i, r in zip(rows, records, strict=True) if i not in wrong]
        failures = [*failures, *(Failure.of(i, e) for i, e in wrong.items())]
        return Made(_encoded([r for _, r in kept], self.outputs), [i for i, _ in kept], failures)


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

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check that ``key``, ``order``, ``carried`` and ``group`` name declared inputs."""
        super().__pydantic_init_subclass__(**kwargs)
        for column in (*cls.key, *cls.order, *cls.carried):
            if column not in cls.inputs:
                raise ColumnError(f"{cls.__name__}: '{column}' is no input; they are {', '.join(cls.inputs)}.")
        for column in cls.key:
            if pa.types.is_nested(arrow_type(cls.inputs[column])):
                raise ColumnError(f"{cls.__name__}: '{column}' cannot be a key, as its values have parts.")
        _check_signature(cls, cls.group, {n: None for n in cls.inputs if n not in cls.carried})

    def batch(self, table: pa.Table) -> Made:
        """Call ``group`` for every group, in the order in which their keys first appear."""
        columns, wrong = _decoded(table, {n: t for n, t in self.inputs.items() if n not in self.carried})
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        done: list[tuple[list[int], list[Merged], list[Failure]]] = []
        places = list(zip(*(_sortable(columns[o]) for o in self.order), strict=True))
        for rows in self._groups(columns, table.num_rows, wrong):
            try:
                if places:
                    rows.sort(key=places.__getitem__)
                done.append((rows, *self._merge(rows, columns)))
            except Exception as error:
                failures += [Failure.of(i, error) for i in rows]
            progress.advance(len(rows))
        out, done, misfits = self._encode_groups(done)
        merged = [m for _, made, _ in done for m in made]
        carry = [m.rows if m.carry is None else m.carry for m in merged]
        out.update({name: _joined(table[name], carry) for name in self.carried})
        failures += [*misfits, *(cause for _, _, causes in done for cause in causes)]
        return Made(out, failures=failures, members=[m.rows for m in merged])

    def _groups(
        self, columns: Mapping[str, list[Any]], total: int, wrong: Mapping[int, Exception]
    ) -> Iterable[list[int]]:
        """The rows of each group; without a key, all rows are one group."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        keys = zip(*(columns[k] for k in self.key), strict=True) if self.key else [()] * total
        for i, key in enumerate(keys):
            if i not in wrong:
                groups.setdefault(key, []).append(i)
        return groups.values()

    def _merge(self, rows: list[int], columns: Mapping[str, list[Any]]) -> tuple[list[Merged], list[Failure]]:
        """What ``group`` makes of these rows, with the table's row numbers instead of the group's."""
        merged: list[Merged] = []
        failures: list[Failure] = []
        wanted = set(self.outputs) - set(self.carried)
        for made in self.group(**{name: [values[i] for i in rows] for name, values in columns.items()}):
            if isinstance(made, Failure):
                made.row = rows[made.row]
                failures.append(made)
                continue
            if set(made.values) != wanted or not made.rows:
                raise ValueTypeError(
                    f"group returned {sorted(made.values)} for {len(made.rows)} rows, "
                    f"declared outputs are {sorted(wanted)} for one row or more"
                )
            carry = None if made.carry is None else [rows[i] for i in made.carry]
            merged.append(Merged([rows[i] for i in made.rows], made.values, carry))
        return merged, failures

    def _encode_groups(
        self, done: list[tuple[list[int], list[Merged], list[Failure]]]
    ) -> tuple[dict[str, pa.Array], list[tuple[list[int], list[Merged], list[Failure]]], list[Failure]]:
        """Whole columns at once; only if a value does not fit, group by group to find which."""
        outputs = {n: t for n, t in self.outputs.items() if n not in self.carried}
        try:
            return _encoded([m.values for _, made, _ in done for m in made], outputs), done, []
        except ValueTypeError:
            good, failures = [], []
            for rows, made, causes in done:
                try:
                    _encoded([m.values for m in made], outputs)
                    good.append((rows, made, causes))
                except ValueTypeError as error:
                    failures += [Failure.of(i, error) for i in rows]
        return _encoded([m.values for _, made, _ in good for m in made], outputs), good, failures


def _decoded(table: pa.Table, columns: Columns) -> tuple[dict[str, list[Any]], dict[int, ValueTypeError]]:
    """The columns' values, and the rows whose values are none of the declared type."""
    try:
        return {name: decode(table[name], t) for name, t in columns.items()}, {}
    except ValueTypeError:
        values: dict[str, list[Any]] = {name: [None] * table.num_rows for name in columns}
    wrong: dict[int, ValueTypeError] = {}
    for i in range(table.num_rows):
        for name, t in columns.items():
            try:
                values[name][i] = decode(table[name].slice(i, 1), t)[0]
            except ValueTypeError as error:
                wrong.setdefault(i, ValueTypeError(f"column '{name}': {error}"))
    return values, wrong


def _encoded(records: Sequence[Mapping[str, Any]], columns: Columns) -> dict[str, pa.Array]:
    out = {}
    for name, column in columns.items():
        try:
            out[name] = encode([r[name] for r in records], column)
        except ValueTypeError as error:
            raise ValueTypeError(f"column '{name}': {error}") from None
    return out


def _sortable(values: list[Any]) -> Sequence[Any]:
    """The values, or, where nulls are among them, keys that put nulls first."""
    return [(v is not None, v) for v in values] if None in values else values


def _joined(lists: pa.ChunkedArray, carry: Sequence[Sequence[int]]) -> pa.Array:
    """For each output row the values of its input rows' lists, one after the other."""
    taken = lists.combine_chunks().take(pa.array(chain.from_iterable(carry), pa.int64()))
    sizes = [0, *accumulate(taken.value_lengths().fill_null(0).to_pylist())]
    offsets = [sizes[n] for n in accumulate(map(len, carry), initial=0)]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), taken.flatten(), type=taken.type)


def _check_signature(cls: type[Operator], method: Any, inputs: Columns) -> None:
    """Raise if the method's parameters are not the inputs, or annotated otherwise where these have a type."""
    if getattr(method, "__isabstractmethod__", False):
        return
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters):
        return
    names = [p.name for p in parameters]
    where = f"{cls.__name__}.{method.__name__}"
    if set(names) != set(inputs):
        raise ColumnError(
            f"{where} takes {', '.join(names) or 'nothing'}, but inputs declares "
            f"{', '.join(inputs) or 'nothing'}; make the two agree."
        )
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except NameError:  # a name that is only known where the class was written; nothing to compare with
        return
    for name, column in inputs.items():
        if column is None or isinstance(column, pa.DataType) or name not in hints:
            continue
        # Annotated says more about a type, it makes no other type.
        if unwrap(hints[name]) != unwrap(column) or optional(hints[name]) != optional(column):
            raise ColumnError(
                f"{where} takes '{name}' as {hints[name]}, but inputs declares {column}; make them agree."
            )
