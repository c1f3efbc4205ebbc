"""Operators written as one method that treats one row."""

from __future__ import annotations

import asyncio
import inspect
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, TypeAlias

import pyarrow as pa
from pydantic import Field

from dataflow_ext import parallel, progress
from dataflow_ext.background import ROW_ERRORS, contained, each_async, run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import Columns, arrow_type, check_signature
from dataflow_ext.engine import why_not
from dataflow_ext.errors import ColumnError, OptionError, RowTimeout, ValueTypeError
from dataflow_ext.models.request import FullModel, models_in
from dataflow_ext.operator import Made, Operator
from dataflow_ext.parallel import Limits, journal
from dataflow_ext.rejects import Failure
from dataflow_ext.selection import chunks_of

#: Rows that are Python objects at one time.
_SLICE = 4096
#: Asynchronous rows under way at one time; the gate around the model call decides what is really sent.
ROWS_IN_FLIGHT = 1024
#: The same where a model gathers calls and sends them together.
_QUEUED = 200_000
#: Seconds of rows that tell how long one takes, and the seconds from which it is worth keeping in a step's journal.
_PROBE, _WORTH_KEEPING = 0.05, 0.001


#: A row on its way: the slice that waits for it, its place there, and its values.
_Call: TypeAlias = "tuple[_Slice, int, Mapping[str, Any]]"


class RowOperator(Operator):
    """Base of operators that treat one row at a time by the method ``row``, which may be ``async``.

    ``row`` takes the declared inputs by name. It returns a mapping of output columns (kind ``same``), an
    iterable of mappings (``explode``), or for a ``filter`` True, or False or better the reason for dropping the row. An
    exception rejects its row alone.

    A row that takes longer than ``row_timeout`` seconds is a reject that another run tries again. An async row is
    cancelled, which it hears where it awaits; its waiting for a model's turn counts. Other rows are done in worker
    processes, which can be ended wherever they are; ``OptionError`` for an operator that cannot be sent to one.

    >>> class Shout(RowOperator):
    ...     inputs, outputs = {"text": str}, {"loud": str}
    ...     def row(self, text: str) -> dict[str, str]:
    ...         return {"loud": text.upper()}
    >>> Shout()(pa.table({"text": ["ah"]})).drop_columns(["row_id"]).to_pylist()
    [{'text': 'ah', 'loud': 'AH'}]
    """

    row_timeout: float | None = Field(default=None, gt=0, json_schema_extra={"fingerprint": False})

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.row_timeout is not None and not self._waits and (why := self._why_here()):
            raise OptionError(
                f"{type(self).__name__}: row_timeout needs an async row, or an operator that a worker process can "
                f"have, which this is not: {why}."
            )

    @abstractmethod
    def row(self, *args: Any, **inputs: Any) -> Any:
        """Make one row's output."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check that ``row`` takes what ``inputs`` declares, so that the two cannot drift apart."""
        super().__pydantic_init_subclass__(**kwargs)
        check_signature(cls, cls.row, cls.inputs)
        if cls.rows == "filter" and cls.outputs:
            raise ColumnError(
                f"{cls.__name__} is a filter, which passes rows on as they are, but declares the outputs "
                f"{', '.join(cls.outputs)}; write them in a step of rows = 'same' before it."
            )

    def batch(self, table: pa.Table) -> Made:
        """Call ``row`` for every row; those of asynchronous ones are under way together, from the whole table."""
        slices = [_Slice(self, table.slice(s, _SLICE), s) for s in range(0, table.num_rows, _SLICE)]
        calls = (call for part in slices for call in part.calls())  # those that are left
        if self._waits:
            run_async(each_async(self._one_async, calls, _done, rows_in_flight(self)))
        elif self.row_timeout is not None:
            limits = Limits(seconds=self.row_timeout)
            self._each(calls, lambda rows: parallel.guarded(self._one, rows, limits, final=journal.settled))
        elif journal.resumed() or (journal.journaled() and self._takes_time(slices)):
            self._each(calls, lambda rows: journal.through(self._one, rows, partial(map, self._one)))
        else:
            self._plainly(slices)
        return joined([part.made for part in slices], self.promised_outputs())

    @property
    def _waits(self) -> bool:
        return inspect.iscoroutinefunction(self.row) or inspect.isasyncgenfunction(self.row)

    def _why_here(self) -> str:
        """Why no worker process can do the rows; empty if one can."""
        if next(models_in(self), None) is not None:
            return "models are asked from one process"
        return why_not(self)

    def _plainly(self, slices: Iterable[_Slice]) -> None:
        """Do the rows that are left one after the other; progress hears of many quick ones at once."""
        for part in slices:
            while done := part.do(_PROBE):
                progress.advance(done)

    def _takes_time(self, slices: Iterable[_Slice]) -> bool:
        """Whether a row takes so long that keeping it pays, found by doing the first ones."""
        done, began = 0, time.perf_counter()
        for part in slices:
            while now := part.do(_PROBE - (time.perf_counter() - began)):
                progress.advance(now)
                done += now
                if (took := time.perf_counter() - began) > _PROBE:
                    return took > done * _WORTH_KEEPING
        return False

    def _each(self, calls: Iterable[_Call], do: Callable[[Iterable[Mapping[str, Any]]], Iterable[Any]]) -> None:
        waiting: deque[_Call] = deque()

        def values() -> Iterator[Mapping[str, Any]]:
            for call in calls:
                waiting.append(call)
                yield call[2]

        for result in do(values()):
            _done(waiting.popleft(), result)
            progress.advance()

    def _made(self, results: Sequence[Any], start: int) -> Made:
        """The columns that the results of a slice's rows make."""
        whole, outputs = range(start, start + len(results)), self.promised_outputs()
        if self.rows == "same" and self._as_declared(results):
            return fitting(results, whole, [], outputs)
        if self.rows == "explode" and set(map(type, results)) <= {list}:
            every = list(chain.from_iterable(results))
            if self._as_declared(every):
                rows = [row for row, made in zip(whole, results, strict=True) for _ in made]
                return fitting(every, rows, [], outputs)
        if self.rows == "filter" and all(result is True for result in results):
            return fitting([{}] * len(whole), whole, [], outputs)
        records: list[Mapping[str, Any]] = []
        rows = []
        failures: list[Failure] = []
        for i, result in zip(whole, results, strict=True):
            try:
                made = self._records(result)
            except Exception as error:
                failures.append(Failure.of(i, error))
                continue
            if self.rows == "filter" and not made:
                why = result if isinstance(result, str) else "row returned False"
                failures.append(Failure(i, why, "Dropped", kind="dropped"))
            records += made
            rows += [i] * len(made)
        return fitting(records, rows, failures, outputs)

    def _as_declared(self, records: Sequence[Any]) -> bool:
        """Whether all of these are records of the declared outputs, which nearly all are."""
        declared = self.promised_outputs().keys()
        return set(map(type, records)) <= {dict} and all(map(declared.__eq__, map(dict.keys, records)))

    def _one(self, call: Mapping[str, Any]) -> Any:
        return self._some((call,), 0.0)[0]

    def _some(self, calls: Iterable[Mapping[str, Any]], seconds: float) -> list[Any]:
        """What the first rows make, or why they make nothing: as many as that time allows, one at least."""
        results: list[Any] = []
        row, several, until = self.row, self.rows == "explode", time.perf_counter() + seconds
        for call in calls:
            try:
                result = row(**call)
                # A generator's errors belong to its row, so it is run to its end here.
                results.append(list(result) if several else result)
            except ROW_ERRORS as error:
                results.append(contained(error))
            if time.perf_counter() > until:
                break
        return results

    async def _one_async(self, call: _Call) -> Any:
        try:
            async with asyncio.timeout(self.row_timeout) as clock:
                if inspect.isasyncgenfunction(self.row):
                    return [made async for made in self.row(**call[2])]
                return await self.row(**call[2])
        except TimeoutError:
            if clock.expired():
                raise RowTimeout(f"took longer than the {self.row_timeout:g} s that it may take") from None
            raise
        finally:
            progress.advance()

    def _records(self, result: Any) -> Sequence[Mapping[str, Any]]:
        """The output records of one row's result; raises what the row raised."""
        if isinstance(result, BaseException):
            raise result
        if self.rows == "filter":
            kind = type(result)
            of_numpy = kind.__module__ == "numpy" and kind.__name__.startswith("bool")
            if not isinstance(result, (bool, str)) and not of_numpy:
                raise ValueTypeError(f"a filter's row returns True, False or a reason, got {result!r}")
            return [] if isinstance(result, str) or not result else [{}]
        records = list(result) if self.rows == "explode" else [result]
        if not self._as_declared(records):
            declared = set(self.promised_outputs())
            for record in records:
                if not isinstance(record, Mapping) or set(record) != declared:
                    got = sorted(record) if isinstance(record, Mapping) else type(record).__name__
                    raise ValueTypeError(f"row returned {got}, declared outputs are {sorted(declared)}")
        return records


class _Slice:
    """Some rows of a table: Python objects from the first one's start to the last one's end, Arrow before and after."""

    def __init__(self, operator: RowOperator, table: pa.Table, start: int) -> None:
        self._operator, self._table, self._start = operator, table, start
        self._left = table.num_rows
        self._results: list[Any] = []
        self._wrong: dict[int, ValueTypeError] = {}
        self._todo: Iterator[tuple[int, Mapping[str, Any]]] | None = None

    def calls(self) -> Iterator[_Call]:
        """The rows to be done; those whose values are none of the declared types are done already."""
        for row, values in self._opened():
            if row in self._wrong:
                self.done(row, self._wrong[row])
            else:
                yield self, row, values

    def do(self, seconds: float) -> int:
        """Do the next rows, so many as that time allows, one at least; how many that were, 0 if none is left."""
        todo = self._opened()
        if self._wrong:
            for part, row, values in self.calls():
                part.done(row, self._operator._one(values))
                return 1
            return 0
        results = self._operator._some((values for _, values in todo), seconds)
        if results:
            at = self._table.num_rows - self._left
            self._results[at : at + len(results)] = results
            self._finished(len(results))
        return len(results)

    def done(self, row: int, result: Any) -> None:
        """Keep a row's result."""
        self._results[row] = result
        self._finished(1)

    def _opened(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The rows that nobody has taken yet, with their values by name."""
        if self._todo is None:
            columns, self._wrong = decoded(self._table, self._operator.needed_inputs())
            rows = zip(*columns.values(), strict=True) if columns else repeat((), self._left)
            self._results = [None] * self._left
            self._todo = enumerate(map(dict, map(partial(zip, tuple(columns)), rows)))
        return self._todo

    def _finished(self, rows: int) -> None:
        """Make the columns and let the objects go, if these were the last."""
        self._left -= rows
        if not self._left:
            self.made = self._operator._made(self._results, self._start)
            self._results = []


def _done(call: _Call, result: Any) -> None:
    part, row, _ = call
    part.done(row, result)


def rows_in_flight(operator: Operator) -> int:
    """How many rows of an operator may be under way at one time: as good as all if its model gathers them."""
    return _QUEUED if any(FullModel(model).queued for model in models_in(operator)) else ROWS_IN_FLIGHT


def decoded(table: pa.Table, columns: Columns) -> tuple[dict[str, list[Any]], dict[int, ValueTypeError]]:
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


def encoded(records: Sequence[Mapping[str, Any]], columns: Columns) -> dict[str, pa.Array]:
    """The records' values as columns; raises :class:`ValueTypeError` with the column that does not fit."""
    out = {}
    for name, column in columns.items():
        try:
            out[name] = encode(list(map(itemgetter(name), records)), column)
        except ValueTypeError as error:
            raise ValueTypeError(f"column '{name}': {error}") from None
    return out


def fitting(
    records: Sequence[Mapping[str, Any]], rows: Sequence[int], failures: list[Failure], columns: Columns
) -> Made:
    """What records make: whole columns at once; only if a value does not fit, row by row to find which."""
    try:
        return Made(encoded(records, columns), rows, failures)
    except ValueTypeError:
        wrong: dict[int, ValueTypeError] = {}
        for i, record in zip(rows, records, strict=True):
            try:
                encoded([record], columns)
            except ValueTypeError as error:
                wrong.setdefault(i, error)
    kept = [(i, r) for i, r in zip(rows, records, strict=True) if i not in wrong]
    failures = [*failures, *(Failure.of(i, e) for i, e in wrong.items())]
    return Made(encoded([r for _, r in kept], columns), [i for i, _ in kept], failures)


def joined(parts: Sequence[Made], outputs: Columns) -> Made:
    """What was made of a batch's slices, one after the other, as what was made of the batch."""
    columns = {
        n: pa.chunked_array([chunk for part in parts for chunk in chunks_of(part.columns[n])], arrow_type(t))
        for n, t in outputs.items()
    }
    rows = [part.rows or () for part in parts]
    at = 0
    whole = all(here == range(at, at := at + len(here)) for here in rows)  # then each row gave one
    failures = [failure for part in parts for failure in part.failures]
    return Made(columns, range(at) if whole else list(chain.from_iterable(rows)), failures)
