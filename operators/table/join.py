"""Join: the columns of another table, found by what both have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, InputError, Made, Operator, OptionError
from dataflow_ext.columns import Columns
from dataflow_ext.identity import ROW_ID
from dataflow_ext.selection import taken
from dataflow_ext.tables import read_table
from operators.table.groups import groups_of, keys_of


class Join(Operator):
    """The rows with the columns of another table beside them: those of its row that agrees in ``on``.

    The other table is a file, whose content counts among what the step depends on. It has one row at most of each
    value; a null has no partner. The columns ``on`` have the same names and types in both.

    Reads:
        row_id: the rows' ids; the columns that ``on`` names, of any type, are read too.

    Options:
        other: the file of the other table: Parquet, Arrow, JSONL, JSON or CSV.
        on: the columns that both have in common.
        columns: which of its columns are put beside the row; all others than ``on`` if none is named.
        how: ``inner`` drops rows without a partner, ``left`` keeps them, with nulls.

    Rejects:
        Dropped: a row without a partner.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from dataflow_ext import to_table, write_table
        >>> with TemporaryDirectory() as folder:
        ...     levels = write_table(to_table([{"label": "1", "level": 7}]), Path(folder, "levels.parquet"))
        ...     joined = Join(other=levels, on=["label"])([{"label": "1"}, {"label": "2"}])
        >>> joined.select(["label", "level"]).to_pylist()
        [{'label': '1', 'level': 7}]
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {ROW_ID: str}

    other: Path
    on: tuple[str, ...] = Field(min_length=1)
    columns: tuple[str, ...] = ()
    how: Literal["inner", "left"] = "inner"

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
        why = f"no row of {self.other.name} has the same {', '.join(self.on)}"
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
        if not self.other.is_file():
            raise InputError(f"Join: There is no file {self.other}.")
        state = self.other.stat()
        table, partners = _read(self.other, self.on, state.st_mtime_ns, state.st_size)
        if unknown := [name for name in self.columns if name not in table.column_names]:
            raise OptionError(_unknown(self.other, unknown, table))
        return table, partners


@lru_cache(maxsize=8)
def _read(path: Path, on: tuple[str, ...], _time: int, _size: int) -> tuple[pa.Table, dict[tuple[str, ...], int]]:
    """The table, read again when the file has changed, and the row of each value."""
    table = read_table(path)
    if unknown := [name for name in on if name not in table.column_names]:
        raise OptionError(_unknown(path, unknown, table))
    partners = {}
    for key, rows in groups_of(table, on).items():
        if "None" in key:  # a null is no other's equal
            continue
        if len(rows) > 1:
            raise InputError(
                f"Join: {path} has {len(rows)} rows whose {', '.join(on)} is {', '.join(key)}; leave one of each."
            )
        partners[key] = rows[0]
    return table, partners


def _unknown(path: Path, names: Sequence[str], table: pa.Table) -> str:
    return f"Join: {path} has no column {', '.join(names)}; it has {', '.join(table.column_names)}."
