"""Join: the columns of another table, found by what both have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field, PrivateAttr, field_validator

from dataflow_ext import Failure, InputError, Made, Operator, OptionError
from dataflow_ext.columns import Columns
from dataflow_ext.identity import ROW_ID
from dataflow_ext.selection import taken
from dataflow_ext.tables import read_table, to_table
from operators.table.groups import groups_of, keys_of


class Join(Operator):
    """The rows with the columns of another table beside them: those of its row that agrees in ``on``.

    The other table's content counts among what the step depends on. It has one row at most of each value; a null has
    no partner. The columns ``on`` have the same names and types in both.

    Reads:
        row_id: the rows' ids; the columns that ``on`` names, of any type, are read too.

    Writes: the other table's columns, or those that ``columns`` names.

    Options:
        other: the other table: a file (Parquet, Arrow, JSONL, JSON or CSV), a table, data frame or list of dicts, or
            the name of one of the run's inputs.
        on: the columns that both have in common.
        columns: which of its columns are put beside the row; all others than ``on`` if none is named.
        how: ``inner`` drops rows without a partner, ``left`` keeps them, with nulls.

    Rejects:
        Dropped: a row without a partner.

    Example:
        >>> joined = Join(other=[{"label": "1", "level": 7}], on=["label"])([{"label": "1"}, {"label": "2"}])
        >>> joined.select(["label", "level"]).to_pylist()
        [{'label': '1', 'level': 7}]
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {ROW_ID: str}

    other: Path | pa.Table
    on: tuple[str, ...] = Field(min_length=1)
    columns: tuple[str, ...] = ()
    how: Literal["inner", "left"] = "inner"

    _known: tuple[pa.Table, dict[tuple[str, ...], int]] | None = PrivateAttr(default=None)

    @field_validator("other", mode="before")
    @classmethod
    def _a_file_or_a_table(cls, other: Any) -> Any:
        return other if isinstance(other, (str, Path)) else to_table(other)

    @field_validator("on", "columns", mode="before")
    @classmethod
    def _one_or_several(cls, names: Any) -> Any:
        return (names,) if isinstance(names, str) else names

    def with_tables(self, tables: Mapping[str, pa.Table]) -> Operator:
        """The join with the input that ``other`` names."""
        named = tables.get(str(self.other)) if isinstance(self.other, Path) else None
        return self if named is None else self.model_copy(update={"other": named})

    def needed_inputs(self) -> Columns:
        """The columns that ``on`` names, in the types that the other table has them in."""
        return {ROW_ID: str, **{name: self._table.schema.field(name).type for name in self.on}}

    def promised_outputs(self) -> Columns:
        """The columns that come from the other table."""
        return {name: self._table.schema.field(name).type for name in self._names}

    def batch(self, table: pa.Table) -> Made:
        """Look each row's partner up."""
        other, partners = self._found
        found = [partners.get(key) for key in keys_of(table, self.on)]
        left = self.how == "left"
        rows = [row for row, partner in enumerate(found) if left or partner is not None]
        index = pa.array([found[row] for row in rows], pa.int64())
        missing = [] if left else [row for row, partner in enumerate(found) if partner is None]
        name = self.other.name if isinstance(self.other, Path) else "the other table"
        why = f"no row of {name} has the same {', '.join(self.on)}"
        return Made(
            {name: taken(other[name], index) for name in self._names},
            rows,
            [Failure(row, why, "Dropped", kind="dropped") for row in missing],
        )

    @property
    def _names(self) -> list[str]:
        return list(self.columns or (name for name in self._table.column_names if name not in {*self.on, ROW_ID}))

    @property
    def _table(self) -> pa.Table:
        return self._found[0]

    @property
    def _found(self) -> tuple[pa.Table, dict[tuple[str, ...], int]]:
        """The other table, and which of its rows has which values in ``on``."""
        if not isinstance(self.other, Path):
            table, partners = self._known or (self.other, _partners(self.other, self.on, "the other table"))
            self._known, name = (table, partners), "the other table"
        elif self.other.is_file():
            state, name = self.other.stat(), str(self.other)
            table, partners = _read(self.other, self.on, state.st_mtime_ns, state.st_size)
        else:
            raise InputError(f"Join: There is no file {self.other}, and the run has no input of that name.")
        if unknown := [each for each in self.columns if each not in table.column_names]:
            raise OptionError(_unknown(name, unknown, table))
        return table, partners


@lru_cache(maxsize=8)
def _read(path: Path, on: tuple[str, ...], _time: int, _size: int) -> tuple[pa.Table, dict[tuple[str, ...], int]]:
    """The table, read again when the file has changed, and the row of each value."""
    table = read_table(path)
    return table, _partners(table, on, str(path))


def _partners(table: pa.Table, on: tuple[str, ...], source: str) -> dict[tuple[str, ...], int]:
    if unknown := [name for name in on if name not in table.column_names]:
        raise OptionError(_unknown(source, unknown, table))
    partners = {}
    for key, rows in groups_of(table, on).items():
        if "None" in key:  # a null is no other's equal
            continue
        if len(rows) > 1:
            raise InputError(
                f"Join: {source} has {len(rows)} rows whose {', '.join(on)} is {', '.join(key)}; leave one of each."
            )
        partners[key] = rows[0]
    return partners


def _unknown(source: str, names: Sequence[str], table: pa.Table) -> str:
    return f"Join: {source} has no column {', '.join(names)}; it has {', '.join(table.column_names)}."
