"""Operators that merge rows: all rows of a group become one row or several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import progress
from dataflow_ext.background import ROW_ERRORS, contained
from dataflow_ext.columns import arrow_type, check_signature
from dataflow_ext.errors import ColumnError, ValueTypeError
from dataflow_ext.operator import Made, Operator
from dataflow_ext.rejects import Failure
from dataflow_ext.rows import decoded, encoded
from dataflow_ext.selection import taken


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
        check_signature(cls, cls.group, {n: None for n in cls.inputs if n not in cls.carried})

    def batch(self, table: pa.Table) -> Made:
        """Call ``group`` for every group, in the order in which their keys first appear."""
        columns, wrong = decoded(table, {n: t for n, t in self.needed_inputs().items() if n not in self.carried})
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        done: list[tuple[list[int], list[Merged], list[Failure]]] = []
        places = list(zip(*(_sortable(columns[o]) for o in self.order), strict=True))
        for rows in self._groups(columns, table.num_rows, wrong):
            try:
                if places:
                    rows.sort(key=places.__getitem__)
                done.append((rows, *self._merge(rows, columns)))
            except ROW_ERRORS as error:
                failures += [Failure.of(i, contained(error)) for i in rows]
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
        last: tuple[Any, ...] | None = None
        group: list[int] = []
        for i, key in enumerate(keys):
            if i not in wrong:
                if key != last:  # rows of a group mostly stand together
                    last, group = key, groups.setdefault(key, [])
                group.append(i)
        return groups.values()

    def _merge(self, rows: list[int], columns: Mapping[str, list[Any]]) -> tuple[list[Merged], list[Failure]]:
        """What ``group`` makes of these rows, with the table's row numbers instead of the group's."""
        merged: list[Merged] = []
        failures: list[Failure] = []
        wanted = set(self.promised_outputs()) - set(self.carried)
        whole = all(len(values) == len(rows) for values in columns.values()) and rows == list(range(len(rows)))
        given = columns if whole else {name: [values[i] for i in rows] for name, values in columns.items()}
        for made in self.group(**given):
            if isinstance(made, Failure):
                made.row = rows[made.row]
                failures.append(made)
                continue
            if made.values.keys() != wanted or not made.rows:
                raise ValueTypeError(
                    f"group returned {sorted(made.values)} for {len(made.rows)} rows, "
                    f"declared outputs are {sorted(wanted)} for one row or more"
                )
            if not whole:
                made.rows = [rows[i] for i in made.rows]
                made.carry = None if made.carry is None else [rows[i] for i in made.carry]
            merged.append(made)
        return merged, failures

    def _encode_groups(
        self, done: list[tuple[list[int], list[Merged], list[Failure]]]
    ) -> tuple[dict[str, pa.Array], list[tuple[list[int], list[Merged], list[Failure]]], list[Failure]]:
        """Whole columns at once; only if a value does not fit, group by group to find which."""
        outputs = {n: t for n, t in self.promised_outputs().items() if n not in self.carried}
        try:
            return encoded([m.values for _, made, _ in done for m in made], outputs), done, []
        except ValueTypeError:
            good, failures = [], []
            for rows, made, causes in done:
                try:
                    encoded([m.values for m in made], outputs)
                    good.append((rows, made, causes))
                except ValueTypeError as error:
                    failures += [Failure.of(i, error) for i in rows]
        return encoded([m.values for _, made, _ in good for m in made], outputs), good, failures


def _sortable(values: list[Any]) -> Sequence[Any]:
    """The values, or, where nulls are among them, keys that put nulls first."""
    return [(v is not None, v) for v in values] if None in values else values


def _joined(lists: pa.ChunkedArray, carry: Sequence[Sequence[int]]) -> pa.ChunkedArray:
    """For each output row the values of its input rows' lists, one after the other."""
    chosen = taken(lists, pa.array(chain.from_iterable(carry), pa.int64()))
    sizes = [0, *accumulate(pc.list_value_length(chosen).fill_null(0).to_pylist())]
    ends = [sizes[n] for n in accumulate(map(len, carry), initial=0)]
    values = pa.chunked_array([chunk.flatten() for chunk in chosen.chunks], lists.type.value_type)
    return pa.chunked_array(_lists(values, ends, lists.type), lists.type)


def _lists(values: pa.ChunkedArray, ends: Sequence[int], dtype: pa.DataType) -> list[pa.Array]:
    """The lists that end at these places of the values, in as many arrays as are needed to hold them."""
    try:
        own = pa.concat_arrays(values.slice(ends[0], ends[-1] - ends[0]).chunks or [pa.array([], dtype.value_type)])
    except pa.ArrowInvalid:
        if len(ends) < 3:
            raise ValueTypeError("a merged row's lists hold more than 2 GiB, which is more than a value can") from None
        half = len(ends) // 2
        return [*_lists(values, ends[: half + 1], dtype), *_lists(values, ends[half:], dtype)]
    return [pa.ListArray.from_arrays(pa.array([end - ends[0] for end in ends], pa.int32()), own, type=dtype)]
